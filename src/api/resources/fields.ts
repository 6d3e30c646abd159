import { type FieldRow, fieldLabelMax, isFieldKey, isFieldLabel, keyOfLabel } from "../../account/index.js";
import { type FieldType, fieldTypes } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { ApiError, InvalidValue, fieldError, wholeBodyError } from "../error.js";
import { choiceType, type ValueType, optional, textType } from "../body-fields.js";
import { textFilter } from "../filters.js";
import { recordOf, type Identifier, listMethod, postMethod, type Resource } from "../resource.js";
import { laterFieldTypes, records, schema } from "../../schema/index.js";

/** Maximum number of fields in an account (docs/reference/service-api.md#limits). */
const FIELDS_MAX = 200;

const anyLabel = textType({ max: fieldLabelMax });

const labelType: ValueType<string> = {
  ...anyLabel,
  parse(value, request) {
    const label = anyLabel.parse(value, request);
    if (!isFieldLabel(label)) throw new InvalidValue("Letters, digits, spaces and hyphens only.");
    if (!isFieldKey(keyOfLabel(label))) {
      throw new InvalidValue("The label must begin with a letter, and must not be one of the words that are reserved.");
    }
    return label;
  },
};

const byKey: Identifier<FieldRow> = {
  about: "Key of the field",
  schema: schema.text,
  find: (value, { context }) => context.tables.fields.byKey(value),
};

/** Contact fields (docs/reference/service-api.md#fields). */
export const fields: Resource = {
  name: "fields",
  about: "Fields that contacts can have beside name and language.",
  scope: "others",
  forSurveyors: true,
  list: listMethod<FieldRow>({
    about: "Lists contact fields, the newest first.",
    list: ({ context }) => context.lists.fields,
    order: "created",
    filters: { key: textFilter("key", "The field with this key") },
    record: recordOf(records.fields, {
      key: (field) => field.key,
      label: (field) => field.label,
      value_type: (field) => field.type,
      name: (field) => field.label,
      type: (field) => (field.type === "numeric" ? "number" : field.type),
      featured: () => false,
      priority: () => 0,
      agent_access: () => "view",
    }),
  }),
  post: postMethod({
    about: "Adds a contact field, or changes label and type of the one that `key` names. Its key stays.",
    identifiers: { key: byKey },
    fields: {
      label: optional(labelType, "Unique in any case. Required, unless `name` is there"),
      value_type: optional(choiceType(fieldTypes), "Required, unless `type` is there"),
      name: optional(labelType, "What later versions request `label`"),
      type: optional(choiceType(laterFieldTypes), "What later versions request `value_type`"),
    },
    example: { label: "Next visit", value_type: "datetime" },
    check(values, request, identified) {
      const { label, type } = labelAndType(values);
      const field = identified?.target;
      const { account, tables } = request.context;
      refuseTaken(label, field, request);
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

/**
 * Takes label and type from either spelling; both are required
 * (docs/reference/service-api.md#documentation-and-real-systems).
 */
function labelAndType(values: {
  readonly label: string | undefined;
  readonly value_type: FieldType | undefined;
  readonly name: string | undefined;
  readonly type: (typeof laterFieldTypes)[number] | undefined;
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

function refuseTaken(label: string, field: FieldRow | undefined, { context }: ApiRequest): void {
  const other = context.tables.fields.byLabel(label);
  if (other !== undefined && other.id !== field?.id) throw fieldError("label", "This field must be unique.");
}
