import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRecording } from "../../src/index.js";
import {
  compareRecordings,
  type Finding,
  readFailIf,
  renderComparison,
  renderComparisonHtml,
  renderSummary,
  reportFormats,
  resultOf,
} from "../../src/report/index.js";
import type { RecordingReader } from "../../src/store/index.js";
import { play, receiverThat, smallDay } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { randomNumbers } from "../support/random.js";
import { hostSeconds } from "./busy-machine.js";
import { recorded, recordedSound, receiverWithFault } from "./faulty.js";
import { type Planned, writtenRun } from "./written.js";

it("two lockstep runs of one seed: the same events", async () => {
  const { url } = await receiverWithFault(() => false);
  const comparison = compareRecordings((await recordedSound()).recording, await recorded(url));
  expect(comparison).toMatchObject({ isSame: true, difference: undefined, cautions: [] });
  expect(comparison.rows.filter(({ section }) => section !== "latency" && section !== "types")).toSatisfy(
    (rows: { change: string }[]) => rows.every(({ change }) => change === "same"),
  );
});

it("another story: the first differing event, on both sides", async () => {
  const { url } = await receiverWithFault(() => false);
  const other = await recorded(url, { set: ["story.0.at=6m"] });
  const { isSame, difference, attempt, cautions } = compareRecordings((await recordedSound()).recording, other);
  expect(isSame).toBe(false);
  expect(difference?.after).toBeGreaterThan(50);
  // Both days are equal up to the fifth minute.
  expect(difference?.one?.atMs).toBeGreaterThan(300_000);
  expect(attempt).toBeNull();
  expect(cautions).toHaveLength(1);
  expect(cautions[0]).toContain("story.0.at=6m");
});

/** Plays a day whose texts get replies. @param breaksAt - the text whose connection is reset before its answer; 0: none */
async function answered(breaksAt: number): Promise<{ readonly reader: RecordingReader; readonly event: string }> {
  let texts = 0;
  let event = "";
  const { url } = await receiverThat((body, response, { headers, socket }) => {
    const { event: type, phone } = Object.fromEntries(new URLSearchParams(body));
    if (type === "mo_sms" && ++texts === breaksAt) {
      event = String(headers["x-handset-event"]);
      socket.resetAndDestroy();
    } else response.end(type === "mo_sms" ? JSON.stringify({ urn: [`tel:${phone}`], text: "welcome" }) : "{}");
  });
  const recording = join(temporaryFolder(), "day.db");
  await play(smallDay.replace("lasts: 2h", "lasts: 30m\nreceiver: { marks: true }"), { receiver: url, recording });
  const reader = openRecording(recording);
  onTestFinished(() => reader.close());
  return { reader, event };
}

