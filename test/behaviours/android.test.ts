import { describe, expect, it } from "vitest";
import { handset, play } from "./play.js";

describe("the segments of a text", () => {
  it("hold 160 or 153 units of GSM-7, 70 or 67 of UCS-2", async () => {
    const borders = [
      { character: "x", one: 160, two: 306 },
      { character: "€", one: 80, two: 152 },
      { character: "ç", one: 70, two: 134 },
      { character: "😀", one: 35, two: 66 },
    ];
    const texts = borders.flatMap(({ character, one, two }) =>
      [one, one + 1, two, two + 1].map((length) => character.repeat(length)),
    );
    const steps = texts.map(
      (text, index) => `
  - { at: ${index + 1}m, send: { via: clinic, to: ada, body: ${JSON.stringify(text)} } }
  - { after: 30s, note: "${index}" }`,
    );
    const played = await play(`
lasts: 30m
handsets: { clinic: ${handset("plain", {}, { credit: 100 })} }
story:${steps.join("")}
`);
    // Each segment costs one unit of the SIM's credit.
    const credits = texts.map((_, index) => played.phone(String(index)).credit ?? NaN);
    const segments = credits.map((credit, index) => (credits[index - 1] ?? 100) - credit);
    expect(segments).toEqual([1, 2, 2, 3, 1, 2, 2, 3, 1, 2, 2, 3, 1, 2, 2, 3]);
  });
});

describe("a phone that sends", () => {
  it("puts 1,000 to 1,500 segments on air in an hour", async () => {
    const played = await play(`
lasts: 15m
handsets: { clinic: { phone: "+250788000001" } }
story:
  - { at: 0s, every: 1ms, times: 400, send: { via: clinic, to: ada, body: "m{n}" } }
`);
    const inAnHour = played.ledger.texts.delivered * 4;
    expect(inAnHour).toBeGreaterThan(1000);
    expect(inAnHour).toBeLessThan(1500);
  });

  it("beyond Android's limit fails, and is tried again", async () => {
    const played = await play(`
service: { preset: documented, mt-fail: true }
lasts: 4h
story:
  - { at: 10m, sms-service: { of: clinic, state: limit } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
    expect(played.told()).toEqual(["1:53:01 mt_fail hello"]);
    expect(played.events[0]?.delays).toMatchObject([{ kind: "radio-failed", why: "limit", times: 10 }]);
  });

  it("without credit fails ten times; a top-up lets later ones through", async () => {
    const played = await play(`
service: { preset: documented, mt-fail: true }
lasts: 4h
handsets: { clinic: ${handset("plain", {}, { credit: 1 })} }
story:
  - { at: 10m, every: 10s, times: 2, send: { via: clinic, to: ada, body: "m{n}" } }
  - { at: 2h30m, credit: { of: clinic, adds: 10 } }
  - { at: 3h, send: { via: clinic, to: ada, body: m3 } }
`);
    expect(played.heard()).toEqual(["0:10:05 m1", "3:00:05 m3"]);
    expect(played.told("mt_fail")).toEqual(["1:53:10 mt_fail m2"]);
    const failed = played.events.find(({ type }) => type === "mt_fail");
    expect(failed?.delays).toMatchObject([{ kind: "radio-failed", why: "no-credit", times: 10 }]);
  });
});
