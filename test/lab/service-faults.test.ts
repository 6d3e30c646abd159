import { describe, expect, it } from "vitest";
import { refuseCrossings } from "../../src/lab/part/crossings.js";
import { parse } from "../end-to-end/support.js";
import { outcomeOf } from "./service-rig.js";

const text = (at: string, body = "maize 12kg"): string =>
  `  - { at: ${at}, text: { from: ada, to: clinic/0, body: "${body}" } }\n`;
const fault = (at: string, args: string): string => `  - { at: ${at}, service: { of: clinic/0, ${args} } }\n`;
const sync = (at: string): string => `  - { at: ${at}, sync: { of: clinic/0, now: true } }\n`;

describe("a service that answers 500", () => {
  it("has stored what came before, so the phone repeats it and the receiver gets it again", async () => {
    const { result, events, delays } = await outcomeOf(fault("1h", "fails-after: 1, for: 25m") + text("1h1m"));
    const copies = events.filter(({ type }) => type === "mo_sms").map(({ copy }) => copy?.cause);
    expect(copies[0]).toBeUndefined();
    expect(new Set(copies.slice(1))).toEqual(new Set(["service-failed"]));
    expect(copies.length).toBeGreaterThan(2);
    expect(result.ledger.texts).toMatchObject({
      in: 1,
      copies: { "service-failed": copies.length - 1 },
      delivered: copies.length,
      gap: 0,
    });
    expect(delays).toContain("sync-failed service-failed");
  });

  it("changes nothing where a request is one transaction, and does not count the phone as seen", async () => {
    const story = fault("1h", "fails-after: 1, for: 50m") + text("1h1m");
    const { result } = await outcomeOf(story, { service: "{ preset: documented, atomic-sync: true }" });
    expect(result.events).toEqual({ mo_sms: 1, alarm: 1 });
    expect(result.ledger.texts).toMatchObject({ copies: {}, delivered: 1 });
  });

  it("lets syncs through that carry fewer reports", async () => {
    const { result } = await outcomeOf(fault("1h", "fails-after: 2") + text("1h1m") + text("2h"));
    expect(result.events).toEqual({ mo_sms: 2 });
  });

  it("works again after state: ok", async () => {
    const story = fault("1h", "fails-after: 0") + text("1h1m") + fault("2h", "state: ok");
    const { result, events } = await outcomeOf(story);
    expect(result.events).toEqual({ mo_sms: 1 });
    expect(events.find(({ type }) => type === "mo_sms")?.atMs).toBeGreaterThan(2 * 3_600_000);
  });
});

describe("a poison text", () => {
  const story = `${text("1h1m", "the pump is broken")}${text("1h2m")}${text("1h3m", "hello")}`;

  it("blocks the phone for good, one transaction or not, and nothing after it arrives", async () => {
    const atomic = await outcomeOf(fault("1h", "poison: /PUMP/i") + story, {
      service: "{ preset: documented, atomic-sync: true }",
    });
    expect(atomic.result.events["mo_sms"]).toBeUndefined();
    expect(atomic.result.ledger.texts).toMatchObject({ in: 3, queued: 3, gap: 0 });
    const later = await outcomeOf(fault("1h", "poison: /PUMP/i") + story);
    expect(later.result.ledger.texts).toMatchObject({ in: 3, queued: 3, gap: 0 });
  });

  it("is the next one with poisons-next, and the others wait for it with its reason", async () => {
    const { result, delays } = await outcomeOf(fault("1h", "poisons-next: true, for: 2h") + story);
    expect(result.ledger.texts).toMatchObject({ in: 3, delivered: 3, gap: 0 });
    expect(delays).toContain("sync-failed poison-command");
  });
});

