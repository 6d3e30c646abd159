import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { EventEntry, FleetGroup, Traffic } from "../../protocol/index.js";
import { wishTraffic } from "../connection/connect.js";
import { moment } from "../connection/moment.js";
import { clock, fleet, type FleetState, liveLog, points, totals, traffic } from "../connection/state.js";
import { commonCause } from "../domain/receiver-health.js";
import { DotFlow, type SampledText, STREAM_FROM } from "./dot-flow.js";
import { type VillageState, villageStateOf } from "./village-state.js";

/** A text on the picture in words. */
export interface Bubble {
  readonly key: string;
  readonly kind: "text" | "message";
  readonly village: number;
  readonly phone: string;
  readonly body: string;
  readonly untilMs: number;
}

/** How long a bubble stays, milliseconds. */
const BUBBLE_MS = 5200;
/** A text's way to the phone, after which a message's bubble appears, milliseconds. */
const MESSAGE_MS = 1700;
/** Shortest time between two new bubbles, milliseconds. */
const BUBBLE_EVERY_MS = 1100;
/** How long the words about a storm stay after it, milliseconds. */
const STORM_MS = 5000;
/** Time after a village's link has returned in which its stream counts as a storm, milliseconds. */
const RETURN_MS = 15_000;
/** Period in which attempts are judged, milliseconds. */
const ATTEMPTS_MS = 2500;
/** Fewer failed attempts in it may be chance. */
const FAILED_MIN = 3;
/** How long the receiver is shown as failing after the last such period, milliseconds. */
const TROUBLE_MS = 2500;
/** Virtual time that the clock's speed does not explain: it was stepped or jumped. */
const STEP_MS = 30_000;
/** Period of the counts that stand for motion, milliseconds. */
const COUNTED_MS = 10_000;

/** Texts and messages of a village in the last seconds. */
export interface Counted {
  readonly texts: number;
  readonly messages: number;
}

/** Follows the stream for the picture: states of the villages, dots, streams, bubbles. */
export class TrafficDesk {
  readonly flow = new DotFlow();
  readonly #states = signal<readonly VillageState[]>([]);
  readonly #storms = signal<readonly number[]>([]);
  readonly #bubbles = signal<readonly Bubble[]>([]);
  readonly #counted = signal<readonly Counted[]>([]);
  readonly #trouble = signal<string | undefined>(undefined);
  readonly #onMove: () => void;
  #recent: { readonly atMs: number; readonly counts: Traffic["counts"] }[] = [];
  #groups: readonly FleetGroup[] = [];
  #indexOf = new Map<number, number>();
  #attempts: { readonly atMs: number; readonly accepted: number; readonly failures: number }[] = [];
  #failsUntilMs = 0;
  #newestBubbleMs = 0;
  #clock: { readonly nowMs: number; readonly wallMs: number } | undefined;
  /** When a village last had no link. */
  readonly #silentMs = new Map<number, number>();
  readonly #stormEnds = new Map<number, { readonly count: number; readonly untilMs: number }>();

  /** @param onMove - called when something begins to move */
  constructor(onMove: () => void) {
    this.#onMove = onMove;
  }

  /** States of the villages, in the order of the groups. */
  get states(): ReadonlySignal<readonly VillageState[]> {
    return this.#states;
  }

  /** Texts that each village has sent in its storm so far; 0: none. */
  get storms(): ReadonlySignal<readonly number[]> {
    return this.#storms;
  }

  get bubbles(): ReadonlySignal<readonly Bubble[]> {
    return this.#bubbles;
  }

  /** How the receiver fails: `500`; empty: unknown. Undefined: it does not. */
  get trouble(): ReadonlySignal<string | undefined> {
    return this.#trouble;
  }

  /** The counts of the last ten seconds. */
  get counted(): ReadonlySignal<readonly Counted[]> {
    return this.#counted;
  }

