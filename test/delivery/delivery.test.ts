import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Delivery } from "../../src/delivery/index.js";
import { Ledger } from "../../src/ledger/index.js";
import type { AttemptOutcome } from "../../src/measure/index.js";
import { Kernel } from "../../src/sim/index.js";
import { presetNames, type ServicePreset, statusIn } from "../../src/wire/index.js";
import { freePort, serveHttp } from "../support/server.js";
import { until } from "../support/until.js";
import { type Answer, type Effect, preset, Rig, scripted } from "./rig.js";
import { runs } from "../support/effort.js";

const HOUR = 3_600_000;

/** Plays one event whose attempts all get the same answer: outcomes and due times of the attempts, and how it ended. */
async function playEvent(
  answer: Answer,
  chosen: ServicePreset,
): Promise<{ tries: AttemptOutcome[]; end: string | undefined; times: number[] }> {
  const server = await scripted(() => ({ answer }));
  const rig = new Rig(server.url, { preset: chosen });
  rig.eventAt(1000, 1, 1);
  await rig.playUntil(HOUR);
  await rig.delivery.drain();
  const report = rig.close();
  expect(report.events).toMatchObject({ in: 1, queued: 0, gap: 0 });
  expect(report.attempts).toMatchObject({ in: rig.attempts.length, queued: 0, gap: 0 });
  return {
    tries: rig.attempts.map((attempt) => attempt.outcome),
    end: report.events.delivered === 1 ? "delivered" : report.events.failed === 1 ? "failed" : undefined,
    times: rig.attempts.map((attempt) => attempt.dueAtMs),
  };
}

