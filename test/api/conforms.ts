import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { Answered, Rig } from "./rig.js";

interface Documented {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

type Document = { readonly paths: Record<string, Record<string, Documented>> };

const compiled = new Map<string, ValidateFunction>();

/**
 * Expects an answer to be one that the server's own document describes for this operation.
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
  let validate = compiled.get(key);
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    validate = ajv.compile(schema);
    compiled.set(key, validate);
  }
  validate(answered.body);
  expect(validate.errors ?? [], `${key}: ${JSON.stringify(answered.body)}`).toEqual([]);
}
