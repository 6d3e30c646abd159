import { escaped } from "../html/markup.js";
import { countOf } from "../number-format.js";

/** Longest text that a discrepancy shows whole. Of longer ones it shows the part around the first difference. */
const SHOWN_MAX = 80;
const SHOWN_BEFORE = 20;

type Change = (text: string) => string;

const unifyLineEnds: Change = (text) => text.replaceAll(/\r\n?/g, "\n");
const compose: Change = (text) => text.normalize("NFC");
const unifySpaces: Change = (text) => text.replaceAll(/\s+/g, " ").trim();

/** Causes of a difference, the most specific first. A cause applies if its change makes both texts equal. */
const harmless: readonly (readonly [cause: string, change: Change])[] = [
  ["white space at the end", (text) => text.trimEnd()],
  ["white space at its ends", (text) => text.trim()],
  ["line ends", unifyLineEnds],
  ["white space", unifySpaces],
  ["Unicode normalisation", compose],
  ["Unicode normalisation and white space", (text) => unifySpaces(compose(text))],
  ["upper and lower case", (text) => text.toLowerCase()],
  ["upper and lower case, Unicode normalisation and white space", looseText],
];

/** Changes that faulty receivers make to a text. */
const mistakes: readonly (readonly [cause: string, hasMade: (sent: string, logged: string) => boolean])[] = [
  ["it is UTF-8 that was read as Latin-1", (sent, logged) => readAs(sent, latin1Signs) === logged],
  ["it is UTF-8 that was read as Windows-1252", (sent, logged) => readAs(sent, windowsSigns) === logged],
  ["characters outside ASCII were lost", (sent, logged) => ascii(sent) !== sent && ascii(sent) === ascii(logged)],
  ["it is form-encoded", (sent, logged) => /[+%]/.test(logged) && formDecoded(logged) === sent],
  ["it is escaped for HTML", (sent, logged) => escaped(sent) === logged.replaceAll("&#x27;", "&#39;")],
];

/** The normal form for comparing texts that a database may have normalised. */
export function looseText(text: string): string {
  return unifySpaces(compose(text)).toLowerCase();
}

/** Why a logged text differs from the sent one, in words; undefined when no known cause applies. */
export function causeOfChange(sent: string, logged: string): string | undefined {
  for (const [cause, change] of harmless) if (change(sent) === change(logged)) return `only ${cause} differs`;
  if (logged === "") return "nothing was logged";
  if (sent.startsWith(logged)) return `it was cut after ${countOf(logged.length, "character")}`;
  return mistakes.find(([, hasMade]) => hasMade(sent, logged))?.[0];
}

/** What was sent and logged, and why they differ. */
export function textChange(sent: string, logged: string): string {
  const cause = causeOfChange(sent, logged);
  const from = firstDifference(sent, logged);
  return `text sent ${excerpt(sent, from)}, logged ${excerpt(logged, from)}${cause === undefined ? "" : ` (${cause})`}`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function excerpt(text: string, difference: number): string {
  if (text.length <= SHOWN_MAX) return quoted(text);
  const from = Math.max(0, Math.min(difference - SHOWN_BEFORE, text.length - SHOWN_MAX));
  const until = from + SHOWN_MAX;
  return `${from > 0 ? "…" : ""}${quoted(text.slice(from, until))}${until < text.length ? "…" : ""} (${text.length} characters)`;
}

/** As JSON; spaces that a terminal does not show, or that its lines lose, as escapes. */
function quoted(text: string): string {
  const spaces = /^ +| +$| {2,}|(?! )\p{White_Space}|\p{Default_Ignorable_Code_Point}/gu;
  return `"${JSON.stringify(text).slice(1, -1).replaceAll(spaces, escapeAll)}"`;
}

function escapeAll(text: string): string {
  return Array.from(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** The characters that two encodings have for the bytes 0x80 to 0x9F. */
const latin1Signs: string = String.fromCharCode(...Array.from({ length: 32 }, (_, index) => 0x80 + index));
const windowsSigns = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function readAs(text: string, signs: string): string {
  const latin1 = Buffer.from(text).toString("latin1");
  return latin1.replaceAll(/[\u0080-\u009f]/g, (sign) => signs[sign.charCodeAt(0) - 0x80] ?? sign);
}

/**
 * The printable ASCII of a text without question marks, which receivers write for characters that they cannot store.
 */
function ascii(text: string): string {
  return text.replaceAll(/[^ -~]|\?/g, "");
}

function formDecoded(text: string): string {
  return new URLSearchParams(`=${text.replaceAll("&", "%26")}`).get("") ?? "";
}
