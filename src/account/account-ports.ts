import type { FlowStep, GatewayPorts } from "../gateway/index.js";
import type { FlowCallPorts } from "./flow-calls.js";
import type { ResthookPorts } from "./resthooks.js";

/** Callbacks of the account, called at the kernel's `now`. */
export interface AccountPorts extends Pick<GatewayPorts, "push">, ResthookPorts, FlowCallPorts {
  /** Emits a flow event through a channel. Absent: the event is lost. */
  flowEvent?(channel: number, step: FlowStep): void;
  /** Shows what a flow, campaign or schedule failed to do; `kind` is a stable word such as `flow-error`. */
  noted?(note: { readonly kind: string; readonly text: string }): void;
}
