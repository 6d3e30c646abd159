import { eventId, overlapsAny, type WallSpan } from "../../measure/index.js";
import type { RecordedEvent } from "../../store/index.js";
import type { AnswerDifference, AnswersResult, Divergence } from "./answers-result.js";
import type { IgnoredParts } from "./ignored-parts.js";
import { type AnsweredAttempt, differencesBetween, type FieldDifference, seenAnswer } from "./seen-answer.js";

/** An attempt of now at a recorded event. */
export interface ComparedAttempt extends AnsweredAttempt {
  readonly channel: number;
  readonly number: number;
  readonly try: number;
  readonly sentWallMs: number | null;
}

/** A divergence with its differences, before slow answers in busy seconds are left out. */
interface Found {
  readonly divergence: Divergence;
  readonly order: readonly [channel: number, number: number];
  readonly differences: readonly FieldDifference[];
  readonly span: WallSpan | undefined;
}

/** An event that was sent again and is not finished. */
interface Open {
  readonly event: RecordedEvent;
  hasDiverged: boolean;
  isCompared: boolean;
}

/**
 * Holds the answers to events against the recorded ones, try by try. After the first try that differs, the later tries of
 * that event are consequences, and not compared.
 */
export class AnswerComparison {
  readonly #ignored: IgnoredParts;
  readonly #replyToSender: boolean;
  readonly #isImported: boolean;
  readonly #open = new Map<string, Open>();
  readonly #found: Found[] = [];
  #compared = 0;
  #unrecorded = 0;
  #textless = 0;

  /** @param options - `isImported`: the recording is of a log, which may lack the texts of answers; default false */
  constructor(options: {
    readonly ignored: IgnoredParts;
    readonly replyToSender: boolean;
    readonly isImported?: boolean;
  }) {
    this.#ignored = options.ignored;
    this.#isImported = options.isImported ?? false;
    this.#replyToSender = options.replyToSender;
  }

  /** Call it before the event is sent. */
  expectEvent(event: RecordedEvent): void {
    if (event.attempts.length === 0) this.#unrecorded++;
    else this.#open.set(eventId(event), { event, hasDiverged: false, isCompared: false });
  }

  /** Compares an attempt with the recorded one of the same number. */
  compareAttempt(attempt: ComparedAttempt): void {
    const id = eventId(attempt);
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (!open.isCompared) this.#compared++;
    open.isCompared = true;
    const recorded = open.event.attempts.find((one) => one.try === attempt.try);
    const isOver = attempt.outcome === "accepted" || attempt.outcome === "refused";
    if (recorded !== undefined && !open.hasDiverged) open.hasDiverged = this.#compare(open.event, recorded, attempt);
    if (isOver || open.hasDiverged || recorded === undefined) this.#open.delete(id);
  }

  /**
   * Compares all answers to an event with those of another play of it.
   *
   * @returns whether they differ
   */
  compareEvent(event: RecordedEvent, others: RecordedEvent["attempts"]): boolean {
    const { channel, number } = event;
    const found = this.#found.length;
    this.expectEvent(event);
    for (const other of others) this.compareAttempt({ ...other, channel, number });
    return this.#found.length > found;
  }

  /** Whether the answers differ, without counting it. */
  differs(event: RecordedEvent, others: RecordedEvent["attempts"]): boolean {
    const comparison = new AnswerComparison({ ignored: this.#ignored, replyToSender: this.#replyToSender });
    return comparison.compareEvent(event, others);
  }

  /**
   * All differences so far.
   *
   * @param busy - spans of the sender's wall time in which this machine was busy: slow answers in them are not judged
   */
  result(busy: readonly WallSpan[]): { readonly answers: AnswersResult; readonly differences: AnswerDifference[] } {
    let busyCount = 0;
    const kept: Found[] = [];
    for (const found of this.#found) {
      const isBusy = found.span !== undefined && overlapsAny(found.span, busy);
      const differences = found.differences.filter(({ what }) => what !== "latency" || !isBusy);
      if (differences.length < found.differences.length) busyCount++;
      if (differences.length > 0) kept.push({ ...found, differences });
    }
    kept.sort((a, b) => a.divergence.atMs - b.divergence.atMs || a.order[0] - b.order[0] || a.order[1] - b.order[1]);
    const first = kept[0]?.divergence;
    return {
      answers: {
        compared: this.#compared,
        differing: kept.length,
        unrecorded: this.#unrecorded,
        textless: this.#textless,
        unanswered: [...this.#open.values()].filter(({ isCompared }) => !isCompared).length,
        busy: busyCount,
        ...(first !== undefined && { first }),
      },
      differences: kept.flatMap(({ divergence, differences }) => {
        const { event, try: tryNumber, atMs } = divergence;
        return differences.map((difference) => ({ event, ...difference, try: tryNumber, atMs }));
      }),
    };
  }

  /** @returns whether they differ */
  #compare(event: RecordedEvent, before: RecordedEvent["attempts"][number], attempt: ComparedAttempt): boolean {
    const options = { replyToSender: this.#replyToSender };
    const isTextless = this.#isImported && before.status !== null && before.body === null;
    if (isTextless) this.#textless++;
    const [recorded, now] = [seenAnswer(before, options), seenAnswer(attempt, options)];
    const differences = differencesBetween(recorded, now, { ignored: this.#ignored, isTextless });
    if (differences.length === 0) return false;
    const { channel, number, atMs, type, body } = event;
    const { sentWallMs, durationMs } = attempt;
    this.#found.push({
      divergence: { event: eventId(event), try: attempt.try, atMs, type, body, recorded, now },
      order: [channel, number],
      differences,
      span: sentWallMs === null ? undefined : { fromMs: sentWallMs, untilMs: sentWallMs + durationMs },
    });
    return true;
  }
}
