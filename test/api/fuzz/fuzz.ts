import * as fc from "fast-check";
import { curlCommand } from "./curl.js";
import { type ApiDocument, type Operation, readDocument } from "./document.js";
import { type Draft, drafts, resourceOf } from "./draft.js";
import { type Complaint, judge, type Rule } from "./judge.js";
import { Pool } from "./live.js";
import { render, type Request } from "./request.js";
import { type Answer, sender } from "./send.js";
import { difference, pageIn, readableTargets, readState, type State } from "./state.js";
import { WAIT_MS } from "../../support/hang-guard.js";

export interface FuzzOptions {
  /** The OpenAPI 3.1 document, parsed. */
  readonly document: unknown;
  /** Number of requests; default 3,000. */
  readonly requests?: number;
  /** The same seed gives the same requests, except for the values that exist in the service; default 1. */
  readonly seed?: number;
  /** Requests in flight at a time; default 8. */
  readonly inFlight?: number;
  /** Number of trials that repeat refused requests to check that they change nothing; default 4. */
  readonly trials?: number;
  /** Only operations with such an id (`POST /api/v2/contacts.json`). */
  readonly only?: RegExp;
  /** Longest wait for an answer. */
  readonly timeoutMs?: number;
}

/** A fault, its count, and the first request that showed it. */
export interface Fault {
  readonly rule: Rule;
  readonly operation: string;
  readonly detail: string;
  readonly curl: string;
  count: number;
}

export interface FuzzReport {
  readonly requests: number;
  readonly seed: number;
  readonly seconds: number;
  /** At most 100 different ones. */
  readonly faults: readonly Fault[];
  /** Answers of each operation by status, by its id. */
  readonly statuses: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** Refused requests that were repeated alone, with all lists compared before and after. */
  readonly tried: number;
}

const FAULTS_MAX = 100;
/** Requests between two refreshes of the existing values. */
const ROUND = 500;
/** Kinds of refusals that one trial repeats. */
const KINDS_MAX = 400;
/** Most restarts of a trial because a request was no longer refused. */
const PASSES_MAX = 5;

/**
 * Sends valid, nearly valid and hostile requests, made from an OpenAPI document, and judges every answer: no 5xx, a
 * documented status with a body that fits its schema, errors in their three shapes, and no effect of a refused request.
 *
 * @param baseUrl - `http://127.0.0.1:4321`, without a slash at the end
 * @throws Error when the document cannot be read
 */
export async function fuzz(baseUrl: string, token: string, options: FuzzOptions): Promise<FuzzReport> {
  const { requests = 3000, seed = 1, inFlight = 8, trials = 4, only = /(?:)/, timeoutMs = WAIT_MS } = options;
  const startedAtMs = performance.now();
  const document = readDocument(options.document);
  const operations = document.operations.filter(({ id }) => only.test(id));
  const run = new Run({ baseUrl, token, document, operations, inFlight, timeoutMs });
  const arbitrary = drafts(document, operations);
  const rounds = Math.ceil(requests / ROUND);
  try {
    await run.begin();
    for (let round = 0; round < rounds; round++) {
      await run.learn();
      const numRuns = Math.min(ROUND, requests - round * ROUND);
      await run.play(fc.sample(arbitrary, { numRuns, seed: seed + round }));
      if (Math.floor(((round + 1) * trials) / rounds) > Math.floor((round * trials) / rounds)) await run.tryRefused();
    }
  } finally {
    run.close();
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { requests, seed, seconds, faults: run.faults(), statuses: run.statuses(operations), tried: run.tried };
}

/** Formats faults, each with the command that repeats it. */
export function describeFaults({ faults, seed }: FuzzReport): string {
  return faults
    .map(({ rule, operation, detail, curl, count }) => `${rule} (${count} times) ${operation}\n  ${detail}\n  ${curl}`)
    .concat(faults.length > 0 ? [`seed ${seed}`] : [])
    .join("\n");
}

interface RunOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly document: ApiDocument;
  readonly operations: readonly Operation[];
  readonly inFlight: number;
  readonly timeoutMs: number;
}

interface Refused {
  readonly draft: Draft;
  readonly request: Request;
}