describe("offers", () => {
  const send = `  - { at: 1h1m, send: { via: clinic/0, to: ada, body: "come" } }\n`;

  it("are never made while the service withholds them; the event says why it is late", async () => {
    const { result, events, delays } = await outcomeOf(fault("1h", "withholds: true, for: 1h") + send + sync("2h1m"));
    expect(events.map(({ type, atMs }) => [type, atMs > 7_200_000])).toEqual([
      ["mt_sent", true],
      ["mt_dlvd", true],
    ]);
    expect(delays).toContain("held-by-service withheld");
    expect(result.ledger.texts).toMatchObject({ in: 1, delivered: 1, gap: 0 });
    const forGood = await outcomeOf(fault("1h", "withholds: true") + send);
    expect(forGood.result.ledger.texts).toMatchObject({ in: 1, queued: 1, gap: 0 });
  });

  it("to another channel's phone go out through that phone; their events name their own channel", async () => {
    const { result, events, notes } = await outcomeOf(fault("1h", "offers-to: clinic/1") + send);
    expect(events.map(({ type, channel }) => [type, channel])).toEqual([
      ["mt_sent", 1],
      ["mt_dlvd", 1],
    ]);
    expect(notes.filter((kind) => kind === "misdirected")).toHaveLength(1);
    expect(result.ledger.texts).toMatchObject({ in: 1, delivered: 1, copies: {}, gap: 0 });
  });

  it("across the parts of a fleet are refused", () => {
    const scenario = parse(`
name: Parts
lasts: 1h
handsets: { clinic: { count: 8, phone: "+2507880000{00}" } }
people: { ada: { phone: "+250781100001", of: clinic } }
story:
  - { at: 1m, service: { of: clinic/0, offers-to: clinic/7 } }
`);
    expect(() => {
      refuseCrossings(scenario, { count: 2, hasReceiver: false, isReceiverShared: false });
    }).toThrow(/messages of clinic\/0 are offered to clinic\/7/);
  });
});

it("a sync request that is processed twice stores and posts everything twice", async () => {
  const story = `${fault("1h", "doubles: true, for: 20m")}${text("1h1m")}  - { at: 1h5m, call: { from: ada, to: clinic/0, rings: 20s } }\n`;
  const { result, events } = await outcomeOf(story);
  expect(events.map(({ type, copy }) => [type, copy?.cause])).toEqual([
    ["mo_sms", undefined],
    ["mo_sms", "request-doubled"],
    ["mo_miss", undefined],
    ["mo_miss", "request-doubled"],
  ]);
  expect(result.ledger.texts).toMatchObject({ in: 1, copies: { "request-doubled": 1 }, delivered: 2, gap: 0 });
  const deduplicated = await outcomeOf(story, { service: "rapidpro-2016" });
  expect(deduplicated.result.ledger.texts).toMatchObject({ delivered: 1, lost: { deduplicated: 1 }, gap: 0 });
});

it.each([
  ["service: { of: clinic }", /needs a fault, such as/],
  ["service: { of: clinic, state: ok, withholds: true }", /'state' and 'withholds' cannot both be/],
  ["service: { of: clinic, fails-after: -1 }", /fails-after/],
])("%s is refused", (step, message) => {
  const handsets = `handsets: { clinic: { phone: "+250788000001" } }`;
  expect(() => parse(`name: Wrong\nlasts: 1h\n${handsets}\nstory:\n  - { at: 1m, ${step} }\n`)).toThrow(message);
});

describe("a service that offers texts that came in", () => {
  it("texts that came in go back to their senders, and no event tells of it", async () => {
    const story = `${fault("1h", "offers-incoming: true, for: 1h")}${text("1h1m", "maize 12kg")}${text("3h", "beans 3kg")}
  - { at: 3h30m, expect: { person: ada, hears: "maize 12kg", count: 1 } }
  - { at: 3h30m, expect: { person: ada, hears: beans, count: 0 } }
`;
    const { result } = await outcomeOf(story);
    expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
    expect(result.events).toEqual({ mo_sms: 2 });
    expect(result.ledger.texts).toMatchObject({ in: 2, copies: { "sent-back": 1 }, delivered: 3, queued: 0, gap: 0 });
  });

  it("is harmless to statuses when its phone is released meanwhile", async () => {
    const story = `${fault("1h", "offers-incoming: true")}${text("1h1m")}  - { at: 1h2s, sms-service: { of: clinic/0, state: generic-failure } }
  - { at: 1h30m, release: { of: clinic/0, claimed-again: 5m } }
${text("3h")}`;
    const { result } = await outcomeOf(story);
    expect(result.ledger.texts).toMatchObject({ in: 2, gap: 0 });
  });
});
