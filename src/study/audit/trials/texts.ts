import { variantTrial } from "../variant.js";
import { replyText } from "../client.js";
import { type AuditContext, ORDINARY_TEXT, refusedText } from "../context.js";
import { hasText } from "../effects.js";
import { type AuditTrial, fault, type Outcome, passed, type Severity, untested } from "../trial.js";

const encoding = "docs/reference/webhook.md#encoding";
const values = "docs/reference/webhook.md#value-types";
const limits = "docs/reference/handset.md#android-limits";

interface TextCase {
  readonly id: string;
  /** Completes "a text with …". */
  readonly what: string;
  readonly text: string;
  readonly severity?: Severity;
  readonly why: string;
  readonly field?: string;
  /** Default: exactly the text. */
  readonly keeps?: "nothing" | "person";
  readonly refusal?: "observed";
  readonly isAlone?: true;
}

const words = "The events carry texts as people write them; a receiver that changes them answers another question.";
const lost = "The service repeats an event that fails three times, then gives it up: the text is lost.";

const letters = (count: number): string =>
  "We walk to the well in the morning and back at noon. "
    .repeat(40)
    .slice(0, count - 1)
    .trimEnd()
    .padEnd(count, "x");

const cases: readonly TextCase[] = [
  {
    id: "text-empty",
    what: "no letters",
    text: "",
    why: `People send empty texts by mistake. ${lost}`,
    field: encoding,
    keeps: "nothing",
    refusal: "observed",
  },
  {
    id: "text-zero",
    what: "the digit 0 alone",
    text: "0",
    why: `People answer questions with numbers, and many languages take "0" for nothing. ${lost}`,
    keeps: "nothing",
    refusal: "observed",
  },
  {
    id: "text-blank",
    what: "spaces alone",
    text: "   ",
    severity: "low",
    why: `People send blank texts by mistake. ${lost}`,
    keeps: "nothing",
    refusal: "observed",
  },
  { id: "text-160", what: "160 letters", text: letters(160), why: words },
  { id: "text-161", what: "161 letters", text: letters(161), why: "Parts of a long message come joined, as one text." },
  { id: "text-459", what: "459 letters", text: letters(459), why: "Parts of a long message come joined, as one text." },
  { id: "text-1600", what: "1,600 letters", text: letters(1600), why: "There is no limit to the length of a text." },
  {
    id: "text-gsm-extension",
    what: "letters of the GSM extension",
    text: "array[0] {a} ~5 \\ | ^ 3 € end",
    why: words,
    field: limits,
  },
  { id: "text-accents", what: "accents", text: "Où est le café? Señor Müller, ça va: ñ Ø å", why: words },
  { id: "text-ucs2", what: "letters outside GSM-7", text: "ሰላም ለዓለም, 你好, Привет, हिन्दी", why: words, field: limits },
  { id: "text-rtl", what: "a script from right to left", text: "مرحبا بالعالم 123 שלום", why: words },
  { id: "text-emoji", what: "an emoji", text: "well done 😀 thanks", severity: "high", why: words, field: limits },
  {
    id: "text-emoji-joined",
    what: "emoji with joiners",
    text: "family 👩‍👩‍👧 flag 🇷🇼 tone 👍🏿 end",
    why: words,
    field: limits,
  },
  { id: "text-combining", what: "combining marks", text: "e\u0301te\u0301 ko\u0323\u0300 क्षि end", why: words },
  {
    id: "text-zero-width",
    what: "invisible letters",
    text: "می\u200cخواهم a\u200bb end",
    severity: "low",
    why: "Persian and Indian scripts need the invisible letters: without them words change.",
  },
  {
    id: "text-nul",
    what: "a NUL",
    text: "a\0b",
    severity: "medium",
    why: `Phones do send it, at the place of @. ${lost}`,
    keeps: "nothing",
    refusal: "observed",
  },
  {
    id: "text-plus",
    what: "a plus sign",
    text: "1+1 = 2, call +250788",
    severity: "high",
    why: words,
    field: encoding,
  },
  { id: "text-ampersand", what: "&", text: "rice & beans &amp; fish", severity: "high", why: words, field: encoding },
  {
    id: "text-percent",
    what: "a percent sign",
    text: "100% sure, 5 %20 or %zz",
    severity: "high",
    why: words,
    field: encoding,
  },
  { id: "text-semicolon", what: ";", text: "first; second;third", severity: "high", why: words, field: encoding },
  { id: "text-equals", what: "=", text: "a=b and c==d", severity: "high", why: words, field: encoding },
  { id: "text-line-ends", what: "line ends", text: "line one\nline two\n\nline four", why: words, field: encoding },
  {
    id: "text-return",
    what: "a carriage return",
    text: "line one\rline two\r\nline three",
    severity: "high",
    why: `Some phones write line ends so. ${lost}`,
    field: encoding,
    keeps: "person",
    isAlone: true,
  },
  {
    id: "text-spaces",
    what: "spaces at its ends",
    text: "  two before and two after  ",
    severity: "low",
    why: words,
  },
  { id: "text-markup", what: "markup", text: "<b>bold</b> <script>alert(1)</script> &lt;", why: words },
  { id: "text-formula", what: "a formula", text: "=1+1", severity: "medium", why: words },
  {
    id: "text-formula-command",
    what: "a formula that calls",
    text: '=HYPERLINK("http://example.org","x")',
    why: words,
  },
  {
    id: "text-quotes",
    what: "quotation marks",
    text: `it's "here" and O'Brien said 'no' twice don't`,
    severity: "high",
    why: `An apostrophe is in every third text. ${lost}`,
  },
  {
    id: "text-apostrophe",
    what: "one apostrophe",
    text: "I don't know",
    severity: "high",
    why: `A text that ends a quotation in SQL can do anything in the database.`,
  },
  {
    id: "text-sql",
    what: "words of SQL",
    text: "please select rice from the list; DROP TABLE users --",
    severity: "high",
    why: lost,
  },
  {
    id: "text-template",
    what: "words of a template",
    text: "{{7*7}} ${7*7} {% x %} <%= 7*7 %>",
    severity: "high",
    why: "A text that a template engine runs can read everything that the application can.",
  },
  {
    id: "text-format",
    what: "words of a format string",
    text: "{0} {name} %s %d %(x)s $1",
    severity: "high",
    why: lost,
  },
  {
    id: "text-prototype",
    what: "names of a language",
    text: "__proto__ constructor null undefined NaN true",
    why: words,
  },
  { id: "text-number", what: "a number alone", text: "007", severity: "medium", why: words, keeps: "person" },
  { id: "text-json", what: "JSON", text: '{"text": "hi", "urn": ["tel:+1"]} \\u0041 \\n', why: words },
];

