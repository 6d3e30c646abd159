import { describe, expect, it } from "vitest";
import { Answers } from "../support/answers.js";
import { handset, persons, play } from "./play.js";

const threeTexts = `  - { at: 12m, every: 1m, times: 3, text: { from: ada, to: clinic, body: "t{n}" } }`;
const textsOf = (told: readonly string[]): string[] => told.map((line) => line.split(" ")[2] ?? "");

describe("a text", () => {
  it("of several parts arrives whole; the app's ancestor told each part", async () => {
    const story = (longTexts: string): string => `
carriers: { mtn: { delay: 2s, long-texts: ${longTexts} } }
lasts: 1h
story:
  - { at: 10m, text: { from: ada, to: clinic, body: ${"x".repeat(153)}${"y".repeat(153)} } }
`;
    const whole = await play(story("whole"));
    expect(whole.events.map(({ type, fields }) => [type, fields["text"]?.length])).toEqual([["mo_sms", 306]]);
    const parts = await play(story("parts"));
    expect(parts.events.map(({ type, fields }) => [type, fields["text"]?.length])).toEqual([
      ["mo_sms", 153],
      ["mo_sms", 153],
    ]);
  });

  it("is dated by the phone at its receipt, and told at once", async () => {
    const played = await play(`
lasts: 1h
story:
  - { at: 1s, clock: { of: clinic, skew: 3m } }
  - { at: 10m, text: { from: ada, to: clinic, body: hello } }
`);
    expect(played.told()).toEqual(["0:10:02 mo_sms hello"]);
    expect(played.events[0]?.fields["time"]).toBe("2026-03-04T06:13:02.000");
  });

  it("from a name or a short code is reported as it is", async () => {
    const played = await play(`
people: { operator: { sender: MTN, of: clinic }, code: { sender: "3636", of: clinic } }
lasts: 1h
story:
  - { at: 10m, text: { from: operator, to: clinic, body: your bundle is used up } }
  - { at: 11m, text: { from: code, to: clinic, body: vote } }
`);
    expect(played.events.map(({ fields }) => fields["phone"])).toEqual(["MTN", "3636"]);
  });

  it("from a bot that answers each reply makes a loop", async () => {
    const story = `
service: { preset: documented, reply-to-sender: true }
people: { bot: { sender: "3636", of: clinic, replies: { after: 10s, with: [not understood] } } }
lasts: 30m
story:
  - { at: 9m, receiver: { answers: reply } }
  - { at: 10m, text: { from: bot, to: clinic, body: hello } }
`;
    // A round takes 5 s to the receiver's answer, 3.3 s to the bot, 10 s to its answer and 4 s on the way.
    const rounds = (await play(story, { receiver: new Answers() })).told("mo_sms").length;
    expect(rounds).toBeGreaterThan(50);
    const without = story.replace(", replies: { after: 10s, with: [not understood] }", "");
    expect((await play(without, { receiver: new Answers() })).told("mo_sms")).toHaveLength(1);
  });

  it("without words, or without a sender, is acknowledged and dropped", async () => {
    const played = await play(`
people: { ada: { phone: "${persons.ada}" }, hidden: { phone: withheld, of: clinic } }
lasts: 1h
story:
  - { at: 10m, text: { from: ada, to: clinic, body: "" } }
  - { at: 11m, text: { from: hidden, to: clinic, body: hello } }
`);
    expect(played.told()).toEqual([]);
    expect(played.ledger.texts).toMatchObject({ queued: 0, lost: { "ignored-by-service": 1, withheld: 1 } });
    // Each was carried by one sync: it is not repeated.
    const carried = played.syncs.map(({ report }) => report.reports.length).filter((count) => count > 0);
    expect(carried).toEqual([1, 1]);
  });

  it("of more than 640 characters is cut by the service of 2016", async () => {
    const text = `  - { at: 10m, text: { from: ada, to: clinic, body: ${"x".repeat(700)} } }`;
    const lengthBy = async (service: string): Promise<number | undefined> =>
      (await play(`service: ${service}\nlasts: 1h\nstory:\n${text}\n`)).events[0]?.fields["text"]?.length;
    expect([await lengthBy("rapidpro-2016"), await lengthBy("documented")]).toEqual([640, 700]);
  });
});

describe("a backlog", () => {
  const backlog = (profile: string | number, outage: string): string => `
handsets: { clinic: ${handset(profile)} }
lasts: 1h
story:
  - { at: 10m, ${outage} }
${threeTexts}
`;

  it("of a phone that was off or without coverage is newest first (D9)", async () => {
    for (const outage of ["reboot: { of: clinic, down: 10m }", "coverage: { of: clinic, state: none, for: 10m }"]) {
      for (const profile of ["plain", 2017]) {
        const played = await play(backlog(profile, outage));
        expect(played.told()).toEqual(["0:20:10 mo_sms t3", "0:20:10 mo_sms t2", "0:20:10 mo_sms t1"]);
        expect(played.ledger.texts.lost).toEqual({});
      }
    }
  });

  it("of a phone that only had no data is oldest first in the field", async () => {
    const outage = "network: { of: clinic, type: none, for: 10m }";
    expect(textsOf((await play(backlog(2017, outage))).told())).toEqual(["t1", "t2", "t3"]);
    expect(textsOf((await play(backlog("plain", outage))).told())).toEqual(["t3", "t2", "t1"]);
  });

  it("that comes during a pause is never told", async () => {
    const story = `${backlog(2017, "pause: { of: clinic, for: 10m }")}  - { at: 25m, text: { from: ada, to: clinic, body: later } }\n`;
    const played = await play(story);
    expect(played.told()).toEqual(["0:25:02 mo_sms later"]);
    expect(played.ledger.texts).toMatchObject({ in: 4, delivered: 1, lost: { paused: 3 } });
  });
});

describe("the mark of the newest text read (D13)", () => {
  const played = (story: string): ReturnType<typeof play> =>
    play(`handsets: { clinic: ${handset(2017)} }\nlasts: 1h\nstory:\n${story}`);

  it("loses texts until a clock that was set back has caught up", async () => {
    const { ledger, told } = await played(`
  - { at: 10m, text: { from: ada, to: clinic, body: before } }
  - { at: 11m, clock: { of: clinic, skew: -5m } }
  - { at: 12m, every: 2m, times: 4, text: { from: ada, to: clinic, body: "t{n}" } }
`);
    // The mark is 10:02. By the phone's clock the four come at 7:02, 9:02, 11:02 and 13:02.
    expect(textsOf(told())).toEqual(["before", "t3", "t4"]);
    expect(ledger.texts.lost).toEqual({ "clock-mark": 2 });
  });

  it("loses texts until real time has reached a clock that was ahead", async () => {
    const { ledger, told } = await played(`
  - { at: 10m, clock: { of: clinic, skew: 10m } }
  - { at: 11m, text: { from: ada, to: clinic, body: before } }
  - { at: 12m, clock: { of: clinic, skew: 0s } }
  - { at: 13m, every: 3m, times: 4, text: { from: ada, to: clinic, body: "t{n}" } }
`);
    expect(textsOf(told())).toEqual(["before", "t4"]);
    expect(ledger.texts.lost).toEqual({ "clock-mark": 3 });
  });

  it("loses the second of two texts that come in one millisecond", async () => {
    const { ledger, told } = await played(`
  - { at: 10m, text: { from: ada, to: clinic, body: one } }
  - { at: 10m, text: { from: ben, to: clinic, body: two } }
`);
    expect(told()).toEqual(["0:10:02 mo_sms one"]);
    expect(ledger.texts.lost).toEqual({ "clock-mark": 1 });
  });
});
