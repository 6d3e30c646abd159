import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Outage, Outages } from "../../src/measure/index.js";
import { runs } from "../support/effort.js";

const url = "http://127.0.0.1:8080/events?key=1";

/** An attempt as a test writes it down: all times are wall milliseconds, and virtual time is the same. */
interface Written {
  readonly number: number;
  readonly sentMs: number;
  readonly endMs: number;
  /** A status, or an error code. */
  readonly end: number | string;
  readonly try?: number;
  readonly type?: string;
  /** Default: when it was sent. */
  readonly dueMs?: number;
}

function outagesOf(attempts: readonly Written[], to: string | ((number: number) => string) = url): Outages {
  const outages = new Outages();
  for (const { number, sentMs, endMs, end, try: tryNumber = 1, type = "mo_sms", dueMs = sentMs } of attempts) {
    const isRefused = end === "ECONNREFUSED";
    outages.recordAttempt(
      {
        channel: 1,
        number,
        try: tryNumber,
        dueAtMs: dueMs,
        outcome: typeof end === "number" ? "accepted" : end === "ETIMEDOUT" ? "timeout" : "connection",
        status: typeof end === "number" ? end : null,
        error: typeof end === "number" ? null : end,
        sentWallMs: isRefused ? null : sentMs,
        durationMs: endMs - sentMs,
        latencyMs: endMs - sentMs,
        latenessMs: 0,
        bodyBytes: 2,
      },
      { type, url: typeof to === "string" ? to : to(number) },
      endMs,
    );
  }
  return outages;
}

/** Answers of 5 ms, each 100 ms, from an instant on. */
function answers(from: number, count: number, first = from): Written[] {
  return Array.from({ length: count }, (_, index) => ({
    number: first + index,
    sentMs: from + 100 * index,
    endMs: from + 100 * index + 5,
    end: 200,
  }));
}

/** Refused connections, each 100 ms, from an instant on. */
function refused(from: number, count: number, first = from): Written[] {
  return Array.from({ length: count }, (_, index) => {
    const sentMs = from + 100 * index;
    return { number: first + index, sentMs, endMs: sentMs + 1, end: "ECONNREFUSED" };
  });
}

const ids = ({ underWay }: Outage): number[] => underWay.map(({ number }) => number);

