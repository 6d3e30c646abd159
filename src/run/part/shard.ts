import { LabError } from "../../base/index.js";
import type { Part } from "../../world/index.js";

/** Which part of a fleet is played, of how many. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  /** 1 to 10,000. */
  readonly count: number;
}

/** More parts than anybody has machines. */
export const mostShards = 10_000;

/** Kubernetes tells each pod of an Indexed Job its number, from 0, in this variable. */
const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";
/** In how many parts the fleet is played, where no option says so. */
const COUNT_VARIABLE = "HANDSET_SHARDS";

/** `2/8`. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * Which part is meant: by the option, else by the variables of the environment; undefined: the whole.
 *
 * @param option - `2/8`, or `auto/8`: the number is that of the pod, `JOB_COMPLETION_INDEX` + 1
 * @throws LabError `bad-options`
 */
export function shardOf(
  option: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Shard | undefined {
  const count = environment[COUNT_VARIABLE];
  if (option === undefined && (count === undefined || count === "")) return undefined;
  const text = option ?? `auto/${count}`;
  const said = /^(auto|\d+)\/(\d+)$/.exec(text);
  if (said === null) {
    const where = option === undefined ? `${COUNT_VARIABLE} must be a number of parts, got '${count}'` : undefined;
    throw new LabError("bad-options", where ?? `a shard must be such as 2/8, or auto/8, got '${text}'`);
  }
  const [, which = "", parts = ""] = said;
  return checkShard({ index: which === "auto" ? podNumber(environment, text) : Number(which), count: Number(parts) });
}

/** @throws LabError `bad-options` for a number out of its range */
export function checkShard(shard: Shard): Shard {
  const { index, count } = shard;
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= mostShards)) {
    throw new LabError("bad-options", `a fleet is played in 1..${mostShards} parts, got ${count}`);
  }
  if (!(Number.isSafeInteger(index) && index >= 1 && index <= count)) {
    throw new LabError("bad-options", `the shard must be 1..${count}, got ${index}`, {
      hint: `shards count from 1; ${INDEX_VARIABLE} counts from 0`,
    });
  }
  return shard;
}

/** The same, as the world counts. */
export function partOf({ index, count }: Shard): Part {
  return { index: index - 1, count };
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
