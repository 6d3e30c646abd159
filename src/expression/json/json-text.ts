import { Decimal, decimalText } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { nestedTooDeeply, nestingMax, textLengthMax, textTooLong } from "../values/limits.js";
import { spend, spendStep, workExceeded } from "../values/meter.js";
import { unitsOfPart } from "../values/text-form.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "../values/value.js";

/**
 * A value as JSON text: names sorted, numbers with all their digits, dates and times as their text form, functions
 * null. Defaults of objects are left out. Inside arrays an error is null, inside objects it is left out.
 *
 * @returns an error for an error, and beyond the limits of size and depth
 */
export function jsonText(value: Value): string | ErrorValue {
  if (value instanceof ErrorValue) return value;
  const pieces: string[] = [];
  let length = 0;
  const failure = write(value, 0);
  if (!spendStep(length)) return workExceeded;
  return failure ?? pieces.join("");

  function add(piece: string): void {
    pieces.push(piece);
    length += piece.length;
  }

  function write(part: Value, depth: number): ErrorValue | undefined {
    if (depth > nestingMax) return nestedTooDeeply;
    if (!spend(unitsOfPart)) return workExceeded;
    if (part instanceof ArrayValue) {
      add("[");
      for (const [index, item] of part.items.entries()) {
        if (index > 0) add(",");
        const itemFailure = write(item, depth + 1);
        if (itemFailure !== undefined) return itemFailure;
      }
      add("]");
    } else if (part instanceof ObjectValue) {
      add("{");
      const entries = part.entries().filter(([, item]) => !(item instanceof ErrorValue));
      for (const [index, [name, item]] of entries.entries()) {
        add(`${index > 0 ? "," : ""}${quoted(name)}:`);
        const itemFailure = write(item, depth + 1);
        if (itemFailure !== undefined) return itemFailure;
      }
      add("}");
    } else {
      add(simpleText(part));
    }
    return length > textLengthMax ? textTooLong : undefined;
  }
}

function simpleText(value: Exclude<Value, ArrayValue | ObjectValue>): string {
  if (value === null || value instanceof ErrorValue || value instanceof FunctionValue) return "null";
  if (typeof value === "boolean") return String(value);
  if (value instanceof Decimal) return decimalText(value);
  return quoted(typeof value === "string" ? value : value.toString());
}

/** A JSON string. The two line separators of Unicode are escaped, for readers that are JavaScript. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (mark) => (mark === "\u2028" ? "\\u2028" : "\\u2029"));
}
