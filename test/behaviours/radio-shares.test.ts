import { describe, expect, it } from "vitest";
import { handset, play } from "./play.js";

const long = `${"a".repeat(153)}${"b".repeat(153)}${"c".repeat(20)}`;

describe("a share of sends that fail", () => {
  it("depends on the data link of the phone", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", { "retry-waits": ["1h"] }, { "sms-fails": { GPRS: "100%", LTE: "0%" } })} }
story:
  - { at: 1h, send: { via: clinic, to: ada, body: good } }
  - { at: 2h, network: { of: clinic, type: GPRS, for: 30m } }
  - { at: 2h10m, send: { via: clinic, to: ada, body: poor } }
  - { at: 2h20m, note: poor }
  - { at: 4h, sms-service: { of: clinic, fails: { LTE: 100% }, with: no-service, for: 30m } }
  - { at: 4h10m, send: { via: clinic, to: ada, body: none } }
`);
    expect(played.heard()).toEqual(["1:00:05 good", "3:10:05 poor", "5:10:05 none"]);
    expect(played.phone("poor").outbox.messages).toMatchObject([{ state: "retry", tries: 1 }]);
    expect(played.events.filter(({ type }) => type === "mt_sent").map(({ delays }) => delays[0]?.why)).toEqual([
      undefined,
      "generic-failure",
      "no-service",
    ]);
  });

  it("of a map without the link is none, and a plain share ends the map", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", { "retry-waits": [] }, { "sms-fails": { GPRS: "100%" } })} }
story:
  - { at: 1h, send: { via: clinic, to: ada, body: one } }
  - { at: 2h, sms-service: { of: clinic, fails: 100% } }
  - { at: 3h, send: { via: clinic, to: ada, body: two } }
`);
    expect(played.statuses).toBe("DF");
  });
});

describe("the parts of a long text", () => {
  it("are shown in the wrong order by some networks, and counted as delivered once", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, parts-order: reversed } }
story:
  - { at: 1h, send: { via: clinic, to: ada, body: ${long} } }
  - { at: 2h, send: { via: clinic, to: ada, body: short } }
  - { at: 3h, carrier: { of: mtn, parts-order: as-sent } }
  - { at: 4h, send: { via: clinic, to: ada, body: ${long} } }
  - { at: 1h10m, expect: { person: ada, hears: /^c+b+a+$/ } }
  - { at: 4h10m, expect: { person: ada, hears: /^a+b+c+$/ } }
`);
    expect(played.all.totals.expectations.map(({ held }) => held)).toEqual([true, true]);
    expect(played.ledger.texts).toMatchObject({ in: 3, delivered: 3, copies: {}, lost: {} });
    expect(played.all.notes.map(({ text }) => text)).toEqual([
      "message 1048577 was shown with its parts in the order 3, 2, 1",
    ]);
  });

  it("are shown in an order of chance by others", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, parts-order: any } }
story:
  - { at: 1h, every: 10m, times: 20, send: { via: clinic, to: ada, body: ${long} } }
`);
    const orders = played.all.notes.map(({ text }) => text.replace(/.*order /, ""));
    expect(new Set(orders).size).toBe(5); // all but the right one
    expect(orders.length).toBeLessThan(20);
    expect(played.ledger.texts).toMatchObject({ delivered: 20 });
  });
});
