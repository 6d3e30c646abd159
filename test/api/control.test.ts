import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { serving } from "../end-to-end/served.js";
import { parse, receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { ControlRig } from "./control-rig.js";

/** Each verb of stories as a request to the control API. */
const hands: Record<string, Record<string, unknown>> = {
  airplane: { of: "clinic/1", for: "30m" },
  battery: { of: "clinic/1", level: "40%" },
  call: { from: "people/7", to: "clinic/1", rings: "5s" },
  clock: { of: "clinic/1", skew: "-2m" },
  coverage: { of: "clinic/1", state: "none", for: "15m" },
  event: { of: "clinic/1", type: "mo_mms", fields: { phone: "+12065550110", media: "photo.jpg" } },
  flow: {
    of: "clinic/0",
    person: "people/3",
    flow: 7,
    name: "Stock",
    values: [{ label: "Nets", category: "Low", value: "3", text: "3 left" }],
  },
  network: { of: "clinic/1", type: "none", for: "40m" },
  note: { text: "the storm begins" },
  pause: { of: "clinic/1", for: "30m" },
  power: { of: "clinic", mains: "off", for: "40m" },
  "power-cut": { of: "clinic/1", for: "40m" },
  reboot: { of: "clinic/1", down: "2m" },
  receiver: { answers: "ok" },
  reset: { of: "clinic/1", down: "2m" },
  send: { via: "clinic/0", to: "people/3", body: "we are back" },
  "sms-service": { of: "clinic/1", state: "generic-failure", for: "10m" },
  sync: { of: "clinic/0", now: true },
  carrier: { of: "clinic/0", duplicates: "messages" },
  text: { from: "people/3", to: "clinic/0", body: "are you there?" },
  traffic: { times: "2x", for: "10m" },
};

/** An event of the log. */
interface Logged {
  readonly id: string;
  readonly channel: number;
  readonly at: string;
  readonly type: string;
  readonly outcome: string;
  readonly request_body: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly attempts: readonly { readonly status: number | null }[];
}

/** Path, body and the expected error. */
const mistakes: [path: string, body: object, refusal: object][] = [
  ["/clock", { pasued: true }, { detail: "There is no field 'pasued' here; there are: paused, speed, step" }],
  ["/clock", { speed: "fast" }, { speed: [expect.stringContaining('got "fast"')] }],
  ["/clock", { step: "soon" }, { step: [expect.stringContaining('got "soon"')] }],
  ["/clock", { paused: "perhaps" }, { paused: [expect.any(String)] }],
  ["/do/text", { from: "people/3", to: "clinic/0" }, { body: ["'text' needs 'body' (write a text)"] }],
  ["/do/text", { from: "people/99", to: "clinic/0", body: "x" }, { from: [expect.stringContaining("people")] }],
  ["/do/text", { from: "nobody", to: "clinic/0", body: "x" }, { from: [expect.stringContaining("nobody")] }],
  ["/do/battery", { of: "clinic", level: "lots" }, { level: [expect.stringContaining("lots")] }],
  ["/do/power", { of: "clinic", mains: "off", fro: "4m" }, { fro: [expect.stringContaining("'fro' is not a key")] }],
  ["/alarms", {}, { of: ["This field is required."] }],
  ["/alarms", { of: "people" }, { of: [expect.stringContaining("people")] }],
  ["/calls", { of: "clinic/0", phone: "+12065550110", type: "sms" }, { type: [expect.stringContaining("sms")] }],
  ["/delivery-url", { of: "clinic/0" }, { detail: "Give the url, or null for none." }],
  [
    "/delivery-url",
    { of: "clinic/0", url: "ftp://127.0.0.1/x" },
    { url: [expect.stringContaining("ftp://127.0.0.1/x")] },
  ],
  [
    "/delivery-url",
    { of: "clinic/0", url: "http://example.org/x" },
    { url: [expect.stringContaining("--allow-host example.org")] },
  ],
  ["/resthooks", { resthook: "nothing", data: {} }, { resthook: ["There is no resthook 'nothing'"] }],
  ["/resthooks", { resthook: "stock-low", data: [] }, { data: ["Must be a JSON object."] }],
  ["/throttle", { refuse: -1 }, { refuse: [expect.any(String)] }],
  ["/throttle", { limit: 0 }, { limit: [expect.any(String)] }],
  ["/snapshots", { save: "a b" }, { save: [expect.stringContaining("letters")] }],
];

/** The parameters without which an operation answers nothing. */
async function parametersFor({ served: { api } }: ControlRig, operation: string): Promise<string> {
  const firstOf = async (list: string): Promise<string> => (await api.get(`${list}.json`)).body.results[0].uuid;
  if (operation === "GET /flow-graph") return `?flow=${await firstOf("flows")}`;
  if (operation === "GET /flow-run") return `?run=${await firstOf("runs")}`;
  if (/^GET \/(handset|person)/.test(operation)) return "?of=clinic/0&with=%2B12065550110&who=people/3";
  if (operation.startsWith("GET /chain")) return "?id=1/1";
  if (operation.startsWith("GET /past/")) return "?at=0";
  return "";
}

describe("the control API", () => {
  it("answers every operation as it is documented", async () => {
    const rig = await ControlRig.start({ receiver: "bundled" });
    for (const operation of rig.operations.keys()) {
      if (!operation.startsWith("GET")) continue;
      const path = operation.slice(4) + (await parametersFor(rig, operation));
      // The first picture of the past takes the time in which its thread starts.
      if (operation === "GET /past/frame") await expect.poll(async () => (await rig.get(path)).status).toBe(200);
      await rig.done(path);
    }
    for (const [verb, args] of Object.entries(hands)) await rig.done(`/do/${verb}`, args);
    await rig.done("/clock", { step: "2m" });
    await rig.done("/alarms", { of: "clinic" });
    await rig.done("/calls", { of: "clinic/0", phone: "+12065550110", type: "mt_call", duration: 12 });
    await rig.done("/delivery-url", { of: "clinic/0", url: null });
    await rig.done("/resthooks", { resthook: "stock-low", data: { left: 3 } });
    await rig.done("/throttle", { refuse: 0 });
    await rig.done("/snapshots", { save: "now" });
    await rig.done("/account", "account: {}\nlabels: [By hand]\n");
    const { results } = await rig.done("/events?limit=250");
    await rig.post("/events/resend", { id: results[0].id });
    await rig.done("/do-each", { verb: "sync", of: ["clinic/0"], args: { now: true } });
    const { now } = (await rig.done("/clock")) as { now: string };
    const atMs = Date.parse(now) - rig.served.served.startsAtMs;
    await rig.done("/past", { do: "refresh" });
    await rig.done("/story", { at: `${atMs + 60_000}ms` });
    await rig.done("/scenario", { again: true });
    expect([...rig.operations.keys()].filter((operation) => !rig.asked.has(operation))).toEqual([]);
  });

  it("accepts its own token only", async () => {
    const { served, operations } = await ControlRig.start();
    const { url, token, labToken } = served.served;
    for (const operation of operations.keys()) {
      const [method = "", path = ""] = operation.split(" ");
      for (const authorization of [undefined, `Token ${token}`, "Token wrong", labToken, `Bearer ${labToken}`]) {
        const answer = await fetch(`${url}/lab${path}`, {
          method,
          ...(authorization !== undefined && { headers: { authorization } }),
        });
        expect([operation, authorization, answer.status]).toEqual([operation, authorization, 403]);
        expect(Object.keys((await answer.json()) as object)).toEqual(["detail"]);
      }
    }
    // The lab's token is not valid for the account.
    const other = await fetch(`${url}/api/v2/org.json`, { headers: { authorization: `Token ${labToken}` } });
    expect(other.status).toBe(403);
  });

  it("names the invalid part of a request, and changes nothing", async () => {
    const rig = await ControlRig.start();
    const before = await rig.done("/");
    for (const [path, body, refusal] of mistakes)
      expect(await rig.post(path, body)).toMatchObject({ status: 400, body: refusal });
    expect(await rig.done("/")).toEqual(before);
  });

  it("refuses hostile bodies, and changes nothing", async () => {
    const rig = await ControlRig.start();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const body of [
      "{",
      "null",
      "[]",
      '"x"',
      "\uFEFF{}",
      deep,
      '{"__proto__":{"paused":false}}',
      `{"${"x".repeat(2000)}":1}`,
    ]) {
      expect([body.slice(0, 20), (await rig.post("/clock", body)).status]).toEqual([body.slice(0, 20), 400]);
      expect([body.slice(0, 20), (await rig.post("/do/text", body)).status]).toEqual([body.slice(0, 20), 400]);
    }
    expect((await rig.post("/account", "x".repeat(2 * 1024 * 1024))).status).toBe(413);
    expect((await rig.served.lab.get("/nothing")).status).toBe(404);
    expect((await rig.served.lab.get("/do/text")).status).toBe(404);
    expect(await rig.done("/clock")).toMatchObject({ paused: true, speed: 1 });
  });
});

