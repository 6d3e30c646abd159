import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { ServeOptions } from "../../src/index.js";
import { type Answered, type ServedLab, serveReady } from "../end-to-end/served.js";

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

/** By the text of the schema: compiling them takes most of the time, and each server's are the same. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
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

/** A lab's control API, each of whose answers is held against the document that the server gives of itself. */
export class ControlRig {
  readonly served: ServedLab;
  /** The operations of the control API: `GET /clock`. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Those that were asked. */
  readonly asked = new Set<string>();

  private constructor(served: ServedLab, operations: ReadonlyMap<string, Operation>) {
    this.served = served;
    this.operations = operations;
  }

  /** The ready account, whose clock stands. */
  static async start(options: ServeOptions = {}): Promise<ControlRig> {
    const served = await serveReady(options);
    const document = await served.api.done("GET", "openapi.json");
    const operations = new Map<string, Operation>();
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
      if (!path.startsWith("/lab")) continue;
      for (const [method, one] of Object.entries(methods))
        operations.set(`${method.toUpperCase()} ${path.slice(4)}`, one);
    }
    return new ControlRig(served, operations);
  }

  get(path: string): Promise<Answered> {
    return this.ask("GET", path);
  }

  post(path: string, body?: unknown): Promise<Answered> {
    return this.ask("POST", path, body);
  }

  /** @param path - behind `/lab` */
  async ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const answered = await this.served.lab.ask(method, path, body);
    const key = `${method} ${path.replace(/\?.*/, "")}`;
    this.asked.add(key);
    const schema = this.operations.get(key)?.responses[answered.status]?.content?.["application/json"]?.schema;
    expect(schema, `${key} ${answered.status} is not documented`).toBeDefined();
    const validate = validatorOf(schema ?? {});
    validate(answered.body);
    expect(validate.errors ?? [], `${key}: ${JSON.stringify(answered.body)}`).toEqual([]);
    return answered;
  }

  /** What must be answered 200. */
  async done(path: string, body?: unknown): Promise<Answered["body"]> {
    const answered = await (body === undefined ? this.get(path) : this.post(path, body));
    expect([path, answered.status, answered.body]).toEqual([path, 200, answered.body]);
    return answered.body as unknown;
  }
}
