import { sampleWhole, type Timer } from "../../sim/index.js";
import { addDelay } from "../../wire/index.js";
import { isRefusal, type SmsServiceState } from "../input.js";
import type { OutboxRow } from "./outbox-row.js";
import type { Phone } from "./phone.js";

/** A wait for the radio that is shorter than this is not recorded as a delay. */
const SHORT_WAIT_MS = 1_000;

/** The outcome of a text at the radio. */
export interface RadioAnswer {
  readonly state: SmsServiceState;
  /** Segments that went on air: all of a text that is sent, those before the first refused one of a failed text. */
  readonly sentCount: number;
  /** The carrier refused a segment that the SIM could not pay for; the phone sees a generic failure. */
  readonly isUnpaid?: true;
}

/**
 * The phone's radio: it puts one segment after the other on air, so texts that the app hands over faster wait here
 * (docs/reference/handset.md#android-limits). At the end of each text it calls `onAnswer`, whatever the outcome.
 */
export class Radio {
  readonly #phone: Phone;
  readonly #onAnswer: (row: OutboxRow, answer: RadioAnswer) => void;
  /** The first one is being sent. */
  #queue: OutboxRow[] = [];
  /** The outcome of the text that is being sent, for its end. */
  #answer: RadioAnswer = idle;
  #timer: Timer | undefined;
  #isSending = false;

  constructor(phone: Phone, onAnswer: (row: OutboxRow, answer: RadioAnswer) => void) {
    this.#phone = phone;
    this.#onAnswer = onAnswer;
  }

  /** Accepts a text, which waits for those before it. */
  handOver(row: OutboxRow): void {
    this.#queue.push(row);
    if (!this.#isSending) this.#begin(this.#queue[0] ?? row);
  }

  /** When the radio will answer for a text; null while others are before it. */
  answersAtMs(row: OutboxRow): number | null {
    return this.#isSending && this.#queue[0] === row ? (this.#timer?.atMs ?? null) : null;
  }

  /** Drops all texts, without a call of `onAnswer`. */
  clear(): void {
    this.#queue = [];
    this.#isSending = false;
    if (this.#timer !== undefined) this.#phone.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  #begin(row: OutboxRow): void {
    const { context } = this.#phone;
    const { now } = context.kernel;
    if (now - row.changedAtMs >= SHORT_WAIT_MS) {
      const wait = { kind: "outbox", why: "radio-busy", fromMs: row.changedAtMs, untilMs: now } as const;
      row.delays = addDelay(row.delays, wait);
    }
    const lastsMs = this.#send(row);
    this.#isSending = true;
    if (this.#timer?.done === true) context.kernel.reschedule(this.#timer, lastsMs, Radio.#ended);
    else this.#timer = context.kernel.in(lastsMs, Radio.#ended, this);
  }

  /** Draws the outcome of a text into `#answer`. @returns how long the radio takes, in milliseconds */
  #send({ segments }: OutboxRow): number {
    const { radio, profile, stream, sendFails } = this.#phone;
    if (isRefusal(radio)) {
      this.#answer = { state: radio, sentCount: 0 };
      return sampleWhole(profile.failedAfter, stream);
    }
    let lastsMs = 0;
    for (let part = 0; part < segments; part++) {
      if (sendFails !== undefined && stream.chance(sendFails.share)) {
        this.#answer = { state: sendFails.state, sentCount: part };
        return lastsMs + sampleWhole(profile.failedAfter, stream);
      }
      if (radio !== "swallows" && !this.#phone.paySegment()) {
        this.#answer = { state: "generic-failure", sentCount: part, isUnpaid: true };
        return lastsMs + sampleWhole(profile.failedAfter, stream);
      }
      lastsMs += sampleWhole(profile.sentAfter, stream);
    }
    this.#answer = { state: radio, sentCount: segments };
    return lastsMs;
  }

  static #ended(this: void, radio: Radio): void {
    const row = radio.#queue.shift();
    radio.#isSending = false;
    if (row !== undefined) radio.#onAnswer(row, radio.#answer);
    const [next] = radio.#queue;
    if (next !== undefined && !radio.#isSending) radio.#begin(next);
  }
}

const idle: RadioAnswer = { state: "ok", sentCount: 0 };
