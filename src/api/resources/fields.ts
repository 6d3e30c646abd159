import { type FieldRow, fieldLabelMax, isFieldKey, isFieldLabel, keyOfLabel } from "../../account/index.js";
import { type FieldType, fieldTypes } from "../../wire/index.js";
import type { Call } from "../call.js";
import { ApiError, Fault, fieldError, wholeBodyError } from "../error.js";
import { choice, type Kind, optional, text } from "../fields.js";
import { textFilter } from "../filters.js";
import { column, type Identifier, listed, post, type Resource } from "../resource.js";
import * as schema from "../schema.js";

/** Fields an account can have (service-api.md 1.14). */
const FIELDS_MAX = 200;

/** The words of later versions, in the order of `fieldTypes` (service-api.md 3.10). */
const laterTypes = ["text", "number", "datetime", "state", "district", "ward"] as const;

const anyLabel = text({ max: fieldLabelMax });

const labelKind: Kind<string> = {
  ...anyLabel,
  read(value, call) {
    const label = anyLabel.read(value, call);
    if (!isFieldLabel(label)) throw new Fault("Letters, digits, spaces and hyphens only.");
    if (!isFieldKey(keyOfLabel(label))) {
      throw new Fault("The label must begin with a letter, and must not be one of the words that are reserved.");
    }
    return label;
  },
};

const byKey: Identifier<FieldRow> = {
  about: "Key of the field",
  schema: schema.text,
  find: (value, { desk }) => desk.tables.fields.byKey(value),
};

/** Contact fields (service-api.md 2.10). */
export const fields: Resource = {
  name: "fields",
  about: "Fields that contacts can have beside name and language.",
  scope: "others",
  forSurveyors: true,
  list: listed<FieldRow>({
    about: "Lists contact fields, the newest first.",
    list: ({ desk }) => desk.lists.fields,
    order: "created",
    filters: { key: textFilter("key", "The field with this key") },
    record: {
      key: column(schema.text, (field) => field.key),
      label: column(schema.text, (field) => field.label),
      value_type: column(schema.oneOf(fieldTypes), (field) => field.type),
      name: column(schema.text, (field) => field.label),
      type: column(schema.oneOf(laterTypes), (field) => laterTypes[fieldTypes.indexOf(field.type)]),
      featured: column(schema.boolean, () => false),
      priority: column(schema.integer, () => 0),
      agent_access: column(schema.text, () => "view"),
    },
  }),
  post: post({
    about: "Adds a contact field, or changes label and type of the one that `key` names. Its key stays.",
    identifiers: { key: byKey },
    fields: {
      label: optional(labelKind, "Unique in any case. Required, unless `name` is there"),
      value_type: optional(choice(fieldTypes), "Required, unless `type` is there"),
      name: optional(labelKind, "What later versions call `label`"),
      type: optional(choice(laterTypes), "What later versions call `value_type`"),
    },
    example: { label: "Next visit", value_type: "datetime" },
    check(values, call, identified) {
      const { label, type } = completed(values);
      const field = identified?.target;
      const { account, tables } = call.desk;
      refuseTaken(label, field, call);
      if (field !== undefined) {
        return () => ({ status: 200, key: account.fields.change(field, { label, type }).id });
      }
      if (tables.fields.all().length >= FIELDS_MAX) {
        throw wholeBodyError(`There are ${FIELDS_MAX} fields, which is the limit`);
      }
      const key = keyOfLabel(label);
      if (tables.fields.byKey(key) !== undefined) {
        throw fieldError("label", `The label makes the key ${key}, which another field has.`);
      }
      return () => ({ status: 201, key: account.fields.add({ key, label, type }).id });
    },
  }),
};

/** Either spelling will do, but one of each there must be (service-api.md 4, row 21). */
function completed(values: {
  readonly label: string | undefined;
  readonly value_type: FieldType | undefined;
  readonly name: string | undefined;
  readonly type: (typeof laterTypes)[number] | undefined;
}): { readonly label: string; readonly type: FieldType } {
  const label = values.label ?? values.name;
  const type = values.value_type ?? (values.type === "number" ? "numeric" : values.type);
  if (label !== undefined && type !== undefined) return { label, type };
  const missing = ["This field is required."];
  throw new ApiError(400, {
    ...(label === undefined && { label: missing }),
    ...(type === undefined && { value_type: missing }),
  });
}

function refuseTaken(label: string, field: FieldRow | undefined, { desk }: Call): void {
  const other = desk.tables.fields.byLabel(label);
  if (other !== undefined && other.id !== field?.id) throw fieldError("label", "This field must be unique.");
}
