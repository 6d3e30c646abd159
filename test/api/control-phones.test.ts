import { describe, expect, it } from "vitest";
import type {
  CallEntry,
  ConversationHead,
  HandsetDetails,
  Listed,
  TextEntry,
  TextWay,
} from "../../src/console/index.js";
import { stepsOf } from "../../src/console/page/person/way-steps.js";
import { lossWords } from "../../src/console/page/phone/words.js";
import { readyScenario } from "../end-to-end/served.js";
import { ControlRig } from "./control-rig.js";

const hostile = "<img src=x onerror=alert(1)> \u202Eabc\u200B 😀";

function pathOf(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

async function handset(rig: ControlRig): Promise<HandsetDetails> {
  return (await rig.done(pathOf("/handset", { of: "clinic/0" }))) as HandsetDetails;
}

describe("a handset", () => {
  it("shows conditions with their ends, battery, clock, queues and what the last sync carried", async () => {
    const rig = await ControlRig.start({ hasStory: true });
    await rig.done("/do/sync", { of: "clinic/0", now: true });
    await rig.served.step("1m");
    const before = await handset(rig);
    expect(before).toMatchObject({
      selector: "clinic/0",
      channel: 1,
      blocked_by: null,
      power: { on: true },
      conditions: { airplane: false, paused: false, power_cut: false },
      until: {},
      sync: { current: null, last: { failed_by: null, applied: true } },
    });
    expect(before.clock).toBe(before.at);

    await rig.done("/do/airplane", { of: "clinic/0", for: "30m" });
    await rig.done("/do/clock", { of: "clinic/0", skew: "-2m", for: "1h" });
    await rig.done("/do/sync", { of: "clinic/0", loses: "response", times: 2 });
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: hostile });
    await rig.done("/do/send", { via: "clinic/0", to: "people/3", body: "are you there?" });
    await rig.served.step("10m");
    const offline = await handset(rig);
    expect(offline).toMatchObject({
      blocked_by: "airplane",
      unreachable_because: "airplane",
      clock_skew_ms: -120_000,
      conditions: { airplane: true },
      carried: { on_the_way: 0, held_because: "airplane" },
      at_service: { count: 1, messages: [{ text: "are you there?", offered: false }] },
      sync: { losing: { what: "response", times: 2 } },
    });
    expect(offline.carried.held).toBeGreaterThan(0);
    expect(Date.parse(offline.until["airplane"] ?? "") - Date.parse(before.at)).toBe(30 * 60_000);
    expect(Date.parse(offline.at) - Date.parse(offline.clock)).toBe(120_000);
    expect(Date.parse(offline.until["clock"] ?? "") - Date.parse(before.at)).toBe(60 * 60_000);

    await rig.done("/do/airplane", { of: "clinic/0", state: "off" });
    await rig.served.step("3m");
    expect(await handset(rig)).toMatchObject({ blocked_by: null, carried: { held: 0 } });
  });

  it("a dead phone says when it boots, and a queue what it waits for", async () => {
    const rig = await ControlRig.start();
    await rig.done("/do/sms-service", { of: "clinic/0", state: "generic-failure" });
    await rig.done("/do/send", { via: "clinic/0", to: "people/3", body: "try me" });
    await rig.served.step("2m");
    const { outbox } = await handset(rig);
    expect(outbox).toMatchObject({ pending: 0, retry: 1, tries_max: 10 });
    expect(outbox.messages[0]).toMatchObject({ text: "try me", state: "retry", waits_for: "retry-wait" });
    expect(outbox.messages[0]?.tries).toBeGreaterThan(0);
    await rig.done("/do/reboot", { of: "clinic/0", down: "5m" });
    const { power, blocked_by: why, at } = await handset(rig);
    expect([power.on, power.restarting, why]).toEqual([false, true, "switched-off"]);
    expect(Date.parse(power.boots_at ?? "") - Date.parse(at)).toBe(5 * 60_000);
  });

  it("refuses what is not one handset", async () => {
    const rig = await ControlRig.start();
    const refused = async (path: string): Promise<unknown> => (await rig.get(path)).body as unknown;
    expect(await refused("/handset")).toEqual({ detail: "Give 'of', such as clinic/0." });
    expect(await refused("/handset?of=clinic")).toEqual({ of: [expect.stringContaining("one handset")] });
    expect(await refused("/handset?of=nobody/1")).toEqual({ of: [expect.stringContaining("nobody")] });
    expect(await refused("/handset/conversations?of=clinic/0&behind=x")).toEqual({ behind: [expect.any(String)] });
    expect(await refused("/person?who=clinic/0")).toEqual({ who: [expect.stringContaining("clinic")] });
    expect(await refused("/person?who=people")).toEqual({ who: [expect.stringContaining("one person")] });
  });
});

