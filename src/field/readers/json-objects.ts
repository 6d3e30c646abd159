import type { LogReader } from "./log-reader.js";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Finds the objects of a list in JSON of any size, one at a time: those of the list under a key, at any depth (`entries`
 * of a HAR, `results` of a page), or those of the outermost list. Several documents may follow each other. It keeps one
 * object in memory.
 */
export class JsonObjects implements LogReader {
  readonly #key: string | undefined;
  readonly #onObject: (text: string, place: number) => void;
  /** Text from the begin of the current object, or of the current string outside of objects. */
  #kept = "";
  #depth = 0;
  /** Depth of the list whose objects are wanted; 0: it has not begun. */
  #listDepth = 0;
  #isInString = false;
  #isEscaped = false;
  #string = "";
  /** The last string that a colon follows: the key of the value that comes next. */
  #lastKey = "";
  #isCollecting = false;
  #place = 0;

  /**
   * @param key - undefined: the outermost list
   * @param onObject - gets each object's text and its number, from 1
   */
  constructor(key: string | undefined, onObject: (text: string, place: number) => void) {
    this.#key = key;
    this.#onObject = onObject;
  }

  /** How many objects were found. */
  get count(): number {
    return this.#place;
  }

  /** Whether an object has begun that has not ended. */
  get isCut(): boolean {
    return this.#isCollecting;
  }

  /** The text of the object that has begun. */
  get rest(): string {
    return this.#kept;
  }

  write(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (sign === BACKSLASH) this.#isEscaped = true;
        else if (sign === QUOTE) {
          this.#isInString = false;
          if (!this.#isCollecting) {
            this.#string = this.#kept + text.slice(from, at);
            this.#kept = "";
          }
        }
        continue;
      }
      switch (sign) {
        case QUOTE:
          this.#isInString = true;
          if (!this.#isCollecting) from = at + 1;
          break;
        case COLON:
          if (!this.#isCollecting) this.#lastKey = this.#string;
          break;
        case OPEN_BRACE:
          this.#depth++;
          if (!this.#isCollecting && this.#listDepth !== 0 && this.#depth === this.#listDepth + 1) {
            this.#isCollecting = true;
            this.#kept = "";
            from = at;
          }
          break;
        case CLOSE_BRACE:
          this.#depth--;
          if (this.#isCollecting && this.#depth === this.#listDepth) {
            this.#isCollecting = false;
            this.#onObject(this.#kept + text.slice(from, at + 1), ++this.#place);
            this.#kept = "";
          }
          break;
        case OPEN_BRACKET:
          this.#depth++;
          if (!this.#isCollecting && this.#listDepth === 0 && this.#isWanted()) this.#listDepth = this.#depth;
          break;
        case CLOSE_BRACKET:
          if (!this.#isCollecting && this.#depth === this.#listDepth) this.#listDepth = 0;
          this.#depth--;
          break;
        case COMMA:
          if (!this.#isCollecting) this.#lastKey = "";
          break;
        default:
      }
    }
    if (this.#isCollecting || this.#isInString) this.#kept += text.slice(from);
  }

  end(): void {
    // An object that does not end is not an object: see `isCut`.
  }

  #isWanted(): boolean {
    return this.#key === undefined ? this.#depth === 1 : this.#lastKey === this.#key;
  }
}
