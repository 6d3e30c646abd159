import { expect, it } from "vitest";
import { gatherFigures, resultOf } from "../../src/report/index.js";
import type { Figures } from "../../src/report/index.js";
import { recorded, recordedSound, receiverWithFault } from "./faulty.js";

function countOf({ failures }: Figures, kind: string): number {
  return failures.find((failure) => failure.kind === kind)?.count ?? 0;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

it("a receiver without a fault: every attempt is accepted, and there are no findings", async () => {
  const { recording, counted } = await recordedSound();
  const figures = gatherFigures(recording);
  expect(figures.attempts).toBe(counted.got);
  expect(figures.statuses).toEqual({ "200": counted.got });
  expect(sum(figures.perBucket.accepted)).toBe(counted.got);
  expect(figures.failures).toEqual([]);
  expect(figures.doubles).toEqual({ resent: 0, repeated: 0 });
  expect(figures.byGroup.map(({ name }) => name)).toEqual(["clinic", "school"]);
});

it("3 % answered with status 500: counted as the receiver counts them, with what it answered", async () => {
  const { url, counted } = await receiverWithFault((nth, response) => {
    if (nth % 33 !== 0) return false;
    response.writeHead(500, { "x-fault": "planted" }).end("</script>out of order");
    return true;
  });
  const figures = gatherFigures(await recorded(url));
  expect(figures.attempts).toBe(counted.got);
  expect(countOf(figures, "500")).toBe(counted.bad);
  expect(figures.statuses).toEqual({ "200": counted.got - counted.bad, "500": counted.bad });
  // It was answered, so it is not resent.
  expect(figures.doubles.resent).toBe(0);
  const [first] = figures.failed;
  expect(first).toMatchObject({ kind: "500", status: 500, answer: "</script>out of order" });
  expect(first?.answerHeaders).toContain("x-fault: planted");
  expect(first?.request).toContain("event=mo_sms");
});

it("connections lost before the answer: each is counted, and the receiver may get the retry twice", async () => {
  const { url, counted } = await receiverWithFault((nth, response) => {
    if (nth % 20 !== 0) return false;
    response.socket?.destroy();
    return true;
  });
  const recording = await recorded(url);
  const figures = gatherFigures(recording);
  expect(figures.attempts).toBe(counted.got);
  expect(sum(figures.failures.map(({ count }) => count))).toBe(counted.bad);
  expect(figures.failures.every(({ outcome }) => outcome === "connection")).toBe(true);
  // Without second tries, and without failures too late for a retry.
  expect(figures.doubles.resent).toBeGreaterThan(0);
  expect(figures.doubles.resent).toBeLessThanOrEqual(counted.bad);
  const resent = resultOf(recording).findings?.find(({ kind }) => kind === "resent");
  expect(resent?.text).toContain(`${figures.doubles.resent} attempt`);
});

it("connections closed within the answer are a separate kind", async () => {
  const { url, counted } = await receiverWithFault((nth, response) => {
    if (nth % 25 !== 0) return false;
    response.writeHead(200, { "content-length": "100" });
    response.write('{"half":', () => response.socket?.destroy());
    return true;
  });
  const figures = gatherFigures(await recorded(url));
  expect(figures.attempts).toBe(counted.got);
  expect(countOf(figures, "incomplete-answer")).toBe(counted.bad);
  expect(figures.failed[0]).toMatchObject({ status: null, answer: '{"half":' });
});

it("20 % stalled beyond the timeout: their latency is the time waited", async () => {
  const { url, counted } = await receiverWithFault((nth) => nth % 5 === 0);
  const figures = gatherFigures(await recorded(url, { set: ["lasts=3m", "story=[]"], pace: "max" }));
  expect(figures.attempts).toBe(counted.got);
  expect(countOf(figures, "timeout")).toBe(counted.bad);
  // A timer of 1 s can fire some milliseconds early: it counts from the last tick of the event loop.
  expect(figures.latencyMs.p95).toBeGreaterThanOrEqual(900);
  expect(figures.slowest[0]).toMatchObject({ outcome: "timeout", status: null, error: "ETIMEDOUT" });
  const above = figures.heat.rowsFromMs.findIndex((fromMs) => fromMs >= 600);
  const rows = figures.heat.rowsFromMs.length;
  const slow = figures.heat.counts.filter((_, at) => at % rows >= above);
  expect(sum(slow)).toBeGreaterThanOrEqual(counted.bad);
});

it("150 ms slower for a while: the report shows when, in the service time", async () => {
  let firstAt: number | undefined;
  const { url, counted } = await receiverWithFault((_nth, response) => {
    const now = performance.now();
    firstAt ??= now;
    if (now - firstAt < 1000 || now - firstAt > 2000) return false;
    setTimeout(() => response.end("{}"), 150);
    return true;
  });
  const figures = gatherFigures(await recorded(url, { pace: "300x" }));
  expect(figures.axis.kind).toBe("wall");
  expect(figures.attempts).toBe(counted.got);
  const { serviceP50 = [] } = figures.perBucket;
  const slow = serviceP50.flatMap((ms, bucket) => (ms !== null && ms >= 140 ? bucket * figures.axis.widthMs : []));
  // The axis begins with the run; the receiver's clock begins with its first request, a little later.
  expect(slow.filter((atMs) => atMs > 800 && atMs < 2800).length).toBeGreaterThanOrEqual(3);
  expect(sum(figures.perBucket.ended ?? [])).toBe(counted.got);
  expect(figures.perBucket.open?.at(-1)).toBe(0);
});

it("no listener, paced: attempts are placed at their due time although no request was written", async () => {
  const figures = gatherFigures(await recorded("http://127.0.0.1:9/", { pace: "600x" }));
  expect(figures.axis.kind).toBe("wall");
  expect(countOf(figures, "ECONNREFUSED")).toBe(figures.attempts);
  const used = figures.perBucket.attempts.filter((count) => count > 0).length;
  expect(used).toBeGreaterThan(figures.axis.count / 2);
});

it("equal texts to one person about different events are no doubles", async () => {
  const { url, counted } = await receiverWithFault((nth, response) => {
    if (nth > 2) return false;
    response.end(JSON.stringify({ phone: "+250781100001", text: "thank you" }));
    return true;
  });
  const recording = await recorded(url, { set: ["traffic.0.rate=300/m", "lasts=10m"] });
  expect(counted.bad).toBe(2);
  expect(resultOf(recording).doubles).toBe(0);
});

it("sampling the fleet does not affect the run", async () => {
  const { recording } = await recordedSound();
  const { fleet, marks } = gatherFigures(recording);
  expect(fleet.atMs).toHaveLength(301);
  expect(fleet.groups.map(({ name, handsets }) => [name, handsets])).toEqual([
    ["clinic", 5],
    ["school", 3],
  ]);
  const [clinic] = fleet.groups;
  const offlineAt = (atMs: number): number | undefined => clinic?.offline[fleet.atMs.findIndex((at) => at >= atMs)];
  expect([4, 6, 8].map((minute) => offlineAt(minute * 60_000))).toEqual([0, 2, 0]);
  expect(Math.max(...(clinic?.waiting ?? []))).toBeGreaterThan(0);
  expect(marks).toEqual([{ atMs: 300_000, kind: "cause", text: "network: of clinic/1..2, type none, for 2m" }]);
});