describe("conversations", () => {
  it("a text is at the person first, then at the handset, then at the service; its answer the other way", async () => {
    const rig = await ControlRig.start();
    const person = "+12065550199";
    const theirs = (): Promise<Listed<TextEntry> & { way: unknown }> =>
      rig.done(pathOf("/person/conversation", { who: person, of: "clinic/0" })) as never;
    const ours = (): Promise<Listed<TextEntry>> =>
      rig.done(pathOf("/handset/conversation", { of: "clinic/0", with: person })) as never;
    expect(await rig.done(pathOf("/person", { who: person }))).toMatchObject({ known: false, home: null });
    expect((await theirs()).results).toEqual([]);

    await rig.done("/do/network", { of: "clinic/0", type: "none" });
    await rig.done("/do/text", { from: person, to: "clinic/0", body: hostile });
    expect((await theirs()).results).toMatchObject([{ id: null, text: hostile, state: "on-the-way" }]);
    expect((await ours()).results).toEqual([]);

    await rig.served.step("1m");
    expect((await theirs()).results).toMatchObject([{ text: hostile, state: "on-phone", note: "no-network" }]);
    expect((await ours()).results).toMatchObject([{ id: null, text: hostile, state: "on-phone", note: "no-network" }]);
    const heads = (await rig.done(pathOf("/handset/conversations", { of: "clinic/0" }))) as Listed<ConversationHead>;
    expect(heads.results[0]).toMatchObject({ phone: person, person, unsynced: 1, last: { text: hostile } });

    await rig.done("/do/network", { of: "clinic/0", type: "LTE" });
    await rig.served.step("2m");
    const [reported] = (await theirs()).results;
    expect(reported).toMatchObject({
      text: hostile,
      state: "reported",
      event: expect.stringMatching(/^1\/\d+$/) as string,
    });
    expect([reported?.sent_at, reported?.phone_at, reported?.service_at].every((at) => at !== null)).toBe(true);

    await rig.done("/do/send", { via: "clinic/0", to: person, body: "noted" });
    expect((await ours()).results).toHaveLength(1);
    await rig.served.step("5m");
    expect((await ours()).results[0]).toMatchObject({
      from: "handset",
      text: "noted",
      state: expect.stringMatching(/sent|delivered/) as string,
    });
    const [heard] = (await theirs()).results;
    expect(heard).toMatchObject({ from: "handset", text: "noted" });
    expect(heard?.heard_at).toBe(heard?.at);
    expect((await theirs()).way).toMatchObject({
      entry: { text: hostile },
      event: { id: reported?.event, outcome: "nowhere" },
      answers: [{ entry: { text: "noted" }, origin: "story" }],
    });
    expect(await rig.done(pathOf("/person/conversations", { who: person }))).toMatchObject([{ handset: "clinic/0" }]);
  });

  it("does not take what the scenario's traffic sends for the answer to a text", async () => {
    const scenario = readyScenario([
      "starts=2026-03-04T06:00:00.000Z",
      "traffic=[{ sends: { via: clinic/0, to: people/3, body: news }, rate: 20/h }]",
      "people.people.replies.chance=0%",
    ]);
    const rig = await ControlRig.start({ scenario, playsFirstHour: false });
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: "are you there?" });
    await rig.served.step("30m");
    const path = pathOf("/person/conversation", { who: "people/3", of: "clinic/0" });
    const talk = (await rig.done(path)) as Listed<TextEntry> & { way: unknown };
    expect(talk.results[0]).toMatchObject({ from: "handset", text: "news" });
    expect(talk.way).toMatchObject({ entry: { text: "are you there?" }, answers: [] });
  });

  it("pages newest first, and skips nobody", async () => {
    const rig = await ControlRig.start();
    for (let one = 0; one < 6; one++) {
      await rig.done("/do/text", { from: `people/${one % 3}`, to: "clinic/0", body: `text ${one}` });
      await rig.served.step("1m");
    }
    const seen: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page = (await rig.done(
        pathOf("/handset/conversations", { of: "clinic/0", limit: "2", behind: next }),
      )) as Listed<ConversationHead>;
      seen.push(...page.results.map(({ phone }) => phone));
      next = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 3).length).toBe(3);
    const texts = (await rig.done(
      pathOf("/handset/conversation", { of: "clinic/0", with: seen[0] ?? "", limit: "1" }),
    )) as Listed<TextEntry>;
    expect(texts.results[0]?.text).toBe("text 5");
    const older = (await rig.done(
      pathOf("/handset/conversation", { of: "clinic/0", with: seen[0] ?? "", limit: "1", behind: texts.next ?? "" }),
    )) as Listed<TextEntry>;
    expect(older.results[0]?.text).toBe("text 2");
  });

  it("logs calls, also one that is ringing", async () => {
    const rig = await ControlRig.start();
    await rig.done("/do/call", { from: "people/7", to: "clinic/0", rings: "30s" });
    const log = async (): Promise<readonly unknown[]> =>
      ((await rig.done(pathOf("/handset/calls", { of: "clinic/0" }))) as Listed<unknown>).results;
    expect((await log())[0]).toMatchObject({ id: null, type: "mo_miss", state: "ongoing" });
    await rig.served.step("2m");
    expect((await log())[0]).toMatchObject({ id: expect.any(Number) as number, type: "mo_miss", state: "reported" });
    expect(await rig.done(pathOf("/person/calls", { who: "people/7" }))).toMatchObject([{ type: "mo_miss" }]);
  });
});

