import { escapeForm, parseForm } from "../../wire/index.js";

/** One pair of a form as it was written, so that what is not changed stays byte for byte. */
export interface RawPair {
  readonly key: string;
  readonly value: string;
  readonly written: string;
}

/** The pairs of a form; undefined: the body is none. */
export function rawPairs(body: string): RawPair[] | undefined {
  if (body === "" || /^\s*[{[<]/.test(body)) return undefined;
  return body.split("&").map((written) => {
    const [key, value] = parseForm(written)[0] ?? ["", ""];
    return { key, value, written };
  });
}

/** The body of pairs; those whose value is replaced are encoded again. @param valueOf - undefined: the pair goes */
export function editedForm(pairs: readonly RawPair[], valueOf: (pair: RawPair) => string | undefined): string {
  return pairs
    .flatMap((pair) => {
      const value = valueOf(pair);
      if (value === undefined) return [];
      return value === pair.value ? [pair.written] : [`${escapeForm(pair.key)}=${escapeForm(value)}`];
    })
    .join("&");
}
