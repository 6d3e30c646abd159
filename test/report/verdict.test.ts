import { expect, it } from "vitest";
import {
  type Finding,
  renderHtml,
  renderJunit,
  renderSummary,
  reportFormats,
  resultOf,
  type RunResult,
  verdictOf,
  type VerdictState,
} from "../../src/report/index.js";
import type { HostMeasures } from "../../src/report/findings/index.js";
import type { RecordingReader } from "../../src/store/index.js";
import { good } from "./samples.js";
import { busySeconds, saturated, steady, writtenRun } from "./written.js";

const held = { text: "delivery.p99 < 500ms", held: true, seen: "5ms" };
const broken = { text: "delivery.p99 < 1ms", held: false, seen: "5ms" };

const runs: readonly (readonly [what: string, state: VerdictState, recording: () => RecordingReader])[] = [
  ["all held", "held", () => writtenRun(steady(50), { ends: { expectations: [held] } })],
  ["nothing was expected", "held", () => writtenRun(steady(50))],
  ["a status that was refused", "held with warnings", () => writtenRun(steady(50, { status: 404 }))],
  ["late", "not judged", () => writtenRun(steady(50, { latenessMs: 700 }), { ends: { expectations: [held] } })],
  ["cut off", "not judged", () => writtenRun(steady(50), { ends: null })],
  ["a broken bound", "failed", () => writtenRun(steady(50), { ends: { expectations: [held, broken] } })],
  [
    "late, and still broken",
    "failed",
    () => writtenRun(steady(50, { latenessMs: 700 }), { ends: { expectations: [broken] } }),
  ],
  [
    "a busy machine, with too little left",
    "not judged",
    () => writtenRun(steady(50), { host: busySeconds(2, 48), ends: { expectations: [held] } }),
  ],
  [
    "a busy machine, with enough left",
    "held",
    () => writtenRun(steady(50), { host: busySeconds(2, 20), ends: { expectations: [held] } }),
  ],
  [
    "a busy machine, and still broken",
    "failed",
    () => writtenRun(steady(50), { host: busySeconds(2, 48), ends: { expectations: [broken] } }),
  ],
  ["a problem", "failed", () => writtenRun(steady(50), { ends: { problems: ["stopped by hand at 5 s"] } })],
];

it.each(runs)("every report format has the same verdict: %s", (_, state, recorded) => {
  const recording = recorded();
  const shown = Object.fromEntries(
    reportFormats.map(({ name, pieces }) => {
      const options = { colour: false, width: 80, note: () => {} };
      return [name, [...pieces(recording, options)].join("")];
    }),
  );
  const { text = "", html = "", json = "", junit = "" } = shown;
  const sign = { held: "✔", "held with warnings": "!", "not judged": "!", failed: "✘" }[state];
  const tone = { held: "good", "held with warnings": "warn", "not judged": "warn", failed: "bad" }[state];
  expect((JSON.parse(json) as { verdict: { state: string } }).verdict.state).toBe(state);
  expect(text.split("\n")[2]?.[0]).toBe(sign);
  expect(html).toContain(`<section class="verdict ${tone}"`);
  expect(junit).toContain(`<property name="verdict" value="${state}"/>`);
  const [, failures, errors] = /<testsuites .* failures="(\d+)" errors="(\d+)"/.exec(junit) ?? [];
  expect(Number(failures) > 0).toBe(state === "failed");
  if (state !== "failed") expect(Number(errors) > 0).toBe(state === "not judged");
});

it("JUnit says by how much a run was late", () => {
  const recording = writtenRun(steady(50, { latenessMs: 700 }), { ends: { expectations: [held] } });
  const junit = reportFormats.find(({ name }) => name === "junit");
  const xml = [...(junit?.pieces(recording, { colour: false, width: 80, note: () => {} }) ?? [])].join("");
  expect(xml).toMatch(/<error message="the run fell behind its schedule: 100% of the attempts .*" type="not-judged">/);
});

const late: RunResult = {
  ...good,
  model: "open",
  fellBehind: true,
  warnings: ["the run fell behind its schedule: 4.2% of the attempts were made more than 100 ms late"],
  latencyMs: { p50: 10, p95: 100, p99: 900, max: 4000 },
  serviceMs: { p50: 9, p95: 20, p99: 30, max: 40 },
  latenessMs: { p50: 0, p95: 80, p99: 600, max: 800 },
};

function bound(value: number, seen: number, name = "delivery.p99"): RunResult["expectations"][number] {
  const metric = { name, op: "<", value, unit: "duration" as const, seen };
  return { text: `${name} < ${value}ms`, held: false, seen: `${seen}ms`, metric };
}

it.each([
  ["exceeded by less than the largest lateness", bound(500, 900), "it may be the only cause of the broken bound"],
  [
    "exceeded by more than the largest lateness",
    bound(500, 4000),
    "the run's lateness does not explain what is broken",
  ],
  ["the service time breaks it, too", bound(20, 900), "the run's lateness does not explain what is broken"],
])("a late run that broke a bound says whether lateness may be the cause: %s", (_, expectation, told) => {
  const { state, lines } = verdictOf({ ...late, expectations: [expectation] });
  expect(state).toBe("failed");
  expect(lines[0]).toMatchObject({ weight: "bad", about: "expectation" });
  expect(lines.find(({ about }) => about === "schedule")?.text).toContain(told);
});

