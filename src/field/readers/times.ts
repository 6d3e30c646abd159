import { formField, InstantReader, parseTimestamp } from "../../wire/index.js";
import type { FieldEvent } from "../field-event.js";
import type { FieldSink } from "./log-reader.js";

/** Smaller numbers are spans since the first record; 1e9 s are in 2001. */
const RELATIVE_MAX = 1e9;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time of a record: an instant, or a number of unknown unit since the first record. */
export type RecordTime = { readonly atMs: number } | { readonly since: number };

/** Reads the times of a source. */
export class RecordTimes {
  readonly #instants: InstantReader;
  #isRelative: boolean | undefined;

  /** @param timezone - IANA name, of times that name none */
  constructor(timezone: string) {
    this.#instants = new InstantReader(timezone);
  }

  /** @returns undefined: it is not a time. Numbers are spans if the first one is smaller than 1e9 */
  read(value: unknown): RecordTime | undefined {
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "string") return undefined;
    const text = value.trim();
    if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return this.#number(Number(text));
    const atMs = this.#instants.read(text);
    return atMs === undefined ? undefined : { atMs };
  }

  #number(value: number): RecordTime | undefined {
    if (!Number.isFinite(value)) return undefined;
    this.#isRelative ??= Math.abs(value) < RELATIVE_MAX;
    if (this.#isRelative) return { since: value };
    const atMs = this.#instants.read(String(value));
    return atMs === undefined ? undefined : { atMs };
  }

  /** `10/Oct/2000:13:55:36 -0700`, with or without a fraction of the second or a zone; undefined: another form. */
  readClf(text: string): number | undefined {
    const month = months.indexOf(text.slice(3, 6)) + 1;
    if (month === 0 || text[2] !== "/" || text[11] !== ":") return undefined;
    const date = `${text.slice(7, 11)}-${String(month).padStart(2, "0")}-${text.slice(0, 2)}`;
    return this.#instants.read(`${date}T${text.slice(12).replace(" ", "")}`);
  }
}

/** Records whose numbers decide what unit times since the first record have. */
const SAMPLE = 2000;

/**
 * Places events whose times count from the first record. Unit and start come from the events' own times, by the
 * phones' clocks: the unit is the one that makes both spans alike, and the start is the whole second that the phones'
 * times suggest. So the first events are held back until there are 2,000 of them.
 */
export class RelativeTimes {
  readonly #sink: FieldSink;
  readonly #unit: number | undefined;
  #held: { readonly event: FieldEvent; readonly since: number }[] = [];
  #clock: { readonly unit: number; readonly startMs: number } | undefined;

  /** @param unit - milliseconds of a unit of the source; undefined: not known */
  constructor(sink: FieldSink, unit?: number) {
    this.#sink = sink;
    this.#unit = unit;
  }

  /** @param event - its `atMs` is replaced; those of its retries count from it */
  add(event: FieldEvent, time: RecordTime): void {
    if ("atMs" in time) {
      this.#sink.event({ ...event, atMs: time.atMs });
      return;
    }
    if (this.#clock !== undefined) this.#place(event, time.since, this.#clock);
    else if (this.#held.push({ event, since: time.since }) >= SAMPLE) this.flush();
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const clock = (this.#clock ??= this.#recogniseClock());
    const held = this.#held;
    this.#held = [];
    for (const { event, since } of held) this.#place(event, since, clock);
  }

  #place(event: FieldEvent, since: number, { unit, startMs }: { unit: number; startMs: number }): void {
    const atMs = startMs + since * unit;
    const retries = event.retries?.map((retry) => ({ ...retry, atMs: startMs + retry.atMs * unit }));
    this.#sink.event({ ...event, atMs, ...(retries !== undefined && { retries }) });
  }

  #recogniseClock(): { readonly unit: number; readonly startMs: number } {
    const pairs = this.#held.flatMap(({ event, since }) => {
      const phoneMs = phoneTimeOf(event.body);
      return phoneMs === undefined ? [] : [{ since, phoneMs }];
    });
    const unit = this.#unit ?? unitOf(pairs) ?? (this.#held.some(({ since }) => !Number.isInteger(since)) ? 1000 : 1);
    const starts = pairs.map(({ since, phoneMs }) => phoneMs - since * unit).sort((a, b) => a - b);
    // Phones report late, so most differences are a little too small.
    const start = starts[Math.floor(starts.length * 0.75)] ?? 0;
    return { unit, startMs: Math.ceil(start / 1000) * 1000 };
  }
}

/** 1000 where the numbers are seconds, 1 where they are milliseconds; undefined: nothing shows it. */
function unitOf(pairs: readonly { readonly since: number; readonly phoneMs: number }[]): number | undefined {
  const spanOf = (values: readonly number[]): number => {
    const sorted = values.toSorted((a, b) => a - b);
    // Without the outermost tenths: a clock that is off by days would decide alone.
    return (sorted[Math.floor(sorted.length * 0.9)] ?? 0) - (sorted[Math.floor(sorted.length * 0.1)] ?? 0);
  };
  const [span, phoneSpan] = [spanOf(pairs.map(({ since }) => since)), spanOf(pairs.map(({ phoneMs }) => phoneMs))];
  if (span <= 0 || phoneSpan <= 0) return undefined;
  return phoneSpan / span > 30 ? 1000 : 1;
}

/** The phone's time in an event, or the service's in one that has no other. */
function phoneTimeOf(body: string): number | undefined {
  const text = formField(body, "time") ?? formField(body, "last_seen");
  return text === undefined ? undefined : parseTimestamp(text);
}
