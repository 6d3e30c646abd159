import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCount, readableDuration, renderSummary, type RunResult } from "../../src/report/index.js";
import { account, empty, good } from "./samples.js";

const next = [
  { command: "handset events power-cut.db", about: "every event, a line each" },
  { command: "handset new mine.yaml", about: "begin a scenario of your own" },
];

function plainSummary(result: RunResult, width = 80): string {
  return renderSummary(result, { colour: false, width, next });
}

describe("the summary of a run", () => {
  it("shows verdict, events, receiver and ledger", () => {
    expect(plainSummary(good)).toMatchInlineSnapshot(`
      "Power cut in the district
      seed 7 · 40 handsets · 2,000 people · 3 h of virtual time in 9.1 s
      ✔ 2 expectations held, everything is accounted for

      Events        21,622
        mo_sms      21,600  a text came in
        mt_sent          1  a text went out
        mo_miss          1  a call came in and nobody answered
        alarm           20  a phone was silent or low on power

      Receiver      21,636  attempts to deliver an event
        accepted    21,622  the receiver took the event
        retried         12  answered with an error, to be tried again
        timeout          2  no answer in time
        delivery    p50 1.1 ms · p95 2 ms · p99 3.4 ms · max 19.2 ms
        replies     3 sent a text · 14 ignored (not-json 12, text-too-long 2)

      Where everything went
        texts       21,650 in + 2 copies = 21,602 delivered + 6 waiting + 44 lost
                    copies: lost-response 2
                    lost: carrier 40, paused 4
        calls       1 in = 1 delivered
        events      21,622 in = 21,622 delivered
        attempts    21,636 in = 21,622 delivered + 14 failed

      Expectations
        ✔ lost == 0
        ✔ delivery.p99 < 500ms (seen 3.4ms)

      Recording     power-cut.db
      Digest        3f2a91c0b7d4e5f6

      Next
        handset events power-cut.db  every event, a line each
        handset new mine.yaml        begin a scenario of your own
      "
    `);
  });

  it("names the model of a paced and of a max run", () => {
    expect(plainSummary({ ...good, model: "open" }, 120)).toContain(" · open model\n");
    expect(plainSummary({ ...good, model: "closed" }, 120)).toContain(" · closed model\n");
    expect(plainSummary(good)).not.toContain("model");
  });

  it("begins with what is wrong", () => {
    const bad: RunResult = {
      ...good,
      expectations: [
        { text: "alarms >= 1", held: true, seen: "20" },
        { text: "delivery.p99 < 500ms", held: false, seen: "812ms" },
        { text: "farmers/3 hears /back/ within 2m", held: false, seen: "" },
      ],
      problems: ["the receiver at http://127.0.0.1:8080/events went silent after 10 min; start it, or wait for it"],
      attempts: { accepted: 1, retried: 2, refused: 3, failed: 4, timeout: 5, connection: 6 },
      latenessMs: { p50: 0.2, p95: 1500, p99: 61_000, max: 3_600_000 },
      ledger: { ...good.ledger, events: account({ in: 10, delivered: 6, failed: 1, gap: 3 }) },
      lost: 3,
    };
    expect(plainSummary(bad)).toMatchInlineSnapshot(`
      "Power cut in the district
      seed 7 · 40 handsets · 2,000 people · 3 h of virtual time in 9.1 s
      ✘ 2 of 3 expectations broken, 1 problem, the ledger does not close
      ✘ 3 vanished without a cause: a defect of the lab, please report it
      ! 1 event was never accepted by the receiver

      Problems
        ✘ the receiver at http://127.0.0.1:8080/events went silent after 10 min; start
          it, or wait for it

      Expectations
        ✘ delivery.p99 < 500ms: broken, seen 812ms
        ✘ farmers/3 hears /back/ within 2m: broken, seen nothing
        ✔ alarms >= 1 (seen 20)

      Events        21,622
        mo_sms      21,600  a text came in
        mt_sent          1  a text went out
        mo_miss          1  a call came in and nobody answered
        alarm           20  a phone was silent or low on power

      Receiver          21  attempts to deliver an event
        accepted         1  the receiver took the event
        retried          2  answered with an error, to be tried again
        refused          3  turned down for good
        failed           4  answered with an error on the last try
        timeout          5  no answer in time
        connection       6  no connection, or it broke
        delivery    p50 1.1 ms · p95 2 ms · p99 3.4 ms · max 19.2 ms
        lateness    p50 0.2 ms · p95 1.5 s · p99 1 min 1 s · max 1 h
        replies     3 sent a text · 14 ignored (not-json 12, text-too-long 2)

      Where everything went
        texts       21,650 in + 2 copies = 21,602 delivered + 6 waiting + 44 lost
                    copies: lost-response 2
                    lost: carrier 40, paused 4
        calls       1 in = 1 delivered
        events      10 in = 6 delivered + 1 failed + 3 MISSING
                    ✘ 3 vanished without a cause
        attempts    21,636 in = 21,622 delivered + 14 failed

      Recording     power-cut.db
      Digest        3f2a91c0b7d4e5f6

      Next
        handset events power-cut.db  every event, a line each
        handset new mine.yaml        begin a scenario of your own
      "
    `);
  });

  it("is short for an empty run", () => {
    expect(renderSummary(empty, { colour: false, width: 80 })).toMatchInlineSnapshot(`
      "Silence
      seed 7 · 40 handsets · 2,000 people · 3 h of virtual time
      ✔ no expectation was set, everything is accounted for

      Events        none

      Receiver      nothing was sent

      Recording     none was kept
      Digest        3f2a91c0b7d4e5f6
      "
    `);
  });

  it("says that there was no receiver", () => {
    const unsent = { ...empty.ledger, events: account({ in: 5, lost: { "no-receiver": 5 } }) };
    expect(plainSummary({ ...empty, events: { mo_sms: 5 }, ledger: unsent })).toContain(
      "Receiver      none: events were recorded and sent nowhere\n",
    );
  });

  it("has no latency if there was no answer", () => {
    const refused = { ...empty, attempts: { ...empty.attempts, connection: 4 } };
    expect(plainSummary(refused)).not.toContain("latency");
  });

  it("fits a narrow terminal", () => {
    const wide = {
      ...good,
      name: "你好 மழை 🎉 and a very long name that continues",
      events: { ussd_session_ended: 12_345_678 },
    };
    expect(plainSummary(wide, 40)).toMatchInlineSnapshot(`
      "你好 மழை 🎉 and a very long name that
      continues
      seed 7 · 40 handsets · 2,000 people · 3
      h of virtual time in 9.1 s
      ✔ 2 expectations held, everything is
      accounted for

      Events           12,345,678
        ussd_session…  12,345,678

      Receiver             21,636  attempts t…
        accepted           21,622  the receiv…
        retried                12  answered w…
        timeout                 2  no answer …
        delivery       p50 1.1 ms · p95 2 ms ·
                       p99 3.4 ms · max 19.2
                       ms
        replies        3 sent a text · 14
                       ignored (not-json 12,
                       text-too-long 2)

      Where everything went
        texts          21,650 in + 2 copies =
                       21,602 delivered + 6
                       waiting + 44 lost
                       copies: lost-response 2
                       lost: carrier 40,
                       paused 4
        calls          1 in = 1 delivered
        events         21,622 in = 21,622
                       delivered
        attempts       21,636 in = 21,622
                       delivered + 14 failed

      Expectations
        ✔ lost == 0
        ✔ delivery.p99 < 500ms (seen 3.4ms)

      Recording        power-cut.db
      Digest           3f2a91c0b7d4e5f6

      Next
        handset events power-cut.db
            every event, a line each
        handset new mine.yaml
            begin a scenario of your own
      "
    `);
  });

  it("has the same text with and without colour", () => {
    const coloured = renderSummary(good, { colour: true, width: 80, next });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(plainSummary(good));
  });

  it("escapes control sequences in external texts", () => {
    const evil = "\u001b[2J\u0007\r\nname\u202egnp.exe";
    const summary = plainSummary({
      ...good,
      name: evil,
      events: { [evil]: 3 },
      problems: [evil],
      expectations: [{ text: evil, held: false, seen: evil }],
      replies: { valid: 0, ignored: 1, reasons: { [evil]: 1 } },
      recording: evil,
    });
    // eslint-disable-next-line no-control-regex -- the test checks that they are gone
    expect(summary).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
  });

  it("is never wider than the terminal, and has no NaN or Infinity", () => {
    fc.assert(
      fc.property(anyResult, fc.integer({ min: 40, max: 200 }), (result, width) => {
        const summary = renderSummary(result, { colour: false, width, next });
        expect(summary).not.toMatch(/NaN|undefined|Infinity|\[object/u);
        for (const line of summary.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

const count = fc.oneof(fc.nat(3), fc.nat(), fc.nat(Number.MAX_SAFE_INTEGER));
/** ASCII, so a character is a column; without the words that the property searches. */
const text = fc.string({ maxLength: 100 }).map((drawn) => drawn.replaceAll(/NaN|undefined|Infinity|\[object/gu, ""));
const counts = fc.dictionary(text, count, { maxKeys: 4 });
const span = fc.double({ min: 0, max: 1e12, noNaN: true });
const percentiles = fc.record({ p50: span, p95: span, p99: span, max: span });
const anyAccount = fc.record({
  in: count,
  copies: counts,
  delivered: count,
  failed: count,
  queued: count,
  lost: counts,
  gap: fc.oneof(fc.constant(0), fc.integer()),
});
const anyResult: fc.Arbitrary<RunResult> = fc.record(
  {
    name: text,
    seed: fc.integer(),
    digest: fc.constant(good.digest),
    virtualMs: count,
    wallMs: span,
    cast: fc.record({ handsets: count, people: count }),
    events: counts,
    attempts: fc.record({
      accepted: count,
      retried: count,
      refused: count,
      failed: count,
      timeout: count,
      connection: count,
    }),
    replies: fc.record({ valid: count, ignored: count, reasons: counts }),
    latencyMs: percentiles,
    serviceMs: percentiles,
    latenessMs: percentiles,
    ledger: fc.record({ texts: anyAccount, calls: anyAccount, events: anyAccount, attempts: anyAccount }),
    lost: count,
    queued: count,
    alarms: count,
    expectations: fc.array(fc.record({ text, held: fc.boolean(), seen: text }), { maxLength: 4 }),
    recording: fc.option(text),
    problems: fc.array(text, { maxLength: 3 }),
  },
  {
    requiredKeys: [
      "name",
      "seed",
      "digest",
      "virtualMs",
      "wallMs",
      "events",
      "attempts",
      "replies",
      "latencyMs",
      "ledger",
      "lost",
      "queued",
      "alarms",
      "expectations",
      "recording",
      "problems",
    ],
  },
);

describe("number formats", () => {
  it.each([
    [0, "0 ms"],
    [0.004, "0 ms"],
    [0.35, "0.35 ms"],
    [1.14, "1.1 ms"],
    [19.2, "19.2 ms"],
    [812.4, "812 ms"],
    [999.4, "999 ms"],
    [999.6, "1 s"],
    [9120, "9.1 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min"],
    [125_000, "2 min 5 s"],
    [3_599_600, "1 h"],
    [5_400_000, "1 h 30 min"],
    [10_800_000, "3 h"],
    [86_399_000, "1 d"],
    [187_200_000, "2 d 4 h"],
  ])("%d ms is %s", (spanMs, written) => {
    expect(readableDuration(spanMs)).toBe(written);
  });

  it("groups digits", () => {
    expect(formatCount(21_600)).toBe("21,600");
  });
});

it("each expectation of the headline is listed, a held ledger.gap, too", () => {
  const gap = (held: boolean, seen: number): RunResult["expectations"] => {
    const metric = { name: "ledger.gap", op: "==", value: 0, unit: "count", seen } as const;
    return [{ text: "ledger.gap == 0", held, seen: String(seen), metric }];
  };
  const held = plainSummary({ ...good, expectations: gap(true, 0) });
  expect(held).toContain("✔ 1 expectation held");
  expect(held).toContain("Expectations\n  ✔ ledger.gap == 0\n");
  expect(plainSummary({ ...good, expectations: gap(false, 3), lost: 3 })).toContain(
    "✘ ledger.gap == 0: broken, seen 3",
  );
});
