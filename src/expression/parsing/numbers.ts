import type { NumberFormat } from "../environment.js";
import { Decimal } from "../values/decimal.js";

/** Maximum number of significant digits (docs/reference/flows.md#types-and-conversion). */
const digitsMax = 36;
/** Longer texts are rejected unread: a long number costs time before its digits are counted. */
const lengthMax = 120;

/**
 * Reads a text that is one number in the format of an organisation: grouping symbols are dropped, digits of other
 * scripts count (docs/reference/flows.md#numbers-in-text).
 *
 * @returns undefined when the text is no such number or has more than 36 significant digits
 */
export function parseNumber(text: string, format: NumberFormat): Decimal | undefined {
  const ungrouped = text.trim().replaceAll(format.grouping, "").replaceAll(format.decimal, ".");
  const plain = ungrouped.replace(otherDigits, plainDigit);
  if (plain.length > lengthMax || !/^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain)) return undefined;
  const value = new Decimal(plain);
  return value.precision() <= digitsMax ? value : undefined;
}

/**
 * The numbers in a text, in order (docs/reference/flows.md#numbers-in-text): `20` of `J'ai 20ans`, `1` and `-15` of
 * `1-15`.
 */
export function* findNumbers(text: string, format: NumberFormat): Generator<Decimal> {
  for (const [candidate] of text.matchAll(candidates(format))) {
    const value = parseNumber(candidate, format);
    if (value !== undefined) yield value;
  }
}

/** Digits of Arabic, Persian and Bengali; in each block the digits 0 to 9 follow each other. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\u09e6-\u09ef]/g;

function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = code >= 0x09e6 ? 0x09e6 : code >= 0x06f0 ? 0x06f0 : 0x0660;
  return String(code - zero);
}

/** The latest format and its pattern: an organisation's format hardly ever changes. */
let latest: { readonly format: NumberFormat; readonly pattern: RegExp } | undefined;

/**
 * What may be a number: digits with grouping symbols and a fraction, or a fraction alone after a character that
 * belongs to no word.
 */
function candidates(format: NumberFormat): RegExp {
  if (latest?.format.grouping !== format.grouping || latest.format.decimal !== format.decimal) {
    const [grouping, decimal] = [literal(format.grouping), literal(format.decimal)];
    const whole = String.raw`(?:\p{N}${grouping === "" ? "" : `|${grouping}`})+(?:${decimal}\p{N}+)?`;
    const fraction = String.raw`(?:\W|^)${decimal}\p{N}+`;
    latest = { format, pattern: new RegExp(`[-+]?(?:${whole}|${fraction})`, "gu") };
  }
  return latest.pattern;
}

function literal(symbol: string): string {
  return symbol.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