  /** Follows the stream. @returns stops following */
  open(): () => void {
    const stops = [
      effect(() => {
        const now = fleet.value;
        if (now !== undefined) this.#takeFleet(now);
      }),
      effect(() => {
        // In the past, live traffic would belong to another moment.
        const isPast = moment.value !== undefined;
        wishTraffic(!isPast);
        if (isPast) this.#clear();
      }),
      effect(() => {
        const frames = traffic.value;
        if (this.#isStepped()) this.#clear();
        else if (moment.peek() === undefined && !document.hidden) for (const frame of frames) this.#takeTraffic(frame);
      }),
      effect(() => {
        const now = totals.value;
        if (now !== undefined) this.#takeTotals(now.accepted, now.failures);
      }),
      // Without frames nothing else ends storms and bubbles.
      effect(() => {
        void points.value;
        this.#tidy(performance.now());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      wishTraffic(false);
      traffic.value = [];
    };
  }

  #takeFleet(now: FleetState): void {
    if (now.groups !== this.#groups) {
      this.#groups = now.groups;
      this.#indexOf = new Map(now.groups.map(({ firstChannel }, index) => [firstChannel, index]));
      this.#clear();
      this.#silentMs.clear();
    }
    const before = this.#states.peek();
    const states = now.groups.map((group) => villageStateOf(group, now));
    this.#states.value = states;
    const nowMs = performance.now();
    for (const [village, { hasLink }] of states.entries()) {
      // The state of the previous frame lasted until this one.
      if (!hasLink || before[village]?.hasLink === false) this.#silentMs.set(village, nowMs);
    }
    // Texts that only reach phones have no event yet.
    if (now.changed === undefined || moment.peek() !== undefined || document.hidden) return;
    const counts = states.flatMap((state, village) => {
      const held = state.hasLink ? 0 : state.texts - (before[village]?.texts ?? state.texts);
      return held > 0 ? [{ village, texts: 0, messages: 0, held }] : [];
    });
    if (counts.length === 0) return;
    this.flow.take({ sample: [], counts, hadQueue: () => false }, nowMs);
    this.#onMove();
  }

  /** Whether the clock went further than its speed explains: what happened in between is no storm. */
  #isStepped(): boolean {
    const [before, now] = [this.#clock, clock.peek()];
    this.#clock = now;
    if (before === undefined || now === undefined) return false;
    const passedMs = now.nowMs - before.nowMs;
    return now.speed > 0 && passedMs > 2 * now.speed * (now.wallMs - before.wallMs) + STEP_MS;
  }

  #takeTraffic({ counts, sample }: Traffic): void {
    const nowMs = performance.now();
    const states = this.#states.peek();
    this.#recent.push({ atMs: nowMs, counts });
    const texts = sample.flatMap((entry) => this.#textOf(entry) ?? []);
    this.flow.take(
      {
        sample: texts,
        counts: counts.flatMap(([first = 0, up = 0, down = 0]) => {
          const village = this.#indexOf.get(first);
          return village === undefined ? [] : [{ village, texts: up, messages: down, held: 0 }];
        }),
        hadQueue: (village) => (states[village]?.waiting ?? 0) >= 20,
      },
      nowMs,
    );
    for (const text of texts) this.#addBubble(text, nowMs);
    this.#tidy(nowMs);
    this.#onMove();
  }

  #textOf({ id, type, phone, text }: EventEntry): SampledText | undefined {
    const channel = Number(id.split("/")[0]);
    const village = this.#groups.findIndex(
      ({ firstChannel, count }) => channel >= firstChannel && channel < firstChannel + count,
    );
    if (village === -1) return undefined;
    return { kind: type === "mo_sms" ? "text" : "message", village, channel, phone, body: text };
  }

