import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { parseScenario, readyAccountFile, readyScenarioFile, serve } from "../../src/index.js";

/** The emulated service for the tests of this folder: a server on loopback, and inputs to the world behind it. */
export interface TestService {
  /** `http://127.0.0.1:4321`, without a trailing slash. */
  readonly url: string;
  /** Token of an administrator. */
  readonly token: string;
  /** Token of the control API. */
  readonly labToken: string;
  /** The OpenAPI 3.1 document, as the service serves it. */
  readonly document: unknown;
  /** Phone numbers of people who can text and call. */
  readonly people: readonly [string, ...string[]];
  /** A person texts the first handset; resolves when the message is stored and handled. */
  text(text: { from: string; body: string }): Promise<void>;
  /** A person calls the first handset; resolves when the event is stored. A duration of null is a missed call. */
  call(call: { from: string; durationSeconds: number | null }): Promise<void>;
  /** Posts an event of a resthook to its subscribers. */
  emit(resthook: string, data: object): Promise<void>;
  /** Advances virtual time until every broadcast has its messages and every message that can be sent is sent. */
  settle(): Promise<void>;
  /** The next API request is answered 429 with this `Retry-After`. */
  throttleNext(retryAfterSeconds: number): Promise<void>;
  /** Makes the account what it was when the service was opened; the clock goes forward. */
  restore(): Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /**
   * `ready`: the account that `handset serve` starts with, and at least one record in every list. `bare`: one handset,
   * an empty account, and the people +254711000001 to 5, who have no contacts.
   */
  readonly account: "ready" | "bare";
}

/**
 * Starts the service in this process, on a free port, with its database in memory. Its world has no traffic, and
 * virtual time advances only in the methods above. The service closes at the end of the current test.
 */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const service = await openTestService(options);
  onTestFinished(() => service.close());
  return service;
}

/** Starts a service that several tests share; one that changes it restores it. The caller closes it. */
export async function openTestService(options: TestServiceOptions): Promise<TestService> {
  const service = await start(options);
  if (options.account === "ready") await fillLists(service);
  await service.save();
  return service;
}

/** Ensures that every list has a record. */
async function fillLists(service: TestService): Promise<void> {
  const api = async (method: string, path: string, body?: object): Promise<{ results: Record<string, unknown>[] }> => {
    const answer = await fetch(`${service.url}/api/v2/${path}`, {
      method,
      headers: { authorization: `Token ${service.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as { results: Record<string, unknown>[] };
  };
  const first = async (path: string, field: string): Promise<unknown> => (await api("GET", path)).results[0]?.[field];

  const [from] = service.people;
  await service.text({ from, body: "Is the nurse there today?" });
  await service.call({ from, durationSeconds: null });
  await api("POST", "broadcasts.json", { text: "The clinic is open", urns: [`tel:${from}`] });
  await api("POST", "flow_starts.json", { flow: await first("flows.json", "uuid"), urns: [`tel:${from}`] });
  const resthook = await first("resthooks.json", "resthook");
  await api("POST", "resthook_subscribers.json", { resthook, target_url: "http://127.0.0.1:9/first" });
  await service.emit(String(resthook), { flow: { name: "Stock check" } });
  await api("POST", "contacts.json?urn=ext:gone", { name: "Gone" });
  await api("DELETE", "contacts.json?urn=ext:gone");
  await service.settle();
}

// Only the code below depends on the implementation; tests that use this file do not.

const BARE = `
name: Bare
lasts: 1h
handsets:
  depot: { count: 1, phone: "+254700100200" }
people:
  callers: { count: 5, phone: "+25471100000{1}", of: depot }
`;

/** Name of the snapshot that `restore` restores. */
const OPENED = "opened";

async function start({ account }: TestServiceOptions): Promise<TestService & { save(): Promise<void> }> {
  const isReady = account === "ready";
  const file = isReady ? readyScenarioFile : "bare.yaml";
  const text = isReady ? readFileSync(file, "utf8") : BARE;
  const { scenario, diagnostics } = parseScenario(text, {
    file,
    nowMs: Date.UTC(2026, 2, 4, 6),
    set: isReady ? ["traffic=[]"] : [],
  });
  if (scenario === undefined) throw new Error(JSON.stringify(diagnostics));
  const data = { kind: "text", file: readyAccountFile, readsFiles: true } as const;
  const served = await serve({
    scenario,
    accounts: isReady ? [{ ...data, text: readFileSync(readyAccountFile, "utf8") }] : [],
    receiver: "none",
    isPaused: true,
  });
  const { url, token, labToken } = served;
  const ask = async (authorization: string, method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Token ${authorization}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const received = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${received}`);
    return JSON.parse(received);
  };
  const lab = (method: string, path: string, body?: object) => ask(labToken, method, `/lab${path}`, body);
  const messages = async (query: string): Promise<readonly { text: string }[]> =>
    ((await ask(token, "GET", `/api/v2/messages.json?${query}`)) as { results: { text: string }[] }).results;
  const stepUntil = async (what: string, step: string, isDone: () => Promise<boolean>): Promise<void> => {
    for (let steps = 0; steps < 500; steps++) {
      if (await isDone()) return;
      await lab("POST", "/clock", { step });
    }
    throw new Error(`${what} did not happen within 500 steps of ${step}`);
  };
  const people = (await lab("GET", "/people")) as { selector: string; phone: string }[];
  const [handset] = (await lab("GET", "/handsets")) as { selector: string }[];
  const to = String(handset?.selector);

  return {
    url,
    token,
    labToken,
    document: await ask(token, "GET", "/api/v2/openapi.json"),
    people: people.map(({ phone }) => phone) as [string, ...string[]],
    text: async ({ from, body }) => {
      const person = people.find(({ phone }) => phone === from);
      if (person === undefined) throw new Error(`no person has the phone ${from}`);
      await lab("POST", "/do/text", { from: person.selector, to, body });
      await stepUntil(`the text ${body}`, "2s", async () =>
        (await messages("folder=incoming")).some(({ text }) => text === body),
      );
    },
    call: async ({ from, durationSeconds }) => {
      const type = durationSeconds === null ? "mo_miss" : "mo_call";
      await lab("POST", "/calls", { of: to, phone: from, type, duration: durationSeconds ?? 0 });
    },
    emit: async (resthook, data) => {
      await lab("POST", "/resthooks", { resthook, data });
    },
    settle: async () => {
      await lab("POST", "/clock", { step: "10s" });
      await stepUntil("sending", "30s", async () => (await messages("folder=outbox")).length === 0);
    },
    throttleNext: async (retryAfterSeconds) => {
      await lab("POST", "/throttle", { refuse: 1, retry_after: retryAfterSeconds });
    },
    save: async () => void (await lab("POST", "/snapshots", { save: OPENED })),
    restore: async () => void (await lab("POST", "/snapshots", { restore: OPENED })),
    close: () => served.close(),
  };
}
