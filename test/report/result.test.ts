import { describe, expect, it } from "vitest";
import { Ledger } from "../../src/ledger/index.js";
import { resultOf, type RunResult } from "../../src/report/index.js";
import { digestOfRecording, Recording } from "../../src/store/index.js";
import { attemptRow, channelRow, eventRow, messageRow, meta } from "../store/samples.js";

/** A small run with every outcome; the preset has four attempts. */
function recorded(): Recording {
  const recording = Recording.create(":memory:", meta);
  recording.channel(channelRow());
  recording.channel(channelRow({ id: 2, name: "clinic/1", url: null }));
  recording.message(messageRow({ row: 1, direction: "I", status: "H" }));
  recording.message(messageRow({ row: 2, id: 2 }));
  recording.message(messageRow({ row: 3, id: 3 }));
  recording.message(messageRow({ row: 4, id: 4 }));
  recording.messageStatus(2, "D", 60, 60);
  recording.messageStatus(3, "F", 70, null);
  const types = ["mo_sms", "alarm", "mo_sms", "mt_sent", "mt_dlvd", "mo_sms"];
  types.forEach((type, index) =>
    recording.event(eventRow({ row: index + 1, number: index + 1, atMs: index * 10, type })),
  );
  recording.event(eventRow({ row: 7, channel: 2, atMs: 60, type: "flow" }));
  // 1 accepted, 2 accepted at the second try, 3 refused, 4 timed out four times, 5 awaits its second try, 6 is in flight.
  recording.attempt(attemptRow({ number: 1, sentWallMs: 100, durationMs: 1, latencyMs: 1 }));
  recording.attempt(attemptRow({ number: 2, status: 500, outcome: "retried", latencyMs: 2 }));
  recording.attempt(attemptRow({ number: 2, try: 2, latencyMs: 3 }));
  recording.attempt(attemptRow({ number: 3, status: 404, outcome: "refused", latencyMs: 4 }));
  const silent = { number: 4, status: null, error: "ETIMEDOUT", outcome: "timeout", latencyMs: 5000, durationMs: 5000 };
  for (let attempt = 1; attempt <= 4; attempt++)
    recording.attempt(attemptRow({ ...silent, try: attempt, sentWallMs: 1000 }));
  const refused = { number: 5, status: null, error: "ECONNREFUSED", outcome: "connection", latencyMs: 0.1 };
  recording.attempt(attemptRow({ ...refused, sentWallMs: null }));
  recording.reply({ atMs: 5000, channel: 1, number: 1, kind: "valid", reason: null, detail: null });
  recording.reply({ atMs: 5010, channel: 1, number: 2, kind: "ignored", reason: "not-json", detail: "…" });
  return recording;
}

describe("the result of a run", () => {
  it("is computed from the tables if the run was killed", () => {
    const recording = recorded();
    const result = resultOf(recording.reader());
    expect(result).toMatchObject({
      name: "Power cut",
      seed: 7,
      digest: digestOfRecording(recording.reader()),
      virtualMs: 60,
      wallMs: 5990,
      events: { mo_sms: 3, alarm: 1, mt_sent: 1, mt_dlvd: 1, flow: 1 },
      attempts: { accepted: 2, retried: 1, refused: 1, failed: 0, timeout: 4, connection: 1 },
      replies: { valid: 1, ignored: 1, reasons: { "not-json": 1 } },
      alarms: 1,
      lost: 0,
      queued: 3,
      expectations: [],
      recording: ":memory:",
    });
    expect(result.latencyMs.p50).toBeCloseTo(4, 1);
    expect(result.latencyMs.max).toBe(5000);
    expect(result.ledger.texts).toMatchObject({ in: 4, delivered: 2, failed: 1, queued: 1 });
    expect(result.ledger.events).toMatchObject({
      in: 7,
      delivered: 2,
      failed: 2,
      queued: 2,
      lost: { "no-receiver": 1 },
    });
    expect(result.ledger.attempts).toMatchObject({ in: 9, delivered: 2, failed: 7 });
    expect(result.problems.join()).toContain("the run has not ended");
  });

  it("counts copies by cause from the tables", () => {
    const recording = recorded();
    const copy = { of: 1, cause: "answer-lost" } as const;
    recording.event(eventRow({ row: 8, number: 7, atMs: 70, copy }));
    recording.event(eventRow({ row: 9, number: 8, atMs: 80, copy: { of: 2, cause: "carrier" } }));
    recording.event(eventRow({ row: 10, number: 9, atMs: 90, copy }));
    const { events } = resultOf(recording.reader()).ledger;
    expect(events).toMatchObject({ in: 7, copies: { "answer-lost": 2, carrier: 1 } });
  });

  it("is the stored one if the run has ended, with the current path", () => {
    const recording = recorded();
    const seen = resultOf(recording.reader());
    const ledger = new Ledger();
    ledger.in("texts", 9);
    ledger.lost("texts", "carrier", 9);
    const kept: RunResult = {
      ...seen,
      virtualMs: meta.lastsMs,
      ledger: { ...seen.ledger, texts: ledger.close({ texts: 0, calls: 0, events: 0, attempts: 0 }).texts },
      expectations: [{ text: "lost == 0", held: true, seen: "0" }],
      recording: "where/it/was.db",
      problems: [],
    };
    recording.finish({ digest: kept.digest, resultJson: JSON.stringify(kept), endedWallMs: 1 });
    expect(resultOf(recording.reader())).toEqual({ ...kept, recording: ":memory:" });
  });

  it("of a run that was killed at once is empty and complete", () => {
    const result = resultOf(Recording.create(":memory:", meta).reader());
    expect(result).toMatchObject({ virtualMs: 0, wallMs: 0, events: {}, queued: 0, alarms: 0 });
    expect(result.latencyMs).toEqual({ p50: null, p95: null, p99: null, max: null });
  });
});
