import { describe, expect, it } from "vitest";
import { fellBehindText, renderSummary, type RunResult } from "../../src/report/index.js";
import { good } from "./samples.js";

/** The summary of the sample run with changes, as lines of 80 columns. */
function linesOf(changes: Partial<RunResult>): string[] {
  const lines = renderSummary({ ...good, ...changes }, { colour: false, width: 80 }).split("\n");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  return lines;
}

const late = {
  fellBehind: true,
  lateShare: 0.042,
  seconds: 300,
  lateSeconds: 12,
  worst: { atS: 133, latenessMs: 1812 },
};

it("the summary counts HTTP calls of flows, if there are any", () => {
  expect(linesOf({}).filter((line) => line.startsWith("Flows"))).toEqual([]);
  const flowLine = (answered: number, failed: number): string | undefined =>
    linesOf({ flowCalls: { answered, failed } }).find((line) => line.startsWith("Flows"));
  expect(flowLine(1, 0)).toMatch(/^Flows +1 HTTP call of flows, none failed$/);
  expect(flowLine(1200, 3)).toMatch(/^Flows +1,200 HTTP calls of flows, 3 failed$/);
});

describe("the measures in the summary", () => {
  it("begins with the bound that stopped the run, then the missed schedule", () => {
    const [, , ...lines] = linesOf({
      fellBehind: true,
      warnings: [fellBehindText(late) ?? "", "something else"],
      problems: ["stopped by 'failures < 1% over 10s' at 14 s of virtual time"],
      expectations: [
        {
          text: "failures < 1% over 10s",
          held: false,
          seen: "3% in the 10s up to 14s",
          metric: {
            name: "failures",
            op: "<",
            value: 0.01,
            unit: "share",
            seen: 0.03,
            overMs: 10_000,
            hasStopped: true,
          },
        },
      ],
    });
    expect(lines.slice(0, 6)).toEqual([
      "✘ stopped by failures < 1% over 10s, 1 of 1 expectation broken",
      "! the run fell behind its schedule: 4.2% of the attempts were made more than 100",
      "ms late, in 12 of 300 seconds, at worst by 1.8 s in second 134; delivery times",
      "include this delay, service times do not; the run's lateness does not explain",
      "what is broken",
      "! something else",
    ]);
  });

  it("does not mention a schedule that was kept", () => {
    expect(fellBehindText({ ...late, fellBehind: false })).toBeUndefined();
    expect(linesOf({ fellBehind: false })[2]).toBe("✔ 2 expectations held, everything is accounted for");
  });

  it("shows statuses unless all are 200, errors, and round trips", () => {
    const lines = linesOf({
      statuses: { "200": 21_622, "503": 12 },
      errors: { ETIMEDOUT: 2 },
      roundTripMs: { p50: 120, p95: 300, p99: 800, max: 1200 },
      roundTrips: { matched: 288, waiting: 12 },
    });
    expect(lines).toContain("  statuses    200 × 21,622 · 503 × 12");
    expect(lines).toContain("  errors      ETIMEDOUT 2");
    expect(lines.join("\n")).toContain(
      "  round trip  p50 120 ms · p95 300 ms · p99 800 ms · max 1.2 s · 12 of 300 texts\n              had no effect",
    );
    expect(linesOf({ statuses: { "404": 796 } })).toContain("  statuses    404 × 796");
    expect(linesOf({ statuses: { "200": 3 } }).join("\n")).not.toContain("statuses");
    expect(
      linesOf({
        roundTripVirtualMs: { p50: 5000, p95: 5000, p99: 5000, max: 5000 },
        roundTrips: { matched: 3, waiting: 0 },
      }).join("\n"),
    ).toContain("  round trip  virtual p50 5 s · p95 5 s · p99 5 s · max 5 s\n");
  });
});