describe("people", () => {
  it("are found by name, number and selector, page by page", async () => {
    const rig = await ControlRig.start();
    const all = (await rig.done("/people")) as { selector: string; phone: string; name: string | null }[];
    expect(all.length).toBeGreaterThan(5);
    const [, second] = all;
    if (second === undefined) throw new Error("there are people");
    for (const search of [second.phone.slice(-6), second.selector, second.name ?? second.phone]) {
      const found = await rig.done(pathOf("/people", { search }));
      expect((found as Listed<{ selector: string }>).results.map(({ selector }) => selector)).toContain(
        second.selector,
      );
    }
    const seen: string[] = [];
    let after: string | null = "";
    while (after !== null) {
      const page = (await rig.done(pathOf("/people", { limit: "3", after }))) as Listed<{ selector: string }>;
      seen.push(...page.results.map(({ selector }) => selector));
      after = page.next;
    }
    expect(seen).toEqual(all.map(({ selector }) => selector));
  });

  it("have the name that the service has for them", async () => {
    const rig = await ControlRig.start();
    const [{ selector, phone }] = (await rig.done("/people")) as [{ selector: string; phone: string }];
    await rig.served.api.done("POST", `contacts.json?urn=tel:${encodeURIComponent(phone)}`, { name: "Amina Yusuf" });
    const found = await rig.done(pathOf("/people", { search: "amina y" }));
    expect(found).toEqual({ results: [{ selector, phone, name: "Amina Yusuf" }], next: null });
    expect(await rig.done(pathOf("/person", { who: phone }))).toMatchObject({ selector, name: "Amina Yusuf" });
  });

  it("are found by the whole selector or number among 100,000, each once", async () => {
    const rig = await ControlRig.start({
      scenario: readyScenario([
        "starts=2026-03-04T06:00:00.000Z",
        "people.people.count=100000",
        'people.people.phone="+2507880{00000}"',
      ]),
      accounts: [],
      playsFirstHour: false,
    });
    const last = { selector: "people/99999" };
    const { results } = (await rig.done(pathOf("/people", { search: last.selector }))) as Listed<{ phone: string }>;
    expect(results).toMatchObject([last]);
    const number = (results[0]?.phone ?? "").replace(/^(\+\d{3})/, "$1 ");
    expect(await rig.done(pathOf("/people", { search: number }))).toMatchObject({ results: [last] });
    const page = await rig.done(pathOf("/people", { search: last.selector, after: "95000" }));
    expect(page).toEqual({ results: [], next: null });
  });
});

