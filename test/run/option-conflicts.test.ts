import { describe, expect, it } from "vitest";
import { LabError } from "../../src/index.js";
import { type GivenOptions, refuseConflicts } from "../../src/run/option-conflicts.js";

/** The message for these options; undefined: they work together. */
function refusal(given: GivenOptions): string | undefined {
  try {
    refuseConflicts(given);
    return undefined;
  } catch (error) {
    if (!(error instanceof LabError) || !error.isUsage) throw error;
    return error.message;
  }
}

describe("options of a run", () => {
  it.each<[GivenOptions, string]>([
    [{ api: 0, shard: "1/2" }, "--api does not work with --shard: a part sees only its own share of the account"],
    [{ data: ["a.yaml"], shard: "1/2" }, "--data does not work with --shard: the account spans all parts"],
    [{ console: true, processes: 2 }, "--console does not work with --processes: it shows the phones of one process"],
    [{ command: ["true"], processes: 2 }, "a command does not work with --processes: every process would start it"],
    [{ metrics: 0, processes: 2 }, "--metrics does not work with --processes: each process measures only its part"],
    [{ processes: 2, resume: "a.db" }, "--processes does not work with --resume: --resume continues one recording"],
    [{ seed: 0, resume: "a.db" }, "--seed does not work with --resume: a resumed run keeps its scenario and its seed"],
    [{ settle: 100 }, "--settle waits until the API is idle: add --api PORT"],
  ])("%j are refused", (given, message) => {
    expect(refusal(given)).toBe(message);
  });

  it.each<[GivenOptions]>([
    [{ api: 0, settle: 100, data: ["a.yaml"], metrics: 0, command: ["true"] }],
    [{ processes: 2, data: [], set: ["lasts=1h"], seed: 1 }],
    [{ console: true, settle: 100, resume: "a.db" }],
    [{ resume: "a.db", set: [], expect: [], command: ["true"] }],
  ])("%j work together", (given) => {
    expect(refusal(given)).toBeUndefined();
  });
});
