import { causeOfChange, looseText } from "../text-changes.js";
import { nameRank } from "./column-roles.js";
import { type ColumnSearch, firstBy, MOST, SOME } from "./column-search.js";
import type { LogSample } from "./log-sample.js";
import { otherContents } from "./value-form.js";

/** If a column has fewer values than this, all of them may be equal by chance. */
const FEW = 5;

/** How much a column looks like the texts of events. */
interface TextEvidence {
  readonly column: string;
  /** Share of values that are the text of the row's own event, or a changed form of it. */
  readonly linked: number;
  /** Share of values that are the text of any event, ignoring letter case and spaces. */
  readonly known: number;
  /** Share of values that are exactly the text of any event. */
  readonly exact: number;
}

/** The column with texts of events. */
export function findTextColumn(search: ColumnSearch): string | undefined {
  const fitting = textEvidence(search, search.free("text")).filter(
    ({ linked, known }) => Math.max(linked, known) >= MOST,
  );
  const best = firstBy(fitting, ({ linked, known, exact }) => -(4 * linked + 2 * known + exact));
  if (best !== undefined) {
    search.warnOfOther("text", best.column, {
      fitting: fitting.filter(({ linked }) => linked >= MOST || best.linked < MOST).map(({ column }) => column),
      normalise: (text) => text,
    });
  }
  return best?.column;
}

/**
 * For a log in which most texts are wrong or from other runs: the column with some of the events' texts or a usual
 * name, else one with several words in most rows.
 */
export function guessTextColumn(search: ColumnSearch): string | undefined {
  const { sample, warnings } = search;
  const isNamed = (column: string): boolean => nameRank("text", column) < Infinity;
  const candidates = textEvidence(search, search.unused("text")).map(({ column, linked, known }) => ({
    column,
    share: Math.max(linked, known),
    isNamed: isNamed(column) && otherContents(sample, column) === undefined,
  }));
  const best = firstBy(
    candidates.filter(({ share, isNamed }) => isNamed || share >= SOME),
    ({ share, isNamed }) => -share - (isNamed ? MOST : 0),
  );
  const column = best?.column ?? search.free("text").find((one) => isProse(sample, one));
  const named = sample.columns.find(isNamed);
  if (column === undefined) search.absent.text = named && otherContents(sample, named);
  else {
    const why = best === undefined ? "form" : best.isNamed ? "name" : "contents";
    warnings.push(
      `column '${column}' is taken for the text by its ${why}, but few of its values are texts of events ` +
        "(--columns text=NAME names another one, text=none none)",
    );
  }
  return column;
}

function textEvidence(search: ColumnSearch, columns: readonly string[]): TextEvidence[] {
  const { sample } = search;
  const { events, list } = search.facts;
  const exact = new Set<string>();
  for (const event of list) {
    const text = events.text(event);
    if (text !== undefined && text !== "") exact.add(text);
  }
  let loose: Set<string> | undefined;
  return columns.map((column) => {
    const linked = search.linkedShare(column, (text, event) => isFormOf(events.text(event), text));
    const nothing = { column, linked, known: 0, exact: 0 };
    // A column with the same word in every row is not the text just because somebody sent that word.
    if (linked < MOST && exact.size > 1 && isConstant(sample, column)) return nothing;
    const exactShare = sample.share(column, ({ text }) => exact.has(text));
    if (exactShare >= MOST) return { column, linked, known: exactShare, exact: exactShare };
    loose ??= new Set(Array.from(exact, looseText));
    const known = sample.share(column, ({ text }) => loose?.has(looseText(text)) === true);
    return { column, linked, known, exact: exactShare };
  });
}

/** Whether a value is the sent text or a changed form of it. A value shorter than half the text may be a coincidence. */
function isFormOf(sent: string | undefined, logged: string): boolean {
  if (sent === undefined || logged === "") return sent === logged;
  if (sent === logged) return true;
  return 2 * logged.length >= sent.length && causeOfChange(sent, logged) !== undefined;
}

function isConstant(sample: LogSample, column: string): boolean {
  const cells = sample.cells(column);
  return cells.length >= FEW && cells.every(({ text }) => text === cells[0]?.text);
}

/** Whether most values are three words or more, unlike people's names, and not always the same. */
function isProse(sample: LogSample, column: string): boolean {
  return !isConstant(sample, column) && sample.share(column, ({ text }) => isSentence(text)) >= MOST;
}

function isSentence(text: string): boolean {
  if (/^\s*[[{<]|:\/\//.test(text)) return false;
  const words = text.slice(0, 500).split(/\s+/);
  return words.filter((word) => /\p{L}/u.test(word)).length >= 3;
}
