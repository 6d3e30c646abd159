import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LabError, openRecording, parseScenario, peopleSpec, serve, StoreError } from "../../src/index.js";
import { nativeDefinition, uuidOf } from "../account/flow-samples.js";
import { temporaryFolder } from "../support/folder.js";
import { accountFile, emptyScenario, readyScenario, serveReady, serving } from "./served.js";
import { parse, play, receiverThat, smallDay } from "./support.js";

const lists = [
  "boundaries",
  "broadcasts",
  "campaigns",
  "campaign_events",
  "channels",
  "channel_events",
  "contacts",
  "fields",
  "flows",
  "flow_starts",
  "groups",
  "labels",
  "messages",
  "resthooks",
  "resthook_events",
  "resthook_subscribers",
  "runs",
];

/** The error with which `serve` refuses these options. */
async function refusalOf(options: Parameters<typeof serve>[0]): Promise<LabError | StoreError> {
  try {
    const served = await serve(options);
    await served.close();
  } catch (error) {
    if (error instanceof LabError || error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("it was served");
}

describe("the ready account", () => {
  it("has something in every list, and one deleted contact", async () => {
    const { api, served } = await serveReady();
    expect(served).toMatchObject({ handsets: 2, people: 30, receiver: "none", isBundled: false, problems: [] });
    for (const list of lists) {
      const { status, body } = await api.get(`${list}.json`);
      expect([list, status, body.results.length > 0]).toEqual([list, 200, true]);
    }
    expect((await api.get("contacts.json?deleted=true")).body.results).toHaveLength(1);
    expect((await api.get("org.json")).body).toMatchObject({ name: "Velmara Health Line" });
    for (const folder of ["inbox", "archived", "sent", "incoming"]) {
      expect((await api.get(`messages.json?folder=${folder}`)).body.results).not.toEqual([]);
    }
    expect((await api.get("messages.json?label=Question")).body.results).toHaveLength(1);
  });

  it("has lived for an hour without posting events", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const lab = await serveReady({ receiver: receiver.url });
    const { clock, events, in_flight: inFlight } = await lab.lab.done("GET", "/");
    expect(clock).toEqual({ now: "2026-03-04T06:00:00.000000Z", speed: 1, paused: true });
    expect(events).toBeGreaterThan(10);
    expect([inFlight, receiver.got]).toEqual([0, []]);
    const { results } = await lab.lab.done("GET", "/events");
    expect(new Set(results.map(({ outcome }: { outcome: string }) => outcome))).toEqual(new Set(["nowhere"]));
    const { results: orders } = await lab.api.done("GET", "broadcasts.json");
    expect(orders[0]).toMatchObject({ status: "sent", created_on: "2026-03-04T05:00:00.000000Z" });
    // Events from now on go to the receiver.
    await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic", body: "are you there?" });
    await lab.step("1m");
    expect(receiver.got.map(({ body }) => new URLSearchParams(body).get("text"))).toContain("are you there?");
  });

  it("goes to the bundled receiver when no other is named", async () => {
    const lab = await serveReady({ receiver: "bundled" });
    expect(lab.served.isBundled).toBe(true);
    await lab.lab.done("POST", "/alarms", { of: "clinic/0" });
    await lab.step("1s");
    expect((await lab.lab.done("GET", "/events?limit=1")).results[0]).toMatchObject({
      type: "alarm",
      outcome: "accepted",
    });
  });
});

describe("an account without flows", () => {
  it("has the handsets and people of the ready account, and nothing answers texts and calls", async () => {
    const lab = await serveReady({ leavesOutFlows: true });
    expect(lab.served).toMatchObject({ handsets: 2, people: 30, problems: [] });
    const empty = ["campaigns", "campaign_events", "flows", "flow_starts", "runs"];
    for (const list of lists) {
      const { results } = (await lab.api.get(`${list}.json`)).body;
      expect([list, results.length > 0]).toEqual([list, !empty.includes(list)]);
    }
    // The same texts start flows of the ready account.
    for (const body of ["join", "stock", "are you there?"])
      await lab.lab.done("POST", "/do/text", { from: "people/2", to: "clinic/0", body });
    await lab.lab.done("POST", "/do/call", { from: "people/2", to: "clinic/0", rings: "5s" });
    await lab.step("5m");
    const [{ uuid }] = await lab.api.all("contacts.json?urn=tel:%2B12065550112");
    const texts = await lab.api.all(`messages.json?contact=${uuid}&after=2026-03-04T06:00:00.000Z`);
    expect(texts.filter(({ direction }) => direction === "in").map(({ text }) => text as string)).toEqual(
      expect.arrayContaining(["join", "stock", "are you there?"]),
    );
    expect(texts.filter(({ type }) => type === "flow")).toEqual([]);
  });

  it("begins again without them, and its past has none", async () => {
    const lab = await serveReady({ leavesOutFlows: true });
    await lab.lab.done("POST", "/scenario", { again: true });
    expect(await lab.api.all("flows.json")).toEqual([]);
    expect((await lab.api.all("contacts.json")).length).toBeGreaterThan(20);
    await lab.lab.done("POST", "/clock", { paused: true });
    await lab.step("1m");
    const past = await lab.api.ask("GET", "flows.json", undefined, { "lab-moment": "60000" });
    expect([past.status, past.body.results]).toEqual([200, []]);
  });

  it("keeps fields and groups of an export", async () => {
    const exported = {
      version: 13,
      flows: [nativeDefinition(uuidOf(1), "Main")],
      triggers: [
        { trigger_type: "K", keyword: "go", flow: { uuid: uuidOf(1), name: "Main" }, groups: [], channel: null },
      ],
      campaigns: [],
      fields: [{ key: "age", name: "Age", type: "number" }],
      groups: [{ uuid: uuidOf(2), name: "Staff", query: null }],
    };
    const source = { kind: "text", file: "export.json", text: JSON.stringify(exported) } as const;
    const lab = await serving({ scenario: readyScenario(), accounts: [source], leavesOutFlows: true });
    expect(lab.served.problems).toEqual([]);
    expect(await lab.api.all("flows.json")).toEqual([]);
    expect(await lab.api.all("fields.json")).toMatchObject([{ key: "age" }]);
    expect(await lab.api.all("groups.json")).toMatchObject([{ name: "Staff" }]);
  });
});

describe("an empty account", () => {
  it("has an organisation and nothing else", async () => {
    const { api, served } = await serving({ scenario: emptyScenario() });
    expect(served).toMatchObject({ handsets: 0, people: 0 });
    for (const list of lists) expect((await api.get(`${list}.json`)).body.results).toEqual([]);
    expect((await api.get("org.json")).status).toBe(200);
  });

  it("takes what clients put in", async () => {
    const { api } = await serving({ scenario: emptyScenario() });
    await api.done("POST", "contacts.json", { name: "Ada", urns: ["tel:+250788123123"] });
    expect((await api.get("contacts.json")).body.results).toMatchObject([{ name: "Ada" }]);
    // Accepted, although there is no channel to send it.
    expect((await api.post("broadcasts.json", { text: "hello", urns: ["tel:+250788123123"] })).status).toBe(201);
  });
});

describe("a scenario", () => {
  it("plays as the clock goes: texts make contacts and messages, calls make channel events", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const lab = await serving({ scenario: parse(smallDay), receiver: receiver.url });
    for (const list of ["contacts", "messages", "channel_events"]) {
      expect((await lab.api.get(`${list}.json`)).body.results).toEqual([]);
    }
    await lab.step("20m");
    const incoming = await lab.api.all("messages.json?folder=incoming");
    const contacts = await lab.api.all("contacts.json");
    const calls = await lab.api.all("channel_events.json");
    expect(incoming.length).toBeGreaterThan(30);
    expect(calls.length).toBeGreaterThan(0);
    const known = new Set(contacts.map(({ uuid }) => uuid as string));
    for (const { contact } of [...incoming, ...calls]) expect(known.has(contact.uuid as string)).toBe(true);
    // The receiver has got an event for each incoming message.
    const got = receiver.got.map(({ body }) => new URLSearchParams(body));
    const heard = got.filter((event) => event.get("event") === "mo_sms").map((event) => Number(event.get("sms")));
    const ids = incoming.map(({ id }) => id as number);
    expect(heard.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  it("shows how its handsets are in channels.json", async () => {
    const lab = await serving({ scenario: parse(smallDay) });
    const phones = async (): Promise<Map<string, Record<string, unknown>>> =>
      new Map((await lab.api.all("channels.json")).map(({ name, device: one }) => [name as string, one]));
    await lab.step("10m");
    const before = await phones();
    expect(before.get("clinic/0")).toMatchObject({ network_type: "LTE" });
    await lab.lab.done("POST", "/do/network", { of: "clinic/0", type: "EDGE" });
    await lab.lab.done("POST", "/do/battery", { of: "clinic/0", level: "17%" });
    await lab.step("10m");
    const after = await phones();
    expect(after.get("clinic/0")).toMatchObject({ network_type: "EDGE" });
    expect(after.get("clinic/0")?.["power_level"]).toBeLessThan(30);
    expect(before.get("clinic/0")?.["power_level"]).toBeGreaterThan(50);
    expect(after.get("clinic/2")).toMatchObject({ network_type: "LTE" });
  });

  it("refuses a receiver on another machine, and says how to allow it", async () => {
    const refusal = await refusalOf({ scenario: readyScenario(), receiver: "http://example.org/events" });
    expect(refusal).toMatchObject({ code: "host-not-allowed" });
    expect(refusal).toHaveProperty("hint", expect.stringContaining("--allow-host example.org"));
  });
});

describe("a recording", () => {
  it("continues in memory; its file is unchanged, to the byte", async () => {
    const path = join(temporaryFolder(), "run.db");
    const { result } = await play(smallDay, { recording: path, receiver: "none", set: ["handsets.clinic.count=3"] });
    const bytes = readFileSync(path);
    const lab = await serving({ recording: path });
    expect(lab.served).toMatchObject({ handsets: 3, people: 40 });
    const messages = await lab.api.all("messages.json");
    const reader = openRecording(path);
    expect(messages.length).toBe(reader.counts().messages);
    reader.close();
    expect((await lab.lab.done("GET", "/clock")).now).toBe("2026-03-04T08:00:00.000000Z");
    const last = (await lab.lab.done("GET", "/events?limit=1")).results[0];
    expect(last.number).toBeGreaterThan(1);
    await lab.lab.done("POST", "/do/text", { from: "farmers/3", to: "clinic", body: "a new day" });
    await lab.step("5m");
    const [newest] = (await lab.api.done("GET", "messages.json?folder=incoming")).results;
    expect(newest).toMatchObject({ text: "a new day" });
    expect(
      Math.max(...messages.filter(({ channel }) => channel.uuid === newest.channel.uuid).map(({ id }) => id)),
    ).toBe(newest.id - 1);
    await lab.served.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(result.lost).toBe(0);
  });

  it("takes account files beside what it holds, and becomes a database where one is named", async () => {
    const path = join(temporaryFolder(), "run.db");
    const database = join(temporaryFolder(), "account.db");
    await play(smallDay, { recording: path, receiver: "none", set: ["lasts=10m", "story=[]"] });
    const lab = await serving({ recording: path, database, accounts: [accountFile()] });
    expect((await lab.api.get("flows.json")).body.results).toHaveLength(2);
    await lab.served.close();
    const again = await serving({ database });
    expect((await again.api.get("flows.json")).body.results).toHaveLength(2);
    expect(again.served.handsets).toBe(4);
  });
});

describe("a scenario that names files", () => {
  it("continues where they are not", async () => {
    const { scenario } = parseScenario(
      `
lasts: 1h
starts: 2026-03-04T06:00:00.000Z
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { count: 3, phone: "+25078811{00}", of: clinic } }
traffic: [{ texts: { from: farmers, to: clinic, body: { csv: words.csv, column: word } }, rate: 2/m }]
`,
      { file: "words.yaml", nowMs: 0, readFile: () => "word\nmaize\nbeans\n" },
    );
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ ...(scenario !== undefined && { scenario }), database });
    await first.served.close();
    const again = await serving({ database });
    await again.step("10m");
    const texts = (await again.api.all("messages.json")).map(({ text }) => text as string);
    expect(new Set(texts)).toEqual(new Set(["maize", "beans"]));
  });
});

describe("accounts", () => {
  it("come from an account file, with its own handsets or others", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "clinic.yaml");
    writeFileSync(file, 'account: { name: Hill Clinic }\ncontacts:\n  - { name: Ada, phone: "+250788123123" }\n');
    const { api } = await serving({ scenario: readyScenario(), accounts: [accountFile(file)] });
    expect((await api.get("contacts.json")).body.results).toMatchObject([{ name: "Ada" }]);
    expect((await api.get("org.json")).body.name).toBe("Hill Clinic");
  });

  it("come from an export of an account", async () => {
    const { api } = await serveReady();
    const flows = (await api.all("flows.json")).map(({ uuid }) => `flow=${uuid}`).join("&");
    const campaigns = (await api.all("campaigns.json")).map(({ uuid }) => `campaign=${uuid}`).join("&");
    const exported = JSON.stringify((await api.get(`definitions.json?${flows}&${campaigns}`)).body);
    const other = await serving({
      scenario: emptyScenario(),
      accounts: [{ kind: "text", file: "definitions.json", text: exported }],
    });
    expect(other.served.problems).toEqual([]);
    for (const list of ["flows", "campaigns", "groups"]) {
      const [ours, theirs] = [await api.all(`${list}.json`), await other.api.all(`${list}.json`)];
      const uuids = theirs.map(({ uuid }) => uuid as string);
      expect(uuids.length).toBeGreaterThan(0);
      for (const uuid of uuids) expect(ours.map((one) => one.uuid as string)).toContain(uuid);
    }
    expect(JSON.stringify((await other.api.get(`definitions.json?${flows}&${campaigns}`)).body.flows)).toBe(
      JSON.stringify(JSON.parse(exported).flows),
    );
  });

  it("are made up, in any number and language, the same for the same seed", async () => {
    const people = peopleSpec({ count: 300, locales: ["fr", "en"] });
    const served = async (): Promise<unknown[]> => {
      const { api } = await serving({ scenario: emptyScenario(), accounts: [{ kind: "people", people }] });
      return (await api.all("contacts.json")).map(({ name, urns, language }) => [name, urns, language]);
    };
    const contacts = await served();
    expect(contacts).toHaveLength(300);
    expect(await served()).toEqual(contacts);
  });

  it("say what could not be taken", async () => {
    const text = 'resthooks: { far: "http://example.org/hook" }\n';
    const { served } = await serving({
      scenario: emptyScenario(),
      accounts: [{ kind: "text", file: "far.yaml", text: `account: {}\n${text}` }],
    });
    expect(served.problems.join()).toContain("http://example.org/hook");
  });
});