describe("the clock", () => {
  it("can be paused, stepped, resumed and made faster", async () => {
    const rig = await ControlRig.start();
    expect(await rig.done("/clock")).toEqual({ now: "2026-03-04T06:00:00.000000Z", speed: 1, paused: true });
    expect(await rig.done("/clock", { step: "1h30m" })).toEqual({
      now: "2026-03-04T07:30:00.000000Z",
      speed: 1,
      paused: true,
    });
    expect(await rig.done("/clock", { step: "250ms" })).toMatchObject({ now: "2026-03-04T07:30:00.250000Z" });
    expect(await rig.done("/clock", { speed: "3600x" })).toMatchObject({ speed: 3600, paused: true });
    expect(await rig.done("/clock", { paused: false })).toMatchObject({ paused: false });
    let now = "";
    while (now < "2026-03-04T08:00") ({ now } = await rig.done("/clock"));
    expect((await rig.post("/clock", { step: "1m" })).body).toEqual({
      step: ["The clock runs: pause it first, then step it."],
    });
    const stopped = await rig.done("/clock", { paused: true, step: "1s", speed: 60 });
    expect(stopped).toMatchObject({ paused: true, speed: 60 });
    expect(await rig.done("/clock")).toEqual(stopped);
    expect((await rig.post("/clock", { step: "4000d" })).status).toBe(400);
  });
});