  #addBubble({ kind, village, phone, body }: SampledText, nowMs: number): void {
    if (phone === null || body === null || body.trim() === "") return;
    const shown = this.#bubbles.peek();
    const own = shown.find((bubble) => bubble.phone === phone);
    // An answer takes the place of its question.
    const isAnswer = kind === "message" && own?.kind === "text";
    if (!isAnswer && (own !== undefined || nowMs - this.#newestBubbleMs < BUBBLE_EVERY_MS)) return;
    if (!isAnswer && kind === "message") return;
    const bubble = { key: `${kind} ${phone}`, kind, village, phone, body };
    if (!isAnswer) {
      this.#newestBubbleMs = nowMs;
      const others = shown.filter((one) => one.village !== village);
      this.#bubbles.value = [...others, { ...bubble, untilMs: nowMs + BUBBLE_MS }].slice(-BUBBLES_MAX);
      return;
    }
    setTimeout(() => {
      const now = this.#bubbles.peek();
      const rest = now.filter((one) => one.phone !== phone && one.village !== village);
      const untilMs = performance.now() + BUBBLE_MS;
      if (moment.peek() === undefined) this.#bubbles.value = [...rest, { ...bubble, untilMs }].slice(-BUBBLES_MAX);
    }, MESSAGE_MS);
  }

  #takeTotals(accepted: number, failures: number): void {
    const atMs = performance.now();
    const readings = [...this.#attempts, { atMs, accepted, failures }];
    // The last reading before the period is what its attempts are counted from.
    const firstWithin = readings.findIndex((one) => atMs - one.atMs < ATTEMPTS_MS);
    this.#attempts = readings.slice(Math.max(0, firstWithin - 1));
    const [first] = this.#attempts;
    const failed = failures - (first?.failures ?? failures);
    const all = failed + accepted - (first?.accepted ?? accepted);
    this.flow.refusedShare = all > 0 ? Math.max(0, failed / all) : 0;
    if (failed >= FAILED_MIN && 2 * failed >= all) this.#failsUntilMs = atMs + TROUBLE_MS;
    this.#judgeReceiver(atMs);
  }

  #judgeReceiver(nowMs: number): void {
    const isFailing = moment.peek() === undefined && nowMs < this.#failsUntilMs;
    if (!isFailing) this.#trouble.value = undefined;
    else this.#trouble.value ??= commonCause(liveLog.peek()) ?? "";
  }

  /** Ends what is over. */
  #tidy(nowMs: number): void {
    this.#judgeReceiver(nowMs);
    const bubbles = this.#bubbles.peek().filter(({ untilMs }) => untilMs > nowMs);
    if (bubbles.length !== this.#bubbles.peek().length) this.#bubbles.value = bubbles;
    const storms = this.#groups.map((_, village) => {
      const { rate, count } = this.flow.up(village);
      const last = this.#stormEnds.get(village);
      const isBack = nowMs - (this.#silentMs.get(village) ?? -Infinity) < RETURN_MS;
      if (rate >= STREAM_FROM && isBack) this.#stormEnds.set(village, { count, untilMs: nowMs + STORM_MS });
      else if (last !== undefined && last.untilMs < nowMs) this.#stormEnds.delete(village);
      return this.#stormEnds.get(village)?.count ?? 0;
    });
    if (!isSameList(storms, this.#storms.peek())) this.#storms.value = storms;
    this.#recent = this.#recent.filter(({ atMs }) => nowMs - atMs < COUNTED_MS);
    const counted = this.#groups.map(({ firstChannel }) => {
      const rows = this.#recent.flatMap(({ counts }) => counts.filter(([first]) => first === firstChannel));
      const sumOf = (at: number): number => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0);
      return { texts: sumOf(1), messages: sumOf(2) };
    });
    const before = this.#counted.peek();
    const isSame =
      counted.length === before.length &&
      counted.every((one, at) => one.texts === before[at]?.texts && one.messages === before[at].messages);
    if (!isSame) this.#counted.value = counted;
  }

  #clear(): void {
    this.flow.clear();
    this.#stormEnds.clear();
    this.#attempts = [];
    this.#failsUntilMs = 0;
    this.#trouble.value = undefined;
    this.#recent = [];
    this.#bubbles.value = [];
    this.#storms.value = [];
    this.#counted.value = [];
  }
}

/** Most bubbles at a time. */
const BUBBLES_MAX = 3;

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
