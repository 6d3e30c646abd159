import { fieldKeyForm, type FieldType, fieldTypes, ownValue } from "../../wire/index.js";
import { legacySlug } from "./legacy-summary.js";
import { type JsonCursor, describeJson } from "./json-cursor.js";
import type { KeyedField } from "./export-contents.js";

/**
 * Field types in the spellings of definitions and later API versions (docs/reference/flows.md#export-files;
 * docs/reference/service-api.md#field-types).
 */
const spellings: Readonly<Record<string, FieldType>> = {
  ...Object.fromEntries(fieldTypes.map((type) => [type, type])),
  number: "numeric",
  T: "text",
  N: "numeric",
  D: "datetime",
  S: "state",
  I: "district",
  W: "ward",
};

/** Reads the fields of an export: `{key, name, type}`, in some versions `label` and `value_type`. */
export function readFields(list: JsonCursor): KeyedField[] {
  return list.items().flatMap((field) => {
    if (field.neededMap() === undefined) return [];
    const label = (field.at("name").isAbsent ? field.at("label") : field.at("name")).neededText();
    const typePart = field.at("type").isAbsent ? field.at("value_type") : field.at("type");
    const written = typePart.text() ?? "text";
    const type = ownValue(spellings, written);
    if (type === undefined) typePart.addProblem(`must be a known type of field, got ${describeJson(written)}`);
    if (label === undefined || type === undefined) return [];
    const key = field.at("key").text() ?? legacySlug(label);
    if (fieldKeyForm.test(key)) return [{ key, label, type }];
    field.at("key").addProblem(`must be a letter, then letters, digits or _, 36 at most, got ${describeJson(key)}`);
    return [];
  });
}