describe("hands", () => {
  it("do what a story's steps do", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const rig = await ControlRig.start({ receiver: receiver.url });
    const { api } = rig.served;
    expect(await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: "are you there?" })).toEqual({
      at: "2026-03-04T06:00:00.000000Z",
      done: "text is done",
    });
    await rig.done("/do/send", { via: "clinic/1", to: "people/4", body: "we are back" });
    await rig.done("/do/call", { from: "people/7", to: "clinic/1", rings: "5s" });
    await rig.done("/calls", { of: "clinic/0", phone: "+12065550133", duration: 0 });
    await rig.done("/alarms", { of: "clinic/1" });
    await rig.done("/do/flow", hands["flow"]);
    await rig.done("/do/event", hands["event"]);
    await rig.done("/clock", { step: "2m" });
    const got = receiver.got.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(got).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "mo_sms", text: "are you there?", relayer: "1" }),
        expect.objectContaining({ event: "mt_sent", text: "we are back", relayer: "2" }),
        expect.objectContaining({ event: "mo_miss", phone: "+12065550133", relayer: "1" }),
        expect.objectContaining({ event: "alarm", relayer: "2" }),
        expect.objectContaining({ event: "flow", flow: "7", relayer: "1" }),
        expect.objectContaining({ event: "mo_mms", media: "photo.jpg", relayer: "2" }),
      ]),
    );
    const incoming = await api.all("messages.json?folder=incoming");
    expect(incoming.map(({ text }) => text as string)).toContain("are you there?");
    const calls = await api.all("channel_events.json");
    expect(calls.length).toBeGreaterThanOrEqual(2);
  });

  it("shows handsets and people", async () => {
    const rig = await ControlRig.start();
    const [first] = await rig.done("/handsets");
    expect(first).toMatchObject({ channel: 1, selector: "clinic/0", phone: "+12065550100", delivery_url: null });
    const [channel] = await rig.served.api.all("channels.json?address=%2B12065550100");
    expect(channel.uuid).toBe(first.uuid);
    const people = await rig.done("/people");
    expect(people).toHaveLength(30);
    expect(people[3]).toMatchObject({ selector: "people/3", phone: "+12065550113" });
  });

  it("are recorded with their effects, as are API requests", async () => {
    const database = join(temporaryFolder(), "account.db");
    const rig = await ControlRig.start({ database });
    const { api } = rig.served;
    await api.done("POST", "labels.json", { name: "Kept" });
    await rig.done("/do/send", { via: "clinic/1", to: "people/4", body: "by hand" });
    await rig.done("/alarms", { of: "clinic/1" });
    await rig.done("/calls", { of: "clinic/0", phone: "+12065550133" });
    await rig.done("/delivery-url", { of: "clinic/0", url: "http://127.0.0.1:9/x" });
    await rig.done("/resthooks", { resthook: "stock-low", data: { left: 3 } });
    await rig.done("/account", "account: {}\nlabels: [By hand]\n");
    await rig.done("/clock", { speed: 2 });
    // Requests that only read, or are refused, are not recorded.
    await rig.done("/people");
    await api.get("labels.json");
    await rig.post("/alarms", { of: "nobody" });
    await api.post("labels.json", {});
    // It is committed: another reader sees it at once.
    const reader = openRecording(database);
    const inputs = [...reader.inputs()].filter(({ kind }) => !["account", "past", "tokens"].includes(kind));
    const account = [...reader.inputs()].at(-2);
    const kept = [...reader.messages()].map(({ text }) => text);
    const events = [...reader.events()].slice(-2).map(({ type }) => type);
    reader.close();
    const read = inputs.map(({ kind, json }) => [kind, JSON.parse(json) as unknown]);
    expect(read.slice(-7)).toEqual([
      ["api", expect.objectContaining({ method: "POST", path: "/api/v2/labels.json", body: { name: "Kept" } })],
      ["hand", { verb: "send", args: { via: "clinic/1", to: "people/4", body: "by hand" } }],
      ["alarm", { of: "clinic/1" }],
      ["call", { of: "clinic/0", phone: "+12065550133", type: "mo_miss", durationS: 0, timeMs: expect.any(Number) }],
      ["delivery-url", { of: "clinic/0", url: "http://127.0.0.1:9/x" }],
      ["resthook", { slug: "stock-low", data: { left: 3 } }],
      ["clock", { speed: 2 }],
    ]);
    expect(account).toMatchObject({ kind: "account" });
    expect(kept).toContain("by hand");
    expect(events.toSorted()).toEqual(["alarm", "mo_miss"]);
  });
});

