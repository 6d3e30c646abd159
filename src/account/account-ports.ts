import type { GatewayPorts } from "../gateway/index.js";
import type { FlowCallPorts } from "./flow-calls.js";
import type { ResthookPorts } from "./resthooks.js";

/** What the account calls at the kernel's `now`. */
export interface AccountPorts extends Pick<GatewayPorts, "push">, ResthookPorts, FlowCallPorts {}