class Run {
  readonly #options: RunOptions;
  readonly #sender: ReturnType<typeof sender>;
  readonly #pool = new Pool();
  /** The readable lists: set by `begin`. */
  #targets: readonly string[] = [];
  readonly #faults = new Map<string, Fault>();
  readonly #statuses = new Map<string, Map<number, number>>();
  /** The newest refusal of each kind, for the next trial. */
  #refused = new Map<string, Refused>();
  tried = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#sender = sender(options.baseUrl, options);
  }

  /** Finds the lists that the token can read. */
  async begin(): Promise<void> {
    const readable: string[] = [];
    for (const target of readableTargets(this.#options.document)) {
      if ((await this.#get(target)).status === 200) readable.push(target);
    }
    this.#targets = readable;
  }

  /** Refreshes the existing values. */
  async learn(): Promise<void> {
    for (const target of this.#targets.filter((each) => !each.includes("?")))
      await this.#learnFrom(target, resourceOf(target));
    // Only incoming messages can be labelled, archived or deleted.
    await this.#learnFrom("/api/v2/messages.json?folder=inbox", "inbox");
  }

  /** Sends requests, several at a time, and judges the answers. */
  async play(round: readonly Draft[]): Promise<void> {
    const queue = round.values();
    const worker = async (): Promise<void> => {
      for (const draft of queue) {
        const request = render(draft, this.#pool, this.#options.token);
        const { status, body } = await this.#judged(draft, request);
        const isChange = request.method !== "GET" && request.method !== "HEAD";
        if (isChange && status >= 400 && status < 500) this.#keep({ draft, request }, body);
      }
    };
    await Promise.all(Array.from({ length: this.#options.inFlight }, worker));
  }

  /** Sends refused requests again, alone, and compares all lists before and after. */
  async tryRefused(): Promise<void> {
    let suspects = [...this.#refused.values()];
    this.#refused = new Map();
    // A request that was refused before may succeed now. It is left out, and the rest is sent again.
    for (let passes = 0; passes < PASSES_MAX; passes++) {
      const before = await this.#settled();
      if (before === undefined) {
        const detail = "the lists kept changing though nothing was asked: start the service with its world at a stand";
        return this.#complain({ rule: "state-changed", detail }, "every list", "");
      }
      const refused: Refused[] = [];
      for (const each of suspects) {
        const { status } = await this.#judged(each.draft, each.request);
        if (status >= 400) refused.push(each);
      }
      if (refused.length === suspects.length) {
        this.tried += refused.length;
        const found = difference(before, await this.#state());
        return found === undefined ? undefined : this.#blame(refused, found);
      }
      suspects = refused;
    }
  }

  faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  statuses(operations: readonly Operation[]): FuzzReport["statuses"] {
    return Object.fromEntries(
      operations.map(({ id }) => [id, Object.fromEntries(this.#statuses.get(id) ?? new Map<number, number>())]),
    );
  }

  close(): void {
    this.#sender.close();
  }

  async #judged(draft: Draft, request: Request): Promise<Pick<Answer, "status" | "body">> {
    const { id } = draft.operation;
    let answer: Answer;
    try {
      answer = await this.#sender.send(request);
    } catch (error) {
      this.#complain({ rule: "no-answer", detail: String(error) }, id, this.#curl(request));
      return { status: 0, body: Buffer.alloc(0) };
    }
    for (const complaint of judge(draft, answer)) this.#complain(complaint, id, this.#curl(request));
    if (draft.method === draft.operation.method && draft.manner !== "tricky-path") {
      const counts = this.#statuses.get(id) ?? new Map<number, number>();
      this.#statuses.set(id, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
    }
    return answer;
  }

  #complain(complaint: Complaint, operation: string, curl: string): void {
    const { rule, detail } = complaint;
    const key = `${rule} ${operation} ${detail.replace(/[0-9a-f-]{8,}|\d{4,}/g, "").slice(0, 60)}`;
    const known = this.#faults.get(key);
    if (known !== undefined) known.count++;
    else if (this.#faults.size < FAULTS_MAX) this.#faults.set(key, { rule, operation, detail, curl, count: 1 });
  }

  /** Keeps the newest refusal of each kind; the error text without its values identifies the kind. */
  #keep(refused: Refused, said: Buffer): void {
    const kind = `${refused.draft.operation.id} ${said.toString("latin1").slice(0, 60)}`;
    if (this.#refused.has(kind) || this.#refused.size < KINDS_MAX) this.#refused.set(kind, refused);
  }

  /** Finds the request that changed something by repeating each one alone. */
  async #blame(suspects: readonly Refused[], found: string): Promise<void> {
    for (const { draft, request } of suspects) {
      const before = await this.#state();
      const { status } = await this.#judged(draft, request);
      const change = difference(before, await this.#state());
      if (change === undefined || status < 400) continue;
      const detail = `answered ${status}, and yet ${change}`;
      return this.#complain({ rule: "state-changed", detail }, draft.operation.id, this.#curl(request));
    }
    const commands = suspects.map(({ request }) => this.#curl(request)).join("\n  ");
    this.#complain({ rule: "state-changed", detail: `after refused requests ${found}` }, "one of these", commands);
  }

  /** The state when two successive reads agree; undefined when it does not settle. */
  async #settled(): Promise<State | undefined> {
    let before = await this.#state();
    for (let looks = 0; looks < 20; looks++) {
      const after = await this.#state();
      if (difference(before, after) === undefined) return after;
      before = after;
    }
    return undefined;
  }

  #state(): Promise<State> {
    return readState((target) => this.#get(target), this.#targets);
  }

  async #learnFrom(target: string, resource: string): Promise<void> {
    const page = pageIn(await this.#get(target));
    if (page !== undefined) this.#pool.learn(resource, page);
  }

  #get(target: string): Promise<Answer> {
    const headers = { accept: "application/json", authorization: `Token ${this.#options.token}` };
    return this.#sender.send({ method: "GET", target, headers, body: undefined });
  }

  #curl(request: Request): string {
    return curlCommand(this.#options.baseUrl, request);
  }
}
