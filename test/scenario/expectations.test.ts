import { describe, expect, it } from "vitest";
import { metricOf } from "../../src/measure/index.js";
import { type MetricExpectation, parseScenario } from "../../src/scenario/index.js";

/** The expectations of a scenario with these entries; `set`: of the command line. */
function read(entries: readonly string[], set: readonly string[] = []): readonly MetricExpectation[] {
  const text = [
    "lasts: 1h",
    'handsets: { clinic: { phone: "+250788000001" } }',
    ...(entries.length === 0 ? [] : ["expect:", ...entries.map((entry) => `  - ${entry}`)]),
  ].join("\n");
  const { scenario, diagnostics } = parseScenario(text, { file: "test.yaml", nowMs: 0, set });
  expect(diagnostics).toEqual([]);
  return scenario?.expect ?? [];
}

describe("expectations", () => {
  it.each<[string, Partial<MetricExpectation>]>([
    ["ledger.gap == 0", { metric: "ledger.gap", op: "==", value: 0 }],
    ["delivery.p99.9<1.5s", { metric: "delivery.p99.9", op: "<", value: 1500 }],
    ["roundtrip.mean <= 2s", { metric: "roundtrip.mean", value: 2000 }],
    ["service.count > 10", { metric: "service.count", value: 10 }],
    ["failures < 1%", { metric: "failures", value: 0.01 }],
    ["events.rate >= 300/m", { metric: "events.rate", value: 5 }],
    ["accepted.rate >= 1.5/s", { metric: "accepted.rate", value: 1.5 }],
    ["bytes.out < 1.5MB", { metric: "bytes.out", value: 1_500_000 }],
    ["statuses.5xx == 0", { metric: "statuses.5xx" }],
    ["errors.no-answer == 0", { metric: "errors.no-answer" }],
    ["attempts{group=clinic} > 3", { metric: "attempts", tags: { group: "clinic" } }],
    ['"delivery.p50 {type: mo_sms, group: clinic} < 5ms"', { tags: { type: "mo_sms", group: "clinic" }, value: 5 }],
    ["failures < 1% over 10s from 30s abort", { overMs: 10_000, fromMs: 30_000, abort: true, value: 0.01 }],
    ["timeouts < 3 abort", { abort: true }],
    ["trend < 20ms", { metric: "trend", value: 20 }],
    ["reordered == 0 abort", { metric: "reordered", value: 0, abort: true }],
    ["service.min > 1ms abort", { abort: true }],
  ])("%s", (entry, wanted) => {
    const [one] = read([entry]);
    expect(one).toMatchObject(wanted);
    expect(one?.text).toBe(entry.replaceAll('"', ""));
  });

  it("a map says the same as a line", () => {
    const [map, line] = read([
      "{ that: failures < 1%, over: 90s, from: 5s, abort: true }",
      "failures < 1% over 1m30s from 5s abort",
    ]);
    expect({ ...map, text: "" }).toEqual({ ...line, text: "" });
    expect(map?.text).toBe("failures < 1% over 1m30s from 5s");
  });

  it("the command line adds to what is there, or begins", () => {
    const added = "expect.+='delivery.p99 < 500ms'";
    expect(read(["ledger.gap == 0"], [added, "expect.+=queued == 0"]).map(({ text }) => text)).toEqual([
      "ledger.gap == 0",
      "delivery.p99 < 500ms",
      "queued == 0",
    ]);
    const broken = parseScenario('lasts: 1h\nhandsets: { clinic: { phone: "+250788000001" } }', {
      file: "test.yaml",
      nowMs: 0,
      set: ["seed=2", "expect.+='delivry.p99 < 5ms'"],
    });
    expect(broken.diagnostics).toMatchObject([
      { code: "unknown-metric", file: "--set", line: 2, column: 11, length: 11 },
    ]);
    expect(read([], [added]).map(({ text }) => text)).toEqual(["delivery.p99 < 500ms"]);
  });
});

it("latency is an alias of delivery, and a misspelt one never suggests lateness", () => {
  expect(read(["latency.p99 < 500ms"])).toMatchObject([{ value: 500 }]);
  expect(metricOf("latency.p99")).toMatchObject({ name: "delivery.p99" });
  for (const name of ["latncy.p99", "latecy.p99", "latenc.p99", "latencies.p99"]) {
    const text = `handsets: { a: { count: 1, phone: "+250788000001" } }\nlasts: 1h\nexpect: ["${name} < 500ms"]\n`;
    const { diagnostics } = parseScenario(text, { file: "day.yaml", nowMs: 0 });
    const reported = diagnostics.find(({ code }) => code === "unknown-metric");
    expect(reported, name).toBeDefined();
    expect(reported?.hint, name).not.toMatch(/did you mean '(?!delivery\.)/);
  }
});