it.each(
  reportFormats.map(({ name, pieces }) => [name, pieces] as const).filter(([name]) => /text|html|junit/.test(name)),
)("a run on a busy machine says for how long it was busy: %s", (_, pieces) => {
  const told = (host: ReturnType<typeof busySeconds>): string => {
    const recording = writtenRun(steady(50), { host, ends: { expectations: [held] } });
    const text = [...pieces(recording, { colour: false, width: 200, note: () => {} })].join("");
    return text.replaceAll("&#39;", "'").replaceAll(/\s+/g, " ");
  };
  expect(told(busySeconds(2, 20))).toContain(
    "This machine was busy in 18 of 50 s, with up to 15 other tasks for each core; what is said about the receiver's speed leaves those seconds out",
  );
  expect(told(busySeconds(2, 48))).toMatch(/(not judged: |")this machine was busy in 46 of 50 s[:;]/);
});

const busy: RunResult = {
  ...good,
  model: "open",
  host: { seconds: 25, busySeconds: 7, busy: [], judged: 400, leftOut: 200 },
};

it.each([
  ["held", { seen: 4, held: true }, "it may be the only cause of the broken bound", "seen 900ms; 4 ms without"],
  ["broken", { seen: 800, held: false }, "that does not explain what is broken", "seen 900ms; 800 ms without"],
])(
  "a bound that is broken on a busy machine says what is left: %s without the busy seconds",
  (_, clear, told, seen) => {
    const expectation = bound(500, 900);
    const metric = { ...expectation.metric, clear } as NonNullable<typeof expectation.metric>;
    const { state, lines } = verdictOf({ ...busy, expectations: [{ ...expectation, metric }] });
    expect(state).toBe("failed");
    expect(lines[0]).toMatchObject({ about: "expectation", text: expect.stringContaining(seen) as string });
    expect(lines.find(({ about }) => about === "host")?.text).toBe(
      `this machine was busy in 7 of 25 s: other programs kept its cores; ${told}`,
    );
  },
);

const tooBusy: RunResult = { ...busy, host: { ...(busy.host as HostMeasures), judged: 5, leftOut: 595 } };
const doubles: Finding = {
  kind: "doubles",
  weight: "bad",
  text: "12 messages repeat an answer to an event, or to a copy of it: the receiver acts twice on one event.",
  where: "handset events RECORDING",
  severity: 0.1,
};

it("a run that is not judged says what held, if anything was expected", () => {
  const expectation = { text: "failures == 0", held: true, seen: "0" };
  const of = (result: RunResult, expectations: RunResult["expectations"]): string =>
    verdictOf({ ...result, expectations, findings: [] }).headline;
  expect(of(tooBusy, [])).toBe("not judged: this machine was busy in 7 of 25 s");
  expect(of(tooBusy, [expectation])).toBe(
    "not judged: this machine was busy in 7 of 25 s; its expectation held even so",
  );
  expect(of(late, [])).toBe("not judged: the run fell behind its own schedule");
});

it("a count is first in the headline of a run that is not judged", () => {
  const told = doubles.text.replace(/\.$/, "");
  const { state, headline } = verdictOf({ ...tooBusy, expectations: [], findings: [doubles] });
  expect(state).toBe("not judged");
  expect(headline).toBe(`${told}; the rest is not judged: this machine was busy in 7 of 25 s`);
  const silence: Finding = { ...doubles, kind: "silence", text: "Nothing was answered for 1.0 s." };
  expect(verdictOf({ ...late, expectations: [], findings: [silence] }).headline).toBe(
    "not judged: the run fell behind its own schedule; nothing was answered for 1.0 s",
  );
});

it("JUnit: the failure of a bound says what is left of it without the busy seconds", () => {
  const expectation = bound(500, 900);
  const metric = { ...expectation.metric, clear: { seen: 4, held: true } } as NonNullable<typeof expectation.metric>;
  const xml = renderJunit({ ...busy, expectations: [{ ...expectation, metric }] }, { startedWallMs: 0 });
  expect(xml).toContain(
    'type="broken">delivery.p99 &lt; 500ms: seen 900ms; 4 ms without the seconds in which this machine was busy</failure>',
  );
});

it("a receiver that answers a third of what is due: the headline says so in every format, though no expectation broke", () => {
  const planned = saturated(4000, { perSecond: 60, eachMs: 40, connections: 5 });
  const recording = writtenRun(planned, {
    ends: { expectations: [{ text: "failures == 0%", held: true, seen: "0 %" }] },
  });
  const result = resultOf(recording);
  const [first] = result.findings ?? [];
  expect(first).toMatchObject({ kind: "saturation", weight: "bad" });
  const { state, headline } = verdictOf(result);
  expect(state).toBe("held with warnings");
  expect(headline).toBe(
    "The receiver answered 25/s of the 60/s due from 0:00:00 on; 136 events waited at the end, 5.5 s to drain; all 5 " +
      "connections were busy, service time 200 ms, 63.3 ms at low load; 1 expectation held",
  );
  const text = renderSummary(result, { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
  expect(text).toContain(`! ${headline}`);
  expect(renderHtml(recording)).toContain(first?.text);
  expect(renderJunit(result, recording.meta())).toContain(first?.text);
});
