import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";

/** A named point at which flows call out to subscribers. */
export interface ResthookRow {
  /** Counts from 1. */
  readonly id: number;
  /** Lower case; unique. */
  readonly slug: string;
  readonly createdAtMs: SimTime;
  /** When a subscriber was last added or removed (docs/reference/service-api.md#resthooks). */
  readonly modifiedAtMs: SimTime;
}

/** A URL that receives the events of a resthook. */
export interface SubscriberRow {
  /** Counts from 1. */
  readonly id: number;
  /** `ResthookRow.id` */
  readonly resthook: number;
  readonly targetUrl: string;
  readonly createdAtMs: SimTime;
  /** False when a client deleted it, or its URL answered 410. */
  readonly isActive: boolean;
}

/** Most active subscribers of a resthook: each event is posted to all of them. */
export const SUBSCRIBERS_MAX = 1000;

/** An event of a resthook. */
export interface ResthookEventRow {
  /** Counts from 1. */
  readonly id: number;
  readonly resthook: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAtMs: SimTime;
}

/** An event that a subscriber has not received yet. */
export interface PendingRow {
  /** `ResthookEventRow.id` */
  readonly event: number;
  /** `SubscriberRow.id` */
  readonly subscriber: number;
  /** Number of the next try, or of the one in flight; 1 for the first. */
  readonly try: number;
  readonly dueAtMs: SimTime;
}

/** One attempt to post an event of a resthook to a subscriber. */
export interface ResthookDelivery {
  /** Id of the resthook's event. */
  readonly event: number;
  /** Id of the subscriber. */
  readonly subscriber: number;
  /** 1 for the first. */
  readonly try: number;
  /** When the attempt is made. */
  readonly atMs: SimTime;
  readonly url: string;
  /** Posted as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Ports through which resthooks leave the account. */
export interface ResthookPorts {
  /**
   * Posts an event of a resthook; the caller passes the result to `Resthooks.applyAnswer`. Absent: every attempt fails.
   */
  resthook?(delivery: ResthookDelivery): void;
}

/** The result of one attempt. Exactly one of `status` and `error` is null. */
export interface ResthookAnswer {
  /** Wall milliseconds. */
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The first bytes of the answer's body. */
  readonly body: Uint8Array | null;
  /** Position of the run at which the answer takes effect, for the recording. */
  readonly step?: number;
}

/** Outcome of an attempt. `gone`: the subscriber answered 410 and gets no more events. */
export type ResthookOutcome = "accepted" | "retried" | "failed" | "gone";

/** One attempt, as it is recorded. */
export interface ResthookAttemptRow extends ResthookAnswer {
  readonly event: number;
  readonly subscriber: number;
  readonly try: number;
  /** When its outcome took effect. */
  readonly atMs: SimTime;
  readonly outcome: ResthookOutcome;
}

/** Where resthooks, subscribers, events and attempts are stored. The store implements it. */
export interface ResthookTable {
  nextId(): number;
  bySlug(slug: string): ResthookRow | undefined;
  get(id: number): ResthookRow | undefined;
  put(row: ResthookRow): void;

  nextSubscriberId(): number;
  subscriber(id: number): SubscriberRow | undefined;
  /** Active subscribers, oldest first. */
  subscribersOf(resthook: number): SubscriberRow[];
  putSubscriber(row: SubscriberRow): void;

  nextEventId(): number;
  event(id: number): ResthookEventRow | undefined;
  putEvent(row: ResthookEventRow): void;

  /** All deliveries that have not ended, by due time. */
  pending(): PendingRow[];
  putPending(row: PendingRow): void;
  removePending(event: number, subscriber: number): void;
  /** Attempts to deliver an event, oldest first. */
  attemptsOf(event: number): ResthookAttemptRow[];
  /** Deliveries of an event that have not ended. */
  pendingOf(event: number): PendingRow[];
  addAttempt(row: ResthookAttemptRow): void;
}

/**
 * Resthooks: stores their events and posts each one to every subscriber, with retries in virtual time by the preset.
 * Deliveries that were pending when the database was closed continue when it is served again.
 */
export class Resthooks {
  readonly #kernel: Kernel;
  readonly #preset: ServicePreset;
  readonly #ports: ResthookPorts;
  readonly #table: ResthookTable;

  constructor(options: { kernel: Kernel; preset: ServicePreset; ports: ResthookPorts; table: ResthookTable }) {
    this.#kernel = options.kernel;
    this.#preset = options.preset;
    this.#ports = options.ports;
    this.#table = options.table;
  }

