import { describe, expect, it } from "vitest";
import { handset, play } from "./play.js";

const asleep = "service: { preset: documented, wakes-silent: false }";
const sends = (at: string, body: string): string =>
  `  - { at: ${at}, send: { via: clinic, to: ada, body: ${body} } }\n`;
const texts = (at: string, body: string): string =>
  `  - { at: ${at}, text: { from: ada, to: clinic, body: ${body} } }\n`;

describe("a pause", () => {
  it("stops syncs and sending; texts and callbacks are lost", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset(2017)} }
story:
${sends("10m", "one")}  - { at: 10m2s, pause: { of: clinic, for: 10m } }
${sends("12m", "two")}${texts("13m", "lost")}`);
    expect(played.syncTimes().filter((time) => time > "0:10:02" && time < "0:20")).toEqual([]);
    expect(played.heard()).toEqual(["0:10:05 one", "0:20:06 two"]);
    // The callback of the first came during the pause: 86.4 s later it counts as sent. So did its delivery report.
    expect(played.told()).toEqual(["0:20:02 mt_sent one", "0:20:04 mt_sent two", "0:20:11 mt_dlvd two"]);
    expect(played.ledger.texts).toMatchObject({ delivered: 2, lost: { paused: 1 } });
  });
});

describe("a reboot", () => {
  it("leaves an app since 1.9 to answer pushes only, until it is opened", async () => {
    const played = await play(`
${asleep}
lasts: 5h
handsets: { clinic: ${handset(2024, {}, { faults: ["unopened-after-reboot", "stale-after-reboot"] })} }
story:
  - { at: 1h, reboot: { of: clinic, down: 2m } }
${texts("2h", "t1")}${texts("2h1m", "t2")}${sends("2h10m", "hello")}${sends("2h20m", "second")}  - { at: 4h, open: { of: clinic } }
`);
    // It neither polls, reads nor sends. The push of the message is answered, so it is on the phone.
    expect(played.syncTimes().filter((time) => time > "1:00" && time < "4:00:00")).toEqual(["2:10:01", "2:20:01"]);
    expect(played.syncs.find(({ atMs }) => atMs > 8_400_000)?.report.status.pending).toHaveLength(1);
    expect(played.told("mo_sms", "mt_sent")).toEqual([
      "4:00:00 mo_sms t2",
      "4:00:00 mo_sms t1",
      "4:00:02 mt_sent hello",
      "4:00:04 mt_sent second",
    ]);
  });

  it("loses the radio's callbacks: 86.4 s later they count as sent", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset(2017, { "sent-after": "20s" })} }
story:
${sends("10m", "hello")}  - { at: 10m10s, reboot: { of: clinic, down: 1m } }
`);
    expect(played.told()).toEqual(["0:12:14 mt_sent hello"]);
    expect([played.heard(), played.ledger.texts.lost]).toEqual([[], { "early-sent": 1 }]);
  });

  it("loses the delivery reports of messages that were sent before it", async () => {
    const story = (reboot: string): string => `
${asleep}
carriers: { mtn: { delay: 2s, reports-after: 5m } }
lasts: 1h
handsets: { clinic: ${handset(2017)} }
story:
${sends("10m", "hello")}${reboot}`;
    expect((await play(story(""))).told()).toEqual(["0:10:03 mt_sent hello", "0:15:05 mt_dlvd hello"]);
    const reboot = "  - { at: 11m, reboot: { of: clinic, down: 1m } }\n";
    expect((await play(story(reboot))).told()).toEqual(["0:10:03 mt_sent hello"]);
  });
});

describe("a reset by the user", () => {
  const reset = (more: string): string => `
${asleep}
lasts: 2h
handsets: { clinic: ${handset("plain", { "sent-after": "20s" })} }
story:
${sends("10m", "onair")}${sends("10m", "waiting")}  - { at: 10m5s, network: { of: clinic, type: none, for: 19s } }
  - { at: 10m24s, reset: { of: clinic, down: 0s ${more} } }
`;

  it("empties the table: what was on air goes out again (D4)", async () => {
    const played = await play(reset(""));
    expect(played.heard()).toEqual(["0:10:23 onair", "0:19:13 onair", "0:19:33 waiting"]);
    expect(played.told("mt_sent")).toEqual(["0:19:11 mt_sent onair", "0:19:31 mt_sent waiting"]);
    expect(played.ledger.texts).toMatchObject({ in: 2, copies: { resent: 1 }, delivered: 3 });
  });

  it("releases the channel at a real service, whose queue fails", async () => {
    const played = await play(reset(", releases: true"));
    expect(played.syncs.map(({ report }) => report.reports.map(({ type }) => type))).toContainEqual(["reset"]);
    expect([played.heard(), played.statuses]).toEqual([["0:10:23 onair"], "FF"]);
    expect(played.ledger.texts.lost).toEqual({ released: 1 });
    expect(played.phone().registration).toEqual({ relayer: 1_000_001, org: null });
  });

  it("ends a pause", async () => {
    const story = (second: string): string => `
${asleep}
lasts: 2h
handsets: { clinic: ${handset("plain", { "poll-every": "1000h" })} }
story:
  - { at: 5m, pause: { of: clinic } }
  - { at: 10m, ${second} }
${texts("20m", "hello")}`;
    expect((await play(story("reset: { of: clinic, down: 0s }"))).told("mo_sms")).toEqual(["0:20:02 mo_sms hello"]);
    expect((await play(story("reboot: { of: clinic, down: 0s }"))).told("mo_sms")).toEqual([]);
  });
});

