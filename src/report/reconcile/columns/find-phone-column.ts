import { nameRank } from "./column-roles.js";
import { type ColumnSearch, firstBy, MOST, SOME } from "./column-search.js";
import { otherContents } from "./value-form.js";

interface PhoneEvidence {
  readonly column: string;
  /** Share of values that are the phone of the row's own event. */
  readonly linked: number;
  /** Share of values that are the phone of any event. */
  readonly known: number;
}

/** The column with phone numbers of this recording, in any notation. */
export function findPhoneColumn(search: ColumnSearch): string | undefined {
  const { phones } = search.facts;
  const fitting = phoneEvidence(search).filter(({ linked, known }) => Math.max(linked, known) >= MOST);
  const best = firstBy(fitting, ({ linked, known }) => -2 * linked - known);
  if (best !== undefined) {
    search.warnOfOther("phone", best.column, {
      fitting: fitting.filter(({ linked }) => linked >= MOST || best.linked < MOST).map(({ column }) => column),
      normalise: (text) => phones.normalise(text),
    });
  }
  return best?.column;
}

/**
 * For a log in which most phones are wrong or from other runs: the column with some of the events' phones, or with a
 * usual name.
 */
export function guessPhoneColumn(search: ColumnSearch): string | undefined {
  const { sample, warnings } = search;
  const named = search.unused("phone").filter((column) => nameRank("phone", column) < Infinity);
  const hasForm = (column: string): boolean => sample.share(column, ({ text }) => isPhoneLike(text)) >= MOST;
  const some = phoneEvidence(search).filter(({ linked, known }) => Math.max(linked, known) >= SOME);
  const column =
    firstBy(some, ({ linked, known }) => -2 * linked - known)?.column ??
    named.find(hasForm) ??
    named.find((one) => /phone|msisdn/i.test(one) && otherContents(sample, one) === undefined);
  if (column === undefined) search.absent.phone = named[0] && otherContents(sample, named[0]);
  else {
    warnings.push(
      `column '${column}' is taken for the phone by its ${some.length > 0 ? "contents" : "name"}, but few of its values ` +
        "are phones of events (--columns phone=NAME names another one, phone=none none)",
    );
  }
  return column;
}

function phoneEvidence(search: ColumnSearch): PhoneEvidence[] {
  const { events, phones } = search.facts;
  return search.free("phone").map((column) => ({
    column,
    linked: search.linkedShare(column, (text, event) => phones.normalise(text) === events.phone(event)),
    known: search.sample.share(column, ({ text }) => phones.numberOf(text) !== -1),
  }));
}

/** Whether a text has 7 to 15 digits and the punctuation of phones. */
function isPhoneLike(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "").length;
  return digits >= 7 && digits <= 15 && /^\s*'?(?:tel:)?\+?[\d\s().-]+$/i.test(text);
}
