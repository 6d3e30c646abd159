import { beforeEach, describe, expect, it } from "vitest";
import type { ResthookAnswer } from "../../src/account/index.js";
import { Service } from "../gateway/service.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";

const target = "http://127.0.0.1:9000/stock";
const minuteMs = 60_000;

function answered(status: number | null, error: string | null = null): ResthookAnswer {
  return { durationMs: 3, status, error, body: status === null ? null : Buffer.from("ok") };
}

/** Adds subscribers to a resthook, and the resthook if there is none. */
function subscribed({ account: { resthooks } }: Service, slug: string, urls: readonly string[]): void {
  const resthook = resthooks.add(slug);
  for (const url of urls) resthooks.subscribe(resthook, url);
}

describe("resthooks", () => {
  let rig: Rig;
  let service: Service;
  beforeEach(async () => {
    rig = await Rig.start();
    ({ service } = rig);
    service.account.resthooks.add("stock-low");
  });

  const subscribe = (body: object): Promise<Answered> => rig.post("resthook_subscribers.json", body);
  const resthooks = async (): Promise<string[]> =>
    (await rig.get("resthooks.json")).body.results.map(({ resthook }: { resthook: string }) => resthook);

  it("are listed by the latest change of their subscribers, newest first", async () => {
    service.passTo(1000);
    service.account.resthooks.add("visit-done");
    expect(await resthooks()).toEqual(["visit-done", "stock-low"]);
    service.passTo(2500);
    const added = await subscribe({ resthook: "stock-low", target_url: target });
    expect(await resthooks()).toEqual(["stock-low", "visit-done"]);
    const list = await rig.get("resthooks.json");
    expectConforming(rig, "GET resthooks.json", list);
    expect(list.body.results[0]).toEqual({
      resthook: "stock-low",
      created_on: "2026-03-04T06:00:00.000000Z",
      modified_on: "2026-03-04T06:00:02.500000Z",
    });
    service.passTo(3000);
    subscribed(service, "visit-done", [target]);
    service.passTo(4000);
    await rig.delete(`resthook_subscribers.json?id=${added.body.id}`);
    expect(await resthooks()).toEqual(["stock-low", "visit-done"]);
  });

  it("have subscribers that can be added, listed, found and deleted", async () => {
    const added = await subscribe({ resthook: "stock-low", target_url: target });
    expectConforming(rig, "POST resthook_subscribers.json", added);
    expect(added).toMatchObject({
      status: 201,
      body: { id: 1, resthook: "stock-low", target_url: target, created_on: "2026-03-04T06:00:00.000000Z" },
    });
    service.account.resthooks.add("visit-done");
    await subscribe({ resthook: "visit-done", target_url: target });
    const list = await rig.get("resthook_subscribers.json");
    expectConforming(rig, "GET resthook_subscribers.json", list);
    expect(list.body.results.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    for (const [query, ids] of [
      ["id=1", [1]],
      ["id=0", [2, 1]],
      ["id=99", []],
      ["resthook=visit-done", [2]],
      ["resthook=visit-done&id=1", []],
      ["resthook=none", []],
    ] as const) {
      const { body } = await rig.get(`resthook_subscribers.json?${query}`);
      expect(body.results.map(({ id }: { id: number }) => id)).toEqual(ids);
    }
    expect(await rig.get("resthook_subscribers.json?id=x")).toMatchObject({
      status: 400,
      body: { detail: "Value for id must be an integer" },
    });
    expect(await rig.delete("resthook_subscribers.json?id=1")).toMatchObject({ status: 204, body: "" });
    expect((await rig.get("resthook_subscribers.json?id=1")).body.results).toEqual([]);
    for (const query of ["id=1", "id=77", "id=x", "id=", "id=1e400", "id=%00"]) {
      expect((await rig.delete(`resthook_subscribers.json?${query}`)).status).toBe(404);
    }
    expect(await rig.delete("resthook_subscribers.json")).toMatchObject({
      status: 400,
      body: { detail: "One of these is needed in the URL: id" },
    });
  });

  it("have at most 1,000 subscribers", async () => {
    const subscribers = Array.from({ length: 1000 }, (_, index) => `${target}/${index}`);
    subscribed(service, "stock-low", subscribers);
    expect(await subscribe({ resthook: "stock-low", target_url: target })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["The resthook has 1000 subscribers, which is the limit"] },
    });
  });

  it("accept a pair of resthook and URL once, and again after its deletion", async () => {
    const { body } = await subscribe({ resthook: "stock-low", target_url: target });
    expect(await subscribe({ resthook: "stock-low", target_url: target })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["This address is subscribed to this resthook already"] },
    });
    await rig.delete(`resthook_subscribers.json?id=${body.id}`);
    expect(await subscribe({ resthook: "stock-low", target_url: target })).toMatchObject({
      status: 201,
      body: { id: 2 },
    });
  });

  it.each([
    [{}, { resthook: ["This field is required."], target_url: ["This field is required."] }],
    [{ resthook: "none", target_url: target }, { resthook: ["No such object: none"] }],
    [{ resthook: "Stock-Low", target_url: target }, { resthook: ["No such object: Stock-Low"] }],
    [
      { resthook: null, target_url: null },
      { resthook: ["This field may not be null."], target_url: ["This field may not be null."] },
    ],
    [{ resthook: { slug: "stock-low" }, target_url: target }, { resthook: ["Must be a string or integer"] }],
    [{ resthook: "stock-low", target_url: "" }, { target_url: ["This field may not be blank."] }],
    [{ resthook: "stock-low", target_url: "stock" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "javascript:alert(1)" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "file:///etc/passwd" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "http://" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "http:///stock" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "http://127.0.0.1/a b" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: "http://127.0.0.1:99999/" }, { target_url: ["Enter a valid URL."] }],
    [{ resthook: "stock-low", target_url: ["http://127.0.0.1/"] }, { target_url: ["Not a valid string."] }],
    [
      { resthook: "stock-low", target_url: `${target}?${"x".repeat(200)}` },
      { target_url: ["Ensure this field has no more than 200 characters."] },
    ],
  ])("refuse the subscriber %j", async (body, errors) => {
    const refused = await subscribe(body);
    expectConforming(rig, "POST resthook_subscribers.json", refused);
    expect(refused).toMatchObject({ status: 400, body: errors });
    expect((await rig.get("resthook_subscribers.json")).body.results).toEqual([]);
  });

  it.each(["https://hooks.example.org/x", "http://127.0.0.1.example.org/", "ftp://127.0.0.1/stock"])(
    "refuse the address %s, which is not allowed",
    async (url) => {
      const { status, body } = await subscribe({ resthook: "stock-low", target_url: url });
      expect(status).toBe(400);
      expect(body.target_url[0]).toContain("--allow-host");
    },
  );

  it("list their events, newest first", async () => {
    const { resthooks: hooks } = service.account;
    hooks.add("visit-done");
    expect(hooks.addEvent("stock-low", { item: "zinc", left: 3 })?.id).toBe(1);
    service.passTo(1500);
    hooks.addEvent("visit-done", { nested: { list: [1, "é", null] } });
    expect(hooks.addEvent("unheard-of", {})).toBeUndefined();
    const list = await rig.get("resthook_events.json");
    expectConforming(rig, "GET resthook_events.json", list);
    expect(list.body.results).toEqual([
      {
        resthook: "visit-done",
        data: { nested: { list: [1, "é", null] } },
        created_on: "2026-03-04T06:00:01.500000Z",
      },
      { resthook: "stock-low", data: { item: "zinc", left: 3 }, created_on: "2026-03-04T06:00:00.000000Z" },
    ]);
    expect((await rig.get("resthook_events.json?resthook=stock-low")).body.results).toHaveLength(1);
    expect((await rig.get("resthook_events.json?resthook=none")).body.results).toEqual([]);
  });
});

