import { describe, expect, it } from "vitest";
import { type Behaviour, clock, play } from "./play.js";

const texts = (at: string, body: string): string =>
  `  - { at: ${at}, text: { from: ada, to: clinic, body: ${body} } }\n`;
/** The relayer id of each event, with its time. */
const relayers = ({ events }: Behaviour): string[] =>
  events.map(({ atMs, fields }) => `${clock(atMs)} ${fields["relayer"]}`);
/** Times of the first answers of this kind. */
const answered = ({ syncs }: Behaviour, type: string): string[] =>
  syncs
    .filter(({ answer }) => answer.accepted && answer.commands.some((command) => command.type === type))
    .map(({ atMs }) => clock(atMs));

describe("an app that starts for the first time", () => {
  it("gets an id; until the claim its texts and calls are dropped", async () => {
    const played = await play(`
lasts: 3h
story:
  - { at: 10m, register: { of: clinic, claimed-again: 1h } }
${texts("30m", "dropped")}  - { at: 31m, call: { from: ada, to: clinic, rings: 5s } }
${texts("2h", "kept")}`);
    expect(answered(played, "reg")[0]).toBe("0:10:00");
    expect(relayers(played).at(-1)).toBe("2:00:02 1000001");
    expect(played.told("mo_sms", "mo_miss")).toEqual(["2:00:02 mo_sms kept"]);
    expect([played.ledger.texts.lost, played.ledger.calls.lost]).toEqual([{ unclaimed: 1 }, { unclaimed: 1 }]);
  });

  it("is claimed by the answer to the sync that the claim pushes", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 10m, register: { of: clinic } }
  - { at: 25m, claim: { of: clinic } }
`);
    expect(answered(played, "claim")).toEqual(["0:25:01"]);
    expect(played.phone().registration).toEqual({ relayer: 1_000_001, org: 1 });
  });

  it("leaves its old channel behind, which raises an alarm of silence", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 10m, register: { of: clinic } }
`);
    expect(played.told()).toEqual(["0:39:00 alarm 100 % CHARGING"]);
    expect(relayers(played)).toEqual(["0:39:00 1"]);
  });
});

describe("a release", () => {
  it("empties the phone, which registers again at the next trigger", async () => {
    const played = await play(`
lasts: 5h
story:
  - { at: 9m50s, network: { of: clinic, type: none, for: 3m } }
${texts("10m", "kept")}  - { at: 10m10s, send: { via: clinic, to: ada, body: queued } }
  - { at: 11m, release: { of: clinic, claimed-again: 1h } }
${texts("2h", "again")}`);
    expect([answered(played, "rel"), answered(played, "reg")[0]]).toEqual([["0:13:00"], "0:18:51"]);
    expect(answered(played, "claim")).toEqual(["1:18:51"]);
    expect(played.heard()).toEqual([]);
    expect([relayers(played), played.statuses]).toEqual([["2:00:02 1000001"], "F"]);
    expect(played.ledger.texts).toMatchObject({ in: 3, delivered: 1, lost: { released: 2 } });
  });

  it("leaves a channel that raises no alarm and sends no message", async () => {
    const played = await play(`
lasts: 5h
story:
  - { at: 10m, release: { of: clinic } }
  - { at: 3h, send: { via: clinic, to: ada, body: hello } }
`);
    expect([played.told(), played.heard(), played.ledger.texts.in]).toEqual([[], [], 0]);
  });
});

describe("the number of a channel", () => {
  it("may be missing: its events have none", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 5m, register: { of: clinic } }
  - { at: 10m, claim: { of: clinic, phone: none } }
${texts("20m", "hello")}`);
    expect(played.events.map(({ fields }) => fields["relayer_phone"])).toEqual([""]);
  });
});
