import { type Distribution, lowerBound, upperBound } from "../../sim/index.js";
import { count, duration } from "../fields/fields.js";
import { durationLiteral } from "../fields/values/duration.js";
import { addDays, isClockTime, type StoryClock, weekdayOf } from "../fields/values/moment.js";
import { moment, moments, recurrence, span } from "../fields/varying-fields.js";
import type { Recurrence } from "../fields/values/weekday.js";
import type { Step, StepDelay } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { conditionSchema } from "./condition.js";
import { isMap, keyConflict, type Path } from "../sheet/raw-value.js";
import { mostSteps } from "../size-bounds.js";

/** The keys of a step that say when it happens. @param clock - for its clock times and timestamps */
export function stepTimesOf(clock: StoryClock) {
  return {
    at: moments("When it happens: from the start, at a clock time or at a timestamp. _Varies._", clock),
    after: span("When it happens, from the step before (the first: from the start). _Varies._"),
    every: recurrence("It happens again and again: at this distance, or on these days of the week."),
    until: moment("With 'every': the last moment at which it happens; default: the end of the scenario.", clock),
    times: count("With 'every': how often it happens.", { min: 1, max: mostSteps }),
    when: conditionSchema.describe(
      "It waits until this happens, watched from 'at' or 'after' on; default: from the start, wherever the step stands.",
    ),
    within: duration("With 'when': it must happen within this time, or the run has a problem.", { minMs: 1 }),
  };
}

/** The same, for the JSON Schema. */
export const stepTimes: ReturnType<typeof stepTimesOf> = stepTimesOf({ startsAtMs: 0, timezone: "UTC" });

/** The keys of which a step has one; a step with `when` may have none. */
export const timeKeys = ["at", "after"] as const;
/** The keys that belong to `every`. */
const recurrenceKeys = ["until", "times"] as const;
/** All keys of a step but its verb. */
export const stepKeys: readonly string[] = Object.keys(stepTimes);

/** When a written step happens. */
export interface StepTimes {
  /** The earliest instant of each occurrence. Empty: not known. */
  readonly instants: readonly number[];
  readonly delays: readonly StepDelay[];
  readonly isRecurring: boolean;
  /** See `Step.follows`. In `StepTimesReader.last`, a step that waits follows itself, for the steps after it. */
  readonly follows?: Step["follows"];
}

const unknown: StepTimes = { instants: [], delays: [], isRecurring: false };
const theStart: StepTimes = { instants: [0], delays: [], isRecurring: false };

/** Reads the times of the steps of a story, which depend on the steps before. */
export class StepTimesReader {
  readonly #reader: DocumentReader;
  readonly #clock: StoryClock;
  readonly #lastsMs: number | undefined;
  readonly #fields: typeof stepTimes;
  /** The step before, which `after` counts from. */
  #last = theStart;
  #steps = 0;

  constructor(
    reader: DocumentReader,
    { clock, lastsMs }: { readonly clock: StoryClock; readonly lastsMs: number | undefined },
  ) {
    this.#reader = reader;
    this.#clock = clock;
    this.#lastsMs = lastsMs;
    this.#fields = stepTimesOf(clock);
  }

  /** The times of the step that was read last. */
  get last(): StepTimes {
    return this.#last;
  }

  /**
   * Reads the times of the next step.
   *
   * @param place - its index in the list
   * @param isArgument - whether a key may be a misplaced argument of the step's verb
   */
  read(path: Path, place: number, isArgument: (key: string) => boolean): StepTimes {
    const times = this.#recurring(path, this.#first(path, place), isArgument);
    this.#steps += Math.max(1, times.instants.length);
    const isWaiting = this.#reader.at([...path, "when"]) !== undefined;
    if (isWaiting) this.#checkWait(path, times);
    this.#last = isWaiting ? { ...times, follows: { place, afterMs: 0 } } : times;
    return times;
  }

