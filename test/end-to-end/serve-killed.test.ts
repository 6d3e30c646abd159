import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { temporaryFolder } from "../support/folder.js";
import { until } from "../support/until.js";
import type { Client } from "./served.js";
import { command, ServedHere, ServerProcess } from "./server-process.js";
import { receiverThat } from "./support.js";

/** An account of 600 contacts in one group, and a field. */
function accountFile(folder: string): string {
  const file = join(folder, "account.yaml");
  const contacts = Array.from(
    { length: 600 },
    (_, n) => `  - { name: Member ${n}, phone: "+25078110${1000 + n}", groups: [Members] }`,
  );
  writeFileSync(
    file,
    [
      "account: { name: Farm line }",
      "fields: { age: numeric }",
      "groups: [Members, Others]",
      "contacts:",
      ...contacts,
    ].join("\n"),
  );
  return file;
}

/** A change that a client requested, and whether it was acknowledged. */
interface Asked {
  readonly n: number;
  isDone: boolean;
}

/** Sends one request after the other until one fails. */
async function keepAsking(ask: (n: number) => Promise<unknown>, from: number): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let n = from; ; n++) {
    const one: Asked = { n, isDone: false };
    asked.push(one);
    try {
      await ask(n);
      one.isDone = true;
    } catch {
      return asked;
    }
  }
}

/** Three concurrent clients that add contacts, labels and group members, and note which changes were acknowledged. */
class Askers {
  readonly #members: readonly string[];
  readonly #others: string;
  readonly #contacts: Asked[] = [];
  readonly #labels: Asked[] = [];
  readonly #actions: Asked[] = [];
  #added = 0;

  /** @param others - UUID of the group to which they add */
  constructor(members: readonly string[], others: string) {
    this.#members = members;
    this.#others = others;
  }

