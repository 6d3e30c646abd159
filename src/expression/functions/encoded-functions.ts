import { toText } from "../conversions.js";
import { cutText, readableUrn } from "../../wire/index.js";
import { jsonText } from "../json/json-text.js";
import { readJson } from "../json/read-json.js";
import { shownMax } from "../values/describe.js";
import { ErrorValue } from "../values/error-value.js";
import { type FunctionValue, objectValue, type Value } from "../values/value.js";
import { defineFunction } from "./define.js";

/** Functions of JSON, URNs and attachments (docs/reference/flows.md#functions). */
export const encodedFunctions: readonly FunctionValue[] = [
  defineFunction("json", { required: [valueOf] }, (_environment, value) => jsonText(value)),
  defineFunction("parse_json", { required: [toText] }, (_environment, text) => (text === "" ? null : readJson(text))),
  defineFunction("urn_parts", { required: [toText] }, (_environment, text) => {
    const parts = urnParts(text);
    return parts === undefined ? notAUrn(text) : objectValue({ ...parts });
  }),
  defineFunction("format_urn", { required: [toText] }, (_environment, text) => {
    const parts = urnParts(text);
    if (parts === undefined) return notAUrn(text);
    const { scheme, path, display } = parts;
    return display === "" ? readableUrn(`${scheme}:${path}`) : display;
  }),
  defineFunction("attachment_parts", { required: [toText] }, (_environment, text) => {
    const colon = text.indexOf(":");
    return objectValue({ content_type: text.slice(0, Math.max(colon, 0)), url: text.slice(colon + 1) });
  }),
];

function valueOf(_environment: unknown, value: Value): Value {
  return value;
}

function notAUrn(text: string): ErrorValue {
  return new ErrorValue(`${cutText(text, shownMax)} is not a valid URN`);
}

/** The parts of a URN in text form. */
interface UrnParts {
  readonly scheme: string;
  readonly path: string;
  /** `""` if it has none. */
  readonly display: string;
}

/** The path may have colons; query and display are optional and occur once. */
const pattern = /^([^:?#]+):([^?#]+)(?:\?[^?#]*)?(?:#([^?#]*))?$/;

/**
 * Splits `scheme:path?query#display`; undefined: the text is no URN. Inside the parts `#`, `?` and `%` are escaped:
 * `%23`, `%3F` and `%25`.
 */
function urnParts(text: string): UrnParts | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, scheme = "", path = "", display = ""] = match;
  return { scheme: unescaped(scheme), path: unescaped(path), display: unescaped(display) };
}

function unescaped(part: string): string {
  return part.replace(/%(?:23|25|3F)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