it("one reset connection: the summary says that the digest may differ, and the comparison names the attempt", async () => {
  const [sound, broken] = [await answered(0), await answered(20)];
  const note =
    /Digest [0-9a-f]{16} 1 attempt got no answer \(ECONNRESET 1\): a run in which it does may have another digest/;
  const summary = (reader: RecordingReader): string =>
    renderSummary(resultOf(reader), { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
  expect(summary(broken.reader)).toMatch(note);
  expect(summary(sound.reader)).not.toContain("another");
  const comparison = compareRecordings(sound.reader, broken.reader);
  expect(comparison).toMatchObject({
    isSame: false,
    attempt: { one: { outcome: "accepted", status: 200 }, other: { outcome: "connection", error: "ECONNRESET" } },
  });
  const text = renderComparison(comparison, { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
  expect(text).toContain(`The first attempt that ended differently: event ${broken.event}, attempt 1, due at `);
  expect(text).toContain(": accepted (200) before, connection (ECONNRESET) after. → handset why ");
});

it("a receiver that fails more often is significantly worse", async () => {
  const badly = await receiverWithFault((nth, response) => {
    if (nth % 5 !== 0) return false;
    response.writeHead(503).end();
    return true;
  });
  const comparison = compareRecordings((await recordedSound()).recording, await recorded(badly.url));
  expect(comparison.rows.find(({ name }) => name === "accepted")).toMatchObject({ change: "worse", isUnsure: false });
  const text = renderComparison(comparison, { colour: false, width: 80 });
  expect(text).toMatch(/accepted +100 % +80(\.\d)? % +x 0\.80 +▼ worse\n/);
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(renderComparisonHtml(comparison)).toContain("▼ worse");
});

it("differing options are listed one by one, except the receiver", async () => {
  const other = await receiverWithFault(() => false);
  const { cautions } = compareRecordings(
    (await recordedSound()).recording,
    await recorded(other.url, { connections: 7 }),
  );
  expect(cautions).toEqual(["the option connections differs: none before, 7 after"]);
});

/** A minute of a receiver that answers in a few milliseconds, with random times from `seed`. */
function minute(seed: number, change: (planned: Planned) => Planned = (one) => one): Planned[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 1200 }, (_, index) => {
    // Occasional pauses make neighbouring attempts slow together.
    const pauseMs = random() < 0.01 ? 40 * random() : 0;
    return change({ dueMs: 50 * index, serviceMs: 8 - 3 * Math.log(1 - random()) + pauseMs });
  });
}

/** Attempts that are due during a stall wait until its end. */
function stalling(one: Planned): Planned {
  const leftMs = 400 - (one.dueMs % 5000);
  return leftMs > 0 ? { ...one, serviceMs: one.serviceMs + leftMs } : one;
}

it("a stall every 5 s: the tails are worse, and a new finding names the stalls with their period", () => {
  const comparison = compareRecordings(writtenRun(minute(1)), writtenRun(minute(2, stalling)));
  const { conclusion, findings } = comparison;
  expect(conclusion.state).toBe("worse");
  const told = conclusion.lines.join(" ");
  expect(told).toMatch(/delivery\.p95 is worse: \d+(\.\d)? ms before, [\d.]+ ms after/);
  expect(told).toContain("delivery.p99 is worse");
  expect(told).not.toContain("delivery.p50");
  expect(findings).toMatchObject({ added: [{ kind: "stalls" }], gone: [] });
  const text = renderComparison(comparison, { colour: false, width: 80 });
  expect(text).toContain("▼ Worse; 1 new finding\n");
  expect(text).toMatch(/\n {2}New: Stalls of about 4\d\d ms every 5\.0 s, 12 of them from 0:00:00 to 0:00:55:/);
  expect(text).toMatch(
    /\nExit code 0: for exit code 1 add --fail-if worse, --fail-if new-findings or\n--fail-if "[^"]*"\.\n$/,
  );
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(renderComparisonHtml(comparison)).toContain('<section class="verdict bad"');
});

it("delivery times of a machine that other programs kept busy accuse nobody, failures do", () => {
  const worse = readFailIf("worse");
  if ("message" in worse) throw new Error(worse.message);
  const host = hostSeconds([{ fromMs: 0, lengthMs: 120_000, othersPerCore: 10 }], 120_000);
  const slower = (one: Planned): Planned => ({ ...one, serviceMs: 20 * one.serviceMs });
  const [quiet, busy] = [writtenRun(minute(1)), writtenRun(minute(2, slower), { host })];
  for (const [before, after, word] of [
    [quiet, busy, "after"],
    [busy, quiet, "before"],
  ] as const) {
    const comparison = compareRecordings(before, after, { failIf: [worse] });
    expect(comparison.conclusion.state).toBe("not tested");
    expect(comparison.conclusion.lines.join()).toMatch(
      new RegExp(
        `^Delivery times lead to no conclusion: other programs kept this machine busy .* of the run ${word}\\.$`,
      ),
    );
    expect(comparison.rows.filter(({ section, isUnsure }) => section === "latency" && !isUnsure)).toEqual([]);
    expect(comparison.conditions).toMatchObject([{ hasFailed: true, seen: "not tested" }]);
  }
  const failing = (one: Planned): Planned => ({ ...slower(one), status: one.dueMs % 1000 < 300 ? 503 : 200 });
  const { conclusion } = compareRecordings(quiet, writtenRun(minute(2, failing), { host }));
  expect(conclusion.state).toBe("worse");
  expect(conclusion.lines).toEqual([
    expect.stringContaining("failures are worse"),
    expect.stringContaining("Delivery times lead to no conclusion"),
  ]);
});

it("runs of the same delivery times differ in nothing, also on a busy machine", () => {
  const host = hostSeconds([{ fromMs: 0, lengthMs: 120_000, othersPerCore: 10 }], 120_000);
  const { conclusion } = compareRecordings(writtenRun(minute(1)), writtenRun(minute(2), { host }));
  expect(conclusion.state).toBe("no difference found");
});

it("a fault that is gone on a busy machine is not better", () => {
  const host = hostSeconds([{ fromMs: 0, lengthMs: 120_000, othersPerCore: 10 }], 120_000);
  const comparison = compareRecordings(writtenRun(minute(1, stalling)), writtenRun(minute(2), { host }));
  expect(comparison.findings.gone).toMatchObject([{ kind: "stalls" }]);
  expect(comparison.conclusion.state).toBe("not tested");
});

it("a comparison has the findings of each run", () => {
  const [sound, stalled] = [writtenRun(minute(1)), writtenRun(minute(2, stalling))];
  const findingsOf = (recording: RecordingReader): readonly Finding[] => resultOf(recording).findings ?? [];
  expect(compareRecordings(sound, stalled).findings).toEqual({ added: findingsOf(stalled), gone: findingsOf(sound) });
  expect(compareRecordings(stalled, sound).findings).toEqual({ added: findingsOf(sound), gone: findingsOf(stalled) });
  expect(compareRecordings(stalled, stalled).findings).toEqual({ added: [], gone: [] });
  expect(renderComparison(compareRecordings(stalled, sound), { colour: false, width: 80 })).toContain(
    "No longer: Stalls",
  );
});

/** Answers twice as fast. */
const faster = (one: Planned): Planned => ({ ...one, serviceMs: one.serviceMs / 2 });

it("a receiver that is faster and stalls: not better, and it says which finding is new", () => {
  const worse = readFailIf("worse");
  if ("message" in worse) throw new Error(worse.message);
  // Short stalls every 5 s are too rare to move a percentile.
  const briefly = (one: Planned): Planned => {
    const leftMs = 250 - (one.dueMs % 5000);
    return leftMs > 0 ? { ...one, serviceMs: one.serviceMs + leftMs } : one;
  };
  const after = writtenRun(minute(2, (one) => briefly(faster(one))));
  const comparison = compareRecordings(writtenRun(minute(1)), after, { failIf: [worse] });
  const { conclusion, conditions, findings } = comparison;
  expect(findings.added).toMatchObject([{ kind: "stalls", weight: "bad" }]);
  expect(conclusion.state).toBe("worse and better");
  expect(conditions).toMatchObject([{ hasFailed: true, seen: "worse and better; new: stalls" }]);
  const text = renderComparison(comparison, { colour: false, width: 120 });
  expect(text).toContain("≠ Worse in some, better in others; 1 new finding; 1 of 1 condition of --fail-if met");
  expect(text).toContain("New: Stalls of about");
  expect(renderComparisonHtml(comparison)).toContain("≠ Worse in some, better in others; 1 new finding");
  const json = reportFormats.find(({ name }) => name === "json")?.comparison;
  expect(json?.(comparison, { colour: false, width: 80, note: () => {} })).toContain('"state":"worse and better"');
});

it("a new fault that the tests do not see is worse, also in runs that are too short to be tested", () => {
  const failing = (one: Planned, index: number): Planned => (index === 3 ? { ...one, status: 503 } : one);
  const few = minute(1).slice(0, 5);
  const stateOf = (before: Planned[], after: Planned[]): string =>
    compareRecordings(writtenRun(before), writtenRun(after)).conclusion.state;
  expect(stateOf(few, few.map(failing))).toBe("worse");
  expect(stateOf(few.map(failing), few)).toBe("not tested");
  expect(stateOf(minute(1), minute(1).map(failing))).toBe("worse");
  expect(stateOf(minute(1).map(failing), minute(1))).toBe("better");
});

it("a fault that is gone while the receiver became slower: worse and better", () => {
  const comparison = compareRecordings(writtenRun(minute(2, (one) => stalling(faster(one)))), writtenRun(minute(1)));
  expect(comparison.findings.gone).toMatchObject([{ kind: "stalls" }]);
  expect(comparison.conclusion.state).toBe("worse and better");
  expect(comparison.conclusion.lines.join(" ")).toContain("delivery.p50 is worse");
  expect(renderComparison(comparison, { colour: false, width: 80 })).toContain("; 1 finding is gone\n");
});

it("failures of another kind are a new finding, more of one kind are not", () => {
  const failing = (status: number, share: number) =>
    minute(1, (one) => (one.dueMs % 1000 < 1000 * share ? { ...one, status } : one));
  const added = (before: Planned[], after: Planned[]): (string | undefined)[] =>
    compareRecordings(writtenRun(before), writtenRun(after)).findings.added.map(({ of }) => of);
  expect(added(failing(503, 0.1), failing(500, 0.1))).toEqual(["500"]);
  expect(added(failing(503, 0.1), failing(503, 0.2))).toEqual([]);
});

it("failures in bursts are found as failures", () => {
  const failing = (one: Planned): Planned => (one.dueMs % 4000 < 400 ? { ...one, status: 503 } : one);
  const { conclusion } = compareRecordings(writtenRun(minute(1)), writtenRun(minute(2, failing)));
  expect(conclusion).toMatchObject({ state: "worse", lines: ["failures are worse: 0 % before, 10 % after."] });
});

it("the same receiver twice: rarely a difference, and the conclusion names the detectable changes", () => {
  const runs = Array.from({ length: 10 }, (_, seed) => {
    return [writtenRun(minute(2 * seed + 100)), writtenRun(minute(2 * seed + 101))] as const;
  });
  const states = runs.map(([before, after]) => compareRecordings(before, after).conclusion);
  expect(states.filter(({ state }) => state !== "no difference found").length).toBe(0);
  const quiet = states.find(({ state }) => state === "no difference found");
  expect(quiet?.lines.join()).toMatch(
    /^Changes from about p50 \d\.\d+x, p95 \d\.\d+x, p99 \d+(\.\d+)?x and failures by [\d.]+ % .* would have been found\.$/,
  );
});

it("runs that are too short are not tested", () => {
  const few = minute(1).slice(0, 5);
  expect(compareRecordings(writtenRun(few), writtenRun(few)).conclusion.state).toBe("not tested");
});

it.each([
  ["delivery.p95 > 1.2x", true],
  ["latency.p95 > +20%", true],
  ["delivery.p95 > 10s", false],
  ["delivery.p50 > 1.2x", false],
  ["failures > 1%", false],
  ["lateness.p99 > 100ms", false],
  ["reordered > 0", false],
  ["worse", true],
  ["new-findings", true],
])("--fail-if %s: %s", (text, hasFailed) => {
  const condition = readFailIf(text);
  if ("message" in condition) throw new Error(condition.message);
  const comparison = compareRecordings(writtenRun(minute(1)), writtenRun(minute(2, stalling)), { failIf: [condition] });
  expect(comparison.conditions).toMatchObject([{ text, hasFailed }]);
  const junit = reportFormats.find(({ name }) => name === "junit");
  const xml = junit?.comparison?.(comparison, { colour: false, width: 80, note: () => {} });
  expect(xml).toContain(`tests="2" failures="${hasFailed ? 1 : 0}"`);
});

it("--fail-if trend compares the growth of the service time", () => {
  const growing = (perRequestMs: number): Planned[] =>
    minute(1, (one) => ({ ...one, serviceMs: one.serviceMs + perRequestMs * (one.dueMs / 50) }));
  const failed = (text: string, planned: readonly Planned[]): boolean | undefined => {
    const condition = readFailIf(text);
    if ("message" in condition) throw new Error(condition.message);
    const comparison = compareRecordings(writtenRun(minute(1)), writtenRun(planned), { failIf: [condition] });
    return comparison.conditions[0]?.hasFailed;
  };
  expect(failed("trend > 20ms", growing(0.1))).toBe(true);
  expect(failed("trend > 20ms", minute(2))).toBe(false);
  expect(failed("new-findings", growing(0.1))).toBe(true);
});

it("--fail-if worse and new-findings pass if nothing is worse; worse fails if nothing was tested", () => {
  const failIf = ["worse", "new-findings"].map((text) => {
    const condition = readFailIf(text);
    if ("message" in condition) throw new Error(condition.message);
    return condition;
  });
  const failed = (planned: readonly [Planned[], Planned[]]): boolean[] => {
    const [before, after] = planned.map((one) => writtenRun(one)) as [RecordingReader, RecordingReader];
    return compareRecordings(before, after, { failIf }).conditions.map(({ hasFailed }) => hasFailed);
  };
  expect(failed([minute(1), minute(2)])).toEqual([false, false]);
  expect(failed([minute(2, stalling), minute(1)])).toEqual([false, false]);
  expect(failed([minute(1).slice(0, 5), minute(1).slice(0, 5)])).toEqual([true, false]);
});

it.each([
  ["delivery.p95", "is not a condition"],
  ["latenc.p99 > 1.2x", "is not a metric"],
  ["delivery.p99 > 5%", "is not a bound"],
])("--fail-if %s is refused with a hint", (text, message) => {
  const problem = readFailIf(text);
  expect("message" in problem ? problem : {}).toMatchObject({
    message: expect.stringContaining(message) as string,
    hint: expect.stringMatching(/write|one of/) as string,
  });
});
