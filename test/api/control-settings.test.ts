import { describe, expect, it } from "vitest";
import { receiverThat } from "../end-to-end/support.js";
import { ControlRig } from "./control-rig.js";

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
