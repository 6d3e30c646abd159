import { keyed } from "../sheet/field.js";
import { jsonSchemaOf } from "../json-schema.js";
import { accountParts } from "./top-level.js";

/**
 * The JSON Schema (draft 7) of account files, derived from the schemas that the parser uses. It does not
 * contain rules across several parts of a file; only the parser checks these.
 */
export function accountJsonSchema(): object {
  const shape = Object.fromEntries(
    Object.entries(accountParts).map(([key, part]) => [key, key === "account" ? part : part.optional()]),
  );
  return { ...jsonSchemaOf(keyed(shape), "draft-7"), title: "Handset Lab account" };
}
