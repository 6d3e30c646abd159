import { createHash } from "node:crypto";
import { LabError, version } from "../../base/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { RunOptions } from "../run-options.js";

/** What all parts of one run have in common, by the name that a refusal gives it. */
export type RunIdentity = Readonly<Record<string, string>>;

/** The identity of a run in parts. Receivers may differ. */
export function identityOf(scenario: Scenario, { pace = "lockstep" }: RunOptions, count: number): RunIdentity {
  const { text, set = [], files = {} } = scenario.source;
  return {
    "version of handset-lab": version,
    "number of parts": String(count),
    seed: String(scenario.seed),
    scenario: hash(text),
    "files of the scenario": hash(JSON.stringify(files)),
    "--set": set.join(", ") || "not given",
    pace: String(pace),
  };
}

/** Why two identities differ; undefined: they are of one run. */
export function differenceOf(own: RunIdentity, other: RunIdentity): string | undefined {
  for (const name of Object.keys(own)) {
    const [ours = "", theirs = "unknown"] = [own[name], other[name]];
    if (ours === theirs) continue;
    return name === "scenario" || name === "files of the scenario"
      ? `its ${name} differ${name === "scenario" ? "s" : ""}`
      : `its ${name} is ${theirs}, not ${ours}`;
  }
  return undefined;
}

/** @throws LabError `bad-options` if the folder has the files of another run */
export function refuseOtherRun(path: string, own: RunIdentity, other: RunIdentity): void {
  const difference = differenceOf(own, other);
  if (difference === undefined) return;
  throw new LabError("bad-options", `${path} has the files of another run: ${difference}`, {
    hint: `name a new folder, or remove this one if no part of that run plays any more: rm -r ${path}`,
  });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
