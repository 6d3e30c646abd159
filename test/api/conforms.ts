import { expect } from "vitest";
import { schemaValidator } from "../support/json-schema.js";
import type { Answered, Rig } from "./rig.js";

interface Documented {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

type Document = { readonly paths: Record<string, Record<string, Documented>> };

/**
 * Expects an answer to match the server's OpenAPI document for this operation.
 *
 * @param operation - method and path: `GET labels.json`
 */
export function expectConforming(rig: Rig, operation: string, answered: Answered): void {
  const [method = "", resource = ""] = operation.split(" ");
  const key = `${operation} ${answered.status}`;
  const { paths } = rig.server.swagger() as unknown as Document;
  const response = paths[`/api/v2/${resource}`]?.[method.toLowerCase()]?.responses[answered.status];
  expect(response, `${key} is not documented`).toBeDefined();
  const schema = response?.content?.["application/json"]?.schema;
  if (schema === undefined) {
    expect(answered.body).toBe("");
    return;
  }
  const validate = schemaValidator(schema);
  validate(answered.body);
  expect(validate.errors ?? [], `${key}: ${JSON.stringify(answered.body)}`).toEqual([]);
}