describe("bad input", () => {
  it("is refused with a hint", async () => {
    expect(await refusalOf({})).toMatchObject({ code: "bad-options", hint: expect.stringContaining("scenario") });
    const broken = { kind: "text", file: "broken.yaml", text: "account: { nam: x }\ncontactz: []\n" } as const;
    expect(await refusalOf({ scenario: emptyScenario(), accounts: [broken] })).toMatchObject({
      code: "bad-account",
      hint: expect.stringContaining("broken.yaml:1"),
    });
    const folder = temporaryFolder();
    const notes = join(folder, "notes.txt");
    writeFileSync(notes, "these are notes");
    expect(await refusalOf({ recording: notes })).toMatchObject({ code: "not-a-recording" });
    expect(await refusalOf({ recording: join(folder, "none.db") })).toMatchObject({ code: "no-such-recording" });
    expect(await refusalOf({ database: notes, scenario: emptyScenario() })).toMatchObject({ code: "not-a-recording" });
    expect(readFileSync(notes, "utf8")).toBe("these are notes");
    expect(await refusalOf({ database: join(folder, "no", "where.db"), scenario: emptyScenario() })).toMatchObject({
      code: "no-such-folder",
    });
  });

  it("names the port that is taken, and frees what was begun", async () => {
    const { served } = await serveReady();
    const database = join(temporaryFolder(), "account.db");
    const port = Number(new URL(served.url).port);
    const refusal = await refusalOf({ scenario: emptyScenario(), database, port });
    expect(refusal).toMatchObject({ code: "port-taken", hint: expect.stringContaining("--port") });
    const again = await serving({ scenario: emptyScenario(), database: `${database}2` });
    onTestFinished(() => again.served.close());
    expect((await again.api.get("org.json")).status).toBe(200);
  });

  it("does not take a database that is served already", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ scenario: emptyScenario(), database });
    const refusal = await refusalOf({ database });
    expect(refusal).toMatchObject({ code: "database-taken", hint: expect.stringContaining("another file") });
    expect((await first.api.get("org.json")).status).toBe(200);
    await first.served.close();
    expect(existsSync(`${database}.lock`)).toBe(false);
    const second = await serving({ database });
    expect((await second.api.get("org.json")).status).toBe(200);
  });

  it("does not take a database that is there together with what a new one begins with", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ scenario: emptyScenario(), database });
    await first.served.close();
    const refusal = await refusalOf({ scenario: emptyScenario(), database });
    expect(refusal).toMatchObject({ code: "bad-options", hint: expect.stringContaining("either the database") });
  });
});