  /** Reports a step that waits and recurs, or waits from a moment that varies: it has one watch, from one moment on. */
  #checkWait(path: Path, { isRecurring, delays }: StepTimes): void {
    if (!isRecurring && delays.length === 0) return;
    const message = `a step that waits for a condition ${isRecurring ? "cannot recur" : "is watched from one moment on"}`;
    this.#reader.reportProblem(
      [...path, "when"],
      keyConflict(message, "write at: …, without 'every' and without a range"),
    );
  }

  /** Marks the delay of the step that was read last as drawn once: the step acts on no handsets or people. */
  shareDelay(place: number): void {
    const delays = this.#last.delays.map((delay) =>
      delay.place === place ? { ...delay, isShared: true as const } : delay,
    );
    this.#last = { ...this.#last, delays };
  }

  /** The times of the first occurrence, or of those after each occurrence of the step before. */
  #first(path: Path, place: number): StepTimes {
    const reader = this.#reader;
    const [key, second] = timeKeys.filter((one) => reader.keys(path).includes(one));
    if (key === undefined && reader.keys(path).includes("when")) return theStart;
    if (key === undefined) {
      if (isMap(reader.at(path))) {
        reader.reportProblem([...path, "at"], {
          code: "missing-key",
          message: "a step needs 'at' or 'after'",
          whole: true,
          hint: "write at: 1h, or after: 5m",
        });
      }
      return unknown;
    }
    if (second !== undefined) {
      reader.reportProblem(
        [...path, second],
        keyConflict("'at' (from the start) and 'after' (from the step before) cannot both be", "keep one of the two"),
      );
    }
    const values = reader.read(this.#fields[key], [...path, key]);
    const before = key === "at" ? theStart : this.#last;
    const [firstMs] = before.instants;
    if (values === undefined || firstMs === undefined) return unknown;
    const leastMs = lowerBound(values);
    const delays =
      values.kind === "fixed" ? before.delays : [...before.delays, { place, values: shifted(values, leastMs) }];
    this.#checkEnd([...path, key], firstMs + leastMs, firstMs + Math.min(upperBound(values), Number.MAX_SAFE_INTEGER));
    const isPlayed = (atMs: number): boolean => atMs <= (this.#lastsMs ?? Infinity);
    const [, ...others] = before.instants.map((atMs) => atMs + leastMs);
    const follows = before.follows && { ...before.follows, afterMs: before.follows.afterMs + leastMs };
    return { ...before, instants: [firstMs + leastMs, ...others.filter(isPlayed)], delays, follows };
  }

  /** Reports a step that happens after the end, or may. */
  #checkEnd(path: Path, leastMs: number, mostMs: number): void {
    const lastsMs = this.#lastsMs;
    if (lastsMs === undefined) return;
    const isVarying = mostMs > leastMs;
    const lateMs =
      leastMs > lastsMs ? leastMs : mostMs > lastsMs && mostMs < Number.MAX_SAFE_INTEGER ? mostMs : undefined;
    if (lateMs === undefined) return;
    this.#reader.reportProblem(path, {
      code: "after-end",
      message: `the step ${isVarying ? "may happen" : "happens"} at ${durationLiteral(lateMs)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
      whole: true,
      hint: `write it before ${durationLiteral(lastsMs)}, or let the scenario last longer`,
    });
  }

  /** Adds the occurrences of `every`. */
  #recurring(path: Path, first: StepTimes, isArgument: (key: string) => boolean): StepTimes {
    const reader = this.#reader;
    const has = (key: string): boolean => reader.at([...path, key]) !== undefined;
    if (!has("every")) {
      for (const key of recurrenceKeys) {
        if (!has(key) || isArgument(key)) continue;
        const message = `'${key}' belongs to 'every', which the step does not have`;
        reader.reportProblem([...path, key], {
          code: "missing-key",
          message,
          whole: true,
          on: "key",
          hint: "write every: 1d",
        });
      }
      return first;
    }
    const every = reader.read(this.#fields.every, [...path, "every"]);
    const [until, times] = [
      has("until") ? reader.read(this.#fields.until, [...path, "until"]) : Infinity,
      has("times") ? reader.read(this.#fields.times, [...path, "times"]) : Infinity,
    ];
    if (has("until") && has("times")) {
      reader.reportProblem(
        [...path, "times"],
        keyConflict("'until' and 'times' cannot both end the recurrence", "keep one of the two"),
      );
    }
    if (first.follows !== undefined) {
      const message = "a step after one that waits for a condition happens once: it cannot have 'every'";
      reader.reportProblem([...path, "every"], keyConflict(message, "write at: …, or leave 'every' out"));
      return first;
    }
    if (first.isRecurring) {
      const message = "a step after a recurring step happens after each of its occurrences: it cannot have 'every'";
      reader.reportProblem([...path, "every"], keyConflict(message, "write at: …, or leave 'every' out"));
      return first;
    }
    if (every === undefined || until === undefined || times === undefined) return first;
    const isClock = isClockTime(reader.at([...path, "at"]));
    if ("weekdays" in every && !isClock) {
      const message = "'every' on days of the week needs a clock time";
      const hint = `write at: 19:30, every: ${every.text}`;
      reader.reportProblem([...path, "every"], { code: "missing-key", message, whole: true, hint });
      return first;
    }
    const next = first.instants[0] === undefined ? undefined : this.#nextOf(every, first.instants[0], isClock);
    const firstMs = next?.(0);
    if (next === undefined || firstMs === undefined) return first;
    if (first.instants[0] !== firstMs && first.instants[0] !== undefined && first.instants[0] <= (this.#lastsMs ?? 0))
      this.#checkEnd([...path, "every"], firstMs, firstMs);
    if (until < firstMs) {
      reader.reportProblem([...path, "until"], {
        code: "out-of-range",
        message: `is ${durationLiteral(until)} from the start, but the step first happens at ${durationLiteral(firstMs)}`,
        hint: "write a later moment, or times: 7",
      });
      return first;
    }
    const endMs = Math.min(until, this.#lastsMs ?? firstMs);
    const instants: number[] = [firstMs];
    while (instants.length < times) {
      const atMs = next(instants.length);
      if (atMs > endMs) break;
      instants.push(atMs);
      if (this.#steps + instants.length <= mostSteps) continue;
      reader.reportProblem([...path, "every"], {
        code: "too-large",
        message: `repeats the step so often that the story has more than ${mostSteps.toLocaleString("en")} steps`,
        hint: "make 'every' longer, or end it with 'until' or 'times'",
      });
      break;
    }
    return { ...first, instants, isRecurring: true };
  }

  /**
   * The instants of the occurrences by index, from 0. A clock time that recurs by whole days, or on days of the week,
   * keeps its local time when daylight saving time begins or ends.
   */
  #nextOf(every: Recurrence, firstMs: number, isClock: boolean): (index: number) => number {
    if ("weekdays" in every) {
      const weekday = weekdayOf(firstMs, this.#clock);
      const daysOff = Array.from({ length: 7 }, (_, day) => day).filter((day) =>
        every.weekdays.has((weekday + day) % 7),
      );
      return (index) => {
        const days = Math.floor(index / daysOff.length) * 7 + (daysOff[index % daysOff.length] ?? 0);
        return addDays(firstMs, days, this.#clock);
      };
    }
    const { everyMs } = every;
    if (!isClock || everyMs % DAY_MS !== 0) return (index) => firstMs + index * everyMs;
    return (index) => addDays(firstMs, (index * everyMs) / DAY_MS, this.#clock);
  }
}

const DAY_MS = 86_400_000;

/** The distribution of the values less `byMs`, which is at most its lower bound. */
function shifted(values: Distribution<number>, byMs: number): Distribution<number> {
  switch (values.kind) {
    case "fixed":
      return { ...values, value: values.value - byMs };
    case "uniform":
      return { ...values, min: values.min - byMs, max: values.max - byMs };
    case "pick":
      return { ...values, of: values.of.map((one) => shifted(one, byMs)) };
    case "weighted":
      return { ...values, of: values.of.map((one) => ({ ...one, value: shifted(one.value, byMs) })) };
    default:
      // Their lower bound is 0, so `byMs` is 0.
      return values;
  }
}