describe("what is lost", () => {
  it("stays on the person's phone, says that the carrier lost it, and is in the list", async () => {
    const rig = await ControlRig.start();
    await rig.done("/do/carrier", { of: "clinic/0", loses: "texts" });
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: hostile });
    await rig.served.step("1m");
    const path = pathOf("/person/conversation", { who: "people/3", of: "clinic/0" });
    const { results, way } = (await rig.done(path)) as Listed<TextEntry> & { readonly way: TextWay };
    expect(results[0]).toMatchObject({ text: hostile, state: "lost", note: "carrier", phone_at: null });
    expect(way.entry).toEqual(results[0]);
    expect(stepsOf(way, undefined).at(-1)).toMatchObject({
      state: "stopped",
      note: "The carrier lost it. Neither phone can know.",
    });
    expect(await rig.done(pathOf("/losses", { person: "people/3", of: "clinic/0" }))).toMatchObject({
      results: [{ cause: "carrier", why: "the carrier lost it", handset: "clinic/0", text: hostile, message: null }],
      next: null,
      counts: [{ cause: "carrier", count: 1 }],
    });
    expect(await rig.done(pathOf("/losses", { of: "clinic/1" }))).toMatchObject({ results: [] });
  });

  it("is said of an answer that the carrier lost, in its way and its chain", async () => {
    const rig = await ControlRig.start();
    await rig.done("/do/text", { from: "people/3", to: "clinic/0", body: "hello" });
    await rig.done("/do/carrier", { of: "clinic/0", loses: "messages", times: 50 });
    await rig.served.step("1m");
    await rig.done("/do/send", { via: "clinic/0", to: "people/3", body: "never read" });
    await rig.served.step("10m");
    const path = pathOf("/person/conversation", { who: "people/3", of: "clinic/0" });
    const { way } = (await rig.done(path)) as { readonly way: TextWay };
    const lost = way.answers.find(({ lost_at: lostAt }) => lostAt !== null);
    expect(lost).toMatchObject({ entry: { state: "lost", note: "carrier" }, lost_at: expect.any(String) });
    expect(stepsOf({ ...way, answers: lost === undefined ? [] : [lost] }, undefined).slice(-2)).toMatchObject([
      { name: "Handset sent it", state: "done" },
      { name: "Answer lost", state: "stopped", note: "The carrier lost it. Neither phone can know." },
    ]);
    const chain = (await rig.done(`/chain?id=${lost?.entry.id}`)) as {
      readonly headline: readonly string[];
      readonly steps: readonly { readonly kind: string }[];
    };
    expect(chain.headline[0]).toContain("was lost: the carrier lost it. Neither phone can know.");
    expect(chain.steps.map(({ kind }) => kind)).toContain("lost");
  });

  it("is a call to a phone that was off, in the person's calls", async () => {
    const rig = await ControlRig.start();
    await rig.done("/do/reboot", { of: "clinic/0", down: "10m" });
    await rig.done("/do/call", { from: "people/3", to: "clinic/0", rings: "20s" });
    await rig.served.step("1m");
    const [call] = (await rig.done(pathOf("/person/calls", { who: "people/3" }))) as readonly CallEntry[];
    expect(call).toMatchObject({ type: "lost", state: "lost", cause: "unreachable" });
    expect(lossWords(call?.cause ?? null)).toContain("The phone was off");
  });
});

it("a message that waits for a phone that is off says so", () => {
  const entry = { state: "at-service", note: null, heard_at: null, id: 7 } as TextEntry;
  const answer = {
    entry,
    origin: "reply",
    created_at: "2026-03-04T09:00:00Z",
    sent_at: null,
    delivered_at: null,
    lost_at: null,
  };
  const way = { entry: { ...entry, state: "reported" }, event: null, answers: [answer] } as TextWay;
  const waits = { blocked_by: "switched-off" } as HandsetDetails;
  expect(stepsOf(way, waits).map(({ note }) => note)).toContain("It waits at the service: the phone is off.");
});
