import { copyFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EventSelection, openRecording, Recording, type RecordedEvent } from "../../src/store/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { encodeForm, formField, isForwarded } from "../../src/wire/index.js";
import { sharedFolder } from "../support/folder.js";
import { attemptRow, channelRow, eventRow, meta } from "./samples.js";
import { runs } from "../support/effort.js";

/** Enough that SQLite uses an index where there is one. */
const EVENTS = 24_000;
const CHANNELS = 40;
/** What channel 2 forwards. */
const FORWARDS = ["mo_sms"];

const types = ["mo_sms", "mt_sent", "mt_dlvd", "added"] as const;
const outcomes = ["accepted", "retried", "timeout", "refused"] as const;

/** Repeatable numbers from 0 to below `count`. */
function drawsOf(seed: number): (count: number) => number {
  let state = seed;
  return (count) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 65_521) % count;
}

/**
 * Writes events of a few people on many channels, of which channel 1 has every second one; most attempts are accepted.
 * Some bodies have no phone, or its digits in other fields.
 */
function fill(recording: Recording): void {
  for (let id = 1; id <= CHANNELS; id++) {
    recording.channel(channelRow({ id, name: `clinic/${id - 1}`, ...(id === 2 && { forwards: FORWARDS }) }));
  }
  const draw = drawsOf(1);
  const numbers = new Map<number, number>();
  let atMs = 0;
  for (let row = 1; row <= EVENTS; row++) {
    const channel = draw(2) === 0 ? 1 : 1 + draw(CHANNELS);
    const number = (numbers.get(channel) ?? 0) + 1;
    numbers.set(channel, number);
    const phone = phones[draw(phones.length)] ?? "";
    const pairs: [string, string][] =
      draw(50) === 0
        ? [["text", `call ${phone}`]]
        : [
            ["relayer_phone", "+250788000000"],
            ["phone", phone],
            ["text", "é"],
          ];
    atMs += draw(3);
    recording.event(
      eventRow({ row, channel, number, atMs, type: types[draw(types.length)] as "mo_sms", body: encodeForm(pairs) }),
    );
    if (draw(40) === 0) continue;
    const tries = draw(20) === 0 ? 1 + draw(3) : 1;
    for (let one = 1; one <= tries; one++) {
      const outcome = tries === 1 ? "accepted" : (outcomes[draw(outcomes.length)] ?? "accepted");
      recording.attempt(attemptRow({ channel, number, try: one, outcome }));
    }
  }
}

const phones = Array.from({ length: 30 }, (_, index) => `+25078110${String(index * 37).padStart(4, "0")}`);

/** What the selection says, without SQL. */
function isSelected(event: RecordedEvent, selection: EventSelection): boolean {
  const { fromMs = -Infinity, toMs = Infinity, channels, types: wanted, phone, outcomes: words } = selection;
  const number = formField(event.body, "phone");
  const untried = isForwarded(event.type, event.channel === 2 ? FORWARDS : undefined) ? "untried" : "not-forwarded";
  const ended = event.attempts.length === 0 ? [untried] : event.attempts.map(({ outcome }) => outcome);
  return (
    event.atMs >= fromMs &&
    event.atMs <= toMs &&
    channels?.has(event.channel) !== false &&
    wanted?.includes(event.type) !== false &&
    (phone === undefined || (number !== undefined && phone.test(number))) &&
    (words === undefined || ended.some((word) => words.includes(word)))
  );
}

const instant = fc.integer({ min: -10, max: EVENTS + 1000 });
const wantedPhones: fc.Arbitrary<string[]> = fc.oneof(
  fc.constantFrom(...phones).map((phone) => [phone]),
  fc.subarray(phones, { minLength: 1 }),
  fc.constant("+250781109999").map((phone) => [phone]),
);

