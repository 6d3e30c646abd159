import { LabError } from "../../base/index.js";
import type { Part } from "../../world/index.js";

/** Upper bound of parts. */
const PARTS_MAX = 10_000;

/** Kubernetes sets this variable in each pod of an Indexed Job: the pod's number, from 0. */
const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";
/** The number of parts if `--shard` is absent. */
const COUNT_VARIABLE = "HANDSET_SHARDS";

/** A part in the form of `--shard`: `2/8`. */
export function partText({ index, count }: Part): string {
  return `${index}/${count}`;
}

/**
 * The part of the fleet to play, from `--shard`, else from the environment; undefined: the whole fleet.
 *
 * @param option - `2/8`, or `auto/8`: the index is `JOB_COMPLETION_INDEX` + 1
 * @throws LabError `bad-options`
 */
export function shardOf(
  option: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Part | undefined {
  const count = environment[COUNT_VARIABLE];
  if (option === undefined && (count === undefined || count === "")) return undefined;
  const text = option ?? `auto/${count}`;
  const said = /^(auto|\d+)\/(\d+)$/.exec(text);
  if (said === null) {
    const where = option === undefined ? `${COUNT_VARIABLE} must be a number of parts, got '${count}'` : undefined;
    throw new LabError("bad-options", where ?? `a shard must be such as 2/8, or auto/8, got '${text}'`);
  }
  const [, which = "", parts = ""] = said;
  return checkPart({ index: which === "auto" ? podNumber(environment, text) : Number(which), count: Number(parts) });
}

/** @throws LabError `bad-options` for a number out of its range */
export function checkPart(part: Part): Part {
  const { index, count } = part;
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= PARTS_MAX)) {
    throw new LabError("bad-options", `a fleet is played in 1..${PARTS_MAX} parts, got ${count}`);
  }
  if (!(Number.isSafeInteger(index) && index >= 1 && index <= count)) {
    throw new LabError("bad-options", `the shard must be 1..${count}, got ${index}`, {
      hint: `shards count from 1; ${INDEX_VARIABLE} counts from 0`,
    });
  }
  return part;
}

function podNumber(environment: Readonly<Record<string, string | undefined>>, text: string): number {
  const index = environment[INDEX_VARIABLE] ?? "";
  if (!/^\d+$/.test(index)) {
    const got = index === "" ? "it is not set" : `it is '${index}'`;
    throw new LabError("bad-options", `${text} takes the shard's number from ${INDEX_VARIABLE}, but ${got}`, {
      hint: "Kubernetes sets it in the pods of an Indexed Job; elsewhere name the shard: --shard 2/8",
    });
  }
  return Number(index) + 1;
}
