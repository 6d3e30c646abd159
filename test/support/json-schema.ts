import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Compiled schemas by their text: compilation takes most of the time, and the schemas of each server are equal. */
const validators = new Map<string, ValidateFunction>();

/** How a value differs from a schema: one text for each difference. */
export function misfitsOf(schema: object, value: unknown): readonly string[] {
  const validate = schemaValidator(schema);
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}: ${JSON.stringify(value)}`);
}

/** The validator of a JSON Schema, draft 2020-12, with the standard formats. */
export function schemaValidator(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  let validate = validators.get(text);
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    validate = ajv.compile(schema);
    validators.set(text, validate);
  }
  return validate;
}