describe("outcomes", () => {
  const four = (outcome: AttemptOutcome, last: AttemptOutcome): AttemptOutcome[] => [outcome, outcome, outcome, last];

  it.each([
    [200, ["accepted"], "delivered"],
    [201, ["accepted"], "delivered"],
    [202, ["refused"], "failed"],
    [204, ["refused"], "failed"],
    [302, ["refused"], "failed"],
    [401, ["refused"], "failed"],
    [404, ["refused"], "failed"],
    [503, ["refused"], "failed"],
    [400, four("retried", "failed"), "failed"],
    [500, four("retried", "failed"), "failed"],
    ["close", four("connection", "connection"), "failed"],
    ["hang", four("timeout", "timeout"), "failed"],
  ] as const)("documented: %s", async (answer, tries, end) => {
    const result = await playEvent(answer, preset("documented", { timeoutMs: answer === "hang" ? 50 : 5000 }));
    expect(result).toMatchObject({ tries, end });
    expect(result.times).toEqual([1000, 301_000, 601_000, 901_000].slice(0, tries.length));
  });

  it.each([
    [200, ["accepted"], "delivered"],
    [204, ["accepted"], "delivered"],
    [302, ["accepted"], "delivered"],
    [304, ["accepted"], "delivered"],
    [400, ["retried", "retried", "failed"], "failed"],
    [404, ["retried", "retried", "failed"], "failed"],
    [503, ["retried", "retried", "failed"], "failed"],
    ["close", ["connection", "connection", "connection"], "failed"],
  ] as const)("rapidpro-2016: %s", async (answer, tries, end) => {
    expect(await playEvent(answer, preset("rapidpro-2016"))).toMatchObject({ tries, end });
  });

  it("rapidpro-2016: redirects are followed, and the final answer counts", async () => {
    const server = await serveHttp((request, response) => {
      response.writeHead(request.url === "/" ? 302 : 500, { location: "/there" }).end();
    });
    const rig = new Rig(server.url, { preset: preset("rapidpro-2016", { attempts: 1 }) });
    rig.eventAt(0, 1, 1);
    await rig.playUntil(HOUR);
    expect(rig.attempts).toMatchObject([{ outcome: "failed", status: 500, redirects: [`${server.url}there`] }]);
  });

  it("the last wait of the preset repeats until the server recovers", async () => {
    const server = await scripted((_event, tryNumber) => ({ answer: tryNumber < 5 ? 500 : 200 }));
    const rig = new Rig(server.url, { preset: preset("documented", { attempts: 6, waitsMs: [10_000, 60_000] }) });
    rig.eventAt(0, 7, 1);
    await rig.playUntil(HOUR);
    expect(rig.attempts.map(({ dueAtMs, effectAtMs, try: number }) => [dueAtMs, effectAtMs, number])).toEqual([
      [0, 5000, 1],
      [10_000, 15_000, 2],
      [70_000, 75_000, 3],
      [130_000, 135_000, 4],
      [190_000, 195_000, 5],
    ]);
    expect(rig.effects.at(-1)).toEqual({ at: 195_000, event: "7/1", outcome: "accepted" });
    expect(rig.delivery.counts).toMatchObject({ accepted: 1, retried: 4, failed: 0 });
  });

  it.each([
    [3, [3, 4]],
    [4, [4]],
    [9, [9]], // more than the preset has: an earlier run had another preset
  ])("an event with attempts of an earlier run continues with attempt %i", async (first, tries) => {
    const server = await scripted(() => ({ answer: 500 }));
    const rig = new Rig(server.url);
    rig.ledger.in("events");
    rig.delivery.postEvent(
      { channel: 1, number: 1, type: "mo_sms", atMs: 0, url: server.url, body: "event=mo_sms" },
      { try: first },
    );
    await rig.playUntil(HOUR);
    expect(rig.attempts.map((attempt) => [attempt.try, attempt.dueAtMs])).toEqual(
      tries.map((one, index) => [one, index * 300_000]),
    );
    expect(rig.effects.at(-1)).toMatchObject({ event: "1/1", outcome: "failed" });
    expect(rig.close().events).toMatchObject({ in: 1, failed: 1, gap: 0 });
  });

  it("attempts follow the preset for any answers, and the ledger closes", async () => {
    const answers = fc.array(fc.constantFrom<Answer>(200, 201, 204, 400, 404, 500, 503, "close"), {
      minLength: 5,
      maxLength: 5,
    });
    const event = fc.record({ at: fc.integer({ min: 0, max: 20_000 }), answers });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...presetNames),
        fc.integer({ min: 1, max: 5 }),
        async (events, name, attempts) => {
          const chosen = preset(name, { attempts, waitsMs: [5000, 20_000], redirects: false });
          const server = await scripted((mark, tryNumber) => ({
            answer: events[Number(mark.split("/")[0]) - 1]?.answers[tryNumber - 1] ?? 418,
          }));
          const rig = new Rig(server.url, { preset: chosen });
          events.forEach(({ at }, index) => rig.eventAt(at, index + 1, 1));
          await rig.playUntil(HOUR);
          await server.close();
          const expected = events.flatMap(({ at, answers: given }, index) =>
            expectedAttempts({ at, channel: index + 1, given }, chosen),
          );
          const seen = rig.attempts.map(({ posting, try: number, dueAtMs, outcome }) => [
            posting.channel,
            number,
            dueAtMs,
            outcome,
          ]);
          expect(sortedLines(seen)).toEqual(sortedLines(expected));
          const report = rig.close();
          expect(report.events).toMatchObject({ in: events.length, queued: 0, gap: 0 });
          expect(report.attempts).toMatchObject({ in: expected.length, queued: 0, gap: 0 });
        },
      ),
      { numRuns: runs(12) },
    );
  });

  const sortedLines = (rows: readonly (readonly (number | string)[])[]): string[] =>
    rows.map((row) => row.join(" ")).toSorted((a, b) => (a < b ? -1 : 1));

  /** The expected attempts of an event: channel, try, due time, outcome. */
  function expectedAttempts(
    { at, channel, given }: { at: number; channel: number; given: readonly Answer[] },
    chosen: ServicePreset,
  ): (number | string)[][] {
    const rows: (number | string)[][] = [];
    let due = at;
    for (let number = 1; number <= chosen.attempts; number++) {
      const answer = given[number - 1] ?? 418;
      const isLast = number === chosen.attempts;
      const outcome =
        typeof answer === "string"
          ? "connection"
          : statusIn(chosen.accepted, answer)
            ? "accepted"
            : !statusIn(chosen.retried, answer)
              ? "refused"
              : isLast
                ? "failed"
                : "retried";
      rows.push([channel, number, due, outcome]);
      if (outcome === "accepted" || outcome === "refused") break;
      due += number === 1 ? 5000 : 20_000;
    }
    return rows;
  }
});

