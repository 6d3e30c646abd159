import { cutText, fieldKeyForm, type FieldType, formatTimestampZoned, reservedFieldKeys } from "../../wire/index.js";
import { type DateContext, parseDateText } from "./date-text.js";
import { normaliseDecimal } from "./decimal.js";

/** Types of fields that hold a place. */
export type LocationType = Extract<FieldType, "state" | "district" | "ward">;

/** The settings on which the values of typed fields depend. */
export interface FieldSettings extends DateContext {
  /** The name of the boundary that a text names (name, alias or path); undefined when none or several match. */
  readonly boundaryName: (type: LocationType, text: string) => string | undefined;
}

/** Maximum characters of a field's text; longer texts are cut silently (docs/reference/service-api.md#limits). */
export const fieldTextMax = 640;

/** Maximum characters of a field's label and of its key (docs/reference/service-api.md#limits). */
export const fieldLabelMax = 36;

/**
 * Whether a label has only ASCII letters, digits, spaces and hyphens, at least one and at most 36
 * (docs/reference/service-api.md#fields).
 */
export function isFieldLabel(label: string): boolean {
  return label.length <= fieldLabelMax && /^[A-Za-z0-9 -]+$/.test(label);
}

/**
 * The key for a label: lower case, with one `_` for each run of other characters between letters and digits. It can be
 * invalid ({@link isFieldKey}), as for `2nd dose` or `Name`.
 */
export function keyOfLabel(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}

/**
 * Whether a key can name a field: begins with a letter, at most 36 characters, not reserved
 * (docs/reference/service-api.md#fields).
 */
export function isFieldKey(key: string): boolean {
  return fieldKeyForm.test(key) && !reservedFieldKeys.has(key);
}

/**
 * The value of a field as the API shows it (docs/reference/service-api.md#field-values-by-type): the text itself; a
 * plain decimal number without trailing zeros; a UTC timestamp with microseconds; the name of a boundary.
 *
 * @param raw - the stored text; undefined: not set
 * @returns null when it is not set, or its text is invalid for the field's type
 */
export function shownFieldValue(type: FieldType, raw: string | undefined, context: FieldSettings): string | null {
  if (raw === undefined || raw === "") return null;
  switch (type) {
    case "text":
      return raw;
    case "numeric":
      return normaliseDecimal(raw) ?? null;
    case "datetime": {
      const epochMs = parseDateText(raw, context);
      return epochMs === undefined ? null : formatTimestampZoned(epochMs);
    }
    case "state":
    case "district":
    case "ward":
      return context.boundaryName(type, raw) ?? null;
  }
}

/** A value of a field as a client may send it. */
export type FieldInput = string | number | boolean | null;

/** Whether a JSON value is a {@link FieldInput}: lists and objects are not. */
export function isFieldInput(value: unknown): value is FieldInput {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/**
 * The stored text of a value that a client sends: texts unchanged, numbers without an exponent, `True` and `False` as
 * the real system writes them; cut to 640 characters (docs/reference/service-api.md#limits and
 * docs/reference/service-api.md#contacts).
 *
 * @returns undefined for null and "", which clear the field
 */
export function storedFieldText(value: FieldInput): string | undefined {
  if (value === null || value === "") return undefined;
  return cutText(textOf(value), fieldTextMax);
}

function textOf(value: string | number | boolean): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  const text = String(value);
  return text.includes("e") ? value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 }) : text;
}
