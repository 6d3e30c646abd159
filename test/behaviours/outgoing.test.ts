import { describe, expect, it } from "vitest";
import { clock, handset, play } from "./play.js";

/** While the link is down, 70 texts queue before the outcome of a message that was handed over before. */
const seventyTextsFirst = `
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m3s, network: { of: clinic, type: none, for: 117s } }
  - { at: 10m4s, every: 1s, times: 70, text: { from: ben, to: clinic, body: "t{n}" } }`;

describe("an offer", () => {
  it("of a message that the phone has is taken once", async () => {
    const played = await play(`
handsets: { clinic: ${handset(2024, { "sent-after": "60s" }, { faults: ["answer-late"] })} }
lasts: 40m
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m5s, every: 10s, times: 3, sync: { of: clinic, now: true } }
`);
    const offers = played.syncs.flatMap(({ answer }) =>
      answer.accepted ? answer.commands.filter(({ type }) => type === "send") : [],
    );
    expect(offers).toHaveLength(2);
    expect(played.heard()).toEqual(["0:11:07 hello"]);
    expect(played.ledger.texts).toMatchObject({ in: 1, copies: {}, delivered: 1 });
  });

  it("of a message known as sent is reported as sent again (D2)", async () => {
    const story = (reportsDelivery: string): string => `
carriers: { mtn: { delay: 2s, reports-after: 5s, reports-delivery: ${reportsDelivery} } }
handsets: { clinic: ${handset(2017, { "sent-after": "80s" })} }
lasts: 20m
story: ${seventyTextsFirst}
`;
    const sent = "0:13:53 mt_sent hello";
    const delivered = "0:13:53 mt_dlvd hello";
    const played = await play(story("100%"));
    expect(played.heard()).toEqual(["0:11:23 hello"]);
    // A sync at 0:12:53 carried 50 texts. It was offered the message, whose reports were behind them.
    expect(played.told("mt_sent", "mt_dlvd")).toEqual([sent, delivered, sent, delivered]);
    expect(played.events.flatMap(({ copy }) => copy?.cause ?? [])).toEqual(["offered-again", "offered-again"]);
    expect((await play(story("0%"))).told("mt_sent", "mt_dlvd")).toEqual([sent, sent]);
  });

  it("of a message known as failed makes a second row, which goes out", async () => {
    const played = await play(`
service: { preset: documented, mt-fail: true }
handsets: { clinic: ${handset(2017, { "retry-waits": ["70s"], "pack-limit": 2 })} }
lasts: 1h
story: ${seventyTextsFirst}
  - { at: 9m, sms-service: { of: clinic, state: generic-failure, for: 3m } }
`);
    expect(played.told("mt_fail", "mt_sent", "mt_dlvd")).toEqual([
      "0:13:53 mt_fail hello",
      "0:42:55 mt_sent hello",
      "0:43:02 mt_dlvd hello",
    ]);
    const { pending, retry } = played.syncs.find(({ atMs }) => clock(atMs) === "0:20:53")?.report.status ?? {};
    expect([pending?.length, retry]).toEqual([1, pending]);
    expect(played.ledger.texts).toMatchObject({ failed: 1, copies: { resent: 1 } });
  });
});

describe("the status of the phone", () => {
  it("lists what waits or is unanswered as pending, failed tries as retry", async () => {
    const played = await play(`
service: { preset: documented, wakes-silent: false }
handsets: { clinic: ${handset("plain", { "pack-limit": 2, "sent-after": "30s" }, { packs: 1 })} }
lasts: 1h
story:
  - { at: 9m, sms-service: { of: clinic, state: generic-failure, for: 90s } }
  - { at: 10m, send: { via: clinic, to: ada, body: one } }
  - { at: 10m35s, send: { via: clinic, to: ada, body: two } }
  - { at: 10m40s, send: { via: clinic, to: ada, body: three } }
  - { at: 10m45s, sync: { of: clinic, now: true } }
`);
    const [one, two, three] = [1_048_577, 1_048_578, 1_048_579];
    const listed = played.syncs.map(({ atMs, report: { status } }) => [clock(atMs), status.pending, status.retry]);
    expect(listed.slice(2, 6)).toEqual([
      ["0:10:36", [], [one]],
      ["0:10:41", [two], [one]],
      ["0:10:45", [three, two], [one]],
      ["0:11:06", [three], [one]],
    ]);
    expect(listed.at(-1)).toEqual(["0:58:51", [], []]);
    expect(played.statuses).toBe("DDD");
  });
});

