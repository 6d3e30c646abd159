import { checkedNumber, Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { nestingMax } from "../values/limits.js";
import { spend, workExceeded } from "../values/meter.js";
import { ArrayValue, type Value } from "../values/value.js";
import { objectOf } from "./default-key.js";

/** Units of work to read a character: numbers of one digit take the longest. */
const unitsOfCharacter = 0.5;

/**
 * The value of a JSON text. Numbers keep their digits; one beyond the range of numbers is an error in its place. The
 * key `__default__` of an object is its default.
 *
 * @returns an error if the text is no JSON, is nested too deeply, or takes too much work
 */
export function readJson(text: string): Value {
  if (!spend(text.length * unitsOfCharacter)) return workExceeded;
  const reader = new JsonReader(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error instanceof InvalidJson) return new ErrorValue("invalid JSON");
    throw error;
  }
}

/** Ends the reading; never leaves this file. */
class InvalidJson extends Error {}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blanks = /[ \t\n\r]*/y;

/** Recursive descent. JSON.parse is faster, but rounds numbers to binary ones. */
class JsonReader {
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Value {
    const value = this.#readValue();
    this.#match(blanks);
    if (this.#index < this.#text.length) throw new InvalidJson();
    return value;
  }

  #readValue(): Value {
    this.#match(blanks);
    switch (this.#text[this.#index]) {
      case "{":
        return this.#nested(() => this.#readObject());
      case "[":
        return this.#nested(() => this.#readArray());
      case '"':
        return this.#readString();
      case "t":
        return this.#readWord("true", true);
      case "f":
        return this.#readWord("false", false);
      case "n":
        return this.#readWord("null", null);
      default:
        return readNumber(this.#match(number));
    }
  }

  #nested(read: () => Value): Value {
    if (++this.#depth > nestingMax) throw new InvalidJson();
    this.#index++;
    const value = read();
    this.#depth--;
    return value;
  }

  #readObject(): Value {
    const properties = new Map<string, Value>();
    if (this.#accepts("}")) return objectOf(properties);
    do {
      this.#match(blanks);
      const name = this.#readString();
      if (!this.#accepts(":")) throw new InvalidJson();
      properties.set(name, this.#readValue());
    } while (this.#accepts(","));
    if (!this.#accepts("}")) throw new InvalidJson();
    return objectOf(properties);
  }

  #readArray(): Value {
    const items: Value[] = [];
    if (this.#accepts("]")) return new ArrayValue(items);
    do {
      items.push(this.#readValue());
    } while (this.#accepts(","));
    if (!this.#accepts("]")) throw new InvalidJson();
    return new ArrayValue(items);
  }

  #readString(): string {
    const start = this.#index;
    if (this.#text[start] !== '"') throw new InvalidJson();
    let end = start + 1;
    for (; end < this.#text.length && this.#text[end] !== '"'; end++) if (this.#text[end] === "\\") end++;
    this.#index = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      throw new InvalidJson();
    }
  }

  #readWord(word: string, value: boolean | null): Value {
    if (!this.#text.startsWith(word, this.#index)) throw new InvalidJson();
    this.#index += word.length;
    return value;
  }

  #accepts(mark: string): boolean {
    this.#match(blanks);
    const isThere = this.#text[this.#index] === mark;
    if (isThere) this.#index++;
    return isThere;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#index;
    const found = pattern.exec(this.#text);
    if (found === null) throw new InvalidJson();
    this.#index += found[0].length;
    return found[0];
  }
}

/** Exponents of more digits would be slow to read. */
const exponentTooLong = /[eE][+-]?0*\d{5,}$/;
const lengthMax = 1000;

function readNumber(text: string): Value {
  if (text.length > lengthMax || exponentTooLong.test(text)) {
    return new ErrorValue("number value is out of permitted range");
  }
  return checkedNumber(new Decimal(text));
}
