import { version } from "../../base/index.js";
import {
  type ConsoleLab,
  type FleetArrays,
  type FleetGroup,
  handsetFlags,
  type LabCounts,
  type LabFacts,
  type LatencyMeter,
  type LogEntry,
  type RunView,
  type StoryView,
} from "../../console/index.js";
import type { ClockStatus, Happening, Lab } from "../../lab/index.js";
import { SpanWindow } from "../../measure/index.js";
import type { Scenario } from "../../scenario/index.js";
import { redactedUrl } from "../../wire/index.js";
import { phoneFlags } from "../../world/index.js";
import type { Followers } from "../followers.js";
import { entryOf } from "./log-entry.js";

/** What the console shows of a served lab or of a run. */
export interface ShownLab {
  /** Resolves when there is a lab. */
  readonly ready: Promise<unknown>;
  /** The lab now; restoring a snapshot replaces it. */
  readonly lab: () => Lab;
  readonly scenario: Scenario;
  readonly followers: Followers;
  readonly mode: LabFacts["mode"];
  /** See `ConsoleLab`; default false. */
  readonly keepsSeries?: boolean;
  /** Where events go by default; null: nowhere. */
  readonly receiver: () => string | null;
  readonly isBundledReceiver: () => boolean;
  /** The file of the recording; null: it is in memory. */
  readonly database: () => string | null;
  readonly hasPast?: boolean;
  /** Of a served copy of a recording: where the recording ended. */
  readonly pastEndsAtMs?: () => number | undefined;
  readonly story?: () => StoryView | undefined;
  readonly run?: () => RunView | undefined;
}

/** The compiler checks that the console's bits are the world's: the world writes them, and they are sent as they are. */
const bits = { ...phoneFlags, hasAlarm: handsetFlags.hasAlarm } satisfies typeof handsetFlags;

/** A lab as the console's stream reads it. */
export class ServedConsoleLab implements ConsoleLab<Happening> {
  readonly #shown: ShownLab;
  /** By channel - 1, reused by each reading. */
  #lastSeenMs = new Float64Array(0);
  #hasAlarm = new Uint8Array(0);

  constructor(shown: ShownLab) {
    this.#shown = shown;
  }

  get ready(): Promise<unknown> {
    return this.#shown.ready;
  }

  get generation(): Lab {
    return this.#shown.lab();
  }

  get keepsSeries(): boolean {
    return this.#shown.keepsSeries === true;
  }

  get handsetCount(): number {
    return this.#lab.world.population.handsetCount;
  }

  facts(): LabFacts {
    const { scenario, mode, receiver, isBundledReceiver, database } = this.#shown;
    const { lastsMs, startsAtMs, timezone } = scenario.cast;
    const pastEndsAtMs = this.#shown.pastEndsAtMs?.();
    const url = receiver();
    return {
      name: scenario.name,
      version,
      seed: scenario.seed,
      mode,
      startsAtMs,
      lastsMs: lastsMs === Infinity ? null : lastsMs,
      timezone,
      receiver: url === null ? null : redactedUrl(url),
      isBundledReceiver: isBundledReceiver(),
      database: database(),
      people: this.#lab.world.population.personCount,
      hasClock: this.#lab.clock !== undefined,
      hasPast: this.#shown.hasPast ?? false,
      pastEndsAtMs,
      settleMs: this.#lab.settleMs,
    };
  }

  groups(): FleetGroup[] {
    return this.#lab.world.population.ranges.map(({ group, firstPlace, firstMember, count }) => ({
      name: group.name,
      firstChannel: firstPlace + 1,
      firstIndex: firstMember,
      count,
    }));
  }

  clock(): ClockStatus {
    const { clock, nowMs } = this.#lab;
    return clock?.status ?? { nowMs, speed: 0, isPaused: false };
  }

  counts(): LabCounts {
    return this.#lab.counts();
  }

  readFleet(arrays: FleetArrays): void {
    const { world, gateway } = this.#lab;
    const { flags, lastSeenS, events } = arrays;
    const count = flags.length;
    if (this.#hasAlarm.length !== count) {
      this.#hasAlarm = new Uint8Array(count);
      this.#lastSeenMs = new Float64Array(count);
    }
    const [hasAlarm, lastSeenMs] = [this.#hasAlarm, this.#lastSeenMs];
    world.readFleet(arrays);
    gateway.readChannels({ events, lastSeenMs, hasAlarm });
    for (let index = 0; index < count; index++) {
      if (hasAlarm[index] === 1) flags[index] = (flags[index] ?? 0) | bits.hasAlarm;
      lastSeenS[index] = Math.floor((lastSeenMs[index] ?? 0) / 1000);
    }
  }

  measureLatency(): LatencyMeter {
    const { meter } = this.#lab.pipeline.measurements;
    // No past seconds: a reading has what came since the one before.
    const window = new SpanWindow({ family: "delivery", tags: {}, seconds: 0 });
    meter.addWindow(window);
    return {
      read() {
        const { p50, p99 } = window.total().percentiles();
        window.clear();
        return { p50Ms: p50, p99Ms: p99 };
      },
      close: () => meter.removeWindow(window),
    };
  }

  follow(listener: (happening: Happening) => void): () => void {
    return this.#shown.followers.follow(listener);
  }

  entryOf(happening: Happening): LogEntry | undefined {
    return entryOf(happening, (channel) => this.#lab.world.population.nameOfHandset(channel));
  }

  story(): StoryView | undefined {
    return this.#shown.story?.();
  }

  run(): RunView | undefined {
    return this.#shown.run?.();
  }

  get #lab(): Lab {
    return this.#shown.lab();
  }
}
