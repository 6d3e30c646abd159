import type { FlowStep, GatewayPorts } from "../gateway/index.js";
import type { FlowCallPorts } from "./flow-calls.js";
import type { ResthookPorts } from "./resthooks.js";

/** What the account calls at the kernel's `now`. */
export interface AccountPorts extends Pick<GatewayPorts, "push">, ResthookPorts, FlowCallPorts {
  /** Emits a flow event through a channel. Absent: it is lost. */
  flowEvent?(channel: number, step: FlowStep): void;
  /** Shows what a flow, campaign or schedule could not do; `kind` is a stable word such as `flow-error`. */
  noted?(note: { readonly kind: string; readonly text: string }): void;
}
