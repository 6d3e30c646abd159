import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { handReference } from "../../src/scenario/index.js";
import { receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { ControlRig } from "./control-rig.js";

/** Each verb's example, with phones and people of the ready account. */
const hands = new Map(
  handReference().map(({ name, example }): [string, unknown] => {
    const text = JSON.stringify(example);
    return [name, JSON.parse(text.replaceAll(/clinic\/[\d.]+/g, "clinic/1").replaceAll("farmers/", "people/"))];
  }),
);

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
  if (operation === "GET /broadcast-messages") return "?broadcasts=1";
  if (operation === "GET /flow-run") return `?run=${await firstOf("runs")}`;
  if (/^GET \/(handset|person)/.test(operation)) return "?of=clinic/0&with=%2B12065550110&who=people/3";
  if (operation === "GET /chain/bug/input") return "?id=1/1&while=status+500";
  if (operation.startsWith("GET /chain")) return "?id=1/1";
  if (operation.startsWith("GET /past/")) return "?at=0";
  return "";
}

describe("the control API", () => {
  it("answers every operation as it is documented", async () => {
    const rig = await ControlRig.start({ receiver: "bundled", hasStory: true });
    for (const operation of rig.operations.keys()) {
      if (!operation.startsWith("GET")) continue;
      const path = operation.slice(4) + (await parametersFor(rig, operation));
      // The first picture of the past takes the time in which its thread starts.
      if (operation === "GET /past/frame") await expect.poll(async () => (await rig.get(path)).status).toBe(200);
      await rig.done(path);
    }
    for (const [verb, args] of hands) await rig.done(`/do/${verb}`, args);
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
    const logged = JSON.stringify({
      at: "2026-03-04T06:00:00Z",
      body: "event=mo_sms&relayer=7&phone=%2B12065550100&text=join",
    });
    expect(await rig.done("/import?name=day.jsonl", logged)).toMatchObject({ lines: 1, events: 1, causes: [] });
    const bug = "requests: [{ fields: { event: mo_sms, text: join } }]\nexpect: [{ request: 1, status: 200 }]\n";
    expect(await rig.done("/bug?name=a.bug.yaml", bug)).toMatchObject({ kind: "exact", problems: [] });
    await rig.done("/bug/play?name=a.bug.yaml", bug);
    await rig.done("/bug/stop", {});
    await rig.post("/bug/minimise", { id: "1/1", while: "status 500" });
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
    await rig.done("/do/flow", hands.get("flow"));
    await rig.done("/do/event", hands.get("event"));
    await rig.done("/clock", { step: "2m" });
    const got = receiver.got.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(got).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "mo_sms", text: "are you there?", relayer: "1" }),
        expect.objectContaining({ event: "mt_sent", text: "we are back", relayer: "2" }),
        expect.objectContaining({ event: "mo_miss", phone: "+12065550133", relayer: "1" }),
        expect.objectContaining({ event: "alarm", relayer: "2" }),
        expect.objectContaining({ event: "flow", flow: "12", relayer: "2" }),
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

  it("counts what became of the messages of broadcasts", async () => {
    const rig = await ControlRig.start();
    const { api } = rig.served;
    const { id } = (await api.done("POST", "broadcasts.json", {
      text: "The clinic is open",
      urns: ["tel:+12065550171", "tel:+12065550172"],
    })) as { readonly id: number };
    await rig.done("/clock", { step: "1h" });
    const { results } = (await rig.get(`/broadcast-messages?broadcasts=${id},999`)).body;
    expect(results).toEqual([{ broadcast: id, messages: 2, sent: 2, delivered: expect.any(Number), failed: 0 }]);
    expect((await rig.get("/broadcast-messages?broadcasts=x")).status).toBe(400);
    expect((await rig.get("/broadcast-messages")).status).toBe(400);
  });
});
