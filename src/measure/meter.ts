import { Measurements, type MeasuredAttempt } from "./measurements.js";
import { PunctualityMeter } from "./punctuality.js";
import type { SpanWindow } from "./span-window.js";
import type { Tags } from "./tags.js";
import { Timeline, type TimelineKind } from "./timeline.js";

/** Maximum count of distinct types and groups; further ones are measured together as `others`. */
const MAX_TYPES = 64;
const MAX_GROUPS = 256;
/** Maximum count of pairs of type and group with separate measurements. */
const MAX_ENTRIES = 512;
const OTHERS = "others";

/** The measurements of one type and group, and the windows that include them. */
interface Entry {
  readonly type: string;
  readonly group: string;
  readonly measurements: Measurements;
  readonly windows: SpanWindow[];
}

/**
 * All measurements of a run, by event type, by group of handsets, and by both.
 *
 * Each pair of type and group has one set of measurements; totals are summed on demand. A set takes up to 92 KiB for
 * each of its four histograms, usually 30 KiB in all; there are at most 512 sets. Recording an attempt allocates
 * nothing.
 */
export class Meter {
  readonly schedule: PunctualityMeter = new PunctualityMeter();
  readonly timeline: Timeline;
  readonly #isPaced: boolean;
  readonly #groupOf: (channel: number) => string;
  readonly #types = new Map<string, number>();
  /** One-entry cache of the last type, because successive events often share it. */
  #lastType: string | undefined;
  #lastTypeAt = 0;
  readonly #groups = new Map<string, number>();
  /** By channel: index of its group + 1; 0: not known yet. */
  #groupOfChannel = new Uint16Array(64);
  /** By type × MAX_GROUPS + group. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #usedEntries: Entry[] = [];
  readonly #windows: SpanWindow[] = [];

  /**
   * @param options - `isPaced`: there is a schedule, see `Measurements`; `timeline`: the clock of its timeline, default
   *   `wall`; `groupOf`: the group of a channel's handset, called once per channel
   */
  constructor(options: {
    readonly isPaced: boolean;
    readonly timeline?: TimelineKind;
    readonly groupOf: (channel: number) => string;
  }) {
    this.#isPaced = options.isPaced;
    this.timeline = new Timeline({ kind: options.timeline ?? "wall", isPaced: options.isPaced });
    this.#groupOf = options.groupOf;
  }

  recordEvent(type: string, channel: number): void {
    this.#entry(type, channel).measurements.events++;
  }

  /**
   * @param event - type and channel of the attempt's event
   * @param bytesOut - size of the request's body
   * @returns when the attempt ended, on the timeline's clock
   */
  recordAttempt(
    attempt: MeasuredAttempt,
    event: { readonly type: string; readonly channel: number },
    bytesOut: number,
  ): number {
    const { measurements, windows } = this.#entry(event.type, event.channel);
    measurements.recordAttempt(attempt, bytesOut);
    this.schedule.recordAttempt(attempt);
    for (const window of windows) window.recordAttempt(attempt);
    return this.timeline.recordAttempt(attempt);
  }

  /** Records the round trip of an incoming text of this channel. */
  recordRoundTrip(type: string, channel: number, ms: number): void {
    const { measurements, windows } = this.#entry(type, channel);
    measurements.roundTrip.record(ms);
    for (const window of windows) window.recordRoundTrip(ms);
  }

  /** From now on this window records what matches its tags. */
  addWindow(window: SpanWindow): void {
    this.#windows.push(window);
    for (const entry of this.#usedEntries) if (matchesTags(entry, window.tags)) entry.windows.push(window);
  }

  /** Stops the recording in a window. */
  removeWindow(window: SpanWindow): void {
    for (const windows of [this.#windows, ...this.#usedEntries.map((entry) => entry.windows)]) {
      const at = windows.indexOf(window);
      if (at !== -1) windows.splice(at, 1);
    }
  }

  /** The sum of all measurements that match the tags: a snapshot. */
  total(tags: Tags = {}): Measurements {
    const sum = new Measurements({ isPaced: this.#isPaced });
    for (const entry of this.#usedEntries) if (matchesTags(entry, tags)) sum.add(entry.measurements);
    return sum;
  }

  /** The sum of one counter over the measurements that match the tags; cheaper than `total`. */
  sum(tags: Tags, count: (measurements: Measurements) => number): number {
    return this.#usedEntries.reduce(
      (sum, entry) => (matchesTags(entry, tags) ? sum + count(entry.measurements) : sum),
      0,
    );
  }

  /** The types that occurred, sorted. */
  get types(): string[] {
    return [...new Set(this.#usedEntries.map(({ type }) => type))].sort();
  }

  /** The groups of handsets that occurred, sorted. */
  get groups(): string[] {
    return [...new Set(this.#usedEntries.map(({ group }) => group))].sort();
  }

  /** Memory of the histograms. */
  get bytes(): number {
    return (
      this.schedule.bytes +
      this.timeline.bytes +
      this.#usedEntries.reduce((sum, { measurements }) => sum + measurements.bytes, 0)
    );
  }

  #entry(type: string, channel: number): Entry {
    if (type !== this.#lastType) {
      this.#lastTypeAt = this.#indexOfName(this.#types, type, MAX_TYPES);
      this.#lastType = type;
    }
    const typeAt = this.#lastTypeAt;
    const groupAt = (this.#groupOfChannel[channel] ?? 0) - 1;
    const index = typeAt * MAX_GROUPS + (groupAt >= 0 ? groupAt : this.#indexOfGroup(channel));
    return this.#entries[index] ?? this.#newEntry(index);
  }

  /** The index of a name; the last index is shared by all names beyond the maximum. */
  #indexOfName(indexes: Map<string, number>, name: string, most: number): number {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    if (indexes.size >= most - 1) return most - 1;
    indexes.set(name, indexes.size);
    return indexes.size - 1;
  }

  #indexOfGroup(channel: number): number {
    const group = this.#indexOfName(this.#groups, this.#groupOf(channel), MAX_GROUPS);
    if (channel >= this.#groupOfChannel.length) {
      const longer = new Uint16Array(2 * channel);
      longer.set(this.#groupOfChannel);
      this.#groupOfChannel = longer;
    }
    this.#groupOfChannel[channel] = group + 1;
    return group;
  }

  #newEntry(index: number): Entry {
    const last = (MAX_TYPES - 1) * MAX_GROUPS + MAX_GROUPS - 1;
    const isRoom = this.#usedEntries.length < MAX_ENTRIES || index === last;
    if (!isRoom) return (this.#entries[index] = this.#entries[last] ?? this.#newEntry(last));
    const entry: Entry = {
      type: nameAt(this.#types, Math.floor(index / MAX_GROUPS)),
      group: nameAt(this.#groups, index % MAX_GROUPS),
      measurements: new Measurements({ isPaced: this.#isPaced }),
      windows: [],
    };
    entry.windows.push(...this.#windows.filter(({ tags }) => matchesTags(entry, tags)));
    this.#usedEntries.push(entry);
    return (this.#entries[index] = entry);
  }
}

function nameAt(indexes: ReadonlyMap<string, number>, at: number): string {
  for (const [name, index] of indexes) if (index === at) return name;
  return OTHERS;
}

function matchesTags({ type, group }: Pick<Entry, "type" | "group">, tags: Tags): boolean {
  return (tags.type ?? type) === type && (tags.group ?? group) === group;
}