interface LoggedUrls {
  readonly channel: number;
  readonly url: string | null;
  readonly attempts: readonly { readonly url: string | null }[];
}

describe("delivery URLs", () => {
  it("change the destination of a channel's later events", async () => {
    const [one, two] = [await receiverThat((_b, r) => void r.end()), await receiverThat((_b, r) => void r.end())];
    const rig = await ControlRig.start({ receiver: one.url });
    await rig.done("/alarms", { of: "clinic" });
    await rig.done("/delivery-url", { of: "clinic/1", url: two.url });
    await rig.done("/alarms", { of: "clinic" });
    await rig.done("/delivery-url", { of: "clinic", url: null });
    await rig.done("/alarms", { of: "clinic" });
    await rig.done("/clock", { step: "1s" });
    const relayers = (got: typeof one.got): number[] =>
      got.map(({ body }) => Number(new URLSearchParams(body).get("relayer"))).toSorted((a, b) => a - b);
    expect([relayers(one.got), relayers(two.got)]).toEqual([[1, 1, 2], [2]]);
    const { results } = await rig.done("/events?limit=6");
    expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "nowhere",
      "nowhere",
      "accepted",
      "accepted",
      "accepted",
      "accepted",
    ]);
    // Newest first: each event names the URL to which it was posted, not its channel's current one.
    const urls = results.map(({ channel, url, attempts }: LoggedUrls) => [channel, url, attempts.map((a) => a.url)]);
    expect(urls.slice(0, 2).map(([, url]: [unknown, unknown]) => url)).toEqual([null, null]);
    const accepted = urls.slice(2).map((one: unknown) => JSON.stringify(one));
    const wanted = [one.url, one.url].map((url) => [1, url, [url]]);
    wanted.push([2, one.url, [one.url]], [2, two.url, [two.url]]);
    expect(new Set(accepted)).toEqual(new Set(wanted.map((entry) => JSON.stringify(entry))));
  });

  it("may be on allowed hosts", async () => {
    const rig = await ControlRig.start({ allowHosts: ["hooks.example"] });
    await rig.done("/delivery-url", { of: "clinic/1", url: "http://hooks.example/x" });
    expect((await rig.post("/delivery-url", { of: "clinic/1", url: "http://other.example/x" })).status).toBe(400);
  });
});

