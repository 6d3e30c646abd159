import { callingCode, isE164, phoneCountry } from "../../wire/index.js";
import { letterClass } from "./letters.js";
import { Permutation } from "./permutation.js";

/** Cached pseudonyms of a kind; a fuller cache is emptied. */
const CACHED_MAX = 100_000;

/** Digits up to which a number in a text is an amount, an age or a year, and stays. */
const AMOUNT_DIGITS = 6;

/** A word: letters, their marks, and digits. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** A phone number that somebody has typed in groups: `0788 123 456`, `+250 788-123-456`, `250 788 123 456`. */
const groupedPhone = /(?:\+|\b00?)\d+(?:[ .\-()]{1,2}\d+)+|\b[1-9]\d{1,2}(?:[ .-]\d{3}){3}\b/g;

const urn = /^([a-z][a-z\d+.-]*):([^#]+)(#.*)?$/is;

/** Names of fields, headers and parameters whose values are secrets. */
export const secretName: RegExp =
  /token|secret|passw|auth|signature|api_?key|session|cookie|hash|^key$|^sig$|^pwd$|^pin$/i;

/** What begins with a date is no phone number. */
const date = /^\d\d[.-]\d\d[.-](?:19|20)\d\d(?!\d)/;

/**
 * Keyed pseudonyms: the same value has the same pseudonym, two values have two. Numbers keep their country, their
 * length and the digits of their network; words keep length, case, alphabet and script.
 */
export class Pseudonyms {
  readonly #permutation: Permutation;
  readonly #keywords: ReadonlySet<string>;
  readonly #phones = new Map<string, string>();
  readonly #words = new Map<string, string>();

  /** @param keywords - words that stay as they are, in lower case */
  constructor(key: Buffer, keywords: ReadonlySet<string> = new Set()) {
    this.#permutation = new Permutation(key);
    this.#keywords = keywords;
  }

  /** A phone number, short code or name of a sender, as an event has it. Short codes stay. */
  phone(text: string): string {
    if (isE164(text)) return this.#e164(text);
    const digits = text.replace(/\D/g, "");
    if (!/^[+\d][\d ().-]*$/.test(text)) return this.words(text);
    if (digits.length <= AMOUNT_DIGITS) return text;
    return withDigits(text, this.#numberDigits(digits, text.trimStart().startsWith("+")));
  }

  /** A URN, whose scheme stays; else a phone number. */
  address(text: string): string {
    const parts = urn.exec(text);
    if (parts === null) return this.phone(text);
    const [, scheme = "", path = "", display = ""] = parts;
    const isPhone = /^(?:tel|whatsapp)$/i.test(scheme);
    const replaced = isPhone ? this.phone(path) : this.secret(path);
    return `${scheme}:${replaced}${display === "" ? "" : `#${this.words(display.slice(1))}`}`;
  }

  /** A text: spaces, signs, amounts and keywords stay. */
  text(text: string): string {
    const spaced = text.replace(groupedPhone, (found) => {
      const digits = found.replace(/\D/g, "");
      if (digits.length < 8 || digits.length > 15 || date.test(found)) return found;
      return withDigits(found, this.#numberDigits(digits, found.startsWith("+")));
    });
    if (spaced !== text) return this.#restOf(text, spaced);
    return this.words(text);
  }

  /** The words of a text, without a search for numbers in groups. */
  words(text: string): string {
    return text.replace(wordPattern, (word, at: number) => this.#word(word, text[at - 1] === "+"));
  }

  /** A token or another secret: every letter and digit is replaced, keywords too. */
  secret(text: string): string {
    return this.#permuted(text, "secret");
  }

  /** A UUID, as another one of version 4. */
  uuid(text: string): string {
    const bytes = this.#permutation.bytes(`uuid|${text.toLowerCase()}`).subarray(0, 16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }

  /** A text in which numbers in groups are replaced already: the words beside them are replaced now. */
  #restOf(original: string, spaced: string): string {
    // Both texts have the same length, and differ in the digits of those numbers only.
    let out = "";
    let at = 0;
    for (const { 0: found, index } of original.matchAll(groupedPhone)) {
      const done = spaced.slice(index, index + found.length);
      if (done === found) continue;
      out += this.words(original.slice(at, index)) + done;
      at = index + found.length;
    }
    return out + this.words(original.slice(at));
  }

  #word(word: string, isAfterPlus: boolean): string {
    if (/^\d+$/.test(word)) {
      if (word.length <= AMOUNT_DIGITS) return word;
      return this.#numberDigits(word, isAfterPlus);
    }
    if (this.#keywords.has(word.toLowerCase())) return word;
    let found = this.#words.get(word);
    if (found === undefined) {
      found = word;
      // Cycle walking: the permutation is repeated until its result is no word that stays, so it remains one.
      do found = this.#permuted(found, "word");
      while (this.#keywords.has(found.toLowerCase()));
      if (this.#words.size >= CACHED_MAX) this.#words.clear();
      this.#words.set(word, found);
    }
    return found;
  }

  /** The digits of a number: of a phone with its country code, or of any other. */
  #numberDigits(digits: string, isInternational: boolean): string {
    const isComplete = isInternational || (digits.length >= 11 && digits[0] !== "0");
    const e164 = `+${digits}`;
    if (isComplete && isE164(e164) && callingCode(e164) !== undefined) return this.#e164(e164).slice(1);
    const zeros = /^0*/.exec(digits)?.[0].length ?? 0;
    const kept = zeros > 0 && digits.length >= 9 ? zeros + 2 : zeros;
    return digits.slice(0, kept) + this.#digits(digits.slice(kept), `number|${kept}`, kept === zeros);
  }

  #e164(phone: string): string {
    let found = this.#phones.get(phone);
    if (found === undefined) {
      found = this.#otherNumber(phone);
      if (this.#phones.size >= CACHED_MAX) this.#phones.clear();
      this.#phones.set(phone, found);
    }
    return found;
  }

  /** A number of the same country, length and network: its code and the first digits after it stay. */
  #otherNumber(phone: string): string {
    const code = callingCode(phone) ?? "";
    const national = phone.length - 1 - code.length;
    // The digits that name the network, or the area in North America, which decides the country there.
    const network = code === "1" ? 3 : national >= 8 ? 2 : 0;
    const kept = phone.slice(0, 1 + code.length + network);
    const country = phoneCountry(phone);
    let rest = phone.slice(kept.length);
    do rest = this.#digits(rest, `phone|${kept}`, false);
    while (phoneCountry(kept + rest) !== country);
    return kept + rest;
  }

  /** @param hasFirst - the first digit is never 0 */
  #digits(digits: string, tweak: string, hasFirst: boolean): string {
    if (digits === "") return "";
    const values = Array.from(digits, Number);
    const radices = values.map(() => 10);
    if (hasFirst) {
      values[0] = (values[0] ?? 1) - 1;
      radices[0] = 9;
    }
    const out = this.#permutation.permute(values, radices, `${tweak}|${digits.length}`);
    if (hasFirst) out[0] = (out[0] ?? 0) + 1;
    return out.join("");
  }

  #permuted(text: string, tweak: string): string {
    const characters = Array.from(text);
    const classes = characters.map(letterClass);
    const places = classes.flatMap((one, index) => (one === undefined || one.members.length === 1 ? [] : [index]));
    const radices = places.map((index) => classes[index]?.members.length ?? 1);
    const values = places.map((index) => classes[index]?.index ?? 0);
    // Classes and the characters that stay are the shape, which the pseudonym keeps.
    const shape = characters.map((character, index) => classes[index]?.members[0] ?? character).join("");
    const out = this.#permutation.permute(values, radices, `${tweak}|${shape}`);
    places.forEach((index, place) => (characters[index] = classes[index]?.members[out[place] ?? 0] ?? ""));
    return characters.join("");
  }
}

/** A text whose digits are replaced, one by one. */
function withDigits(text: string, digits: string): string {
  let next = 0;
  return text.replace(/\d/g, () => digits[next++] ?? "");
}
