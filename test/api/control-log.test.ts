import { describe, expect, it } from "vitest";
import { serving } from "../end-to-end/served.js";
import { parse, receiverThat } from "../end-to-end/support.js";
import { ControlRig } from "./control-rig.js";

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
