import { describe, expect, it } from "vitest";
import { clock, play } from "./play.js";

describe("a phone whose clock is off", () => {
  it("by up to 15 minutes is heard, and its times are wrong by as much", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 5m, clock: { of: clinic, skew: 15m } }
  - { at: 10m, text: { from: ada, to: clinic, body: ahead } }
  - { at: 15m, clock: { of: clinic, skew: -14m59s } }
  - { at: 20m, text: { from: ada, to: clinic, body: behind } }
`);
    expect(played.events.map(({ fields }) => [fields["text"], fields["time"]?.slice(11, 19)])).toEqual([
      ["ahead", "06:25:02"],
      ["behind", "06:05:03"],
    ]);
  });

  it("by more is refused and not seen; all comes when its clock is right", async () => {
    const played = await play(`
service: rapidpro-2016
lasts: 2h
story:
  - { at: 20m, clock: { of: clinic, skew: 15m1s } }
  - { at: 25m, every: 1s, times: 3, text: { from: ada, to: clinic, body: "t{n}" } }
  - { at: 1h, clock: { of: clinic, skew: 0s } }
`);
    const refused = played.syncs.filter(({ answer }) => !answer.accepted);
    expect([refused[0], refused.at(-1)].map((sync) => clock(sync?.atMs ?? 0))).toEqual(["0:25:02", "0:58:51"]);
    // Last seen at 0:18:51: the alarm of silence comes although the phone syncs every 10 minutes.
    expect(played.told()).toEqual([
      "0:50:00 alarm 100 % FUL",
      "1:08:51 mo_sms t1",
      "1:08:51 mo_sms t2",
      "1:08:51 mo_sms t3",
    ]);
    expect(played.ledger.texts).toMatchObject({ in: 3, delivered: 3, copies: {} });
  });

  it("by decades is refused too; its texts keep the time of 1970", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 10m, clock: { of: clinic, skew: -20516d } }
  - { at: 15m, text: { from: ada, to: clinic, body: hello } }
  - { at: 30m, clock: { of: clinic, skew: 0s } }
`);
    expect(played.told("mo_sms")).toEqual(["0:30:01 mo_sms hello"]);
    expect(played.events.find(({ type }) => type === "mo_sms")?.fields["time"]?.slice(0, 4)).toBe("1970");
  });

  it("by an hour tells all times an hour off, where the service lets it", async () => {
    const played = await play(`
service: { preset: documented, clock-window: 2h }
lasts: 1h
story:
  - { at: 5m, clock: { of: clinic, skew: 1h } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
`);
    expect(played.events[0]?.fields["time"]).toBe("2026-03-04T07:10:02.000");
  });
});