describe("an app whose process ends", () => {
  const killed = (profile: string | number, faults?: readonly string[]): string => `
${asleep}
lasts: 3h
handsets: { clinic: ${handset(profile, {}, faults === undefined ? {} : { faults })} }
story:
  - { at: 10m, kill: { of: clinic } }
${texts("20m", "hello")}  - { at: 21m, call: { from: ada, to: clinic, rings: 5s } }
${sends("1h", "wake")}  - { at: 2h, open: { of: clinic } }
`;

  it("does nothing; texts and calls wait until a push wakes an old one", async () => {
    const played = await play(killed(2017));
    expect(played.syncTimes().filter((time) => time > "0:10" && time < "1:00")).toEqual([]);
    expect(played.told("mo_sms", "mo_miss", "mt_sent")).toEqual([
      "1:00:01 mo_miss 0 s",
      "1:00:01 mo_sms hello",
      "1:00:03 mt_sent wake",
    ]);
    expect(played.ledger.texts.lost).toEqual({});
  });

  it("since 1.9 only syncs on a push, until somebody opens it", async () => {
    const played = await play(killed(2024, ["unopened-after-reboot", "stale-after-reboot"]));
    expect(played.syncTimes().filter((time) => time > "0:10" && time < "2:00:00")).toEqual(["1:00:01"]);
    expect(played.told("mo_sms", "mo_miss", "mt_sent")).toEqual([
      "2:00:00 mo_miss 0 s",
      "2:00:00 mo_sms hello",
      "2:00:02 mt_sent wake",
    ]);
  });

  it("by a crash or an upgrade starts again, with no tally of its sends", async () => {
    const story = (end: string): string => `
${asleep}
lasts: 20m
handsets: { clinic: ${handset(2017)} }
story:
  - { at: 8m, every: 1ms, times: 40, send: { via: clinic, to: ben, body: "m{n}" } }
  - { at: 10m, ${end} }
${texts("10m20s", "hello")}`;
    for (const end of ["crash: { of: clinic, down: 1m }", "upgrade: { of: clinic, down: 1m }"]) {
      const played = await play(story(end));
      expect(played.told("mo_sms")).toEqual(["0:11:00 mo_sms hello"]);
      expect(played.heard("ben")[29]).toBe("0:11:04 m30");
    }
    // A crash from which it does not recover: nothing more comes.
    const dead = await play(story("crash: { of: clinic }"));
    expect([dead.told("mo_sms"), dead.heard("ben").length]).toEqual([[], 29]);
  });
});

it("Doze puts polls and reports off to its windows, and not pushes", async () => {
  const played = await play(`
${asleep}
lasts: 6h
handsets: { clinic: ${handset(2024, { "doze-every": "1h" }, { faults: [] })} }
story:
  - { at: 1h, doze: { of: clinic, for: 4h } }
${texts("1h20m", "hello")}${sends("3h30m", "pushed")}`);
  const asleepTimes = played.syncTimes().filter((time) => time > "1:00:00" && time < "5:00:00");
  expect(asleepTimes).toEqual(["2:00:00", "3:00:00", "3:30:01", "4:00:00"]);
  expect(played.heard()).toEqual(["3:30:05 pushed"]);
  expect(played.told("mo_sms", "mt_sent")).toEqual(["2:00:00 mo_sms hello", "4:00:00 mt_sent pushed"]);
});

describe("a lost permission", () => {
  it("to read texts pauses the app: texts are lost, messages wait", async () => {
    const played = await play(`
${asleep}
lasts: 2h
story:
  - { at: 10m, permission: { of: clinic, lost: sms, for: 30m } }
${texts("20m", "hello")}${sends("20m", "later")}`);
    expect(played.ledger.texts).toMatchObject({ in: 2, delivered: 1, lost: { "no-permission": 1 } });
    expect([played.heard(), played.told("mo_sms")]).toEqual([["0:40:04 later"], []]);
  });

  it("to read the call log hides calls only, until it is back", async () => {
    const played = await play(`
${asleep}
lasts: 2h
story:
  - { at: 10m, permission: { of: clinic, lost: calls, for: 30m } }
  - { at: 20m, call: { from: ada, to: clinic, rings: 10s } }
${texts("21m", "hello")}  - { at: 50m, call: { from: ben, to: clinic, rings: 10s } }
`);
    expect(played.told()).toEqual(["0:21:02 mo_sms hello", "0:50:10 mo_miss 0 s", "0:50:10 mo_miss 0 s"]);
  });
});
