import { nameRank } from "./column-roles.js";
import { type ColumnSearch, firstBy, MOST, NEARLY_ALL } from "./column-search.js";

/** The column with ids such as `3/17`: those of this recording, or any under a usual name. */
export function findIdColumn(search: ColumnSearch): string | undefined {
  const { sample, warnings } = search;
  const { events } = search.facts;
  const candidates = search
    .free("id")
    .map((column) => ({
      column,
      share: sample.share(column, ({ text }) => events.withKey(text.trim()) !== undefined),
      isShaped: sample.share(column, ({ text }) => /^\s*\d+\/\d+\s*$/.test(text)) >= NEARLY_ALL,
    }))
    .filter(({ column, share, isShaped }) => share >= MOST || (isShaped && nameRank("id", column) < Infinity));
  const best = firstBy(candidates, ({ share }) => -share);
  if (best?.share === 0)
    warnings.push(`no id in '${best.column}' is of this recording: is it the recording of this log?`);
  return best?.column;
}

/**
 * The column with numbers of this recording's messages or calls. A few such numbers are enough if the phones or texts of
 * their rows agree, too: the log may have rows of other runs.
 */
export function findNumberColumn(search: ColumnSearch): string | undefined {
  const { sample } = search;
  const candidates = search
    .free("number")
    .filter((column) => sample.share(column, ({ text }) => /^\s*\d+(?:\.0+)?\s*$/.test(text)) >= MOST);
  const events = search.eventsByNumber(candidates);
  for (const column of candidates) {
    const cells = sample.cells(column);
    const matched = cells.flatMap(({ row, text }) => {
      const event = events.get(Number(text));
      return event === undefined ? [] : [{ row, event }];
    });
    if (matched.length === 0) continue;
    const agreeing = matched.filter(({ row, event }) => agrees(search, row, event)).length;
    if (matched.length >= MOST * cells.length || agreeing >= MOST * matched.length) return column;
  }
  const named = candidates.find((column) => nameRank("number", column) < nameRank("number", "id"));
  if (named !== undefined) {
    search.absent.number = `no number in '${named}' is of this recording`;
    const isUsed = search.columns.id === undefined;
    if (isUsed)
      search.warnings.push(`numbers in '${named}' are ignored: none is of a message or call of this recording`);
  }
  return undefined;
}

/** Whether any value of a row is the phone or text of an event. */
function agrees({ sample, facts }: ColumnSearch, row: number, event: number): boolean {
  const [phone, text] = [facts.events.phone(event), facts.events.text(event)];
  return sample.columns.some((column) => {
    const value = sample.at(column, row);
    return value !== "" && (value === text || facts.phones.normalise(value) === phone);
  });
}
