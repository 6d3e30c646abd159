import type { SimTime, Timer } from "../sim/index.js";
import type { DeviceStatus } from "../wire/index.js";
import type { ContinuedChannel } from "./continued-state.js";
import type { Journal } from "./journal.js";
import type { Message } from "./message.js";

/** What is said of a channel when it is made. */
export interface ChannelSpec {
  /** Counts from 1 in file order. */
  readonly id: number;
  readonly uuid: string;
  /** The handset's selector, `clinic/3`. */
  readonly name: string;
  readonly phone: string;
  readonly url: string | null;
  /** The types of events that the account forwards to the URL; absent: all. */
  readonly forwards?: readonly string[];
  /** What the phone reported before the run. */
  readonly device: DeviceStatus;
  /** The service drops a text of the same person, words and second, and a call told twice in one sync (handset.md 9.2). */
  readonly deduplicates: boolean;
}

/** The service's hot record of one handset. */
export interface Channel {
  readonly spec: ChannelSpec;
  /** Events of this channel go here; may change while a run lasts. */
  url: string | null;
  lastSeenMs: SimTime;
  /** `lastSeenMs` as the API tells it: it moves only when it is more than five minutes old (service-api.md 2.5). */
  shownSeenMs: SimTime;
  /** It has synced since the beginning; before, `device` is what the phone would say. */
  hasSynced: boolean;
  /** What the phone said of itself last. Its own object, see `noteDevice`. */
  readonly device: { -readonly [F in keyof DeviceStatus]: DeviceStatus[F] };
  messageCount: number;
  /** Messages up to this number were there before: they are looked up where they are written down. */
  readonly continuedCount: number;
  callCount: number;
  eventCount: number;
  /** Messages with status Q, oldest first, by id: what a sync offers to the phone. */
  queued: Map<number, Message> | undefined;
  /** Outgoing messages that left the queue, by id, oldest first: later reports name them. Bounded, see `messages.ts`. */
  remembered: Map<number, Message> | undefined;
  /** Texts taken in before, for the test of duplicates. Bounded, see `sync.ts`. */
  recentTexts: Set<string> | undefined;
  /** The alarm for each condition has been raised and the condition has not cleared since. */
  silentRaised: boolean;
  powerRaised: boolean;
  alarmTimer: Timer | undefined;
  /** A refused sync has been noted, and none was accepted since. */
  isRefusing: boolean;
  /** The row in the store lags behind this record. */
  isChanged: boolean;
}

/** All channels that are here: those of the whole fleet, ids counting from 1, or those of a part of it. */
export class Channels {
  /** In the order of their ids. */
  readonly all: readonly Channel[];
  /** By id - 1: where they are those of a part, with gaps. */
  readonly #byPlace: readonly (Channel | undefined)[];
  readonly #journal: Journal;
  /** Made when somebody asks: a run without the API has no use for it. */
  #byUuid: ReadonlyMap<string, Channel> | undefined;

  constructor(specs: readonly ChannelSpec[], journal: Journal, continued?: ReadonlyMap<number, ContinuedChannel>) {
    this.#journal = journal;
    this.all = specs.map((spec) => newChannel(spec, continued?.get(spec.id)));
    this.#byPlace = byPlace(this.all);
    this.saveChanged();
  }

  /** @param uuid - in lower case */
  byUuid(uuid: string): Channel | undefined {
    this.#byUuid ??= new Map(this.all.map((channel) => [channel.spec.uuid, channel]));
    return this.#byUuid.get(uuid);
  }

  /** @throws RangeError when there is no such channel */
  get(id: number): Channel {
    const channel = this.#byPlace[id - 1];
    if (channel === undefined) throw new RangeError(`channel must be one of the ${this.all.length} here, got ${id}`);
    return channel;
  }

  has(id: number): boolean {
    return this.#byPlace[id - 1] !== undefined;
  }

  /** Writes the channels whose record has changed since the last save. A sync alone does not write: there are too many. */
  saveChanged(): void {
    for (const channel of this.all) {
      if (!channel.isChanged) continue;
      channel.isChanged = false;
      this.#journal.channel({
        id: channel.spec.id,
        uuid: channel.spec.uuid,
        name: channel.spec.name,
        phone: channel.spec.phone,
        url: channel.url,
        ...(channel.spec.forwards !== undefined && { forwards: channel.spec.forwards }),
        lastSeenMs: channel.lastSeenMs,
        shownSeenMs: channel.shownSeenMs,
        hasSynced: channel.hasSynced,
        device: channel.device,
      });
    }
  }
}

function byPlace(channels: readonly Channel[]): readonly (Channel | undefined)[] {
  const last = channels.at(-1)?.spec.id ?? 0;
  if (last === channels.length) return channels;
  const places: (Channel | undefined)[] = [];
  places.length = last;
  for (const channel of channels) places[channel.spec.id - 1] = channel;
  return places;
}

function newChannel(spec: ChannelSpec, continued: ContinuedChannel | undefined): Channel {
  const { messageCount = 0, callCount = 0, eventCount = 0 } = continued ?? {};
  return {
    spec,
    url: spec.url,
    lastSeenMs: continued?.lastSeenMs ?? 0,
    shownSeenMs: continued?.shownSeenMs ?? 0,
    hasSynced: continued?.hasSynced ?? false,
    device: { ...(continued?.hasSynced === true ? continued.device : spec.device) },
    messageCount,
    continuedCount: messageCount,
    callCount,
    eventCount,
    queued: undefined,
    remembered: undefined,
    recentTexts: undefined,
    silentRaised: false,
    powerRaised: false,
    alarmTimer: undefined,
    isRefusing: false,
    isChanged: true,
  };
}

/** Takes over what a phone says of itself. Copied field by field: a sync's objects then die young, which is cheap. */
export function noteDevice(channel: Channel, status: DeviceStatus): void {
  const { device } = channel;
  device.powerSource = status.powerSource;
  device.powerStatus = status.powerStatus;
  device.powerLevel = status.powerLevel;
  device.networkType = status.networkType;
  device.pending = status.pending;
  device.retry = status.retry;
}
