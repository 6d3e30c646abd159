import type { LiveSource } from "./live-source.js";
import type { EventEntry, FleetGroup, Traffic } from "./protocol/index.js";

/** Most sampled events of a group in a frame, so that one group's storm does not hide the others. */
const OF_GROUP = 6;

/** Most sampled events of a frame. */
const OF_FRAME = 48;

interface GroupTraffic {
  texts: number;
  messages: number;
  sampled: number;
}

/** Counts the texts and messages of each group, and samples some of them, from its construction until `close`. */
export class TrafficTail<H> {
  readonly #lab: LiveSource<H>;
  readonly #groups: readonly FleetGroup[];
  /** Index in `#groups`, by channel - 1. */
  readonly #groupOf: Uint32Array;
  readonly #stopFollowing: () => void;
  #counts = new Map<number, GroupTraffic>();
  #sample: H[] = [];

  constructor(lab: LiveSource<H>) {
    this.#lab = lab;
    this.#groups = lab.groups();
    this.#groupOf = new Uint32Array(lab.handsetCount);
    for (const [index, { firstChannel, count }] of this.#groups.entries()) {
      this.#groupOf.fill(index, firstChannel - 1, firstChannel - 1 + count);
    }
    this.#stopFollowing = lab.follow((happening) => this.#add(happening));
  }

  /** Ends the frame. @returns undefined: there was no traffic */
  endFrame(): Traffic | undefined {
    if (this.#counts.size === 0) return undefined;
    const counts = [...this.#counts].map(([group, { texts, messages }]) => [
      this.#groups[group]?.firstChannel ?? 0,
      texts,
      messages,
    ]);
    const sample = this.#sample.flatMap((happening): EventEntry[] => {
      const entry = this.#lab.entryOf(happening);
      return entry?.kind === "event" ? [entry] : [];
    });
    this.#counts = new Map();
    this.#sample = [];
    return { counts, sample };
  }

  close(): void {
    this.#stopFollowing();
  }

  #add(happening: H): void {
    const event = this.#lab.trafficOf(happening);
    if (event === undefined) return;
    const group = this.#groupOf[event.channel - 1] ?? 0;
    let counts = this.#counts.get(group);
    if (counts === undefined) this.#counts.set(group, (counts = { texts: 0, messages: 0, sampled: 0 }));
    if (event.type === "mo_sms") counts.texts++;
    else counts.messages++;
    if (counts.sampled >= OF_GROUP || this.#sample.length >= OF_FRAME) return;
    counts.sampled++;
    this.#sample.push(happening);
  }
}
