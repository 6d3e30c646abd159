import type { SimTime, Timer } from "../sim/index.js";
import type { DeviceStatus } from "../wire/index.js";
import type { ContinuedChannel } from "./continued-state.js";
import type { Journal } from "./journal.js";
import type { Message } from "./message.js";
import type { ServiceFaults } from "./service-faults.js";

/** The fixed properties of a channel. */
export interface ChannelSpec {
  /** Counts from 1 in file order. */
  readonly id: number;
  readonly uuid: string;
  /** The handset's selector, `clinic/3`. */
  readonly name: string;
  readonly phone: string;
  readonly url: string | null;
  /** Event types that the account forwards to the URL; absent: all. */
  readonly forwards?: readonly string[];
  /** The phone's state until its first sync. */
  readonly device: DeviceStatus;
}

/** The service's record of one handset, in memory. */
export interface Channel {
  readonly spec: ChannelSpec;
  /** Delivery URL; may change during a run. */
  url: string | null;
  lastSeenMs: SimTime;
  /**
   * `lastSeenMs` as the API shows it: updated only when it is more than five minutes old
   * (docs/reference/service-api.md#channels).
   */
  shownSeenMs: SimTime;
  /** Whether the phone has ever synced. Until then `device` has the initial values of its specification. */
  hasSynced: boolean;
  /** The state of the phone in its last sync. Owned by the channel, see `noteDevice`. */
  readonly device: DeviceStatus;
  messageCount: number;
  /** Messages up to this number were recorded before the database was closed: `Messages` reads them from it. */
  readonly continuedCount: number;
  callCount: number;
  eventCount: number;
  /** Messages with status Q, oldest first, by id: what a sync offers to the phone. */
  queued: Map<number, Message> | undefined;
  /**
   * Outgoing messages that left the queue, by id, oldest first, because later reports name them. Bounded, see
   * `messages.ts`.
   */
  remembered: Map<number, Message> | undefined;
  /** Keys of recent incoming texts, to detect duplicates. Bounded, see `syncs.ts`. */
  recentTexts: Set<string> | undefined;
  /** Messages whose reports were refused an ack, see `acksUnknown` of the preset. */
  refusedReports: Set<number> | undefined;
  /** Whether the alarm for a condition was raised, and the condition has not cleared since. */
  silentRaised: boolean;
  powerRaised: boolean;
  alarmTimer: Timer | undefined;
  /** Faults of the service towards this phone; undefined: it never had one. */
  faults: ServiceFaults | undefined;
  /** Channels whose messages the service may wrongly offer to this phone. */
  takesFrom: Channel[] | undefined;
  /** True after a refused sync, which the log has noted. */
  isRefusing: boolean;
  /** True when the stored row is older than this record. */
  isChanged: boolean;
}

/** All channels of the fleet, with ids from 1, or of the part of it that this process plays. */
export class Channels {
  /** By id. */
  readonly all: readonly Channel[];
  /** At index id - 1; has gaps in a part of a fleet. */
  readonly #byIndex: readonly (Channel | undefined)[];
  readonly #journal: Journal;
  /** Built on first use: only the API needs it. */
  #byUuid: ReadonlyMap<string, Channel> | undefined;

  constructor(specs: readonly ChannelSpec[], journal: Journal, continued?: ReadonlyMap<number, ContinuedChannel>) {
    this.#journal = journal;
    this.all = specs.map((spec) => newChannel(spec, continued?.get(spec.id)));
    this.#byIndex = indexChannels(this.all);
    this.saveChanged();
  }

  /** @param uuid - in lower case */
  byUuid(uuid: string): Channel | undefined {
    this.#byUuid ??= new Map(this.all.map((channel) => [channel.spec.uuid, channel]));
    return this.#byUuid.get(uuid);
  }

  /** @throws RangeError when the id is unknown */
  get(id: number): Channel {
    const channel = this.#byIndex[id - 1];
    if (channel === undefined) throw new RangeError(`channel must be one of the ${this.all.length} here, got ${id}`);
    return channel;
  }

  has(id: number): boolean {
    return this.#byIndex[id - 1] !== undefined;
  }

  /** Writes the channels that changed since the last call. Syncs are too frequent to write: they set `isChanged`. */
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
        forwards: channel.spec.forwards,
        lastSeenMs: channel.lastSeenMs,
        shownSeenMs: channel.shownSeenMs,
        hasSynced: channel.hasSynced,
        device: channel.device,
      });
    }
  }
}

function indexChannels(channels: readonly Channel[]): readonly (Channel | undefined)[] {
  const last = channels.at(-1)?.spec.id ?? 0;
  if (last === channels.length) return channels;
  const byIndex: (Channel | undefined)[] = [];
  byIndex.length = last;
  for (const channel of channels) byIndex[channel.spec.id - 1] = channel;
  return byIndex;
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
    refusedReports: undefined,
    silentRaised: false,
    powerRaised: false,
    alarmTimer: undefined,
    faults: undefined,
    takesFrom: undefined,
    isRefusing: false,
    isChanged: true,
  };
}

/** Copies the state of a phone, so that the sync's status object stays short-lived garbage. */
export function noteDevice(channel: Channel, status: DeviceStatus): void {
  Object.assign(channel.device, status);
}
