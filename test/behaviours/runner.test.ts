import { describe, expect, it } from "vitest";
import { type Behaviour, handset, play } from "./play.js";

/** One message, and the radio refuses each try. Twice a minute the story looks at the phone. */
const failing = (profile: string | number): string => `
service: { preset: documented, mt-fail: true, wakes-silent: false }
handsets: { clinic: ${handset(profile, { "failed-after": "300ms" })} }
lasts: 4h
story:
  - { at: 10m, sms-service: { of: clinic, state: generic-failure } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m15s, every: 30s, note: look }
`;

/** Minutes between the tries of the one message, rounded to whole ones. The last try fails for good. */
function waitsOf({ all, events }: Behaviour): number[] {
  const messages = all.looks.flatMap(({ phones }) => [...phones.values()].flatMap(({ outbox }) => outbox.messages));
  const failedAtMs = messages.filter(({ state }) => state === "retry").map(({ changedAtMs }) => changedAtMs);
  const times = [...new Set(failedAtMs), events.find(({ type }) => type === "mt_fail")?.atMs ?? NaN];
  return times.slice(1).map((atMs, index) => Math.round((atMs - (times[index] ?? 0)) / 60_000));
}

describe("the retry ladder", () => {
  it("has ten tries in 103 minutes; the tenth failure is reported as failed", async () => {
    const played = await play(failing("plain"));
    expect(waitsOf(played)).toEqual([1, 1, 1, 5, 5, 15, 15, 30, 30]);
    // The first try was at 0:10:01, and each takes 0.3 s.
    expect(played.told()).toEqual(["1:53:04 mt_fail hello"]);
    expect([played.statuses, played.ledger.texts.failed]).toEqual(["F", 1]);
  });

  it("of 2017 waits for the runner, which runs each minute", async () => {
    const played = await play(failing(2017));
    expect(waitsOf(played)).toEqual([2, 2, 2, 6, 6, 16, 16, 31, 31]);
  });

  it("of 2024 waits for the ten-minute syncs", async () => {
    expect(waitsOf(await play(failing(2024)))).toEqual([10, 10, 10, 10, 10, 20, 20, 30, 30]);
  });
});

describe("the runner", () => {
  it("sends new messages, oldest first, before due retries", async () => {
    const played = await play(`
service: { preset: documented, wakes-silent: false }
handsets: { clinic: ${handset("plain", { "send-gap": "10s", "retries-on-time": false })} }
lasts: 1h
story:
  - { at: 10m, sms-service: { of: clinic, state: generic-failure, for: 50s } }
  - { at: 10m, send: { via: clinic, to: ada, body: first } }
  - { at: 12m, send: { via: clinic, to: ada, body: second } }
  - { at: 12m, send: { via: clinic, to: ada, body: third } }
`);
    expect(played.heard()).toEqual(["0:12:05 second", "0:12:15 third", "0:12:25 first"]);
  });

  it("runs on time, with each tick in 2017, after syncs only in 2024", async () => {
    const story = (profile: string | number): string => `
service: { preset: documented, wakes-silent: false }
handsets: { clinic: ${handset(profile)} }
lasts: 1h
story:
  - { at: 10m, sms-service: { of: clinic, state: generic-failure, for: 30s } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`;
    // The first try fails at 0:10:01, so the second is due at 0:11:01. Ticks come at :53, polls at 8:51 and 18:51.
    expect((await play(story("plain"))).heard()).toEqual(["0:11:05 hello"]);
    expect((await play(story(2017))).heard()).toEqual(["0:11:57 hello"]);
    expect((await play(story(2024))).heard()).toEqual(["0:18:55 hello"]);
  });
});

describe("the send limit", () => {
  const many = (profile: string | number, count: number, more: object = {}): string => `
lasts: 4h
handsets: { clinic: ${handset(profile, { "sent-after": "1s" }, more)} }
story:
  - { at: 10m, every: 1ms, times: ${count}, send: { via: clinic, to: ada, body: "m{n}" } }
`;

  it("of 2017 lets 29 texts out in 32 minutes, 54 in an hour", async () => {
    const heard = (await play(many(2017, 200))).heard();
    expect([1, 29, 30, 58, 59].map((number) => heard[number - 1])).toEqual([
      "0:10:04 m1",
      "0:10:32 m29",
      "0:42:56 m30",
      "0:43:24 m58",
      "1:14:56 m59",
    ]);
    const inThreeHours = heard.filter((line) => line < "3:10:04").length;
    expect(inThreeHours).toBe(6 * 29);
  });

  it("counts segments, so a text of 30 is never sent", async () => {
    const played = await play(`
lasts: 24h
handsets: { clinic: ${handset(2017)} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: ${"x".repeat(29 * 153 + 1)} } }
  - { at: 11m, send: { via: clinic, to: ben, body: ${"y".repeat(29 * 153)} } }
`);
    expect([played.heard("ada"), played.heard("ben")]).toEqual([[], ["0:12:01 yyyyyyyyyyyyyyyyyyy…"]]);
    expect(played.statuses).toBe("QD");
    expect(played.syncs.at(-1)?.report.status.pending).toHaveLength(1);
    expect(played.phone().outbox.messages).toMatchObject([{ segments: 30, state: "born", tries: 0 }]);
  });

  it("is that of each pack: 330 with eleven, as advertised", async () => {
    const heard = (await play(many("plain", 340, { packs: 11 }))).heard();
    expect(heard.filter((line) => line < "0:40")).toHaveLength(330);
  });

  it("of 2024-07 does not count the main app", async () => {
    const uncounted = (packs: number): object => ({ packs, faults: ["packs-uncounted"] });
    const alone = await play(many("plain", 40, uncounted(1)));
    expect([alone.heard(), alone.told()]).toEqual([[], []]);
    expect(alone.syncs.at(-1)?.report.status.pending).toHaveLength(40);
    const heard = (await play(many("plain", 310, uncounted(11)))).heard();
    expect(heard.filter((line) => line < "0:40")).toHaveLength(300);
  });

  it("is forgotten by a restart", async () => {
    const story = `${many(2017, 100)}  - { at: 15m, reboot: { of: clinic, down: 1m } }\n`;
    const heard = (await play(story)).heard();
    expect([29, 30, 58, 59].map((number) => heard[number - 1])).toEqual([
      "0:10:32 m29",
      "0:16:03 m30",
      "0:16:31 m58",
      "0:48:07 m59",
    ]);
  });
});
