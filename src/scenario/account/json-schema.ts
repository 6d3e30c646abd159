import { keyed } from "../sheet/field.js";
import { jsonSchemaOf } from "../json-schema.js";
import { accountParts } from "./top-level.js";

/**
 * The JSON Schema (draft 7) of account files, made of the schemas that they are read with. What hangs together across a
 * file, only the parser knows.
 */
export function accountJsonSchema(): object {
  const shape = Object.fromEntries(
    Object.entries(accountParts).map(([key, part]) => [key, key === "account" ? part : part.optional()]),
  );
  return { ...jsonSchemaOf(keyed(shape), "draft-7"), title: "Handset Lab account" };
}
