import { describe, expect, it } from "vitest";
import { handset, persons, play } from "./play.js";

const old = "+250788000001";
const other = "+250788700001";
const people = (replies: object): string =>
  `people: { ada: ${JSON.stringify({ phone: persons.ada, of: "clinic", ...replies })}, ben: { phone: "${persons.ben}", of: clinic } }`;

describe("a SIM", () => {
  it("that is swapped takes its number along: texts and calls to it are lost, the channel keeps it", async () => {
    const played = await play(`
${people({ replies: { with: ["yes"], after: "10s" } })}
story:
  - { at: 1h, text: { from: ben, to: clinic, body: before } }
  - { at: 2h, sim: { of: clinic, phone: "${other}" } }
  - { at: 3h, text: { from: ben, to: clinic, body: after } }
  - { at: 3h, call: { from: ben, to: clinic, rings: 10s } }
  - { at: 4h, send: { via: clinic, to: ada, body: hello } }
  - { at: 5h, text: { from: ada, to: clinic, body: and again } }
`);
    // Ada answers to the number that she heard from, and uses it from then on.
    expect(played.told("mo_sms", "mo_miss").map((line) => line.slice(8))).toEqual([
      "mo_sms before",
      "mo_sms yes",
      "mo_sms and again",
    ]);
    expect(played.events.map(({ fields }) => fields["relayer_phone"])).toEqual(played.events.map(() => old));
    expect(played.ledger.texts.lost).toEqual({ "sim-swapped": 1 });
    expect(played.ledger.calls.lost).toEqual({ "sim-swapped": 1 });
    expect(played.phone().sims).toEqual([
      { slot: 1, number: other, carrier: "mtn", credit: null, isIn: true, sends: true },
    ]);
  });

  it("that is swapped is known to the service when somebody says so", async () => {
    const played = await play(`
story:
  - { at: 1h, sim: { of: clinic, phone: "${other}" } }
  - { at: 1h, claim: { of: clinic, phone: "${other}" } }
  - { at: 2h, send: { via: clinic, to: ada, body: hello } }
`);
    expect(played.events.map(({ fields }) => fields["relayer_phone"])).toEqual([other, other]);
  });

  it("that is taken out leaves no service and no mobile data; texts wait at the carrier", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", { "retry-waits": ["1m", "30m"] })} }
lasts: 3h
story:
  - { at: 59m58s, send: { via: clinic, to: ada, body: out } }
  - { at: 1h, sim: { of: clinic, state: none, for: 20m } }
  - { at: 1h5m, text: { from: ben, to: clinic, body: in } }
  - { at: 1h10m, note: out }
`);
    expect(played.phone("out")).toMatchObject({ blockedBy: "no-sim", unreachableBecause: "no-sim" });
    expect(played.phone("out").sims).toMatchObject([{ isIn: false, sends: false }]);
    expect(played.told("mo_sms")).toEqual(["1:20:10 mo_sms in"]);
    const [text] = played.events.filter(({ type }) => type === "mo_sms");
    expect(text?.delays).toMatchObject([{ kind: "held-by-carrier", why: "no-sim" }]);
    const [sent] = played.events.filter(({ type }) => type === "mt_sent");
    expect(sent?.delays).toMatchObject([
      { kind: "radio-failed", why: "no-sim", times: 2 },
      { kind: "waited-for-sync" },
    ]);
    expect(played.heard()).toEqual(["1:31:05 out"]);
  });

  it("of a second slot gets texts too, and those of the service go out from it when it is the one for texts", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s }, airtel: { delay: 30s } }
handsets: { clinic: ${handset("plain", {}, { carrier: "mtn", credit: 1, "second-sim": { phone: other, carrier: "airtel", credit: 5 } })} }
${people({ replies: { with: ["yes"], after: "10s" } })}
story:
  - { at: 1h, send: { via: clinic, to: ada, body: one } }
  - { at: 2h, sim: { of: clinic, sends-with: 2 } }
  - { at: 3h, send: { via: clinic, to: ada, body: two } }
  - { at: 4h, sim: { of: clinic, slot: 2, state: none, for: 30m } }
  - { at: 4h, text: { from: ada, to: clinic, body: waits } }
  - { at: 4h, text: { from: ben, to: clinic, body: arrives } }
  - { at: 5h, credit: { of: clinic, adds: 10, slot: 1 } }
`);
    expect(played.heard()).toEqual(["1:00:05 one", "3:00:33 two"]);
    expect(played.told("mo_sms")).toEqual([
      "1:00:17 mo_sms yes",
      "3:01:13 mo_sms yes",
      "4:00:02 mo_sms arrives",
      "4:30:10 mo_sms waits",
    ]);
    expect(played.phone().sims).toMatchObject([
      { slot: 1, carrier: "mtn", credit: 10, sends: false },
      { slot: 2, carrier: "airtel", credit: 4, sends: true },
    ]);
  });

  it("that moves to another phone takes its texts along, which another channel tells (D15)", async () => {
    const played = await play(`
handsets:
  clinic: ${handset("plain", {}, { credit: 7 })}
  post: ${handset("plain", {}, { phone: "+250788000002" })}
story:
  - { at: 1h, coverage: { of: clinic, state: none } }
  - { at: 1h10m, text: { from: ada, to: clinic, body: held } }
  - { at: 2h, sim: { of: post, phone: "${old}", slot: 2 } }
  - { at: 3h, text: { from: ben, to: clinic, body: hello } }
`);
    expect(played.events.map(({ channel, type, fields }) => `${channel} ${type} ${fields["text"]}`)).toEqual([
      "2 mo_sms held",
      "1 alarm undefined", // a phone without a SIM has no mobile data
      "2 mo_sms hello",
    ]);
    expect(
      [...played.all.phones.values()].map(({ sims }) => sims.map(({ number, credit }) => [number, credit])),
    ).toEqual([
      [],
      [
        ["+250788000002", null],
        [old, 7],
      ],
    ]);
    expect(played.phone()).toMatchObject({ unreachableBecause: "no-sim" });
  });
});
