import type { StatusSet } from "../../../wire/index.js";
import { isList, type Read, describeValue, type RawValue } from "../../sheet/raw-value.js";

/** A set of HTTP statuses: `200`, `400..599`, `[404, 500..599]`; at most one range. */
export function readStatuses(): Read<StatusSet> {
  return (value, report) => {
    const items: readonly RawValue[] = isList(value) ? value : [value ?? null];
    const listed: number[] = [];
    let range: { from: number; below: number } | undefined;
    let sound = true;
    items.forEach((item, place) => {
      const bad = (message: string, hint: string): void => {
        sound = false;
        report({ code: "bad-value", message, hint, path: isList(value) ? [place] : undefined });
      };
      const [, first, last] =
        typeof item === "string" ? (/^([1-9]\d\d)(?:\.\.([1-9]\d\d))?$/.exec(item.trim()) ?? []) : [];
      if (first === undefined)
        bad(`must be HTTP statuses 100..999, got ${describeValue(item)}`, "write 200, 400..599 or [404, 500..599]");
      else if (last === undefined) listed.push(Number(first));
      else if (range !== undefined) bad("must hold at most one range", "list the statuses of the smaller one");
      else if (Number(first) > Number(last)) bad(`runs backwards: ${describeValue(item)}`, `write ${last}..${first}`);
      else range = { from: Number(first), below: Number(last) + 1 };
    });
    return sound ? { listed, from: range?.from ?? 0, below: range?.below ?? 0 } : undefined;
  };
}
