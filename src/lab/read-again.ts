import { parseScenario, type Scenario } from "../scenario/index.js";
import type { RunMeta } from "../store/index.js";
import { LabError } from "./errors.js";

/** What is kept in a recording beside the text of its scenario, so that it can be read again. */
export function readAgainWith({ source: { set, files } }: Scenario): Record<string, string> {
  return {
    ...(set !== undefined && { set: JSON.stringify(set) }),
    ...(files !== undefined && { files: JSON.stringify(files) }),
  };
}

/**
 * The scenario that a recording was made with.
 *
 * @param path - of the recording, for messages
 * @throws LabError when this version does not understand it any more
 */
export function scenarioOf({ scenario: { text, file }, startsAtMs, seed, options }: RunMeta, path: string): Scenario {
  const files = JSON.parse(options["files"] ?? "{}") as Record<string, string>;
  const { scenario, diagnostics } = parseScenario(text, {
    file,
    nowMs: startsAtMs,
    seed,
    set: JSON.parse(options["set"] ?? "[]") as string[],
    readFile(name) {
      const known = files[name];
      if (known === undefined) throw new Error("it is not in the recording");
      return known;
    },
  });
  if (scenario === undefined) {
    const [first] = diagnostics;
    throw new LabError("bad-options", `this version cannot go on with the scenario in ${path}: ${first?.message}`, {
      hint: `it was recorded by another version: begin a new one`,
    });
  }
  return { ...scenario, cast: { ...scenario.cast, startsAtMs } };
}
