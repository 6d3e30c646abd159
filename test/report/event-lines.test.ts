import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventLines } from "../../src/report/index.js";
import { Recording, type RecordingReader } from "../../src/store/index.js";
import { encodeForm, eventTypes } from "../../src/wire/index.js";
import { attemptRow, channelRow, eventRow, meta } from "../store/samples.js";
import { linesOf } from "./event-line.js";
import { runs } from "../support/effort.js";

function written(reader: RecordingReader): string {
  return Buffer.concat([...eventLines(reader)]).toString();
}

/** Texts of any script, with quotes, backslashes, control characters, halves of pairs and what reorders text. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "",
    "maize 12kg",
    "a+b & c=d",
    'say "hi"\\',
    "\u001b[31m",
    "\u007f\u0085",
    "\u202eabc",
    "\ud800",
    "émoi 🌽",
  ),
);

const key = fc.oneof(
  fc.constantFrom("event", "phone", "text", "time", "relayer_phone", "a.b-c", "7", "10", "__proto__", "", "é"),
  fc.string({ maxLength: 6 }),
);

/** Bodies as the lab encodes them, and any others. */
const body = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.tuple(key, text), { maxLength: 6 }).map((pairs) => encodeForm(pairs)) },
  {
    weight: 2,
    arbitrary: fc.array(text, { maxLength: 5 }).map((texts) => encodeForm(texts.map((one, n) => [`k${n}`, one]))),
  },
  fc.constantFrom(
    "",
    "&",
    "a",
    "a=1&",
    "&a=1",
    "a=1&&b=2",
    "a==b",
    "a=1=2&b=%zz",
    "a=%C3",
    "a=%e2%80%ae",
    "%61=1",
    "a=%",
    "a=%4",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

const ms = fc.oneof(
  fc.double({ min: 0, max: 1e7, noNaN: true }),
  fc.integer({ min: 0, max: 1e9 }).map((us) => us / 1000),
  fc.double({ min: -1e20, max: 1e20, noNaN: true }),
);

const attempt = fc.record({
  url: fc.constantFrom("http://127.0.0.1:8000/events", "https://me:secret@host/x?key=1", 'http://h/"\u0085'),
  dueAtMs: fc.nat(),
  effectAtMs: fc.nat(),
  sentWallMs: fc.option(ms),
  durationMs: ms,
  status: fc.option(fc.constantFrom(200, 404, 503)),
  error: fc.option(fc.constantFrom("ETIMEDOUT", 'odd "code"')),
  outcome: fc.constantFrom("accepted", "retried", "timeout"),
  body: fc.option(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      text.map((one) => new TextEncoder().encode(one)),
    ),
  ),
});

const events = fc.array(
  fc.record({
    channel: fc.integer({ min: 1, max: 4 }),
    later: fc.nat({ max: 2 }),
    type: fc.constantFrom(...eventTypes, "added", 'odd "type"'),
    body,
    copy: fc.option(fc.constantFrom({ of: 1, cause: "answer-lost" } as const)),
    attempts: fc.array(attempt, { maxLength: 3 }),
    byHand: fc.boolean(),
  }),
  { maxLength: 60 },
);

describe("lines of events", () => {
  it("are those of JSON.stringify, whatever bodies, attempts and answers hold", () => {
    fc.assert(
      fc.property(events, (rows) => {
        const recording = Recording.create(":memory:", meta);
        try {
          recording.channel(channelRow());
          recording.channel(channelRow({ id: 2, name: 'odd "name" \u0085', forwards: ["mo_sms"] }));
          recording.channel(channelRow({ id: 3, name: "clinic/2" }));
          let atMs = 0;
          for (const [index, { channel, later, attempts, byHand, ...row }] of rows.entries()) {
            const [number, event] = [index + 1, { ...row, channel, atMs: (atMs += later) }];
            recording.event(eventRow({ row: number, number, ...event }));
            // Answers are recorded in any order.
            for (const [place, one] of [...attempts.entries()].toReversed()) {
              recording.attempt(attemptRow({ channel, number, try: place + 1, ...one }));
            }
            const json = JSON.stringify({ id: `${channel}/${number}`, try: 1 });
            if (byHand) recording.input({ atMs, kind: "resend", json });
          }
          expect(written(recording.reader())).toBe(linesOf(recording.reader()));
        } finally {
          recording.close();
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it("come in pieces of whole lines, also where a line is longer than a piece", () => {
    const recording = Recording.create(":memory:", meta);
    for (let row = 1; row <= 3000; row++) {
      const body = row % 1000 === 0 ? `text=${"%C3%A9".repeat(200_000)}` : `text=${"a".repeat(300)}`;
      recording.event(eventRow({ row, number: row, body }));
    }
    const pieces = [...eventLines(recording.reader())].map((piece) => Buffer.from(piece).toString());
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => piece.endsWith("}\n"))).toBe(true);
    expect(pieces.join("") === linesOf(recording.reader())).toBe(true);
    recording.close();
  });
});
