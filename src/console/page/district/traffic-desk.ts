import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { type ClockView, type EventEntry, type FleetGroup, isStepped, type Traffic } from "../../protocol/index.js";
import { wishTraffic } from "../connection/connect.js";
import { moment } from "../connection/moment.js";
import { clock, fleet, points, traffic } from "../connection/state.js";
import { failedShare } from "../domain/receiver-health.js";
import { DotFlow, type SampledText } from "./dot-flow.js";
import { type Bubble, NewestTexts } from "./newest-texts.js";
import { type Counted, RecentCounts } from "./recent-counts.js";
import { Storms } from "./storms.js";
import { type VillageState, villageStates } from "./village-state.js";

/** After a longer time without frames, what happened in between is unknown. Wall milliseconds. */
const GAP_MS = 5000;

/**
 * Follows the live stream for what moves on the picture: dots, streams, storms, bubbles, counts. In the past nothing
 * moves: live traffic would belong to another moment.
 */
export class TrafficDesk {
  readonly flow = new DotFlow();
  readonly #storms = new Storms();
  readonly #texts = new NewestTexts();
  readonly #recent = new RecentCounts();
  readonly #stormCounts = signal<readonly number[]>([]);
  readonly #bubbles = signal<readonly Bubble[]>([]);
  readonly #counted = signal<readonly Counted[]>([]);
  readonly #onMove: () => void;
  #groups: readonly FleetGroup[] = [];
  #indexOf = new Map<number, number>();
  #states: readonly VillageState[] = [];
  #clock: ClockView | undefined;
  /** Whether the frame of this clock came after a gap. */
  #hasGap = false;

  /** @param onMove - called when something begins to move */
  constructor(onMove: () => void) {
    this.#onMove = onMove;
  }

  /** Texts that each village has sent in its storm so far; 0: none. */
  get storms(): ReadonlySignal<readonly number[]> {
    return this.#stormCounts;
  }

  get bubbles(): ReadonlySignal<readonly Bubble[]> {
    return this.#bubbles;
  }

  /** The counts of the last ten seconds. */
  get counted(): ReadonlySignal<readonly Counted[]> {
    return this.#counted;
  }

  /** Follows the stream. @returns stops following */
  open(): () => void {
    const stops = [
      effect(() => {
        wishTraffic(moment.value === undefined);
        this.#clear();
      }),
      effect(() => {
        const [states, groups] = [villageStates.value, fleet.value?.groups];
        if (groups !== undefined) this.#takeStates(groups, states);
      }),
      effect(() => {
        const frames = traffic.value;
        if (!this.#isAfterGap() && isFollowing()) for (const frame of frames) this.#takeTraffic(frame);
      }),
      // `points` change each second, so storms and bubbles end in time also where no frames arrive.
      effect(() => {
        this.flow.refusedShare = failedShare(points.value);
        this.#writeSignals(performance.now());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      wishTraffic(false);
      traffic.value = [];
    };
  }

  #takeStates(groups: readonly FleetGroup[], states: readonly VillageState[]): void {
    if (groups !== this.#groups) {
      this.#groups = groups;
      this.#indexOf = new Map(groups.map(({ firstChannel }, index) => [firstChannel, index]));
      this.#clear();
    }
    void this.#isAfterGap();
    const before = this.#states;
    this.#states = states;
    if (!isFollowing()) return;
    const nowMs = performance.now();
    this.#storms.takeStates(states, nowMs);
    // Texts that only reach phones have no event yet.
    const counts = states.flatMap((state, village) => {
      const held = state.hasLink ? 0 : state.texts - (before[village]?.texts ?? state.texts);
      return held > 0 ? [{ village, texts: 0, messages: 0, held }] : [];
    });
    if (counts.length === 0) return;
    this.flow.take({ sample: [], counts, hadQueue: () => false }, nowMs);
    this.#onMove();
  }

  /** What happened during a jump, a step of the clock or a break of the stream is not drawn, and is no storm. */
  #isAfterGap(): boolean {
    const [before, now] = [this.#clock, clock.peek()];
    if (now === before) return this.#hasGap;
    this.#clock = now;
    const passed = now && before && { atMs: now.nowMs - before.nowMs, wallMs: now.wallMs - before.wallMs };
    this.#hasGap = now !== undefined && passed !== undefined && (isStepped(now, passed) || passed.wallMs > GAP_MS);
    if (this.#hasGap) this.#clear();
    return this.#hasGap;
  }

  #takeTraffic({ counts, sample }: Traffic): void {
    const nowMs = performance.now();
    const states = this.#states;
    this.#recent.add(counts, nowMs);
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
    for (const text of texts) this.#texts.add(text, nowMs);
    this.#writeSignals(nowMs);
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

  #writeSignals(nowMs: number): void {
    const streams = this.#groups.map((_, village) => this.flow.up(village));
    const storms = this.#storms.counts(streams, nowMs);
    if (!isSameList(storms, this.#stormCounts.peek())) this.#stormCounts.value = storms;
    this.#bubbles.value = this.#texts.at(nowMs);
    this.#counted.value = this.#recent.at(nowMs, this.#groups);
  }

  #clear(): void {
    this.flow.clear();
    this.#storms.clear();
    this.#texts.clear();
    this.#recent.clear();
    this.#states = [];
    this.#writeSignals(performance.now());
  }
}

/** Whether the page shows the live lab, and somebody can see it. */
function isFollowing(): boolean {
  return moment.peek() === undefined && !document.hidden;
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
