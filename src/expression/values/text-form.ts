import { Decimal, decimalText } from "./decimal.js";
import { functionName } from "./describe.js";
import { ErrorValue } from "./error-value.js";
import { nestedTooDeeply, nestingMax, textLengthMax, textTooLong } from "./limits.js";
import { spend, spendStep, workExceeded } from "./meter.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "./value.js";

/** Units of work to write a part of a value: numbers take the longest. */
export const unitsOfPart = 0.8;

/**
 * Text form of a value (docs/reference/flows.md#types-and-conversion): `[a, b]`, `{k: v}` with sorted names. An error
 * stays one; errors inside arrays and objects appear with their message.
 */
export function textOf(value: Value): string | ErrorValue {
  if (typeof value === "string" || value instanceof ErrorValue) return value;
  return simpleText(value) ?? nestedText(value);
}

/** Text of a value without parts; undefined: an array or object. */
function simpleText(value: Value): string | undefined {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value instanceof Decimal) return decimalText(value);
  if (value instanceof FunctionValue) return functionName(value);
  if (value instanceof ErrorValue) return value.message;
  return value instanceof ArrayValue || value instanceof ObjectValue ? undefined : value.toString();
}

function nestedText(value: Value): string | ErrorValue {
  const pieces: string[] = [];
  let length = 0;
  const failure = write(value, 0);
  if (!spendStep(length)) return workExceeded;
  return failure ?? pieces.join("");

  function add(text: string): void {
    pieces.push(text);
    length += text.length;
  }

  function write(part: Value, depth: number): ErrorValue | undefined {
    if (length > textLengthMax) return textTooLong;
    if (depth > nestingMax) return nestedTooDeeply;
    if (!spend(unitsOfPart)) return workExceeded;
    if (part instanceof ObjectValue && part.defaultValue !== undefined) {
      // The default of an object at the top may be an error, which the object then is.
      if (depth === 0 && part.defaultValue instanceof ErrorValue) return part.defaultValue;
      return write(part.defaultValue, depth + 1);
    }
    if (part instanceof ArrayValue)
      return writeAll(
        "[",
        part.items.map((item) => ["", item] as const),
        "]",
        depth,
      );
    if (part instanceof ObjectValue) {
      return writeAll(
        "{",
        part.entries().map(([name, item]) => [`${name}: `, item] as const),
        "}",
        depth,
      );
    }
    add(simpleText(part) ?? "");
    return length > textLengthMax ? textTooLong : undefined;
  }

  function writeAll(
    open: string,
    parts: readonly (readonly [string, Value])[],
    close: string,
    depth: number,
  ): ErrorValue | undefined {
    add(open);
    for (const [index, [prefix, part]] of parts.entries()) {
      add(index === 0 ? prefix : `, ${prefix}`);
      const partFailure = write(part, depth + 1);
      if (partFailure !== undefined) return partFailure;
    }
    add(close);
    return undefined;
  }
}
