import type { Delivery } from "../delivery/index.js";
import { gaps, Ledger, queued } from "../ledger/index.js";
import type { RunResult } from "../report/index.js";
import type { Scenario } from "../scenario/index.js";
import { Digest } from "../store/index.js";
import { checkMetrics } from "./expectations.js";
import type { Tallies } from "./lab.js";

/** What a result needs to know of the delivery: of a run that was just played, or of several that are joined. */
export type Delivered = Pick<Delivery, "counts" | "latency" | "hadConnection">;

/** What `resultOfRun` puts together. */
export interface RunParts {
  readonly scenario: Scenario;
  readonly tallies: Tallies;
  readonly delivery: Delivered;
  readonly recording: string;
  /** What went wrong around the run, in sentences. */
  readonly failures: readonly string[];
  /** Delivery URL; null: events went nowhere. */
  readonly url: string | null;
  readonly isPaced: boolean;
  /** As in `RunResult`. */
  readonly model?: "open" | "closed";
}

/** The result of a run that has come to its end, one way or another. */
export function resultOfRun(parts: RunParts): RunResult {
  const { scenario, tallies, delivery } = parts;
  const { ledger } = tallies;
  const measured: Omit<RunResult, "expectations" | "problems" | "warnings"> = {
    name: scenario.name,
    seed: scenario.seed,
    digest: tallies.digest,
    virtualMs: tallies.reachedMs,
    wallMs: Math.round(tallies.wallMs),
    ...(parts.model !== undefined && { model: parts.model }),
    cast: {
      handsets: scenario.cast.handsets.reduce((sum, group) => sum + group.count, 0),
      people: scenario.cast.people.reduce((sum, group) => sum + group.count, 0),
    },
    events: Object.fromEntries([...tallies.events].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    attempts: { ...delivery.counts },
    replies: {
      valid: tallies.replies.valid,
      ignored: tallies.replies.ignored,
      reasons: Object.fromEntries(tallies.replies.reasons),
    },
    latencyMs: delivery.latency.delivery.percentiles(),
    ...(parts.isPaced && {
      serviceMs: delivery.latency.service.percentiles(),
      latenessMs: delivery.latency.lateness.percentiles(),
    }),
    ledger,
    lost: gaps(ledger),
    queued: queued(ledger),
    alarms: tallies.events.get("alarm") ?? 0,
    recording: parts.recording,
  };
  return {
    ...measured,
    expectations: [
      ...tallies.expectations,
      ...checkMetrics(scenario.expect, (name) => metricOf(name, measured, delivery)),
    ],
    problems: problemsOf(parts),
    warnings: warningsOf(parts),
  };
}

/** The result of a run that could not begin: nothing happened, and the problem says why. */
export function resultOfNoRun(scenario: Scenario, problem: string): RunResult {
  const nothing = { p50: null, p95: null, p99: null, max: null };
  return {
    name: scenario.name,
    seed: scenario.seed,
    digest: new Digest().hex(),
    virtualMs: 0,
    wallMs: 0,
    events: {},
    attempts: { accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 },
    replies: { valid: 0, ignored: 0, reasons: {} },
    latencyMs: nothing,
    ledger: new Ledger().close({ texts: 0, calls: 0, events: 0, attempts: 0 }),
    lost: 0,
    queued: 0,
    alarms: 0,
    expectations: scenario.expect.map(({ text }) => ({ text, held: false, seen: "the run did not begin" })),
    recording: null,
    problems: [problem],
  };
}

/** SCENARIO.md, "End of a run": 3 outranks 1. */
export function exitCodeOf(result: RunResult, parts: RunParts): 0 | 1 | 3 {
  if (parts.failures.length > 0 || parts.tallies.hasGivenUp || nobodyAnswered(parts)) return 3;
  const allHeld = result.expectations.every((expectation) => expectation.held);
  return allHeld && result.lost === 0 && !parts.tallies.wasStopped ? 0 : 1;
}

/** A metric by its name in `expect:`; null when nothing of the kind was measured. Durations are milliseconds. */
function metricOf(
  name: string,
  result: Omit<RunResult, "expectations" | "problems">,
  { latency }: Delivered,
): number | null {
  const [family = "", member = ""] = name.split(".");
  switch (family) {
    case "lost":
    case "queued":
    case "alarms":
      return result[family];
    case "events":
      return result.events[member] ?? 0;
    case "attempts":
      return isKeyOf(result.attempts, member) ? result.attempts[member] : null;
    case "replies":
      return member === "valid" || member === "ignored" ? result.replies[member] : null;
    case "delivery":
    case "service":
    case "lateness": {
      const percentiles = latency[family].percentiles();
      return latency[family].count > 0 && isKeyOf(percentiles, member) ? percentiles[member] : null;
    }
    default:
      return null;
  }
}

function problemsOf(parts: RunParts): string[] {
  const { tallies } = parts;
  const problems = [...parts.failures];
  const lost = gaps(tallies.ledger);
  if (lost > 0) {
    problems.push(
      `the ledger does not close: ${lost} ${lost === 1 ? "thing" : "things"} vanished without a cause; ` +
        "this is a defect of handset-lab, please report it with this scenario and seed",
    );
  }
  if (nobodyAnswered(parts)) problems.push(`no attempt ever got a connection: is the receiver at ${parts.url} up?`);
  if (tallies.hasGivenUp) problems.push("given up: the receiver has not answered at all for too long");
  // Stopped because the receiver's command ended is not by hand, and is among the failures.
  if (tallies.wasStopped && parts.failures.length === 0)
    problems.push(`stopped by hand at ${Math.round(tallies.reachedMs / 1000)} s of virtual time`);
  return problems;
}

function warningsOf({ tallies, delivery, isPaced }: RunParts): string[] {
  const { p99 } = delivery.latency.lateness.percentiles();
  const isLate = isPaced && p99 !== null && p99 > 1000;
  return [
    ...(isLate ? ["the run fell behind its schedule: the 99th percentile of lateness is above one second"] : []),
    ...tallies.warnings,
  ];
}

function nobodyAnswered({ delivery }: RunParts): boolean {
  const attempts = Object.values(delivery.counts).reduce((sum, count) => sum + count, 0);
  return attempts > 0 && !delivery.hadConnection;
}

function isKeyOf<T extends object>(object: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(object, key);
}
