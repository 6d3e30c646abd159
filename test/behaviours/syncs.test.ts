import { describe, expect, it } from "vitest";
import { type Behaviour, clock, handset, play } from "./play.js";

const asleep = "service: { preset: documented, wakes-silent: false }";
/** A phone that polls no more, so that each sync has a cause in the story. */
const still = { "poll-every": "1000h" };

describe("polls", () => {
  it("come each ten minutes, and wait for a network of any kind", async () => {
    const played = await play(`
${asleep}
lasts: 1h
story:
  - { at: 20m, network: { of: clinic, type: none, for: 25m } }
`);
    // Those of 0:28:51 and 0:38:51 become one when the link is back.
    expect(played.syncTimes()).toEqual(["0:08:51", "0:18:51", "0:45:10", "0:48:51", "0:58:51"]);
  });

  it("of 2017 sync each 5 minutes, each minute after a text or push", async () => {
    const played = await play(`
${asleep}
lasts: 3h
handsets: { clinic: ${handset(2017)} }
story:
  - { at: 30m30s, text: { from: ada, to: clinic, body: hello } }
  - { at: 1h30s, send: { via: clinic, to: ada, body: hello } }
`);
    const ticks = played.syncTimes().filter((time) => time.endsWith("53"));
    const minutes = ticks.map((time) => Number(time.slice(0, 1)) * 60 + Number(time.slice(2, 4)));
    const each = (from: number, to: number, by = 1): number[] =>
      Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
    // Quiet, 15 minutes after the text, quiet again, 90 minutes after the push, quiet.
    const expected = [each(0, 30, 5), each(31, 44), each(49, 59, 5), each(60, 149), each(154, 179, 5)];
    expect(minutes).toEqual(expected.flat());
  });
});

describe("a trigger", () => {
  it("that is forced syncs with nothing to tell", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 20m, text: { from: ada, to: clinic, body: hello } }
  - { at: 30m, sync: { of: clinic, now: true } }
  - { at: 40m, open: { of: clinic } }
`);
    const carried = played.syncs.map(({ atMs, report }) => `${clock(atMs)} ${report.reports.length}`);
    expect(carried).toEqual(["0:10:01 0", "0:10:03 1", "0:10:10 1", "0:20:02 1", "0:30:00 0", "0:40:00 0"]);
  });

  it("that is not forced does nothing with nothing to tell", async () => {
    const played = await play(`
${asleep}
lasts: 20m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 10m, reboot: { of: clinic, down: 1m } }
`);
    expect(played.syncTimes()).toEqual(["0:11:02"]);
  });

  it("during a sync becomes one more sync, however many come", async () => {
    const played = await play(`
${asleep}
lasts: 20m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 9m, network: { of: clinic, latency: 5s } }
  - { at: 10m, every: 1s, times: 8, sync: { of: clinic, now: true } }
`);
    expect(played.syncTimes()).toEqual(["0:10:05", "0:10:15"]);
  });

  it("is always forced on a phone that nobody has claimed", async () => {
    const story = (first: string): string => `
${asleep}
lasts: 30m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 5m, ${first} }
  - { at: 10m, reboot: { of: clinic, down: 1m } }
`;
    // The boot itself syncs, and the first poll does.
    expect((await play(story("register: { of: clinic }"))).syncTimes()).toEqual(["0:05:00", "0:11:00", "0:11:02"]);
    expect((await play(story("sync: { of: clinic, now: true }"))).syncTimes()).toEqual(["0:05:00", "0:11:02"]);
  });
});

describe("a backlog", () => {
  const backlog = (profile: string | number, more = ""): string => `
${asleep}
lasts: 1h
handsets: { clinic: ${handset(profile)} }
story:
  - { at: 9m, network: { of: clinic, type: none, for: 11m } }
  - { at: 10m, every: 1s, times: 170, text: { from: ada, to: clinic, body: "t{n}" } }
${more}`;
  const loads = ({ syncs }: Behaviour): string[] =>
    syncs
      .filter(({ report }) => report.reports.length > 10)
      .map(({ atMs, report }) => `${clock(atMs)} ${report.reports.length}`);

  it("drains by 50 a poll: each ten minutes, and each minute in 2017", async () => {
    // The request for a follow-up comes within 15 s of the last sync and is dropped.
    expect(loads(await play(backlog("plain")))).toEqual(["0:20:10 50", "0:28:51 50", "0:38:51 50", "0:48:51 20"]);
    expect(loads(await play(backlog(2017)))).toEqual(["0:20:53 50", "0:21:53 50", "0:22:53 50", "0:23:53 20"]);
  });

  it("drains by 50 each 15 s where texts come in meanwhile", async () => {
    const texts = `  - { at: 21m, every: 5s, times: 12, text: { from: ben, to: clinic, body: "b{n}" } }`;
    expect(loads(await play(backlog("plain", texts)))).toEqual([
      "0:20:10 50",
      "0:21:02 50",
      "0:21:17 50",
      "0:21:32 27",
    ]);
  });

  it("drains by 50 with each callback of the radio", async () => {
    const sends = `  - { at: 21m, every: 1ms, times: 3, send: { via: clinic, to: ben, body: "b{n}" } }`;
    expect(loads(await play(backlog("plain", sends)))).toEqual([
      "0:20:10 50",
      "0:21:01 50",
      "0:21:03 50",
      "0:21:05 23",
    ]);
  });

  it("of more than 10 reports is followed up after a sync of 15 s", async () => {
    const followed = async (texts: number, latency: string): Promise<string[]> =>
      (
        await play(`
