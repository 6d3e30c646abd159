import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "./operations.js";
import { Rig } from "./rig.js";
import { startTestService } from "./support.js";

type Json = Readonly<Record<string, any>>; // eslint-disable-line @typescript-eslint/no-explicit-any

let document: Json;
let operations: [id: string, operation: Json][];

/** Shared by all tests, which do not change it. */
beforeAll(async () => {
  const rig = await Rig.open();
  const answer = await rig.server.inject({ method: "GET", url: "/api/v2/openapi.json" });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  document = answer.json();
  expect(document).toEqual(JSON.parse(JSON.stringify(rig.server.swagger())));
  await rig.close();
  operations = Object.entries(document["paths"] as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Json] as [string, Json],
    ),
  );
});

/** The structure of OpenAPI 3.1, for the parts that the document uses. Schemas are checked separately. */
const openApi = ((): object => {
  const object = (properties: Json, required: string[] = []): Json => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  const map = (values: object, propertyNames: object = {}): Json => ({
    type: "object",
    additionalProperties: values,
    propertyNames,
  });
  const text = { type: "string", minLength: 1 };
  const schema = { type: "object" };
  const media = object(
    { schema, example: {}, encoding: map(object({ style: { enum: ["deepObject"] }, explode: { type: "boolean" } })) },
    ["schema"],
  );
  const content = map(media, { pattern: "^[a-z]+/[a-z0-9.+-]+$" });
  const parameter = object(
    { name: text, in: { const: "query" }, required: { type: "boolean" }, description: text, schema },
    ["name", "in", "schema", "description"],
  );
  const response = object(
    { description: text, headers: map(object({ description: text, schema }, ["schema"])), content },
    ["description"],
  );
  const operation = object(
    {
      operationId: { type: "string", pattern: "^[a-z_]+$" },
      summary: { type: "string", minLength: 1, maxLength: 120 },
      description: text,
      tags: { type: "array", items: text, minItems: 1, maxItems: 1 },
      parameters: { type: "array", items: parameter },
      requestBody: object({ description: text, required: { type: "boolean" }, content }, ["content"]),
      security: { type: "array", items: map({ type: "array", maxItems: 0 }), minItems: 1 },
      responses: { ...map(response, { pattern: "^[2-5]\\d\\d$" }), minProperties: 1 },
    },
    ["operationId", "summary", "description", "tags", "security", "responses"],
  );
  return object(
    {
      openapi: { const: "3.1.0" },
      info: object({ title: text, version: text, description: text }, ["title", "version"]),
      servers: { type: "array", items: object({ url: text, description: text }, ["url"]) },
      tags: {
        type: "array",
        items: object({ name: text, description: text }, ["name", "description"]),
        uniqueItems: true,
      },
      components: object({
        schemas: map(schema),
        securitySchemes: map(
          object({ type: { const: "apiKey" }, in: { const: "header" }, name: text, description: text }, [
            "type",
            "in",
            "name",
          ]),
        ),
      }),
      paths: map(object({ get: operation, post: operation, delete: operation }), { pattern: "^/" }),
    },
    ["openapi", "info", "paths"],
  );
})();

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validate = ajv.compile(openApi);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it("is also valid with the operations of the lab", async () => {
    const whole = (await startTestService({ account: "bare" })).document as Json;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validate = ajv.compile(openApi);
    validate(whole);
    expect(validate.errors ?? []).toEqual([]);
    expect(Object.keys(whole["paths"] as Json)).toEqual(expect.arrayContaining(["/lab/clock", "/api/v2/labels.json"]));
    const ids = Object.values(whole["paths"] as Json).flatMap((item) =>
      Object.values(item as Json).map((operation) => (operation as Json)["operationId"] as string),
    );
    expect(new Set(ids).size).toBe(ids.length);
    // The explorer follows no references and inherits nothing from the path item.
    expect(JSON.stringify(whole)).not.toMatch(/"\$(ref|dynamicRef)":/);
    for (const item of Object.values(whole["paths"] as Json)) {
      expect(["get", "post", "put", "delete"]).toEqual(expect.arrayContaining(Object.keys(item as Json)));
    }
  });

  it("has valid schemas without unknown keywords or formats", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.addVocabulary(["example"]);
    for (const [id, { requestBody, parameters = [], responses }] of operations) {
      const schemas: Json[] = [
        ...(parameters as Json[]).map((parameter) => parameter["schema"] as Json),
        ...[requestBody, ...Object.values(responses as Json)].flatMap((one?: Json) =>
          Object.values((one?.["content"] ?? {}) as Json).map((media) => (media as Json)["schema"] as Json),
        ),
      ];
      for (const schema of schemas) {
        expect(ajv.validateSchema(schema), `${id}: ${JSON.stringify(ajv.errors)}`).toBe(true);
        expect(() => ajv.compile(schema), id).not.toThrow();
      }
    }
  });

  it("has no unresolved references", () => {
    const tags = new Set((document["tags"] as Json[]).map(({ name }) => name as string));
    const schemes = Object.keys(document["components"].securitySchemes as Json);
    for (const [id, { tags: own, security }] of operations) {
      expect(tags, id).toContain((own as string[])[0]);
      expect(schemes, id).toContain(Object.keys((security as Json[])[0] ?? {})[0]);
    }
    expect([...tags]).toEqual([...new Set(operations.map(([, { tags: own }]) => (own as string[])[0]))]);
    const ids = operations.map(([, { operationId }]) => operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has exactly the served operations: all of the reference, and none that is made up", async () => {
    const known = new Set<string>(OPERATIONS);
    const beyond = operations.map(([id]) => id).filter((id) => !known.has(id));
    // What goes beyond the reference's list is refused by a strict service, or found in real systems.
    const reference = readFileSync("docs/reference/service-api.md", "utf8");
    const real = reference.slice(
      reference.indexOf("## Documentation and real systems"),
      reference.indexOf("## Clients"),
    );
    const strict = await Rig.start({ isStrict: true });
    for (const id of beyond) {
      const [method = "", path = ""] = id.split(" ");
      const { status } = await strict.ask(method as "GET" | "POST", path.slice("/api/v2/".length), {});
      expect([404, 405].includes(status) || real.includes(path.slice("/api/v2/".length, -".json".length)), id).toBe(
        true,
      );
    }
    expect(OPERATIONS.filter((id) => !operations.some(([served]) => served === id))).toEqual([]);
  });

  it("documents each status that an operation can answer", () => {
    for (const [id, { responses, parameters = [] }] of operations) {
      const statuses = Object.keys(responses as Json);
      expect(statuses, id).toEqual(expect.arrayContaining(["400", "403", "406", "429", "431"]));
      expect(
        statuses.some((status) => status.startsWith("2")),
        id,
      ).toBe(true);
      if (id.startsWith("POST")) expect(statuses, id).toEqual(expect.arrayContaining(["413", "415"]));
      if (id.startsWith("DELETE")) expect(statuses, id).toEqual(expect.arrayContaining(["204", "404", "413"]));
      if ((parameters as Json[]).some(({ name }) => name === "cursor")) expect(statuses, id).toContain("404");
      expect((responses as Json)["429"].headers["Retry-After"].schema, id).toEqual({ type: "integer" });
    }
  });

  it("shows an example of every body that its schema allows", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const [id, { requestBody, responses }] of operations) {
      for (const [where, one] of Object.entries({ requestBody, ...(responses as Json) } as Record<
        string,
        Json | undefined
      >)) {
        for (const [type, media] of Object.entries((one?.["content"] ?? {}) as Record<string, Json>)) {
          const { schema, example } = media;
          expect(example, `${id} ${where} ${type}`).toBeDefined();
          const validate = ajv.compile(schema as object);
          validate(example);
          expect(validate.errors ?? [], `${id} ${where} ${type}: ${JSON.stringify(example)}`).toEqual([]);
        }
      }
    }
  });

  it("accepts bodies in all three types, and no body when all fields are optional", () => {
    for (const [id, { requestBody }] of operations) {
      expect(requestBody !== undefined, id).toBe(id.startsWith("POST"));
      if (requestBody === undefined) continue;
      const content = requestBody.content as Json;
      expect(Object.keys(content), id).toEqual([
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
      ]);
      expect(requestBody.required, id).toBe(content["application/json"].schema.required !== undefined);
    }
  });

  it("has no parameter that the explorer would fill in automatically", () => {
    for (const [id, { parameters = [] }] of operations) {
      for (const { schema, ...parameter } of parameters as Json[]) {
        for (const keyword of ["example", "examples", "default"]) {
          expect(
            Object.keys({ ...parameter, ...(schema as Json) }),
            `${id} ${String(parameter["name"])}`,
          ).not.toContain(keyword);
        }
      }
    }
  });
});
