import { describe, expect, it } from "vitest";
import { parseScenario } from "../../src/index.js";
import { refuseCrossings } from "../../src/lab/part/crossings.js";
import { handset, play } from "./play.js";

const org = (phone: { registration: { relayer: number | null; org: number | null } }): unknown => phone.registration;

describe("a channel that moves to another organisation", () => {
  it("tells nothing here, and its phone learns of it and works on", async () => {
    const played = await play(`
story:
  - { at: 59m50s, text: { from: ada, to: clinic, body: before } }
  - { at: 1h, claim: { of: clinic, org: 2 } }
  - { at: 1h10m, note: moved }
  - { at: 2h, text: { from: ada, to: clinic, body: theirs } }
  - { at: 2h, call: { from: ada, to: clinic, rings: 10s } }
  - { at: 3h, battery: { of: clinic, level: 5% } }
  - { at: 3h, power: { of: clinic, mains: off, for: 20m } }
  - { at: 4h, claim: { of: clinic } }
  - { at: 4h10m, note: back }
  - { at: 5h, text: { from: ada, to: clinic, body: after } }
`);
    expect(played.told()).toEqual(["0:59:52 mo_sms before", "5:00:02 mo_sms after"]);
    expect(played.events.map(({ fields }) => fields["relayer"])).toEqual(["1", "1"]);
    expect(org(played.phone("moved"))).toEqual({ relayer: 1, org: 2 });
    expect(org(played.phone("back"))).toEqual({ relayer: 1, org: 1 });
    const claims = played.syncs.flatMap(({ answer }) =>
      answer.accepted ? answer.commands.filter(({ type }) => type === "claim") : [],
    );
    expect(claims).toEqual([
      { type: "claim", org: 2 },
      { type: "claim", org: 1 },
    ]);
    expect(played.ledger.texts).toMatchObject({ in: 3, delivered: 2, lost: { moved: 1 } });
    expect(played.ledger.calls.lost).toEqual({ moved: 1 });
    expect(played.all.notes.map(({ text }) => text)).toContain("channel 1 of clinic/0 belongs to organisation 2 now");
  });

  it("leaves its queue behind, which fails; what the phone has taken over goes out untold", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", { "sent-after": "90s" })} }
story:
  - { at: 1h, send: { via: clinic, to: ada, body: taken } }
  - { at: 1h10s, network: { of: clinic, type: none, for: 30m } }
  - { at: 1h20s, send: { via: clinic, to: ada, body: waiting } }
  - { at: 1h30s, claim: { of: clinic, org: 2 } }
  - { at: 2h, send: { via: clinic, to: ada, body: refused } }
`);
    expect(played.heard()).toEqual(["1:01:33 taken"]);
    expect(played.told()).toEqual([]);
    expect(played.statuses).toBe("FF");
    expect(played.ledger.texts).toMatchObject({ in: 2, delivered: 1, lost: { moved: 1 } });
    expect(played.all.notes.map(({ text }) => text)).toContain(
      "channel 1 of clinic/0 belongs to another organisation: messages through it are not sent",
    );
  });

  it("is released there by a reset of its phone, which registers again", async () => {
    const played = await play(`
story:
  - { at: 1h, claim: { of: clinic, org: 2 } }
  - { at: 2h, reset: { of: clinic, down: 0s, claimed-again: 1h } }
  - { at: 4h, text: { from: ada, to: clinic, body: hello } }
`);
    expect(played.events.map(({ fields }) => [fields["relayer"], fields["text"]])).toEqual([["1000001", "hello"]]);
  });
});

describe("a reset on which the service releases the channel", () => {
  it("takes each phone down for a time of its own", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", {}, { count: 8, phone: "+2507880{00000}" })} }
lasts: 3h
story:
  - { at: 1h, reset: { of: clinic, down: 5m..50m, claimed-again: 1m } }
`);
    const firsts = played.all.notes.filter(({ text }) => text.includes("registered again")).map(({ atMs }) => atMs);
    expect(firsts).toHaveLength(8);
    expect(Math.max(...firsts) - Math.min(...firsts)).toBeGreaterThan(10 * 60_000);
  });
});

describe("a claim with a number, in a fleet of two parts", () => {
  /** What is wrong with claims for four phones of which two are in each part. */
  function problemOf(...claims: string[]): string | undefined {
    const text = `
name: Numbers
lasts: 1h
handsets: { clinic: { count: 4, phone: "+2507880{00000}" } }
story:
${claims.map((claim) => `  - { at: 2m, claim: { of: ${claim} } }`).join("\n")}
`;
    const { scenario } = parseScenario(text, { file: "numbers.yaml", nowMs: 0 });
    if (scenario === undefined) throw new Error("does not parse");
    try {
      refuseCrossings(scenario, { count: 2, hasReceiver: false, isReceiverShared: false });
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  it("is played where no channel of the other part can have the number", () => {
    expect(problemOf("clinic/0, phone: +250788777777")).toBeUndefined();
    expect(problemOf("clinic/0, phone: +250788000001")).toBeUndefined(); // clinic/1 is in the same part
  });

  it("is refused where one can, by its line", () => {
    expect(problemOf("clinic/0, phone: +250788000003")).toMatch(/numbers\.yaml:6: the number \+250788000003 /);
    expect(problemOf("clinic/0, phone: +250788777777", "clinic/3, phone: +250788777777")).toMatch(
      /numbers\.yaml:7: .* from a phone of part 1 to one of part 2/,
    );
  });
});
