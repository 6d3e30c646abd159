import type { AccountReport } from "../../src/ledger/index.js";
import type { RunResult } from "../../src/report/index.js";

export function account(report: Partial<AccountReport> = {}): AccountReport {
  return { in: 0, copies: {}, delivered: 0, failed: 0, queued: 0, lost: {}, gap: 0, ...report };
}

/** A run that went well. */
export const good: RunResult = {
  name: "Power cut in the district",
  seed: 7,
  digest: "3f2a91c0b7d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e",
  virtualMs: 10_800_000,
  wallMs: 9120,
  cast: { handsets: 40, people: 2000 },
  events: { mo_sms: 21_600, alarm: 20, mo_miss: 1, mt_sent: 1 },
  attempts: { accepted: 21_622, retried: 12, refused: 0, failed: 0, timeout: 2, connection: 0 },
  replies: { valid: 3, ignored: 14, reasons: { "text-too-long": 2, "not-json": 12 } },
  latencyMs: { p50: 1.1, p95: 2, p99: 3.4, max: 19.2 },
  ledger: {
    texts: account({
      in: 21_650,
      copies: { "lost-response": 2 },
      delivered: 21_602,
      queued: 6,
      lost: { carrier: 40, paused: 4 },
    }),
    calls: account({ in: 1, delivered: 1 }),
    events: account({ in: 21_622, delivered: 21_622 }),
    attempts: account({ in: 21_636, delivered: 21_622, failed: 14 }),
  },
  lost: 0,
  queued: 6,
  alarms: 20,
  expectations: [
    { text: "lost == 0", held: true, seen: "0" },
    { text: "delivery.p99 < 500ms", held: true, seen: "3.4ms" },
  ],
  recording: "power-cut.db",
  problems: [],
};

/** A run in which nothing happened. */
export const empty: RunResult = {
  ...good,
  name: "Silence",
  wallMs: 0,
  events: {},
  attempts: { accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 },
  replies: { valid: 0, ignored: 0, reasons: {} },
  latencyMs: { p50: null, p95: null, p99: null, max: null },
  ledger: { texts: account(), calls: account(), events: account(), attempts: account() },
  queued: 0,
  alarms: 0,
  expectations: [],
  recording: null,
};
