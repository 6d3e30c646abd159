import type { Scenario } from "../scenario/index.js";
import type { RunOptions } from "./run-options.js";

/** URL at which a receiver that a run starts must listen, if neither the options nor the scenario name one. */
export const COMMAND_RECEIVER = "http://127.0.0.1:8080/";

/** The receiver of the groups without their own `receiver`: `bundled`, `none` or a URL. */
export function receiverOf(
  { receiver: own }: Pick<Scenario, "receiver">,
  { receiver, command = [] }: Pick<RunOptions, "receiver" | "command">,
): string {
  return receiver ?? own?.url ?? (command.length > 0 ? COMMAND_RECEIVER : "bundled");
}

/**
 * The receivers of a scenario's events: `bundled`, `none` or URLs, each once, in the order of the groups. A group's
 * `receiver` takes precedence, except over `none`.
 *
 * @param receiver - the run's option; absent: the scenario's
 */
export function deliveryTargets({ cast, receiver: own }: Scenario, receiver?: string): readonly string[] {
  const shared = receiverOf({ receiver: own }, receiver === undefined ? {} : { receiver });
  if (shared === "none") return ["none"];
  return [...new Set(cast.handsets.map((group) => group.receiver ?? shared))];
}