describe("a receiver that dies", () => {
  it("is an outage until the end, with what was under way: what it had read first", () => {
    const [outage, ...more] = outagesOf([
      ...answers(0, 10),
      { number: 50, sentMs: 1000, endMs: 1030, end: "ECONNRESET" },
      { number: 51, sentMs: 1010, endMs: 1030, end: "no-answer", type: "mt_dlvd" },
      // Written after the connections broke: it was never under way.
      { number: 52, sentMs: 1031, endMs: 1032, end: "EPIPE" },
      ...refused(1100, 20),
    ]).list();
    expect(more).toEqual([]);
    expect(outage).toMatchObject({
      receiver: "http://127.0.0.1:8080",
      answers: 10,
      lastAnswerMs: 905,
      fromMs: 1030,
      untilMs: null,
      isAbsent: true,
      errors: { ECONNRESET: 1, "no-answer": 1, EPIPE: 1, ECONNREFUSED: 20 },
      underWayCount: 2,
    });
    expect(outage?.underWay).toEqual([
      { channel: 1, number: 51, type: "mt_dlvd", try: 1, isRead: true },
      { channel: 1, number: 50, type: "mo_sms", try: 1, isRead: false },
    ]);
  });

  it("in the middle of an answer had read the request", () => {
    const attempts: Written[] = [
      ...answers(0, 10),
      { number: 50, sentMs: 1000, endMs: 1030, end: "incomplete-answer" },
    ];
    const [outage] = outagesOf([...attempts, ...refused(1100, 20)]).list();
    expect(outage?.underWay).toMatchObject([{ number: 50, isRead: true }]);
  });

  it("while idle has nothing under way", () => {
    const [outage] = outagesOf([...answers(0, 3), ...refused(9000, 2)]).list();
    expect(outage).toMatchObject({ answers: 3, lastAnswerMs: 205, fromMs: 9001, underWay: [], underWayCount: 0 });
  });

  it("is no outage if it never answered", () => {
    expect(outagesOf(refused(0, 50)).list()).toEqual([]);
  });

  it("in lockstep: answers that take effect after the first failure, and came before it, are no return", () => {
    // One window: sent together, and reported in the order of virtual time.
    const attempts: Written[] = [
      ...answers(0, 5),
      { number: 10, sentMs: 1000, endMs: 1020, end: "no-answer" },
      { number: 11, sentMs: 1000, endMs: 1008, end: 200, dueMs: 1001 },
      { number: 12, sentMs: 0, endMs: 1021, end: "ECONNREFUSED", dueMs: 1002 },
      { number: 13, sentMs: 1001, endMs: 1009, end: 200, dueMs: 1003 },
      { number: 14, sentMs: 0, endMs: 1022, end: "ECONNREFUSED", dueMs: 1004 },
    ];
    const [outage, ...more] = outagesOf(attempts).list();
    expect(more).toEqual([]);
    expect(outage).toMatchObject({ fromMs: 1020, untilMs: null, underWayCount: 1 });
  });

  it("that shuts down in order answers what it has taken, and still is away once", () => {
    const found = outagesOf([
      ...answers(0, 5),
      ...refused(600, 1),
      // On a connection that was open before.
      { number: 70, sentMs: 650, endMs: 660, end: 200 },
      ...refused(700, 30),
    ]).list();
    expect(found).toMatchObject([{ untilMs: null, errors: { ECONNREFUSED: 31 } }]);
  });

  it("and is started again: away from the first failure to the first request that it answers", () => {
    const found = outagesOf([
      ...answers(0, 5),
      { number: 50, sentMs: 500, endMs: 520, end: "no-answer" },
      ...refused(600, 5),
      ...answers(2000, 30),
    ]).list();
    expect(found).toMatchObject([{ fromMs: 520, untilMs: 2005, underWayCount: 1 }]);
  });

  it("each time by the same event: each death has it under way", () => {
    const life = (at: number, tryNumber: number): Written[] => [
      ...answers(at, 5, at + 10),
      { number: 1, sentMs: at + 500, endMs: at + 520, end: "no-answer", try: tryNumber },
      ...refused(at + 600, 5, at + 100),
    ];
    const outages = outagesOf([...life(0, 1), ...life(10_000, 2), ...life(20_000, 3), ...answers(30_000, 5)]);
    expect(outages.list().map(ids)).toEqual([[1], [1], [1]]);
    expect(outages.list().map(({ untilMs }) => untilMs)).toEqual([10_005, 20_005, 30_005]);
    expect(outages.breakingEvents()).toEqual([{ channel: 1, number: 1, type: "mo_sms", tries: 3 }]);
  });

  it("again as soon as it is there, before it has answered: two outages", () => {
    const found = outagesOf([
      ...answers(0, 5),
      { number: 1, sentMs: 500, endMs: 520, end: "no-answer" },
      ...refused(600, 5),
      { number: 1, sentMs: 5000, endMs: 5020, end: "no-answer", try: 2 },
      ...refused(5100, 5),
    ]).list();
    expect(found.map(ids)).toEqual([[1], [1]]);
    expect(found).toMatchObject([{ untilMs: 5020 }, { untilMs: null }]);
  });

  it("of several receivers: each has its own outages", () => {
    const other = "http://127.0.0.1:8081/";
    const attempts = [...answers(0, 10), ...refused(1000, 5, 101), ...answers(1500, 5, 2)];
    const outages = outagesOf(attempts, (number) => (number > 100 && number < 200 ? url : other));
    expect(outages.list()).toEqual([]);
    const both = outagesOf(
      [...answers(0, 10, 1), ...answers(0, 10, 101), ...refused(1000, 5, 102), ...answers(1500, 5, 2)],
      (number) => (number > 100 ? url : other),
    );
    expect(both.list()).toMatchObject([{ receiver: "http://127.0.0.1:8080", answers: 10, untilMs: null }]);
    expect([...both.answers().keys()].toSorted()).toEqual(["http://127.0.0.1:8080", "http://127.0.0.1:8081"]);
  });
});

