import * as z from "zod";
import { type FieldData, fieldKeyForm, type FieldType, fieldTypes, reservedFieldKeys } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { formed, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { type Path, describeValue } from "../../sheet/raw-value.js";
import { mapEntries } from "../entries.js";

const type = word(fieldTypes, "What its values are.", { noun: "a type of field" });

const contactField = keyed({
  label: formed(
    /^(?=.*[A-Za-z0-9])[A-Za-z0-9 -]{1,36}$/,
    "a label of at most 36 letters, digits, spaces and hyphens",
    "What people call it; default: the key with spaces, First dose.",
  ).optional(),
  type,
});

/** `fields`: by key, a type or a map. */
export const contactFieldsSchema: z.ZodType = z.record(z.string(), z.union([type, contactField])).nullable();

/** Reads `fields`. */
export function readContactFields(reader: DocumentReader): (FieldData & { readonly key: string })[] {
  return mapEntries(reader, ["fields"]).flatMap(({ path, name: key }) => {
    checkKey(reader, path, key);
    const given = read(reader, path);
    return given === undefined ? [] : [{ key, label: given.label ?? labelOf(key), type: given.type }];
  });
}

function read(reader: DocumentReader, path: Path): { type: FieldType; label?: string | undefined } | undefined {
  if (typeof reader.at(path) !== "string") return reader.read(contactField, path);
  const only = reader.read(type, path);
  return only === undefined ? undefined : { type: only };
}

function checkKey(reader: DocumentReader, path: Path, key: string): void {
  if (reservedFieldKeys.has(key)) {
    reader.reportProblem(path, {
      code: "bad-name",
      message: `${describeValue(key)} cannot be the key of a field: contacts have that by themselves`,
      whole: true,
      on: "key",
    });
  } else if (!fieldKeyForm.test(key)) {
    const cleaned = key
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .replaceAll(/^[^a-z]+|_+$/g, "")
      .slice(0, 36);
    reader.reportProblem(path, {
      code: "bad-name",
      message: `${describeValue(key)} cannot be the key of a field: a small letter, then small letters, digits or _, 36 at most`,
      whole: true,
      on: "key",
      hint: cleaned === "" ? undefined : `write ${cleaned}`,
    });
  }
}

/** `first_dose` → `First dose`. */
function labelOf(key: string): string {
  const words = key.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