/** What a space becomes where + is not decoded. */
const KEPT_PLUS = ORDINARY_TEXT.replaceAll(" ", "+");

async function tryWords(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  if (control.keepsText || control.echoes) return passed;
  const person = context.person();
  const exchange = await context.post(context.body("mo_sms", { phone: person.phone }));
  if (replyText(exchange)?.includes(KEPT_PLUS) === true)
    return fault("the reply has + for each space of the text", [exchange]);
  if (hasText(await context.recordsFor(person), KEPT_PLUS))
    return fault("the text is kept with + for each space", [exchange]);
  return untested("nothing shows the text of a person: neither a reply nor --effects");
}

/** A text of ordinary words. */
const wordsTrial: AuditTrial = {
  id: "text-words",
  title: "The spaces of a text become plus signs",
  severity: "high",
  why: "In a form a space is written as +: a receiver that decodes only %XX keeps the plus signs.",
  field: encoding,
  about: "an ordinary text: its spaces must stay spaces",
  run: tryWords,
};

/** One text each that real people and phones send. */
const caseTrials: readonly AuditTrial[] = cases.map(
  ({ id, what, text, severity = "medium", why, field = values, keeps, refusal, isAlone }) =>
    variantTrial(
      {
        id,
        title: `A text with ${what} goes wrong`,
        severity,
        why,
        field,
        about: `a text with ${what}, beside an ordinary one: it must be accepted${keeps === undefined ? " and kept as it is" : ""}`,
      },
      {
        type: "mo_sms",
        changes: () => ({ text }),
        refusal: refusal ?? "fault",
        keeps: () => keeps ?? { text },
        ...(isAlone === true && { isAlone }),
      },
    ),
);

/** Texts that real people and phones send. */
export const textTrials: readonly AuditTrial[] = [wordsTrial, ...caseTrials];
