import { onTestFinished, vi } from "vitest";
import {
  type AccountSource,
  emptyScenarioText,
  readyAccountFile,
  readyScenarioFile,
  type Scenario,
  serve,
  type Served,
  type ServeOptions,
} from "../../src/index.js";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.js";
import { parse } from "./support.js";

/** An answer; a JSON body is parsed, any other is a string. */
export interface Answered {
  readonly status: number;
  // Tests read bodies of every shape.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly headers: Headers;
}

/** A client of one of the server's APIs. */
export class Client {
  readonly #base: string;
  readonly #token: string;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  get(path: string): Promise<Answered> {
    return this.ask("GET", path);
  }

  post(path: string, body?: unknown): Promise<Answered> {
    return this.ask("POST", path, body);
  }

  delete(path: string): Promise<Answered> {
    return this.ask("DELETE", path);
  }

  /** Sends a request. A string body is sent as it is, any other as JSON. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const answer = await fetch(path.startsWith("http") ? path : this.#base + path, {
      method,
      headers: {
        authorization: `Token ${this.#token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
    return {
      status: answer.status,
      body: isJson && text !== "" ? (JSON.parse(text) as unknown) : text,
      headers: answer.headers,
    };
  }

  /** The body of an answer. @throws Error when its status is not 200 or 201 */
  async done(method: "GET" | "POST", path: string, body?: unknown): Promise<Answered["body"]> {
    const answered = await this.ask(method, path, body);
    if (answered.status !== 200 && answered.status !== 201) {
      throw new Error(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    }
    return answered.body as unknown;
  }

  /** Every record of a list, page by page. */
  async all(path: string): Promise<Answered["body"][]> {
    const records: unknown[] = [];
    for (let next: string | null = path; next !== null;) {
      const page = (await this.done("GET", next)) as { results: unknown[]; next: string | null };
      records.push(...page.results);
      ({ next } = page);
    }
    return records;
  }
}

/** A service that is served in this process until the test ends. */
export class ServedLab {
  readonly served: Served;
  /** Paths behind `/api/v2/`. */
  readonly api: Client;
  /** Paths behind `/lab`. */
  readonly lab: Client;

  constructor(served: Served) {
    this.served = served;
    this.api = new Client(`${served.url}/api/v2/`, served.token);
    this.lab = new Client(`${served.url}/lab`, served.labToken);
  }

  /** Advances a paused clock by a span such as `20m`. */
  step(span: string): Promise<Answered["body"]> {
    return this.lab.done("POST", "/clock", { step: span });
  }
}

/** Serves until the test ends. By default the clock is paused. `handset do` outside the test does not find the lab. */
export async function serving(options: ServeOptions): Promise<ServedLab> {
  vi.stubEnv("XDG_RUNTIME_DIR", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const served = await serve({ isPaused: true, receiver: "none", ...options });
  onTestFinished(() => served.close());
  return new ServedLab(served);
}

/** The default scenario of `handset serve`, with a fixed start. */
export function readyScenario(set: readonly string[] = ["starts=2026-03-04T06:00:00.000Z"]): Scenario {
  return parse(readFileSync(readyScenarioFile, "utf8"), set);
}

export function emptyScenario(): Scenario {
  return parse(emptyScenarioText, ["starts=2026-03-04T06:00:00.000Z"]);
}

/** An account file as the command reads it. */
export function accountFile(file: string = readyAccountFile): AccountSource {
  return { kind: "text", file, text: readFileSync(file, "utf8"), readsFiles: true };
}

/** The ready account after its first hour, in memory. */
export function serveReady(options: ServeOptions = {}): Promise<ServedLab> {
  return serving({ scenario: readyScenario(), accounts: [accountFile()], playsFirstHour: true, ...options });
}

/** A database of the ready account after its first hour, made once in a worker. */
let ready: Promise<string> | undefined;

/** As `serveReady`, by a copy of its database, which takes a third of the time. Neither past nor story begins with it. */
export async function serveReadyCopy(options: ServeOptions = {}): Promise<ServedLab> {
  ready ??= makeReadyDatabase();
  return serving({ recording: await ready, ...options });
}

async function makeReadyDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "handset-lab-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, "ready.db");
  const lab = await serveReady({ database });
  await lab.served.close();
  return database;
}
