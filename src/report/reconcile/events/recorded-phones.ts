import { callingCode } from "../../../wire/index.js";
import type { Dictionary } from "./dictionary.js";

/** Most recorded phones whose calling codes are parsed. */
const PHONES_MAX = 1000;

/** The phones of a recording's events, and how logs may write them: `tel:+2507…`, `2507…`, `0788 000 800`. */
export class RecordedPhones {
  readonly #known: Dictionary;
  #callingCodes: readonly string[] | undefined;

  /** @param known - in the form of `bareForm` */
  constructor(known: Dictionary) {
    this.#known = known;
  }

  /** The number of the recorded phone that a logged phone stands for; -1 when there is none. */
  numberOf(written: string): number {
    const number = this.#known.numberOf(written);
    return number === -1 ? this.#known.numberOf(this.normalise(written)) : number;
  }

  /** The recorded phone that a logged phone stands for, else the text without punctuation. */
  normalise(written: string): string {
    if (this.#known.has(written)) return written;
    const bare = bareForm(written);
    if (this.#known.has(bare) || !/^\+?\d{6,}$/.test(bare)) return bare;
    const digits = bare.replace(/^\+/, "").replace(/^00/, "");
    const subscriber = digits.replace(/^0/, "");
    for (const code of ["", ...this.#codes()]) {
      for (const rest of [digits, subscriber]) if (this.#known.has(`+${code}${rest}`)) return `+${code}${rest}`;
    }
    return bare;
  }

  /** The calling codes of the recorded phones. */
  #codes(): readonly string[] {
    if (this.#callingCodes === undefined) {
      const codes = new Set<string>();
      for (const phone of this.#known.words.slice(0, PHONES_MAX)) {
        const code = callingCode(phone);
        if (code !== undefined) codes.add(code);
      }
      this.#callingCodes = [...codes];
    }
    return this.#callingCodes;
  }
}

/**
 * A phone without its scheme and punctuation; eight or more digits get a `+`. Short codes and names of senders stay. A
 * spreadsheet's quote before a number, and `.0` after it, are dropped.
 */
export function bareForm(phone: string): string {
  if (/^\+\d+$/.test(phone)) return phone;
  const bare = phone
    .trim()
    .replace(/^'?(?:tel:)?/i, "")
    .replace(/^(\+?\d+)\.0$/, "$1")
    .replaceAll(/[\s()./-]/g, "");
  return /^\d{8,}$/.test(bare) ? `+${bare}` : bare;
}