describe("a receiver that does not die", () => {
  it.each([
    ["closes some connections", "no-answer"],
    ["resets some connections", "ECONNRESET"],
    ["is late sometimes", "ETIMEDOUT"],
    ["answers no HTTP", "HPE_INVALID_CONSTANT"],
  ])("and %s has no outage", (_, end) => {
    const attempts = answers(0, 60).flatMap((one, index) =>
      index % 10 === 9 ? [one, { number: 900 + index, sentMs: one.sentMs + 1, endMs: one.sentMs + 50, end }] : [one],
    );
    expect(outagesOf(attempts).list()).toEqual([]);
  });

  it("cannot be accused of what this machine lacks", () => {
    const lacking = ["EMFILE", "EADDRNOTAVAIL", "ENOBUFS"].map((end, index) => {
      return { number: 300 + index, sentMs: 700, endMs: 701, end };
    });
    expect(outagesOf([...answers(0, 5), ...lacking]).list()).toEqual([]);
  });

  it("and only falls silent has stopped answering: one timeout after another until the end", () => {
    const late = (at: number, number: number): Written => ({ number, sentMs: at, endMs: at + 5000, end: "ETIMEDOUT" });
    const [outage, ...more] = outagesOf([...answers(0, 5), late(600, 1), late(700, 2), late(5800, 3)]).list();
    expect(more).toEqual([]);
    expect(outage).toMatchObject({ isAbsent: false, untilMs: null, underWayCount: 3 });
    // Timeouts of one moment at the end of a run may be a slow answer.
    expect(outagesOf([...answers(0, 5), late(600, 1), late(700, 2), late(800, 3)]).list()).toEqual([]);
    // It answered later: it was slow.
    expect(
      outagesOf([...answers(0, 5), late(600, 1), late(700, 2), late(5800, 3), ...answers(9000, 1)]).list(),
    ).toEqual([]);
  });
});

describe("whatever a receiver does", () => {
  /** A life: the spans in which the receiver is there, and the times at which requests are due. */
  const lives = fc.record({
    spans: fc.array(
      fc.record({ aliveMs: fc.integer({ min: 3000, max: 20_000 }), awayMs: fc.integer({ min: 500, max: 20_000 }) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    gapMs: fc.integer({ min: 20, max: 400 }),
    serviceMs: fc.integer({ min: 1, max: 300 }),
    isRead: fc.boolean(),
    endsAlive: fc.boolean(),
  });

  it("its outages are the spans without it in which attempts were made, and no others", () => {
    fc.assert(
      fc.property(lives, ({ spans, gapMs, serviceMs, isRead, endsAlive }) => {
        const away: { from: number; until: number }[] = [];
        let at = 0;
        for (const { aliveMs, awayMs } of spans) {
          away.push({ from: at + aliveMs, until: at + aliveMs + awayMs });
          at += aliveMs + awayMs;
        }
        const endMs = endsAlive ? at + 5000 : at;
        const attempts: Written[] = [];
        for (let sentMs = 1, number = 1; sentMs < endMs; sentMs += gapMs, number++) {
          const gone = away.find(({ from, until }) => sentMs < until && sentMs + serviceMs > from);
          if (gone === undefined) attempts.push({ number, sentMs, endMs: sentMs + serviceMs, end: 200 });
          else if (sentMs >= gone.from) attempts.push({ number, sentMs, endMs: sentMs + 1, end: "ECONNREFUSED" });
          else attempts.push({ number, sentMs, endMs: gone.from, end: isRead ? "no-answer" : "ECONNRESET" });
        }
        const isSeen = ({ from, until }: { from: number; until: number }): boolean =>
          attempts.some(({ sentMs, end }) => end === "ECONNREFUSED" && sentMs >= from && sentMs < until);
        const found = outagesOf(attempts.toSorted((a, b) => a.endMs - b.endMs)).list();
        const seen = away.filter(isSeen);
        expect(found.length).toBe(seen.length);
        found.forEach((outage, index) => {
          const { from, until } = seen[index] ?? { from: 0, until: 0 };
          const isLast = index === seen.length - 1 && !endsAlive;
          expect(outage.fromMs).toBeGreaterThanOrEqual(from);
          expect(outage.fromMs).toBeLessThanOrEqual(from + gapMs + 1);
          if (isLast) expect(outage.untilMs).toBeNull();
          else expect(outage.untilMs).toBeGreaterThanOrEqual(until);
          const underWay = attempts.filter(
            ({ sentMs, end }) => end !== 200 && sentMs < from && sentMs + serviceMs > from,
          );
          expect(outage.underWayCount).toBe(underWay.length);
        });
      }),
      { numRuns: runs(150) },
    );
  });

  it("one that is always there has none, however slow it is", () => {
    const requests = fc.array(fc.record({ sentMs: fc.nat(60_000), serviceMs: fc.integer({ min: 1, max: 4999 }) }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(requests, (all) => {
        const attempts = all
          .map(({ sentMs, serviceMs }, number) => ({ number, sentMs, endMs: sentMs + serviceMs, end: 200 }))
          .toSorted((a, b) => a.endMs - b.endMs);
        expect(outagesOf(attempts).list()).toEqual([]);
      }),
    );
  });
});