  /** Sends requests until the server is killed: `afterMs` after six more contacts were acknowledged. */
  async askUntilKilled(server: ServerProcess, afterMs: number): Promise<void> {
    const { api } = server;
    const asking = [
      keepAsking(async (n) => {
        await api.done("POST", "contacts.json", {
          name: `New ${n}`,
          urns: [`tel:+25078210${1000 + n}`],
          groups: [this.#others],
          fields: { age: String(n) },
        });
        this.#added++;
      }, this.#contacts.length),
      keepAsking((n) => api.done("POST", "labels.json", { name: `Label ${n}` }), this.#labels.length),
      keepAsking(async (n) => {
        const contacts = this.#twoOf(n);
        const action = { contacts, action: "add", group: this.#others };
        const { status } = await api.post("contact_actions.json", action);
        if (status !== 204) throw new Error(`answered ${status}`);
      }, this.#actions.length),
    ];
    const enough = this.#added + 6;
    await until(() => this.#added >= enough, "six more contacts are added");
    await wait(afterMs);
    await server.end("SIGKILL");
    const [newContacts = [], newLabels = [], newActions = []] = await Promise.all(asking);
    this.#contacts.push(...newContacts);
    this.#labels.push(...newLabels);
    this.#actions.push(...newActions);
  }

  /** The two members that action `n` adds to the group. */
  #twoOf(n: number): string[] {
    return this.#members.slice(n * 2, n * 2 + 2);
  }

  /** Expects all acknowledged changes; the others are there completely or not at all. */
  async expectKept(api: Client): Promise<void> {
    const byName = new Map((await api.all("contacts.json")).map((contact) => [contact.name as string, contact]));
    for (const { n, isDone } of this.#contacts) {
      const contact = byName.get(`New ${n}`);
      if (isDone) expect(contact, `contact ${n}`).toBeDefined();
      if (contact === undefined) continue;
      expect(contact).toMatchObject({
        urns: [`tel:+25078210${1000 + n}`],
        groups: [{ uuid: this.#others, name: "Others" }],
        fields: { age: String(n) },
      });
    }
    const names = new Set((await api.all("labels.json")).map(({ name }) => name as string));
    for (const { n, isDone } of this.#labels) if (isDone) expect(names.has(`Label ${n}`), `label ${n}`).toBe(true);
    const inGroup = new Set((await api.all(`contacts.json?group=${this.#others}`)).map(({ uuid }) => uuid as string));
    for (const { n, isDone } of this.#actions) {
      const two = this.#twoOf(n).map((one) => inGroup.has(one));
      expect([n, ...two]).toEqual([n, ...(isDone ? [true, true] : [two[0], two[0]])]);
    }
  }

  /** Expects that the recording has an input for each acknowledged contact. */
  expectNoted(database: string): void {
    const done = this.#contacts.filter(({ isDone }) => isDone);
    expect(done.length).toBeGreaterThan(10);
    const reader = openRecording(database);
    const inputs = [...reader.inputs()]
      .filter(({ kind }) => kind === "api")
      .map(({ json }) => JSON.parse(json) as { path: string; body: { name?: string } });
    reader.close();
    const named = new Set(inputs.map(({ body }) => body.name));
    for (const { n } of done) expect(named.has(`New ${n}`)).toBe(true);
  }
}

describe("a server that is killed", () => {
  it("keeps what it acknowledged and no half change; after a restart it sends queued messages and undelivered events", async () => {
    const folder = temporaryFolder();
    const database = join(folder, "account.db");
    let isUp = false;
    const receiver = await receiverThat((_body, response) => {
      if (isUp) response.end("{}");
      // Until the server is killed, every second request gets a 500 and the others get no answer.
      else if (receiver.got.length % 2 === 0) response.writeHead(500).end();
    });
    const first = await ServerProcess.start([
      accountFile(folder),
      "--db",
      database,
      "--receiver",
      receiver.url,
      "--paused",
    ]);
    const groups = (await first.api.done("GET", "groups.json")).results as { name: string; uuid: string }[];
    const [uuid = "", others = ""] = ["Members", "Others"].map((name) => groups.find((one) => one.name === name)?.uuid);
    const askers = new Askers(
      (await first.api.all("contacts.json")).map((contact) => contact.uuid as string),
      others,
    );
    await first.api.done("POST", "broadcasts.json", { text: "to all", groups: [uuid] });
    await first.lab.done("POST", "/delivery-url", { of: "clinic/1", url: `${receiver.url}&by=hand` });
    for (let n = 0; n < 10; n++) await first.lab.done("POST", "/alarms", { of: "clinic" });
    // The clock is paused, so the broadcast has created only its first messages.
    const made = await first.api.all("messages.json?broadcast=1");
    expect(made.length).toBeGreaterThan(0);
    expect(made.length).toBeLessThan(600);
    await until(() => receiver.got.length >= 20, "20 requests have come");
    await askers.askUntilKilled(first, 20);

    isUp = true;
    receiver.got.splice(0);
    const second = await ServerProcess.start(["--db", database, "--paused"], first.session);
    expect(second.token).toBe(first.token);
    // The delivery URL set by hand is kept. Undelivered events are sent at once, although the clock is paused.
    expect((await urlsOf(second.lab)).get("clinic/1")).toBe(`${receiver.url}&by=hand`);
    await until(() => receiver.got.length >= 10, "10 requests have come");
    expect(receiver.got.every(({ path, body }) => path.endsWith("by=hand") && body.includes("event=alarm"))).toBe(true);
    await askers.expectKept(second.api);
    await second.lab.done("POST", "/clock", { paused: false });
    await askers.askUntilKilled(second, 200);

    const third = await ServedHere.start(["--db", database, "--paused", "--receiver", receiver.url], first.session);
    expect(third.token).toBe(first.token);
    await askers.expectKept(third.api);
    // The receiver on the command line replaces the delivery URL set by hand.
    expect(new Set((await urlsOf(third.lab)).values())).toEqual(new Set([receiver.url]));
    await third.lab.done("POST", "/clock", { step: "4h" });
    const messages = await third.api.all("messages.json?broadcast=1");
    expect(messages).toHaveLength(600);
    expect(new Set(messages.map(({ contact }) => contact.uuid as string)).size).toBe(600);
    expect(new Set(messages.map(({ status }) => status as string))).toEqual(new Set(["sent"]));
    expect((await third.api.done("GET", "broadcasts.json?id=1")).results[0].status).toBe("sent");
    // Each alarm is accepted in the end, and its tries are numbered without a gap.
    const alarms = await everyEvent(third.lab, "alarm");
    expect(alarms.length).toBeGreaterThanOrEqual(20);
    for (const { id, outcome, attempts } of alarms) {
      expect([id, outcome]).toEqual([id, "accepted"]);
      expect(attempts.map((one) => one.try)).toEqual(attempts.map((_, index) => index + 1));
    }
    const { ledger } = await third.lab.done("GET", "/");
    for (const account of ["texts", "calls", "events", "attempts"])
      expect([account, ledger[account].gap]).toEqual([account, 0]);
    expect(await third.end()).toBe(0);
    askers.expectNoted(database);
  });
});

describe("a server whose disk takes no more", () => {
  it("ends with 3, and has what it acknowledged", async () => {
    const folder = temporaryFolder();
    const database = join(folder, "account.db");
    const start = `ulimit -f 4000; exec "$0" "$@"`;
    const server = await ServerProcess.start(["--empty", "--db", database], folder, ["/bin/bash", "-c", start]);
    const exit = once(server.child, "exit") as Promise<[number]>;
    const { api } = server;
    const labels = await keepAsking(
      (n) => api.done("POST", "labels.json", { name: `Label ${n} ${"x".repeat(40)}` }),
      0,
    );
    expect((await exit)[0]).toBe(3);
    expect(server.stderr).toContain(`cannot write the recording ${database}`);
    const again = await ServedHere.start(["--db", database], folder);
    const names = new Set((await again.api.all("labels.json")).map(({ name }) => (name as string).split(" x")[0]));
    const done = labels.filter(({ isDone }) => isDone);
    expect(done.length).toBeGreaterThan(10);
    for (const { n } of done) expect(names.has(`Label ${n}`)).toBe(true);
    expect(names.size).toBeLessThanOrEqual(labels.length);
  });
});

describe("a server that is killed before it serves", () => {
  it("in its first transaction: the next one rolls the journal back and begins a new account", async () => {
    const database = join(temporaryFolder(), "account.db");
    killedInFirstTransaction(database);
    expect(statSync(database).size).toBeGreaterThan(0);
    const server = await ServedHere.start(["--db", database]);
    expect((await server.api.all("contacts.json")).length).toBe(30);
    await server.end();
  });

  it("leaves nothing that the next server continues", async () => {
    const session = temporaryFolder();
    for (const afterMs of [0, 100]) {
      const database = join(session, `${afterMs}.db`);
      const child = spawn(process.execPath, [command, "serve", "--port", "0", "--db", database], {
        env: { ...process.env, XDG_RUNTIME_DIR: session },
        stdio: "ignore",
      });
      const exit = once(child, "exit");
      // Waits for the database's first file, so the delay does not depend on the machine's speed.
      await until(() => readdirSync(session).some((name) => name.startsWith(`${afterMs}.db`)), "the database is there");
      await wait(afterMs);
      child.kill("SIGKILL");
      await exit;
      const server = await ServedHere.start(["--db", database], session);
      expect((await server.api.all("contacts.json")).length).toBe(30);
      expect((await server.api.all("flows.json")).length).toBe(2);
      expect((await server.api.all("resthook_subscribers.json")).length).toBe(1);
      await server.end();
    }
  });
});

async function urlsOf(lab: Client): Promise<Map<string, string>> {
  const handsets = (await lab.done("GET", "/handsets")) as { selector: string; delivery_url: string }[];
  return new Map(handsets.map(({ selector, delivery_url: url }) => [selector, url]));
}

/** A SQLite file in the state that a kill in the middle of its first transaction leaves: a hot rollback journal. */
function killedInFirstTransaction(path: string): void {
  const original = `${path}.original`;
  const database = new Connection(original);
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = 1; BEGIN; CREATE TABLE run (key TEXT, value TEXT)");
  const insert = database.prepare("INSERT INTO run VALUES (?, ?)");
  // More pages than the cache holds, so SQLite writes some before the commit.
  for (let key = 0; key < 100; key++) insert.run(String(key), "x".repeat(2000));
  for (const suffix of ["", "-journal"]) copyFileSync(original + suffix, path + suffix);
  database.close();
}

interface LoggedEvent {
  readonly id: string;
  readonly outcome: string;
  readonly attempts: readonly { readonly try: number }[];
}

async function everyEvent(lab: Client, type: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let behind = ""; ;) {
    const { results, next } = await lab.done("GET", `/events?type=${type}&limit=250${behind}`);
    events.push(...results);
    if (next === null) return events;
    behind = `&behind=${next}`;
  }
}
