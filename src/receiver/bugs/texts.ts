import type { LogbookEvent, LogbookSteps } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const encoding = "docs/reference/webhook.md#encoding";
const values = "docs/reference/webhook.md#value-types";
const limits = "docs/reference/handset.md#android-limits";

/** Decodes pairs that are already split: `decodeText` gets the raw value. */
function decodeBy(split: (body: string) => string[], decodeText: (raw: string) => string) {
  return (): Partial<LogbookSteps> => ({
    decode: ({ body }) =>
      split(body.toString("latin1")).map((pair) => {
        const [key = "", value = ""] = pair.split("=");
        return [decodeURIComponent(key), decodeText(value)] as const;
      }),
  });
}

const atAmpersand = (body: string): string[] => body.split("&");

/** Reads every text changed. */
function textAs(change: (text: string) => string) {
  return ({ read }: LogbookSteps): Partial<LogbookSteps> => ({
    read: (pairs) => {
      const event = read(pairs);
      return { ...event, text: change(event.text) };
    },
  });
}

/** Fails where a text meets a condition. */
function crashAt(isBad: (text: string, event: LogbookEvent) => boolean, why: string) {
  return ({ read }: LogbookSteps): Partial<LogbookSteps> => ({
    read: (pairs) => {
      const event = read(pairs);
      if (isBad(event.text, event)) throw new RangeError(why);
      return event;
    },
  });
}