describe("the throttle", () => {
  it("limits requests to the account, not to the lab", async () => {
    const rig = await ControlRig.start();
    const { api } = rig.served;
    expect(await rig.done("/throttle")).toEqual({ limit: null, refusing: 0 });
    expect(await rig.done("/throttle", { limit: 2 })).toEqual({ limit: 2, refusing: 0 });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await api.get("org.json")).status);
    expect(statuses).toEqual([200, 200, 429]);
    // Scopes are counted separately.
    expect((await api.get("contacts.json")).status).toBe(200);
    await rig.done("/throttle", { limit: null });
    expect((await api.get("org.json")).status).toBe(200);
  });

  it("can be forced to refuse the next requests", async () => {
    const rig = await ControlRig.start();
    const { api } = rig.served;
    expect(await rig.done("/throttle", { refuse: 2, retry_after: 37 })).toEqual({ limit: null, refusing: 2 });
    const refused = await api.post("labels.json", { name: "Never" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "37"]);
    expect(refused.body).toEqual({ detail: "Request was throttled. Expected available in 37 seconds." });
    expect((await api.get("labels.json")).status).toBe(429);
    expect((await api.get("labels.json")).body.results.map(({ name }: { name: string }) => name)).not.toContain(
      "Never",
    );
  });
});

describe("resthooks", () => {
  it("post to their subscribers, retry, and list the attempts", async () => {
    let answers = 500;
    const receiver = await receiverThat((_body, response) => void response.writeHead(answers).end("later"));
    const rig = await ControlRig.start();
    const { api } = rig.served;
    for (const { id } of await api.all("resthook_subscribers.json"))
      await api.delete(`resthook_subscribers.json?id=${id}`);
    await api.done("POST", "resthook_subscribers.json", { resthook: "stock-low", target_url: receiver.url });
    const data = { item: "bednets", left: 3, place: { name: "Upper Mill" } };
    await rig.done("/resthooks", { resthook: "stock-low", data });
    await rig.done("/clock", { step: "1s" });
    expect(receiver.got.map(({ body }) => JSON.parse(body) as unknown)).toEqual([data]);
    answers = 200;
    await rig.done("/clock", { step: "1h" });
    expect(receiver.got).toHaveLength(2);
    const [event] = await api.all("resthook_events.json");
    expect(event).toMatchObject({ resthook: "stock-low", data, created_on: "2026-03-04T06:00:00.000000Z" });
    // A subscriber that answered 410 gets no further events.
    answers = 410;
    for (let n = 0; n < 2; n++) {
      await rig.done("/resthooks", { resthook: "STOCK-LOW", data });
      await rig.done("/clock", { step: "1h" });
    }
    expect(receiver.got).toHaveLength(3);
    expect(await api.all("resthook_subscribers.json")).toEqual([]);
  });
});

describe("a subscriber that never answers", () => {
  it("does not hold the clock until its timeout", async () => {
    let isOver = false;
    const receiver = await receiverThat((_body, response) => void response.once("close", () => (isOver = true)));
    const rig = await ControlRig.start();
    await rig.served.api.done("POST", "resthook_subscribers.json", { resthook: "stock-low", target_url: receiver.url });
    await rig.done("/resthooks", { resthook: "stock-low", data: {} });
    await rig.done("/clock", { step: "1m" });
    expect(receiver.got).toHaveLength(1);
    expect(isOver).toBe(false);
  });
});

