import type { Scenario, ScenarioInput } from "../scenario/index.js";
import type { Spelling } from "../wire/index.js";
import type { TestReceiver } from "./receiver/kinds.js";

/** What `startLab` starts. Every option has a default. */
export interface StartLabOptions {
  /**
   * Your receiver: a handler in this process (Node's `(req, res)`, a fetch handler, a Fastify instance, an `http.Server`),
   * or a URL. Default: the receiver that the scenario names, else the bundled one, which answers 200.
   */
  readonly receiver?: TestReceiver;
  /** Path, with a query string if there is one, at which a handler in this process gets the events; default `/`. */
  readonly path?: string;
  /**
   * The world: a scenario file, the text of one (it has a line end), the object that `scenario(…)` takes, or what that
   * returns. Default: one handset `clinic` with the number +250788000001, no traffic, the preset `documented`, from
   * 2026-03-04T06:00Z on.
   */
  readonly scenario?: string | ScenarioInput | Scenario;
  /** Handsets and people of the default world, as in a scenario: replaces its handset. Not with `scenario`. */
  readonly cast?: Pick<ScenarioInput, "handsets" | "people" | "carriers">;
  /** Determines everything that is drawn; default: the scenario's seed, 1 in the default world. */
  readonly seed?: number;
  /** Field names of the events; default: the scenario's, `both` in the default world. */
  readonly spelling?: Spelling;
  /**
   * Real time in which the receiver must answer; default `2s`, or less if the service gives up sooner. The service then
   * counts the attempt as timed out. Virtual time does not pass meanwhile.
   */
  readonly timeout?: string | number;
  /** Hosts that events may be sent to, in addition to this machine. */
  readonly allowHosts?: readonly string[];
}
