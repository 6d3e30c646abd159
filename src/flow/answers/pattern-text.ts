/** The random numbers of a generator. */
export interface Chance {
  /** At least 0, less than 1. */
  random(): number;
}

/** Most repetitions of `*`, `+` and `{n,}` beyond the least. */
const repeatsMax = 2;
/** Longest generated text in characters; a longer one is abandoned. */
const lengthMax = 200;

/**
 * A text that a simple regular expression matches: literals, classes, groups, alternatives, quantifiers, anchors.
 *
 * @returns undefined for other constructs, such as look-aheads and back-references
 */
export function textOfPattern(pattern: string, chance: Chance): string | undefined {
  const reader = new PatternReader(pattern.trim(), chance);
  const text = reader.readAlternatives();
  return reader.isAtEnd && text !== undefined && text.length <= lengthMax ? text : undefined;
}

const classes: Readonly<Record<string, string>> = { d: "0123456789", w: "abcdefgh0123456789_", s: " " };
const anyCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";

class PatternReader {
  readonly #pattern: string;
  readonly #chance: Chance;
  #index = 0;

  constructor(pattern: string, chance: Chance) {
    this.#pattern = pattern;
    this.#chance = chance;
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#pattern.length;
  }

  /** Reads up to an unmatched ")" or the end. */
  readAlternatives(): string | undefined {
    const texts: string[] = [];
    for (;;) {
      const text = this.#readSequence();
      if (text === undefined) return undefined;
      texts.push(text);
      if (this.#peek() !== "|") return this.#pick(texts);
      this.#index++;
    }
  }

  #readSequence(): string | undefined {
    let text = "";
    while (!this.isAtEnd && this.#peek() !== "|" && this.#peek() !== ")") {
      const start = this.#index;
      let atom = this.#readAtom();
      if (atom === undefined) return undefined;
      const end = this.#index;
      const range = this.#readQuantifier();
      if (range === undefined) return undefined;
      const count = range.least + Math.floor(this.#chance.random() * (range.most - range.least + 1));
      const after = this.#index;
      for (let done = 0; done < count && text.length <= lengthMax; done++) {
        // Parses the same part again for each repetition, so that each makes its own random choices.
        if (done > 0) {
          this.#index = start;
          atom = this.#readAtom() ?? "";
        }
        text += atom;
      }
      this.#index = Math.max(after, end);
    }
    return text;
  }

  #readAtom(): string | undefined {
    const character = this.#take();
    if (character === "^" || character === "$") return "";
    if (character === ".") return this.#pick(anyCharacters.split(""));
    if (character === "\\") return this.#readEscape();
    if (character === "[") return this.#readClass();
    if (character === "(") {
      if (this.#peek() === "?") {
        const head = /^\?(?::|P?<\w+>|[ims]+[:)])/.exec(this.#pattern.slice(this.#index))?.[0];
        if (head === undefined) return undefined;
        this.#index += head.length;
        if (head.endsWith(")")) return "";
      }
      const text = this.readAlternatives();
      return this.#take() === ")" ? text : undefined;
    }
    return character === undefined || "*+?{)".includes(character) ? undefined : character;
  }

  #readEscape(): string | undefined {
    const character = this.#take() ?? "";
    if (character === "b" || character === "A" || character === "z") return "";
    if (Object.hasOwn(classes, character)) return this.#pick((classes[character] ?? "").split(""));
    if (character === "D" || character === "S" || character === "W") return character === "W" ? " " : "a";
    if (character === "n") return "\n";
    return /[\p{L}\d]/u.test(character) ? undefined : character;
  }

  #readClass(): string | undefined {
    const end = this.#pattern.indexOf("]", this.#index + 1);
    if (end === -1) return undefined;
    const body = this.#pattern.slice(this.#index, end);
    this.#index = end + 1;
    const isNegated = body.startsWith("^");
    const members = new Set<string>();
    const parts = /\\(.)|(.)-(.)|(.)/gsu;
    for (const [, escaped, from, to, single] of body.slice(isNegated ? 1 : 0).matchAll(parts)) {
      if (escaped !== undefined) for (const one of classes[escaped] ?? escaped) members.add(one);
      else if (from !== undefined && to !== undefined) {
        for (let code = from.charCodeAt(0); code <= to.charCodeAt(0) && members.size < 100; code++) {
          members.add(String.fromCharCode(code));
        }
      } else if (single !== undefined) members.add(single);
    }
    const chosen = isNegated ? `${anyCharacters} `.split("").filter((one) => !members.has(one)) : [...members];
    return chosen.length === 0 ? undefined : this.#pick(chosen);
  }

  #readQuantifier(): { readonly least: number; readonly most: number } | undefined {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#pattern.slice(this.#index));
    if (found === null) return { least: 1, most: 1 };
    this.#index += found[0].length;
    const [, sign, least = "1", comma = "", most = ""] = found;
    if (sign === "?") return { least: 0, most: 1 };
    if (sign !== undefined) return sign === "*" ? { least: 0, most: repeatsMax } : { least: 1, most: 1 + repeatsMax };
    const from = Number(least);
    return { least: from, most: comma === "" ? from : most === "" ? from + repeatsMax : Number(most) };
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#chance.random() * list.length)] ?? "";
  }

  #peek(): string | undefined {
    return this.#pattern[this.#index];
  }

  #take(): string | undefined {
    return this.#pattern[this.#index++];
  }
}
