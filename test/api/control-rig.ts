import { expect } from "vitest";
import type { ServeOptions } from "../../src/index.js";
import { type Answered, type ServedLab, serveReady, serveReadyCopy } from "../end-to-end/served.js";
import { schemaValidator } from "../support/json-schema.js";

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}

/** The operations of the control API: `GET /clock`. The same for each lab, so they are read once in a worker. */
let documented: ReadonlyMap<string, Operation> | undefined;

async function operationsOf({ api }: ServedLab): Promise<ReadonlyMap<string, Operation>> {
  const document = await api.done("GET", "openapi.json");
  const operations = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
    if (!path.startsWith("/lab")) continue;
    for (const [method, one] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${path.slice(4)}`, one);
  }
  return operations;
}

/** A lab's control API. Each answer is checked against the server's OpenAPI document. */
export class ControlRig {
  readonly served: ServedLab;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Keys of the requested operations. */
  readonly asked = new Set<string>();

  private constructor(served: ServedLab, operations: ReadonlyMap<string, Operation>) {
    this.served = served;
    this.operations = operations;
  }

  /**
   * Starts the ready account with a paused clock.
   *
   * @param options - `hasStory`: its scenario can begin again, and its past be looked at
   */
  static async start({
    hasStory = false,
    ...options
  }: ServeOptions & { hasStory?: boolean } = {}): Promise<ControlRig> {
    const isWhole = hasStory || options.database !== undefined || options.scenario !== undefined;
    const served = await (isWhole ? serveReady(options) : serveReadyCopy(options));
    documented ??= await operationsOf(served);
    return new ControlRig(served, documented);
  }

  get(path: string): Promise<Answered> {
    return this.ask("GET", path);
  }

  post(path: string, body?: unknown): Promise<Answered> {
    return this.ask("POST", path, body);
  }

  /** @param path - relative to `/lab` */
  async ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const answered = await this.served.lab.ask(method, path, body);
    const key = `${method} ${path.replace(/\?.*/, "")}`;
    this.asked.add(key);
    const schema = this.operations.get(key)?.responses[answered.status]?.content?.["application/json"]?.schema;
    expect(schema, `${key} ${answered.status} is not documented`).toBeDefined();
    const validate = schemaValidator(schema ?? {});
    validate(answered.body);
    expect(validate.errors ?? [], `${key}: ${JSON.stringify(answered.body)}`).toEqual([]);
    return answered;
  }

  /** Sends a request and expects 200. @returns the body */
  async done(path: string, body?: unknown): Promise<Answered["body"]> {
    const answered = await (body === undefined ? this.get(path) : this.post(path, body));
    expect([path, answered.status, answered.body]).toEqual([path, 200, answered.body]);
    return answered.body as unknown;
  }
}
