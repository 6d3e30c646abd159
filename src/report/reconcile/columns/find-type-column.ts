import { eventTypes } from "../../../wire/index.js";
import { type GivenColumns, nameRank } from "./column-roles.js";
import { firstBy, NEARLY_ALL } from "./column-search.js";
import type { LogSample } from "./log-sample.js";

/**
 * The column with the types of events: nearly all its values are types. The words `alarm` and `flow` alone need a usual
 * name.
 *
 * @param recorded - the types that the recording has
 */
export function findTypeColumn(
  sample: LogSample,
  { recorded, given }: { readonly recorded: readonly string[]; readonly given: GivenColumns },
): string | undefined {
  if (given.type !== undefined) return given.type ?? undefined;
  const types = new Set<string>([...eventTypes, ...recorded]);
  const others = new Set(Object.values(given));
  const candidates = sample.columns.filter((column) => {
    if (others.has(column) || sample.share(column, ({ text }) => types.has(text.trim().toLowerCase())) < NEARLY_ALL) {
      return false;
    }
    return nameRank("type", column) < Infinity || sample.cells(column).some(({ text }) => text.includes("_"));
  });
  return firstBy(candidates, (column) => nameRank("type", column));
}