${asleep}
lasts: 30m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 9m, network: { of: clinic, latency: ${latency} } }
  - { at: 9m, network: { of: clinic, type: none, for: 3m } }
  - { at: 10m, every: 1s, times: ${texts}, text: { from: ada, to: clinic, body: "t{n}" } }
`)
      ).syncTimes();
    expect(await followed(61, "10s")).toEqual(["0:12:20", "0:12:40"]);
    expect(await followed(60, "10s")).toEqual(["0:12:20"]);
    expect(await followed(61, "5s")).toEqual(["0:12:15"]);
  });
});

describe("a sync that fails", () => {
  const lostAnswer = (profile: string | number): string => `
${asleep}
lasts: 30m
handsets: { clinic: ${handset(profile, { ...still, "runs-at-poll": false })} }
story:
  - { at: 9m, sync: { of: clinic, loses: response } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
  - { at: 15m, sync: { of: clinic, now: true } }
`;

  it("times out after 120 s; apps of the field try the same body again", async () => {
    const { syncs, told } = await play(lostAnswer(2017));
    expect(told()).toEqual(["0:10:02 mo_sms hello", "0:12:02 mo_sms hello"]);
    expect(syncs[1]?.report.clockAtMs).toBe(syncs[0]?.report.clockAtMs);
    // The documented phone has one try: its reports wait for the next trigger.
    expect((await play(lostAnswer("plain"))).told()).toEqual(["0:10:02 mo_sms hello", "0:15:00 mo_sms hello"]);
  });

  it("on a slow link is stored and told again with each try (D1)", async () => {
    const played = await play(`
${asleep}
lasts: 30m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 9m, network: { of: clinic, latency: 70s, for: 20m } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
  - { at: 15m, sync: { of: clinic, now: true } }
`);
    expect(played.told()).toEqual(["0:11:12 mo_sms hello", "0:16:10 mo_sms hello"]);
    expect(played.ledger.texts.copies).toEqual({ "sync-timeout": 1 });
  });

  it("behind a captive portal reaches nobody, and nothing is doubled", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 10m, network: { of: clinic, portal: true, for: 20m } }
  - { at: 12m, every: 1m, times: 3, text: { from: ada, to: clinic, body: "t{n}" } }
  - { at: 15m, send: { via: clinic, to: ada, body: hello } }
`);
    expect(played.syncTimes().filter((time) => time > "0:10" && time < "0:30")).toEqual([]);
    expect(played.told("mo_sms")).toEqual(["0:30:10 mo_sms t1", "0:30:10 mo_sms t2", "0:30:10 mo_sms t3"]);
    expect([played.heard(), played.ledger.texts.copies]).toEqual([["0:30:14 hello"], {}]);
  });
});

it("the airplane toggle is on for 15 s, at most once in 10 minutes", async () => {
  const played = await play(`
${asleep}
lasts: 45m
handsets: { clinic: ${handset(2017, { "toggles-airplane": true })} }
story:
  - { at: 0s, every: 1s, note: look }
`);
  const inAirplane = played.all.looks.map(({ phones }) => [...phones.values()][0]?.conditions.airplane === true);
  const turns = played.all.looks.filter((_, index) => index > 0 && inAirplane[index] !== inAirplane[index - 1]);
  // No text has come for 20 minutes; ticks come at :53.
  expect(turns.map(({ atMs }) => clock(atMs))).toEqual([
    "0:20:54",
    "0:21:09",
    "0:30:54",
    "0:31:09",
    "0:40:54",
    "0:41:09",
  ]);
});

describe("version 2.1", () => {
  const late = { faults: ["answer-late"] };

  it("applies each answer one sync late, and posts its first sync twice", async () => {
    const played = await play(`
${asleep}
lasts: 30m
handsets: { clinic: ${handset(2024, {}, late)} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
    // The offer of 0:10:01 takes effect at the next poll.
    expect(played.syncTimes().slice(0, 4)).toEqual(["0:08:51", "0:08:51", "0:10:01", "0:18:51"]);
    expect(played.heard()).toEqual(["0:18:55 hello"]);
    expect(played.told("mt_sent").length).toBeGreaterThan(1);
  });

  it("loses the report of a failed sync by an ack of the sync before", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset(2024, { "repeats-sync": false, "flips-network": false }, late)} }
story:
  - { at: 10m, text: { from: ada, to: clinic, body: one } }
  - { at: 11m, sync: { of: clinic, now: true } }
  - { at: 12m, sync: { of: clinic, loses: request } }
  - { at: 12m, text: { from: ada, to: clinic, body: two } }
  - { at: 13m, text: { from: ada, to: clinic, body: three } }
`);
    expect(new Set(played.told("mo_sms").map((line) => line.split(" ")[2]))).toEqual(new Set(["one", "three"]));
    expect(played.ledger.texts.lost).toEqual({ "wrong-ack": 1 });
  });
});