const selections: fc.Arbitrary<EventSelection> = fc.record(
  {
    fromMs: instant,
    toMs: instant,
    channels: fc
      .uniqueArray(fc.integer({ min: 1, max: CHANNELS + 2 }), { minLength: 1, maxLength: 8 })
      .map((channels) => new Set(channels)),
    types: fc.subarray([...types, "unknown"], { minLength: 1 }),
    phone: wantedPhones.map((wanted) => ({
      test: (phone: string) => wanted.includes(phone),
      digits: wanted.length === 1 ? (wanted[0] ?? "").slice(1) : "25078110",
    })),
    outcomes: fc.subarray([...outcomes, "untried", "not-forwarded"], { minLength: 1 }),
  },
  { requiredKeys: [] },
);

describe("a selection of events", () => {
  const folder = sharedFolder();

  /** Paths of one recording: finished, the same by an older version, cut off before its end, and served. */
  function paths(): Readonly<Record<"cut" | "finished" | "older" | "served", string>> {
    const path = (name: string): string => join(folder, `${name}.db`);
    const [cut, finished, older, served] = [path("cut"), path("finished"), path("older"), path("served")];
    const recording = Recording.create(cut, meta);
    fill(recording);
    recording.close();
    copyFileSync(cut, finished);
    copyFileSync(cut, served);
    const end = Recording.reopen(finished);
    end.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
    end.close();
    copyFileSync(finished, older);
    const withFewerIndexes = new Connection(older);
    withFewerIndexes.exec("DROP INDEX attempt_failure");
    withFewerIndexes.close();
    const open = Recording.reopen(served);
    open.prepareToServe();
    open.close();
    return { finished, older, cut, served };
  }

  it("has the events that meet all conditions, in their order, with and without the indexes of a run's end", () => {
    const readers = Object.entries(paths()).map(([name, path]) => ({ name, reader: openRecording(path) }));
    onTestFinished(() => readers.forEach(({ reader }) => reader.close()));
    for (const { name, reader } of readers) {
      const all = [...reader.events()];
      expect(all.length).toBe(EVENTS);
      fc.assert(
        fc.property(selections, (selection) => {
          const wanted = all.filter((event) => isSelected(event, selection)).map(({ row }) => row);
          expect({ name, rows: Array.from(reader.events(selection), ({ row }) => row) }).toEqual({
            name,
            rows: wanted,
          });
          expect(Array.from(reader.eventRows(selection), ({ row }) => row)).toEqual(wanted);
        }),
        {
          numRuns: runs(15),
          // Indexes narrow these: few channels, rare outcomes, and events without attempts.
          examples: [
            [{ channels: new Set([2, 3]) }],
            [{ outcomes: ["timeout"] }],
            [{ outcomes: ["untried", "retried"] }],
            [{ outcomes: ["not-forwarded"], fromMs: 100 }],
            [{}],
          ],
        },
      );
    }
  });

  it("grows with a recording that is being written, and can be read twice at a time", () => {
    const recording = Recording.create(":memory:", meta);
    onTestFinished(() => recording.close());
    const add = (row: number): void =>
      recording.event(eventRow({ row, number: row, atMs: row, body: `phone=${row % 2 === 0 ? "%2B250" : "%2B251"}` }));
    for (let row = 1; row <= 3000; row++) add(row);
    const about = (number: string): Iterator<RecordedEvent> =>
      recording.reader().events({ phone: { test: (phone) => phone === number, digits: "25" } });
    const [even, odd] = [about("+250"), about("+251")];
    const rows: number[] = [];
    for (let turn = 1; turn <= 1600; turn++) {
      for (const one of [odd.next(), even.next()]) if (one.done !== true) rows.push(one.value.row);
      if (turn === 1000) for (let row = 3001; row <= 3100; row++) add(row);
    }
    expect(rows).toEqual(Array.from({ length: 3100 }, (_, index) => index + 1));
  });

  it("passes over no row that is added after the query of a page", () => {
    const recording = Recording.create(":memory:", meta);
    onTestFinished(() => recording.close());
    const add = (row: number): void => recording.event(eventRow({ row, number: row, atMs: row }));
    for (let row = 1; row <= 500; row++) add(row);
    const rows: number[] = [];
    for (const { row } of recording.reader().events()) {
      rows.push(row);
      if (row === 250) for (let more = 501; more <= 1600; more++) add(more);
    }
    expect(rows).toEqual(Array.from({ length: 1600 }, (_, index) => index + 1));
  });
});
