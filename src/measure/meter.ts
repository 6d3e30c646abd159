import { Measurements, type MeasuredAttempt } from "./measurements.js";
import { PunctualityMeter } from "./punctuality.js";
import type { SpanWindow } from "./span-window.js";
import type { Tags } from "./tags.js";
import { Timeline, type TimelineKind } from "./timeline.js";

/** Types and groups that are told apart; what else occurs is measured together as `others`. */
const MAX_TYPES = 64;
const MAX_GROUPS = 256;
/** Pairs of a type and a group that have a cell of their own. */
const MAX_CELLS = 512;
const OTHERS = "others";

/** A cell with those windows that want its spans. */
interface Entry {
  readonly type: string;
  readonly group: string;
  readonly cell: Measurements;
  readonly windows: SpanWindow[];
}

/**
 * All that is measured of a run: told of each attempt, event and round trip, it has totals by event type, by group of
 * handsets, and by both.
 *
 * One cell of histograms for each pair of type and group is written; totals are added up when they are asked for. A cell
 * takes up to 92 KiB for each of its four histograms, 30 KiB usually; there are 512 at most. Telling it of an attempt
 * allocates nothing.
 */
export class Meter {
  readonly schedule: PunctualityMeter = new PunctualityMeter();
  readonly timeline: Timeline;
  readonly #isPaced: boolean;
  readonly #groupOf: (channel: number) => string;
  readonly #types = new Map<string, number>();
  /** The type that was asked for last: neighbours are mostly of one. */
  #lastType: string | undefined;
  #lastTypeAt = 0;
  readonly #groups = new Map<string, number>();
  /** By channel: place of its group + 1; 0: not yet known. */
  #groupOfChannel = new Uint16Array(64);
  /** By type × MAX_GROUPS + group. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #cells: Entry[] = [];
  readonly #windows: SpanWindow[] = [];

  /**
   * @param options - `isPaced`: there is a schedule (see `Cell`); `timeline`: the clock of its timeline, default `wall`;
   *   `groupOf`: the group of a channel's handset, asked once for each
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
    this.#entry(type, channel).cell.events++;
  }

  /**
   * @param event - what it was an attempt at
   * @param bytesOut - of the request's body
   */
  recordAttempt(
    attempt: MeasuredAttempt,
    event: { readonly type: string; readonly channel: number },
    bytesOut: number,
  ): void {
    const { cell, windows } = this.#entry(event.type, event.channel);
    cell.recordAttempt(attempt, bytesOut);
    this.schedule.recordAttempt(attempt);
    this.timeline.recordAttempt(attempt);
    for (const window of windows) window.recordAttempt(attempt);
  }

  /** An incoming text of this channel has had its effect after so many milliseconds. */
  recordRoundTrip(type: string, channel: number, ms: number): void {
    const { cell, windows } = this.#entry(type, channel);
    cell.roundTrip.record(ms);
    for (const window of windows) window.recordRoundTrip(ms);
  }

  /** From now on this window is told of what its tags mean. */
  addWindow(window: SpanWindow): void {
    this.#windows.push(window);
    for (const entry of this.#cells) if (isMeant(entry, window.tags)) entry.windows.push(window);
  }

  /** All that was measured of what the tags mean, added up. Not live. */
  total(tags: Tags = {}): Measurements {
    const sum = new Measurements({ isPaced: this.#isPaced });
    for (const entry of this.#cells) if (isMeant(entry, tags)) sum.add(entry.cell);
    return sum;
  }

  /** One count of what the tags mean, added up: cheaper than `total`. */
  sum(tags: Tags, count: (cell: Measurements) => number): number {
    return this.#cells.reduce((sum, entry) => (isMeant(entry, tags) ? sum + count(entry.cell) : sum), 0);
  }

  /** The types that occurred, in the order of the alphabet. */
  get types(): string[] {
    return [...new Set(this.#cells.map(({ type }) => type))].sort();
  }

  /** The groups of handsets that occurred, likewise. */
  get groups(): string[] {
    return [...new Set(this.#cells.map(({ group }) => group))].sort();
  }

  /** Memory of the histograms. */
  get bytes(): number {
    return this.schedule.bytes + this.timeline.bytes + this.#cells.reduce((sum, { cell }) => sum + cell.bytes, 0);
  }

  #entry(type: string, channel: number): Entry {
    if (type !== this.#lastType) {
      this.#lastTypeAt = this.#meet(this.#types, type, MAX_TYPES);
      this.#lastType = type;
    }
    const typeAt = this.#lastTypeAt;
    const groupAt = (this.#groupOfChannel[channel] ?? 0) - 1;
    const place = typeAt * MAX_GROUPS + (groupAt >= 0 ? groupAt : this.#meetChannel(channel));
    return this.#entries[place] ?? this.#newEntry(place);
  }

  /** The place of a name; the last one is for all that find no room. */
  #meet(places: Map<string, number>, name: string, most: number): number {
    const known = places.get(name);
    if (known !== undefined) return known;
    if (places.size >= most - 1) return most - 1;
    places.set(name, places.size);
    return places.size - 1;
  }

  #meetChannel(channel: number): number {
    const group = this.#meet(this.#groups, this.#groupOf(channel), MAX_GROUPS);
    if (channel >= this.#groupOfChannel.length) {
      const longer = new Uint16Array(2 * channel);
      longer.set(this.#groupOfChannel);
      this.#groupOfChannel = longer;
    }
    this.#groupOfChannel[channel] = group + 1;
    return group;
  }

  #newEntry(place: number): Entry {
    const last = (MAX_TYPES - 1) * MAX_GROUPS + MAX_GROUPS - 1;
    const isRoom = this.#cells.length < MAX_CELLS || place === last;
    if (!isRoom) return (this.#entries[place] = this.#entries[last] ?? this.#newEntry(last));
    const entry: Entry = {
      type: nameAt(this.#types, Math.floor(place / MAX_GROUPS)),
      group: nameAt(this.#groups, place % MAX_GROUPS),
      cell: new Measurements({ isPaced: this.#isPaced }),
      windows: [],
    };
    entry.windows.push(...this.#windows.filter(({ tags }) => isMeant(entry, tags)));
    this.#cells.push(entry);
    return (this.#entries[place] = entry);
  }
}

function nameAt(places: ReadonlyMap<string, number>, at: number): string {
  for (const [name, place] of places) if (place === at) return name;
  return OTHERS;
}

function isMeant({ type, group }: Pick<Entry, "type" | "group">, tags: Tags): boolean {
  return (tags.type ?? type) === type && (tags.group ?? group) === group;
}