describe("lockstep", () => {
  it("outcomes take effect at the same times and in the same order, however fast the answers are", async () => {
    const play = async (slowness: number): Promise<readonly Effect[]> => {
      const server = await scripted((event, tryNumber) => {
        const [channel = 0, number = 0] = event.split("/").map(Number);
        return {
          answer: (channel + number + tryNumber) % 3 === 0 ? 500 : (number + tryNumber) % 7 === 0 ? 404 : 200,
          delayMs: ((channel * 7 + number * 13 + tryNumber) * slowness) % 23,
        };
      });
      const rig = new Rig(server.url, { preset: preset("documented", { waitsMs: [5000] }) });
      for (let number = 1; number <= 12; number++) {
        for (let channel = 4; channel >= 1; channel--) rig.eventAt(Math.floor(number / 4) * 700, channel, number);
      }
      await rig.playUntil(60_000);
      return rig.effects;
    };
    const [first, second, third] = [await play(0), await play(1), await play(17)];
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    const key = ({ at, event }: { at: number; event: string }): number[] => [at, ...event.split("/").map(Number)];
    const compare = (a: number[], b: number[]): number =>
      (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
    expect(first.map(key)).toEqual(first.map(key).toSorted(compare));
    expect(first.length).toBeGreaterThan(48);
  });

  it("the horizon is the earliest effect without an answer", async () => {
    const held = new Map<string, () => void>();
    const server = await serveHttp((request, response) => {
      held.set(String(request.headers["x-handset-event"]), () => response.end());
    });
    const rig = new Rig(server.url);
    expect(rig.delivery.horizonMs).toBe(Infinity);
    await rig.delivery.progress();
    rig.eventAt(0, 1, 1);
    rig.eventAt(100, 1, 2);
    rig.kernel.step();
    rig.kernel.step();
    expect(rig.delivery).toMatchObject({ horizonMs: 5000, inFlight: 2, waiting: 0 });
    await until(() => held.size === 2, "the server has both requests");
    held.get("1/2")?.();
    await rig.delivery.progress();
    expect(rig.delivery).toMatchObject({ horizonMs: 5000, inFlight: 1 });
    expect(() => rig.kernel.step()).toThrow(/stepped past 5000 ms/);
    held.get("1/1")?.();
    await rig.delivery.progress();
    expect(rig.delivery).toMatchObject({ horizonMs: Infinity, inFlight: 0 });
    expect(rig.delivery.census()).toEqual({ events: 2, attempts: 2 });
  });

  it("retry waits shorter than the lookahead are refused", () => {
    expect(() => new Rig("http://127.0.0.1/", { preset: preset("documented", { waitsMs: [4999] }) })).toThrow(
      RangeError,
    );
    expect(
      () => new Rig("http://127.0.0.1/", { preset: preset("documented", { waitsMs: [0], attempts: 1 }) }),
    ).not.toThrow();
  });

  it("drain applies attempts in flight in order, and leaves retries waiting", async () => {
    const server = await scripted((event) => ({
      answer: event === "1/1" ? 500 : 200,
      delayMs: event === "1/1" ? 60 : event === "2/1" ? 30 : 0,
    }));
    const rig = new Rig(server.url);
    rig.eventAt(10, 3, 1);
    rig.eventAt(10, 1, 1);
    rig.eventAt(10, 2, 1);
    rig.eventAt(0, 9, 1);
    await rig.playUntil(10);
    await rig.delivery.drain();
    expect(rig.effects.map(({ event }) => event)).toEqual(["9/1", "1/1", "2/1", "3/1"]);
    expect(rig.kernel.now).toBe(10);
    expect(rig.delivery.waiting).toBe(1);
    expect(rig.delivery.census()).toEqual({ events: 1, attempts: 0 });
    expect(rig.close()).toMatchObject({
      events: { in: 4, delivered: 3, queued: 1, gap: 0 },
      attempts: { in: 4, delivered: 3, failed: 1, queued: 0, gap: 0 },
    });
    await rig.delivery.drain();
  });
});

describe("wall times", () => {
  it("lockstep: latency is the duration of the exchange", async () => {
    const server = await scripted(() => ({ answer: 200, delayMs: 30 }));
    const rig = new Rig(server.url);
    rig.eventAt(0, 1, 1);
    await rig.playUntil(HOUR);
    const [attempt] = rig.attempts;
    expect(attempt?.latencyMs).toBe(attempt?.durationMs);
    expect(attempt?.durationMs).toBeGreaterThan(25);
    expect(rig.measured.service.count).toBe(1);
    expect(rig.measured.delivery.percentiles()).toEqual(rig.measured.service.percentiles());
    expect(rig.measured.lateness.count).toBe(0);
  });

  it("paced: an answer takes effect when it comes, and latency counts from the due time", async () => {
    const open: ServerResponse[] = [];
    const server = await serveHttp((_request, response) => void open.push(response));
    const startedMs = 1000;
    let wallMs = startedMs;
    let catchUps = 0;
    const rig: Rig = new Rig(server.url, {
      answersAfterMs: undefined,
      connections: 1,
      wall: () => wallMs,
      dueWallMs: (atMs) => startedMs + atMs,
      catchUp: () => {
        catchUps++;
        rig.kernel.advanceTo(wallMs - startedMs);
      },
    });
    for (let number = 1; number <= 4; number++) rig.eventAt(0, 1, number);
    while (rig.kernel.step());
    expect(rig.delivery).toMatchObject({ horizonMs: Infinity, inFlight: 4 });
    for (let answered = 1; answered <= 4; answered++) {
      await until(() => open.length === answered, "the server has the next request");
      wallMs += 30;
      open.at(-1)?.end();
      await until(() => rig.attempts.length === answered, "the attempt is answered");
    }
    await rig.delivery.drain();
    expect(catchUps).toBe(4);
    const measured = rig.attempts.map(({ latencyMs, durationMs, effectAtMs }) => [latencyMs, durationMs, effectAtMs]);
    expect(measured).toEqual([
      [30, 30, 30],
      [60, 30, 60],
      [90, 30, 90],
      [120, 30, 120],
    ]);
    const { delivery, service, lateness } = rig.measured;
    expect(delivery.percentiles().max).toBe(120);
    expect(service.percentiles().max).toBe(30);
    // They waited for the connection, not for the lab.
    expect(lateness).toMatchObject({ count: 4 });
    expect(lateness.percentiles().max).toBe(0);
  });

  it("paced: a retry whose due time has passed is made at once", async () => {
    const server = await scripted((_event, tryNumber) => ({ answer: tryNumber === 1 ? 500 : 200, delayMs: 5 }));
    const rig: Rig = new Rig(server.url, {
      preset: preset("documented", { waitsMs: [1000] }),
      answersAfterMs: undefined,
      catchUp: () => rig.kernel.advanceTo(rig.kernel.now + 60_000),
    });
    rig.eventAt(0, 1, 1);
    rig.kernel.step();
    await rig.delivery.progress();
    expect(rig.kernel.nextAtMs).toBe(60_000);
    expect(rig.delivery.waiting).toBe(1);
    rig.kernel.step();
    expect(rig.delivery.waiting).toBe(0);
    await rig.delivery.drain();
    expect(rig.attempts.map(({ dueAtMs, effectAtMs }) => [dueAtMs, effectAtMs])).toEqual([
      [0, 60_000],
      [60_000, 120_000],
    ]);
  });

  const throwDiskFull = (): never => {
    throw new Error("the disk is full");
  };

  it.each([
    ["lockstep", 5000],
    ["paced", undefined],
  ])(
    "%s: an error of `attempted` goes to `failed`, and other attempts still take effect",
    async (_pace, answersAfterMs) => {
      const server = await scripted(() => ({ answer: 200 }));
      const errors: unknown[] = [];
      const rig = new Rig(server.url, {
        answersAfterMs,
        ports: { attempted: throwDiskFull, failed: (error) => void errors.push(error) },
      });
      rig.eventAt(0, 1, 1);
      rig.eventAt(0, 1, 2);
      rig.kernel.run(1, 10);
      await rig.delivery.drain();
      expect(errors.map(String)).toEqual(["Error: the disk is full", "Error: the disk is full"]);
      expect(rig.close().attempts).toMatchObject({ in: 2, delivered: 2, gap: 0 });
    },
  );

  it("paced: an error of `catchUp` goes to `failed`", async () => {
    const server = await scripted(() => ({ answer: 200 }));
    const rig = new Rig(server.url, { answersAfterMs: undefined, catchUp: throwDiskFull });
    rig.eventAt(0, 1, 1);
    rig.kernel.step();
    await rig.delivery.progress();
    expect(rig.errors.map(String)).toEqual(["Error: the disk is full"]);
  });

  it("latency includes timeouts, and no broken connections", async () => {
    const server = await scripted((event) => ({ answer: event === "1/1" ? "hang" : "close" }));
    const rig = new Rig(server.url, { preset: preset("documented", { attempts: 1, timeoutMs: 60 }) });
    rig.eventAt(0, 1, 1);
    rig.eventAt(0, 2, 1);
    await rig.playUntil(HOUR);
    expect(rig.delivery.counts).toMatchObject({ timeout: 1, connection: 1 });
    expect(rig.measured.delivery.count).toBe(1);
    const timedOut = rig.attempts.find(({ outcome }) => outcome === "timeout");
    // The 60 ms include the time to connect, so the rest can be much shorter on a slow machine.
    expect(timedOut?.durationMs).toBeGreaterThan(0);
    expect(rig.measured.delivery.percentiles().max).toBe(timedOut?.durationMs);
  });
});

describe("Delivery", () => {
  it("knows whether there was a connection, and since when the receiver is silent", async () => {
    const dead = new Rig(`http://127.0.0.1:${await freePort()}/`, { preset: preset("documented", { attempts: 1 }) });
    dead.eventAt(0, 1, 1);
    const startedMs = performance.now();
    await dead.playUntil(HOUR);
    expect(dead.attempts).toMatchObject([{ outcome: "connection", error: "ECONNREFUSED" }]);
    expect(dead.delivery.hadConnection).toBe(false);
    expect(dead.delivery.silentSinceWallMs).toBeGreaterThanOrEqual(startedMs);

    const closing = await scripted((event) => ({ answer: event === "1/1" ? "close" : 500 }));
    const rig = new Rig(closing.url);
    rig.eventAt(0, 1, 1);
    rig.eventAt(10_000, 1, 2);
    await rig.playUntil(9000);
    expect(rig.delivery.hadConnection).toBe(true);
    expect(rig.delivery.silentSinceWallMs).toBeLessThan(performance.now());
    await rig.playUntil(20_000);
    expect(rig.delivery.silentSinceWallMs).toBeUndefined();
  });

  it("sends the headers with event, attempt and virtual time only with `marks`", async () => {
    const seen: (string | undefined)[][] = [];
    const server = await serveHttp((request, response) => {
      const { headers } = request;
      seen.push(
        ["x-handset-event", "x-handset-attempt", "x-handset-time"].map((name) => headers[name] as string | undefined),
      );
      response.writeHead(500).end();
    });
    for (const marks of [true, false]) {
      const rig = new Rig(server.url, { marks, preset: preset("documented", { attempts: 2 }) });
      rig.eventAt(1234, 31, 7);
      await rig.playUntil(HOUR);
    }
    expect(seen).toEqual([
      ["31/7", "1", "1234"],
      ["31/7", "2", "301234"],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("without a sender loses events by the cause `no-receiver`", () => {
    const ledger = new Ledger();
    const never = (): never => {
      throw new Error("an attempt was made");
    };
    const delivery = new Delivery({
      kernel: new Kernel(),
      sender: undefined,
      preset: preset("documented"),
      answersAfterMs: 5000,
      wall: () => 0,
      tally: ledger,
      marks: false,
      ports: { attempted: never, failed: never },
    });
    ledger.in("events");
    delivery.postEvent({ channel: 1, number: 1, type: "mo_sms", atMs: 0, url: "http://127.0.0.1/", body: "" });
    expect(delivery.census()).toEqual({ events: 0, attempts: 0 });
    expect(ledger.close({ texts: 0, calls: 0, events: 0, attempts: 0 }).events).toMatchObject({
      in: 1,
      lost: { "no-receiver": 1 },
      gap: 0,
    });
  });
});

it("a finished run leaves no connection open", async () => {
  const server = await scripted((event) => ({
    answer: event.endsWith("3") ? "hang" : event.endsWith("5") ? "close" : 200,
  }));
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith("TCPSocket")).length;
  const before = sockets();
  const rig = new Rig(server.url, { preset: preset("documented", { attempts: 1, timeoutMs: 80 }) });
  for (let number = 1; number <= 40; number++) rig.eventAt(number, 1, number);
  await rig.playUntil(HOUR);
  expect(rig.attempts).toHaveLength(40);
  // Kept connections are closed after a second without use.
  await until(() => server.open() === 0 && sockets() <= before, "all connections are closed");
});