/** Bugs with the letters of a text, and with their encoding. */
export const textBugs: readonly ReceiverBug[] = [
  {
    name: "decodes-twice",
    story: "It decodes values twice, so a + of a text becomes a space.",
    source: "docs/reference/webhook.md#receivers",
    change: decodeBy(atAmpersand, (raw) => decodeURIComponent(raw.replaceAll("+", " ")).replaceAll("+", " ")),
  },
  {
    name: "keeps-plus",
    story: "It decodes %XX and not +, so spaces become plus signs.",
    source: encoding,
    change: decodeBy(atAmpersand, decodeURIComponent),
  },
  {
    name: "percent-crashes",
    story: "It decodes %XX twice, so a text with a percent sign crashes it with 500.",
    source: encoding,
    change: decodeBy(atAmpersand, (raw) => decodeURIComponent(decodeURIComponent(raw.replaceAll("+", " ")))),
  },
  {
    name: "splits-after-decoding",
    story: "It decodes the body before it splits it, so a text ends at its first &.",
    source: encoding,
    change: ({ decode }) => ({
      decode: (request) => {
        const text = decodeURIComponent(request.body.toString("latin1").replaceAll("+", " "));
        return text.includes("&") ? text.split("&").map((pair) => pairAt(pair)) : decode(request);
      },
    }),
  },
  {
    name: "splits-at-semicolon",
    story: "It takes ; of a text for a separator of pairs, so the text ends there.",
    source: encoding,
    change: textAs((text) => text.split(";")[0] ?? ""),
  },
  {
    name: "cuts-at-equals",
    story: "It splits decoded pairs at every =, so a text ends at its first =.",
    source: encoding,
    change: textAs((text) => text.split("=")[0] ?? ""),
  },
  {
    name: "latin-1",
    story: "It reads the bytes as Latin-1, so é becomes two letters.",
    source: encoding,
    change: ({ decode }) => ({
      decode: (request) =>
        decode(request).map(([key, value]) => [key, Buffer.from(value, "utf8").toString("latin1")] as const),
    }),
  },
  {
    name: "ascii-only",
    story: "It keeps ASCII letters and writes ? for all others.",
    source: encoding,
    change: textAs((text) => text.replaceAll(/[\u0080-\u{10ffff}]/gu, "?")),
  },
  {
    name: "basic-letters-only",
    story: "It writes ? for letters outside GSM-7, as an old phone does.",
    source: limits,
    change: textAs((text) => text.replaceAll(/[\u0100-\u20ab\u20ad-\u{10ffff}]/gu, "?")),
  },
  {
    name: "drops-gsm-extension",
    story: "It drops the letters of the GSM extension table: { } [ ] ~ \\ | ^ and €.",
    source: limits,
    change: textAs((text) => text.replaceAll(/[{}[\]~\\|^€]/g, "")),
  },
  {
    name: "cuts-at-160",
    story: "It keeps 160 letters of a text; the events carry whole texts.",
    source: values,
    change: textAs((text) => text.slice(0, 160)),
  },
  {
    name: "long-text-500",
    story: "A text of more than 255 letters crashes it with 500: its column is shorter.",
    source: values,
    change: crashAt((text) => text.length > 255, "value too long for type character varying(255)"),
  },
  {
    name: "long-text-413",
    story: "It refuses a text of more than 1,000 letters with 413.",
    source: encoding,
    change: ({ admit, decode }) => ({
      admit: (request) =>
        decode(request).some(([key, value]) => key === "text" && value.length > 1000)
          ? { status: 413, body: "too large" }
          : admit(request),
    }),
  },
  {
    name: "emoji-500",
    story: "An emoji crashes it with 500: its tables hold three bytes a letter.",
    source: encoding,
    change: crashAt((text) => /[\u{10000}-\u{10ffff}]/u.test(text), "incorrect string value: '\\xF0\\x9F\\x98\\x80'"),
  },
  {
    name: "emoji-cut",
    story: "A text ends at its first emoji: its tables hold three bytes a letter.",
    source: encoding,
    change: textAs((text) => text.replace(/[\u{10000}-\u{10ffff}].*$/su, "")),
  },
  {
    name: "emoji-split",
    story: "It handles texts by UTF-16 units, so an emoji becomes two broken letters.",
    source: encoding,
    change: textAs((text) => Array.from({ length: text.length }, (_, at) => text.charAt(at).toWellFormed()).join("")),
  },
  {
    name: "joiners-lost",
    story: "It strips invisible letters, so an emoji of a family falls apart and some scripts lose their joins.",
    source: encoding,
    change: textAs((text) => text.replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, "")),
  },
  {
    name: "marks-lost",
    story: "It strips combining marks, so words of many languages lose their vowels.",
    source: encoding,
    change: textAs((text) => text.replaceAll(/\p{M}/gu, "")),
  },
  {
    name: "nul-500",
    story: "A NUL in a text crashes it with 500: its database does not take it.",
    source: values,
    change: crashAt((text) => text.includes("\0"), 'invalid byte sequence for encoding "UTF8": 0x00'),
  },
  {
    name: "empty-text-500",
    story: "An empty text crashes it with 500: it reads the first word.",
    source: values,
    change: crashAt(
      (text, { type }) => type === "mo_sms" && text === "",
      "cannot read properties of undefined (reading '0')",
    ),
  },
  {
    name: "blank-text-500",
    story: "A text of spaces alone crashes it with 500: it reads the first word.",
    source: values,
    change: crashAt(
      (text, { type }) => type === "mo_sms" && text !== "" && text.trim() === "",
      "list index out of range",
    ),
  },
  {
    name: "line-ends-lost",
    story: "It keeps the first line of a text.",
    source: encoding,
    change: textAs((text) => text.split("\n")[0] ?? ""),
  },
  {
    name: "trims",
    story: "It strips spaces at both ends of a text.",
    source: values,
    change: textAs((text) => text.trim()),
  },
  {
    name: "quote-crashes",
    story: "It writes texts into its SQL, so an apostrophe crashes it with 500.",
    source: values,
    change: crashAt((text) => text.split("'").length % 2 === 0, "unterminated quoted string"),
  },
  {
    name: "sql-words-403",
    story: "Its firewall refuses texts with words of SQL or markup with 403.",
    source: "docs/reference/webhook.md#accepting-statuses",
    change: ({ admit, decode }) => ({
      admit: (request) =>
        decode(request).some(([, value]) => /\b(?:select\b.*\bfrom|drop table|union select)\b|<script/i.test(value))
          ? { status: 403, body: "request blocked" }
          : admit(request),
    }),
  },
  {
    name: "template-runs",
    story: "It runs {{ }} of a text as a template, so a person can run code in it.",
    source: values,
    change: textAs((text) =>
      text.replaceAll(/\{\{\s*(\d+)\s*\*\s*(\d+)\s*\}\}/g, (_, a, b) => String(Number(a) * Number(b))),
    ),
  },
  {
    name: "format-crashes",
    story: "It formats texts with { }, so a brace in a text crashes it with 500.",
    source: values,
    change: crashAt((text) => /[{}]/.test(text.replaceAll(/\{\{.*?\}\}/g, "")), "KeyError in format string"),
  },
  {
    name: "formula-runs",
    story: "It keeps texts in a spreadsheet, which computes a text that begins with =.",
    source: values,
    change: textAs((text) => text.replace(/^=(\d+)\+(\d+)$/, (_, a, b) => String(Number(a) + Number(b)))),
  },
  {
    name: "escapes-markup",
    story: "It escapes markup before it keeps a text, so & becomes &amp; in every text.",
    source: values,
    change: textAs((text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")),
  },
  {
    name: "swallows-errors",
    story: "It fails at a letter outside the basic plane, and answers 200, so the text is lost.",
    source: "docs/reference/webhook.md#accepting-statuses",
    change: ({ apply }) => ({
      apply: (event) => (/[\u{10000}-\u{10ffff}]/u.test(event.text) ? undefined : apply(event)),
    }),
  },
];

function pairAt(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}
