import { LabError } from "../../base/index.js";
import type { Part } from "../../world/index.js";
import { COUNT_VARIABLE, type Environment } from "./engines.js";
import { findPart, type FoundPart, type NamedWhole } from "./found-part.js";

/** Upper bound of parts. */
const PARTS_MAX = 10_000;

/** A part in the form of `--shard`: `2/8`. */
export function partText({ index, count }: Part): string {
  return `${index}/${count}`;
}

/**
 * The part of the fleet to play, from `--shard`, else from `HANDSET_SHARDS`; undefined: the whole fleet.
 *
 * @param option - `2/8`; `auto`, `auto/8` or `auto/0-7`: the number comes from the cluster engine's variables
 * @throws LabError `bad-options`
 */
export function shardOf(option: string | undefined, environment: Environment): FoundPart | undefined {
  const parts = environment[COUNT_VARIABLE] ?? "";
  if (option === undefined && parts === "") return undefined;
  const named = /^(\d+)\/(\d+)$/.exec(option ?? "");
  if (named !== null) return checkPart({ index: Number(named[1]), count: Number(named[2]) });
  if (option === undefined || option === "auto") {
    if (parts === "") return checkPart(findPart(undefined, environment));
    const whole = wholeIn(`auto/${parts}`);
    if (whole !== undefined) return checkPart(findPart(whole, environment));
    throw new LabError("bad-options", `${COUNT_VARIABLE} must be a number of parts, got '${parts}'`);
  }
  const whole = wholeIn(option);
  if (whole === undefined) {
    throw new LabError("bad-options", `a shard must be such as 2/8, auto or auto/8, got '${option}'`);
  }
  return checkPart(findPart(whole, environment));
}

/** Reads `auto/8`, `auto/0-7` and `auto/0-14:2`; undefined: it is none of these. */
function wholeIn(text: string): NamedWhole | undefined {
  const said = /^auto\/(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?$/.exec(text);
  if (said === null) return undefined;
  const [first, last, step] = [Number(said[1]), said[2], Number(said[3] ?? 1)];
  if (last === undefined) {
    checkCount(first);
    return { text, count: first };
  }
  const places = (Number(last) - first) / step;
  if (!(Number.isInteger(places) && places >= 0)) {
    throw new LabError("bad-options", `the tasks of an array must be such as 1-8 or 0-14:2, got '${text.slice(5)}'`);
  }
  checkCount(places + 1);
  return { text, count: places + 1, ids: { first, last: Number(last), step } };
}

/** @throws LabError `bad-options` for a number out of its range */
export function checkPart<P extends Part>(part: P): P {
  const { index, count } = part;
  checkCount(count);
  if (!(Number.isSafeInteger(index) && index >= 1 && index <= count)) {
    throw new LabError("bad-options", `the shard must be 1..${count}, got ${index}`, {
      hint: "shards count from 1",
    });
  }
  return part;
}

function checkCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= PARTS_MAX) return;
  throw new LabError("bad-options", `a fleet is played in 1..${PARTS_MAX} parts, got ${count}`);
}
