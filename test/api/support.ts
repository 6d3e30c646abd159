import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { parseScenario, readyAccountFile, readyScenarioFile, serve } from "../../src/index.js";

/** The emulated service as the tests of this folder see it: a server on loopback and a hand on the world behind it. */
export interface TestService {
  /** `http://127.0.0.1:4321`, without a slash at the end. */
  readonly url: string;
  /** An administrator's. */
  readonly token: string;
  /** Of the control API. */
  readonly labToken: string;
  /** The OpenAPI 3.1 document, as the service serves it. */
  readonly document: unknown;
  /** Phone numbers of people who can text and call. */
  readonly people: readonly [string, ...string[]];
  /** One of the people texts the first handset; resolves when the message is stored and dealt with. */
  text(text: { from: string; body: string }): Promise<void>;
  /** Somebody calls the first handset; resolves when the event is stored. Null: missed. */
  call(call: { from: string; durationSeconds: number | null }): Promise<void>;
  /** A resthook has something to tell its subscribers. */
  emit(resthook: string, data: object): Promise<void>;
  /** Lets virtual time pass until every broadcast is spread and every message that can be sent is sent. */
  settle(): Promise<void>;
  /** The next API request is answered 429 with this `Retry-After`. */
  throttleNext(retryAfterSeconds: number): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /**
   * `ready`: the account that `handset serve` starts with, and at least one record in every list.
   * `bare`: one handset, nothing in the account, and the people +254711000001 to 5, whom it does not know.
   */
  readonly account: "ready" | "bare";
}

/**
 * Starts the service in this process, on a free port, with its database in memory. Its world stands still unless told:
 * no traffic of its own, and virtual time passes only in the calls above. Ends with the test that called it.
 */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const service = await openTestService(options);
  onTestFinished(() => service.close());
  return service;
}

/** The same for several tests, which leave it as it is: whoever calls closes it. */
export async function openTestService(options: TestServiceOptions): Promise<TestService> {
  const service = await start(options);
  if (options.account === "ready") await furnish(service);
  return service;
}

/** Sees to it that every list has a record. */
async function furnish(service: TestService): Promise<void> {
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

// What knows the implementation; nothing else in the tests that use this file does.

const BARE = `
name: Bare
lasts: 1h
handsets:
  depot: { count: 1, phone: "+254700100200" }
people:
  callers: { count: 5, phone: "+25471100000{1}", of: depot }
`;

async function start({ account }: TestServiceOptions): Promise<TestService> {
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
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said}`);
    return JSON.parse(said);
  };
  const lab = (method: string, path: string, body?: object) => ask(labToken, method, `/lab${path}`, body);
  const messages = async (query: string): Promise<readonly { text: string }[]> =>
    ((await ask(token, "GET", `/api/v2/messages.json?${query}`)) as { results: { text: string }[] }).results;
  const passUntil = async (what: string, step: string, isDone: () => Promise<boolean>): Promise<void> => {
    for (let steps = 0; steps < 500; steps++) {
      if (await isDone()) return;
      await lab("POST", "/clock", { step });
    }
    throw new Error(`${what} did not come about`);
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
      if (person === undefined) throw new Error(`${from} is the phone of nobody here`);
      await lab("POST", "/do/text", { from: person.selector, to, body });
      await passUntil(`the text ${body}`, "2s", async () =>
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
      await passUntil("sending", "30s", async () => (await messages("folder=outbox")).length === 0);
    },
    throttleNext: async (retryAfterSeconds) => {
      await lab("POST", "/throttle", { refuse: 1, retry_after: retryAfterSeconds });
    },
    close: () => served.close(),
  };
}