describe("an account file", () => {
  it("is added, and the answer lists the problems", async () => {
    const rig = await ControlRig.start();
    const file = 'account: {}\nlabels: [Question, New]\ncontacts: [{ name: Zed, phone: "+250788123123" }]\n';
    const { added, problems } = await rig.done("/account", `${file}resthooks: { far: "http://example.org/x" }\n`);
    expect(added).toMatchObject({ labels: 1, contacts: 1, resthooks: 1 });
    expect(problems).toEqual([expect.stringContaining("http://example.org/x")]);
    expect((await rig.served.api.get("contacts.json?urn=tel:%2B250788123123")).body.results).toMatchObject([
      { name: "Zed" },
    ]);
  });

  it("with an error is refused with its line, and nothing is added", async () => {
    const rig = await ControlRig.start();
    const { status, body } = await rig.post("/account", "account: {}\nlabels: [A]\ncontactz: []\n");
    expect([status, body.detail]).toEqual([400, expect.stringContaining("account:3:1")]);
    expect((await rig.served.api.all("labels.json")).map(({ name }) => name as string)).not.toContain("A");
    // A file that it names is not read from this machine.
    expect((await rig.post("/account", "account: {}\nflows: [/etc/passwd]\n")).status).toBe(400);
  });

  it("with very many keys or people is refused before it is processed", async () => {
    const rig = await ControlRig.start();
    const keys = Array.from({ length: 40_000 }, (_, index) => `key${index}: 1\n`).join("");
    const wrong = await rig.post("/account", `account: {}\n${keys}`);
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining("and 39,950 more")]);
    const people = 'people: [{ phone: "+2507811{000000}", count: 1000000 }]\n';
    const many = await rig.post("/account", `account: {}\n${people}`);
    expect([many.status, many.body.detail]).toEqual([
      400,
      expect.stringContaining("describes 1,000,000 people, a request may add 50,000"),
    ]);
  });

  it("may be an export", async () => {
    const rig = await ControlRig.start();
    const [flow] = await rig.served.api.all("flows.json");
    const exported = await rig.served.api.done("GET", `definitions.json?flow=${flow.uuid}`);
    const { added } = await rig.done("/account", JSON.stringify(exported));
    expect(added.flows).toBeGreaterThanOrEqual(1);
  });
});

