import { describe, expect, it } from "vitest";
import { Spacing } from "../../src/measure/index.js";

/** An attempt that was due at an instant and written some milliseconds later. */
function attempt(dueMs: number, lateMs: number, tryNumber = 1): Parameters<Spacing["recordAttempt"]>[0] {
  const shared = { outcome: "accepted", status: 200, error: null, dueAtMs: dueMs, bodyBytes: 0 };
  return { ...shared, try: tryNumber, sentWallMs: dueMs + lateMs, durationMs: 3, latencyMs: 3 + lateMs, latenessMs: 0 };
}

function spacingOf(attempts: readonly ReturnType<typeof attempt>[]): NonNullable<ReturnType<Spacing["result"]>> {
  const spacing = new Spacing();
  for (const one of attempts) spacing.recordAttempt(one);
  const result = spacing.result();
  if (result === undefined) throw new Error("there is no spacing");
  return result;
}

describe("the spacing of a replay", () => {
  it("is how late requests were written, by percentile", () => {
    const result = spacingOf(
      Array.from({ length: 1000 }, (_, index) => attempt(index, index === 999 ? 50 : index < 980 ? 0.1 : 4)),
    );
    expect(result.p50).toBeCloseTo(0.1, 2);
    expect(result.p99).toBeCloseTo(4, 1);
    expect(result.p999).toBeCloseTo(4, 1);
  });

  it("drifts when lateness grows with time, and not by single late requests", () => {
    expect(spacingOf(Array.from({ length: 1000 }, (_, index) => attempt(index * 10, index * 0.02))).drift).toBeCloseTo(
      0.002,
      6,
    );
    const late = Array.from({ length: 1000 }, (_, index) => attempt(index * 10, index % 100 === 99 ? 30 : 0));
    expect(Math.abs(spacingOf(late).drift)).toBeLessThan(0.0002);
  });

  it("leaves out retries and requests that were never written", () => {
    const spacing = new Spacing();
    spacing.recordAttempt(attempt(0, 1000, 2));
    spacing.recordAttempt({ ...attempt(0, 5), sentWallMs: null });
    expect(spacing.result()).toBeUndefined();
  });
});