describe("the 86.4 s rule", () => {
  const send = "  - { at: 10m, send: { via: clinic, to: ada, body: hello } }";

  it("reports a message as sent that the radio never sent", async () => {
    const played = await play(`
handsets: { clinic: ${handset(2017)} }
lasts: 1h
story:
  - { at: 10m, sms-service: { of: clinic, state: swallows } }
${send}
`);
    // Handed over at 0:10:01; passes come with the ticks at 0:10:53 and 0:11:53.
    expect(played.told()).toEqual(["0:11:53 mt_sent hello"]);
    expect(played.heard()).toEqual([]);
    expect(played.ledger.texts).toMatchObject({ delivered: 0, lost: { "early-sent": 1 } });
  });

  it("is followed by a second report when the true answer comes", async () => {
    const played = await play(`
handsets: { clinic: ${handset(2017, { "sent-after": "4m" })} }
lasts: 1h
story:
${send}
`);
    expect(played.told()).toEqual(["0:11:53 mt_sent hello", "0:14:01 mt_sent hello", "0:14:08 mt_dlvd hello"]);
    expect(played.heard()).toEqual(["0:14:03 hello"]);
  });

  it("is followed by retries and a failure if that is the answer (D6)", async () => {
    const played = await play(`
service: { preset: documented, mt-fail: true }
handsets: { clinic: ${handset(2017, { "failed-after": "4m" })} }
lasts: 6h
story:
  - { at: 10m, sms-service: { of: clinic, state: generic-failure } }
${send}
`);
    const told = played.told();
    // Each of the ten tries is reported as sent before the radio refuses it.
    expect(told.filter((line) => line.includes("mt_sent"))).toHaveLength(10);
    expect(told[0]).toBe("0:11:53 mt_sent hello");
    expect(told.at(-1)).toBe("2:34:53 mt_fail hello");
    expect(played.statuses).toBe("F");
  });

  it("counts from the message's creation, so it hits one that has waited", async () => {
    const played = await play(`
lasts: 1h
handsets: { clinic: ${handset(2017, { "pack-limit": 1, "pack-window": "10m", "sent-after": "70s" })} }
story:
${send}
  - { at: 10m, send: { via: clinic, to: ada, body: later } }
`);
    // The second is handed over at 0:20:53. A minute later, at the next tick, the radio has not answered yet.
    expect(played.told("mt_sent")).toEqual(["0:11:11 mt_sent hello", "0:21:53 mt_sent later", "0:22:03 mt_sent later"]);
    expect(played.heard()).toEqual(["0:11:13 hello", "0:22:05 later"]);
  });
});

describe("a text of several parts", () => {
  const parts = { a: "a".repeat(153), b: "b".repeat(153), c: "c".repeat(100) };

  it("is tried again whole when a part fails after others went out (D5)", async () => {
    const played = await play(`
handsets: { clinic: ${handset("plain", {}, { credit: 2 })} }
lasts: 1h
story:
  - { at: 10m, send: { via: clinic, to: ada, body: ${parts.a}${parts.b}${parts.c} } }
  - { at: 10m, expect: { person: ada, hears: "/^${parts.a}${parts.b}$/", within: 8s } }
  - { at: 10m30s, credit: { of: clinic, adds: 3 } }
  - { at: 11m10s, expect: { person: ada, hears: "/^${parts.a}${parts.b}${parts.c}$/", within: 4s } }
`);
    expect(played.all.totals.expectations.map(({ held }) => held)).toEqual([true, true]);
    expect(played.told("mt_sent")).toEqual([`0:11:11 mt_sent ${"a".repeat(19)}…`]);
    expect(played.ledger.texts).toMatchObject({ delivered: 2, copies: { "part-failed": 1 } });
  });

  it("waits for one delivery report, however many the network sends", async () => {
    const story = (faults: readonly string[]): string => `
carriers: { mtn: { delay: 2s, reports-after: 5s, reports-parts: true } }
handsets: { clinic: ${handset("plain", {}, { faults })} }
lasts: 1h
story:
  - { at: 10m, send: { via: clinic, to: ada, body: ${parts.a}${parts.b} } }
`;
    expect((await play(story([]))).told("mt_dlvd")).toHaveLength(1);
    expect((await play(story(["delivered-per-part"]))).told("mt_dlvd")).toHaveLength(2);
  });
});

describe("sent and delivered", () => {
  const send = "  - { at: 10m, send: { via: clinic, to: ada, body: hello } }";

  it("a text that the network loses after it was sent stays sent", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, loses: 100% } }
story:
${send}
`);
    expect(played.told()).toEqual(["0:10:03 mt_sent hello"]);
    expect([played.heard(), played.statuses]).toEqual([[], "S"]);
    expect(played.ledger.texts.lost).toEqual({ carrier: 1 });
  });

  it("without delivery reports a text stays sent for good", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, reports-delivery: 0% } }
story:
${send}
`);
    expect(played.told()).toEqual(["0:10:03 mt_sent hello"]);
    expect([played.heard(), played.statuses]).toEqual([["0:10:05 hello"], "S"]);
  });

  it("a delivery report may come at once and be false", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, loses: 100%, reports-early: 100% } }
story:
${send}
`);
    expect(played.told()).toEqual(["0:10:03 mt_sent hello", "0:10:03 mt_dlvd hello"]);
    expect([played.heard(), played.statuses]).toEqual([[], "D"]);
  });
});

describe("what the radio answers", () => {
  it("is treated alike, whichever refusal it is", async () => {
    for (const state of ["no-service", "radio-off", "generic-failure", "limit"]) {
      const played = await play(`
lasts: 1h
story:
  - { at: 10m, sms-service: { of: clinic, state: ${state}, for: 30s } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
      // No report of the failed try; the next one is a minute after it.
      expect(played.told()).toEqual(["0:11:03 mt_sent hello", "0:11:10 mt_dlvd hello"]);
    }
  });

  it("may be nothing: the text goes out and stays pending for good", async () => {
    const played = await play(`
carriers: { mtn: { delay: 2s, reports-delivery: 0% } }
lasts: 3d
story:
  - { at: 10m, sms-service: { of: clinic, state: silent, for: 1m } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
    expect(played.heard()).toEqual(["0:10:05 hello"]);
    expect(played.told()).toEqual([]);
    expect(played.syncs.at(-1)?.report.status.pending).toHaveLength(1);
    expect(played.statuses).toBe("Q");
  });
});