  /** Schedules the recorded deliveries that have not ended; overdue ones are due immediately. */
  continuePending(): void {
    for (const pending of this.#table.pending()) this.#schedule(pending);
  }

  /** Adds the resthook if it does not exist yet. */
  add(slug: string): ResthookRow {
    const known = this.#table.bySlug(slug);
    if (known !== undefined) return known;
    const { now } = this.#kernel;
    const resthook = { id: this.#table.nextId(), slug, createdAtMs: now, modifiedAtMs: now };
    this.#table.put(resthook);
    return resthook;
  }

  subscribe({ id }: ResthookRow, targetUrl: string): SubscriberRow {
    const subscriber: SubscriberRow = {
      id: this.#table.nextSubscriberId(),
      resthook: id,
      targetUrl,
      createdAtMs: this.#kernel.now,
      isActive: true,
    };
    this.#table.putSubscriber(subscriber);
    this.#setModified(id);
    return subscriber;
  }

  /** Whether a resthook has the maximum number of subscribers. */
  isFull({ id }: ResthookRow): boolean {
    return this.#table.subscribersOf(id).length >= SUBSCRIBERS_MAX;
  }

  /** Deactivates a subscriber. Its pending deliveries are dropped when they are due. */
  unsubscribe(subscriber: SubscriberRow): void {
    this.#table.putSubscriber({ ...subscriber, isActive: false });
    this.#setModified(subscriber.resthook);
  }

  /**
   * Stores an event and posts it to each subscriber immediately.
   *
   * @returns the event; undefined when there is no such resthook, and then nothing happens
   * (docs/reference/flows.md#call_resthook)
   */
  addEvent(slug: string, data: Readonly<Record<string, unknown>>): ResthookEventRow | undefined {
    const resthook = this.#table.bySlug(slug);
    if (resthook === undefined) return undefined;
    const createdAtMs = this.#kernel.now;
    const event = { id: this.#table.nextEventId(), resthook: resthook.id, data, createdAtMs };
    this.#table.putEvent(event);
    for (const { id } of this.#table.subscribersOf(resthook.id)) {
      this.#savePending({ event: event.id, subscriber: id, try: 1, dueAtMs: createdAtMs });
    }
    return event;
  }

  /**
   * Stores an event that a flow has already posted to the subscribers (docs/reference/flows.md#call_resthook). Does
   * nothing when there is no such resthook.
   */
  recordEvent(slug: string, data: Readonly<Record<string, unknown>>): void {
    const resthook = this.#table.bySlug(slug);
    if (resthook === undefined) return;
    this.#table.putEvent({ id: this.#table.nextEventId(), resthook: resthook.id, data, createdAtMs: this.#kernel.now });
  }

  /** Deactivates the subscribers of a resthook with this URL, because it answered 410. */
  unsubscribeUrl(slug: string, url: string): void {
    const resthook = this.#table.bySlug(slug);
    if (resthook === undefined) return;
    for (const subscriber of this.#table.subscribersOf(resthook.id)) {
      if (subscriber.targetUrl === url) this.unsubscribe(subscriber);
    }
  }

  /**
   * Records the result of an attempt that `ResthookPorts.resthook` made, and schedules the next try if attempts
   * remain.
   */
  applyAnswer({ event, subscriber: id, try: tryNumber, atMs }: ResthookDelivery, answer: ResthookAnswer): void {
    const outcome = this.#outcomeOf(answer, tryNumber);
    const { durationMs, status, error, body, step } = answer;
    const { now } = this.#kernel;
    this.#table.addAttempt({
      event,
      subscriber: id,
      try: tryNumber,
      atMs: now,
      durationMs,
      status,
      error,
      outcome,
      body,
      step,
    });
    if (outcome === "retried") {
      const dueAtMs = Math.max(this.#kernel.now, atMs + this.#waitMs(tryNumber));
      return this.#savePending({ event, subscriber: id, try: tryNumber + 1, dueAtMs });
    }
    this.#table.removePending(event, id);
    const subscriber = outcome === "gone" ? this.#table.subscriber(id) : undefined;
    if (subscriber?.isActive === true) this.unsubscribe(subscriber);
  }

  #setModified(id: number): void {
    const resthook = this.#table.get(id);
    if (resthook !== undefined) this.#table.put({ ...resthook, modifiedAtMs: this.#kernel.now });
  }

  #savePending(pending: PendingRow): void {
    this.#table.putPending(pending);
    this.#schedule(pending);
  }

  #schedule(pending: PendingRow): void {
    this.#kernel.at(Math.max(pending.dueAtMs, this.#kernel.now), this.#attemptDelivery, pending);
  }

  readonly #attemptDelivery = (pending: PendingRow): void => {
    const event = this.#table.event(pending.event);
    const subscriber = this.#table.subscriber(pending.subscriber);
    if (event === undefined || subscriber?.isActive !== true) {
      this.#table.removePending(pending.event, pending.subscriber);
      return;
    }
    const delivery: ResthookDelivery = {
      event: event.id,
      subscriber: subscriber.id,
      try: pending.try,
      atMs: this.#kernel.now,
      url: subscriber.targetUrl,
      data: event.data,
    };
    if (this.#ports.resthook === undefined) this.applyAnswer(delivery, noSender);
    else this.#ports.resthook(delivery);
  };

  /** 2xx accepts; 410 unsubscribes (docs/reference/flows.md#call_resthook); others retry while attempts remain. */
  #outcomeOf({ status }: ResthookAnswer, tryNumber: number): ResthookOutcome {
    if (status !== null && status >= 200 && status < 300) return "accepted";
    if (status === 410) return "gone";
    return tryNumber < this.#preset.attempts ? "retried" : "failed";
  }

  /** Wait between a try and the next one. */
  #waitMs(tryNumber: number): number {
    const { waitsMs } = this.#preset;
    return waitsMs[Math.min(tryNumber, waitsMs.length) - 1] ?? 0;
  }
}

/** The result of every attempt without the port `resthook`. */
const noSender: ResthookAnswer = { durationMs: 0, status: null, error: "no-sender", body: null };