describe("the log of deliveries", () => {
  it("shows requests, answers, retries and the effects of an answer", async () => {
    const receiver = await receiverThat((body, response) => {
      const event = new URLSearchParams(body);
      const times = receiver.got.filter((one) => one.body === body).length;
      if (event.has("text") && times === 1) return void response.writeHead(500, { "x-why": "tired" }).end("not now");
      response.end(
        JSON.stringify(event.get("event") === "mo_sms" ? { urn: ["tel:+12065550113"], text: "thank you" } : {}),
      );
    });
    const rig = await ControlRig.start({ receiver: receiver.url });
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: "hello & goodbye" });
    await rig.done("/clock", { step: "1h" });
    const { results } = await rig.done("/events?contains=goodbye&type=mo_sms");
    expect(results).toHaveLength(1);
    const [event] = results;
    expect(event).toMatchObject({
      channel: 1,
      type: "mo_sms",
      url: receiver.url,
      fields: { event: "mo_sms", text: "hello & goodbye", phone: "+12065550113" },
      outcome: "accepted",
      retries: 1,
      reply: { kind: "valid", reason: null, detail: null },
    });
    expect(event.attempts).toMatchObject([
      { try: 1, status: 500, outcome: "retried", response_body: "not now", error: null },
      { try: 2, status: 200, outcome: "accepted", response_body: expect.stringContaining('"text":"thank you"') },
    ]);
    expect(event.attempts[0].response_headers).toContain("x-why: tired");
    expect(event.attempts[1].at > event.attempts[0].at).toBe(true);
    expect(receiver.got.filter(({ body }) => body === event.request_body)).toHaveLength(2);
  });

  it("is searched by the decoded values of its fields", async () => {
    const rig = await ControlRig.start();
    const written = [
      "one two",
      "at the café",
      "100% & more",
      "a=b+c",
      "(.*)[x]|^$",
      "'; DROP TABLE event --",
      "ok 🦟🏽",
    ];
    for (const [index, note] of written.entries()) {
      await rig.done("/do/event", {
        of: "clinic/0",
        type: `search-${index}`,
        fields: { note, tel: `+25078100000${index}` },
      });
    }
    const found = async (text: string): Promise<string[]> => {
      const { results } = await rig.done(`/events?contains=${text}`);
      return (results as Logged[]).map(({ type }) => type);
    };
    expect(await found(encodeURIComponent("one two"))).toEqual(["search-0"]);
    expect(await found("one+two")).toEqual(["search-0"]);
    expect(await found(encodeURIComponent("café"))).toEqual(["search-1"]);
    expect(await found(encodeURIComponent("100% & more"))).toEqual(["search-2"]);
    expect(await found(encodeURIComponent("a=b+c"))).toEqual(["search-3"]);
    expect(await found(encodeURIComponent("(.*)[X]|^$"))).toEqual(["search-4"]);
    expect(await found(encodeURIComponent(".*"))).toEqual(["search-4"]);
    expect(await found(encodeURIComponent("'; drop"))).toEqual(["search-5"]);
    expect(await found(encodeURIComponent("🦟🏽"))).toEqual(["search-6"]);
    expect(await found(encodeURIComponent("%"))).toEqual(["search-2"]);
    expect(await found(encodeURIComponent("+250781000002"))).toEqual(["search-2"]);
    // A raw + in a query is a space.
    expect(await found("+250781000002")).toEqual(["search-2"]);
    expect(await found("nowhere+to+be+found")).toEqual([]);
  });

  it("is searched in pages of bounded work", async () => {
    const scenario = parse(
      "name: Haystack\nlasts: 1h\nhandsets: { clinic: { count: 1000, phone: '+12065550{000}' } }\n",
    );
    const { lab } = await serving({ scenario });
    await lab.done("POST", "/do/event", { of: "clinic/0", type: "needle", fields: { note: "one two" } });
    for (let round = 0; round < 21; round++) {
      await lab.done("POST", "/do/event", { of: "clinic", type: "hay", fields: { note: "hay" } });
    }
    const first = await lab.done("GET", "/events?contains=one+two");
    expect(first).toMatchObject({ next: 1002, total: 21_001, searched: 20_000, results: [] });
    const second = await lab.done("GET", `/events?contains=one+two&behind=${first.next}`);
    expect(second).toMatchObject({ next: null, searched: 1001, results: [{ type: "needle" }] });
    // Events that are made during a search are those of the next request: none is skipped.
    const [page] = await Promise.all([
      lab.done("GET", "/events?contains=one+two"),
      lab.done("POST", "/do/event", { of: "clinic/1", type: "needle", fields: { note: "one two" } }),
    ]);
    const later = await lab.done("GET", `/events?contains=one+two&ahead=${page.total}`);
    expect([page.results, later.results].flat()).toMatchObject([{ handset: "clinic/1", type: "needle" }]);
  });

  it("tells which events have changed since a page, and how those at some places stand now", async () => {
    let status = 500;
    const receiver = await receiverThat((_body, response) => {
      response.statusCode = status;
      response.end("{}");
    });
    const rig = await ControlRig.start({ receiver: receiver.url });
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: "changing" });
    await rig.done("/clock", { step: "1m" });
    const before = await rig.done("/events?brief=true&type=mo_sms&outcome=accepted");
    const { results: retried } = await rig.done("/events?brief=true&contains=changing&outcome=retried");
    const [{ row, id }] = retried;
    const unchanged = await rig.done(`/events?brief=true&attempted=${before.attempts}`);
    expect([unchanged.results, unchanged.attempts]).toEqual([[], before.attempts]);

    status = 200;
    await rig.done("/clock", { step: "3h" });
    const changed = `/events?brief=true&outcome=accepted&attempted=${before.attempts}`;
    expect((await rig.done(`${changed}&type=mo_sms&contains=changing`)).results).toMatchObject([
      { row, id, outcome: "accepted", tries: 2 },
    ]);
    expect((await rig.done(`${changed}&contains=changing&of=clinic/1`)).results).toEqual([]);
    const { results } = await rig.done(`/events?brief=true&type=alarm&places=${row},999999`);
    expect(results).toMatchObject([{ row, id, outcome: "accepted" }]);
    expect((await rig.get("/events?places=one")).status).toBe(400);
  });

  it("is filtered, and paged without gaps or repetitions", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const rig = await ControlRig.start({ receiver: receiver.url });
    await rig.done("/clock", { step: "2h" });
    const all = (await rig.done("/events?limit=250")).results as Logged[];
    expect(all.length).toBeGreaterThan(40);
    const ids = (events: readonly Logged[]): string[] => events.map(({ id }) => id);
    const paged: Logged[] = [];
    for (let behind = ""; ;) {
      const { results, next } = await rig.done(`/events?limit=7${behind}`);
      paged.push(...results);
      if (next === null) break;
      behind = `&behind=${next}`;
      // New entries come before the first page: later pages do not contain them.
      if (paged.length === 7) await rig.done("/alarms", { of: "clinic" });
    }
    expect(ids(paged)).toEqual(ids(all));

    const check = async (query: string, keep: (event: Logged) => boolean): Promise<void> => {
      const { results } = await rig.done(`/events?limit=250&${query}`);
      expect([query, ids(results)]).toEqual([query, ids(all.filter(keep))]);
      expect(results.length).toBeGreaterThan(0);
    };
    const [one] = all.filter(({ type }) => type === "mo_sms");
    const before = String(all[20]?.at);
    await check("type=mo_sms", ({ type }) => type === "mo_sms");
    await check(`channel=2&before=${before}`, ({ channel, at }) => channel === 2 && at <= before);
    await check("outcome=nowhere", ({ outcome }) => outcome === "nowhere");
    await check(`outcome=accepted&before=${before}`, ({ outcome, at }) => outcome === "accepted" && at <= before);
    await check(
      `before=${before}&after=2026-03-04T06:30:00Z`,
      ({ at }) => at <= before && at >= "2026-03-04T06:30:00.000000Z",
    );
    const { sms = "" } = one?.fields ?? {};
    await check(`message=${sms}`, ({ fields }) => fields["sms"] === sms);
    await check("contains=event%3Dmo_sms", ({ request_body: body }) => body.includes("event=mo_sms"));
    await check(
      "type=mo_sms,mt_sent&status=200",
      ({ type, attempts }) => /mo_sms|mt_sent/.test(type) && attempts.length > 0,
    );
    await check(`of=clinic/1&before=${before}`, ({ channel, at }) => channel === 2 && at <= before);
    const { phone = "" } = one?.fields ?? {};
    await check(`person=${phone}`, ({ fields }) => fields["phone"] === phone);
    await check("contains=EVENT%3DMO_SMS", ({ type }) => type === "mo_sms");
    expect((await rig.done("/events?type=nothing")).results).toEqual([]);
    expect((await rig.done("/events?status=5xx,none")).results).toEqual([]);
    for (const query of [
      "channel=x",
      "before=soon",
      "behind=-1",
      "message=1.5",
      "outcome=perhaps",
      "status=40",
      "of=nobody",
      "person=nobody",
      "behind=1&ahead=2",
    ]) {
      expect([query, (await rig.get(`/events?${query}`)).status]).toEqual([query, 400]);
    }
    // Pages of newer events are the same, the other way round.
    const back: Logged[] = [];
    for (let ahead: number | null = 0; ahead !== null;) {
      const { results, previous }: { results: Logged[]; previous: number | null } = await rig.done(
        `/events?limit=7&brief=true&ahead=${ahead}`,
      );
      back.unshift(...results);
      ahead = previous;
    }
    expect(ids(back).slice(-all.length)).toEqual(ids(all));
    const { results: lines } = await rig.done("/events?brief=true&type=mo_sms&limit=1&outcome=accepted");
    expect(lines).toMatchObject([
      { handset: expect.stringMatching(/^clinic\/\d$/), person: { phone: expect.any(String) }, status: 200, tries: 1 },
    ]);
    // A bound on what one page holds.
    expect((await rig.done("/events?limit=100000")).results.length).toBeLessThanOrEqual(250);
  });
});