describe("the delivery of a resthook's events", () => {
  const wait = 5 * minuteMs; // of the preset
  let service: Service;
  beforeEach(() => {
    service = new Service();
    subscribed(service, "stock-low", [`${target}/a`, `${target}/b`]);
  });

  const tries = (): string[] =>
    service.resthookDeliveries.map(
      ({ event, subscriber, try: tryNumber, atMs }) => `${event}→${subscriber} try ${tryNumber} at ${atMs / 1000} s`,
    );
  const answer = (index: number, result: ResthookAnswer): void => {
    const delivery = service.resthookDeliveries[index];
    if (delivery === undefined) throw new Error(`there is no delivery ${index}`);
    service.account.resthooks.applyAnswer(delivery, result);
  };

  it("posts to each active subscriber at once", () => {
    const { resthooks } = service.account;
    resthooks.addEvent("stock-low", { item: "zinc" });
    service.passTo(0);
    expect(service.resthookDeliveries).toMatchObject([
      { event: 1, subscriber: 1, try: 1, url: `${target}/a`, data: { item: "zinc" } },
      { event: 1, subscriber: 2, try: 1, url: `${target}/b`, data: { item: "zinc" } },
    ]);
  });

  it("ends when a subscriber accepts with any 2xx", () => {
    service.account.resthooks.addEvent("stock-low", {});
    service.passTo(1000);
    answer(0, answered(200));
    answer(1, answered(204));
    service.passTo(60 * minuteMs);
    expect(tries()).toHaveLength(2);
    expect(service.recording.tables.resthooks.pending()).toEqual([]);
  });

  it.each([
    ["500", answered(500)],
    ["404", answered(404)],
    ["302", answered(302)],
    ["a timeout", answered(null, "ETIMEDOUT")],
  ])("is retried by the preset after %s", (_what, failure) => {
    service.account.resthooks.addEvent("stock-low", {});
    service.passTo(0);
    answer(1, answered(200));
    for (const [index, atMs] of [
      [0, 2000],
      [2, wait + 2000],
      [3, 2 * wait + 2000],
      [4, 3 * wait + 2000],
    ] as const) {
      // prettier-ignore
      service.passTo(atMs);
      answer(index, failure);
    }
    service.passTo(100 * minuteMs);
    expect(tries().slice(2)).toEqual(["1→1 try 2 at 300 s", "1→1 try 3 at 600 s", "1→1 try 4 at 900 s"]);
    expect(service.recording.tables.resthooks.pending()).toEqual([]);
  });

  it("deactivates a subscriber that answers 410", () => {
    const { resthooks } = service.account;
    resthooks.addEvent("stock-low", {});
    service.passTo(0);
    answer(0, answered(410));
    answer(1, answered(200));
    service.passTo(60 * minuteMs);
    resthooks.addEvent("stock-low", {});
    service.passTo(61 * minuteMs);
    expect(tries()).toEqual(["1→1 try 1 at 0 s", "1→2 try 1 at 0 s", "2→2 try 1 at 3600 s"]);
    expect(service.recording.tables.resthooks.subscribersOf(1).map(({ id }) => id)).toEqual([2]);
  });

  it("stops when the subscriber is deleted", () => {
    const { resthooks } = service.account;
    const [first] = service.recording.tables.resthooks.subscribersOf(1);
    if (first === undefined) throw new Error("there is no subscriber");
    resthooks.addEvent("stock-low", {});
    service.passTo(0);
    answer(0, answered(500));
    answer(1, answered(200));
    resthooks.unsubscribe(first);
    service.passTo(60 * minuteMs);
    expect(tries()).toHaveLength(2);
    expect(service.recording.tables.resthooks.pending()).toEqual([]);
  });

  it("continues after the recording is opened again", () => {
    service.account.resthooks.addEvent("stock-low", { item: "zinc" });
    service.passTo(0);
    answer(0, answered(500));
    // The second delivery was pending.
    service.passTo(2000);
    const reopened = new Service({}, { recording: service.recording });
    expect(reopened.kernel.now).toBeLessThanOrEqual(2000);
    reopened.passTo(10 * minuteMs);
    expect(
      reopened.resthookDeliveries.map(({ subscriber, try: tryNumber }) => `${subscriber} try ${tryNumber}`).toSorted(),
    ).toEqual(["1 try 2", "2 try 1"]);
  });
});
