import type { SimTime, Timer } from "../sim/index.js";
import { type DeviceStatus, OWN_ORG } from "../wire/index.js";
import type { ContinuedChannel } from "./continued-state.js";
import type { Journal } from "./journal.js";
import type { Message } from "./message.js";
import type { Registration } from "./registration.js";
import type { ServiceFaults } from "./service-faults.js";

/** Distance between the ids of two successive registrations of a handset; more than the handsets of any fleet. */
const IDS_PER_REGISTRATION = 1_000_000;

/**
 * The id of a handset's registration, the event field `relayer`. It depends on nothing but the handset, so that parts
 * of a fleet and continued databases give the same ids.
 *
 * @param place - the handset's, from 1
 * @param before - number of its earlier registrations
 */
export function relayerId(place: number, before: number): number {
  return place + before * IDS_PER_REGISTRATION;
}

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
  /** Id, UUID and number of the registration that was claimed last. `spec` has those of the first one. */
  relayer: number;
  uuid: string;
  /** Empty: the channel has no number. */
  phone: string;
  /** False when it is released, or belongs to another organisation: it sends nothing and makes no event. */
  isActive: boolean;
  /** Another organisation has claimed it: its phone still syncs with the service. */
  isElsewhere: boolean;
  /** The channel with the same number to whose phone its messages are offered; undefined: its own phone. */
  offersThrough: Channel | undefined;
  /** When its phone registered. */
  createdAtMs: SimTime;
  /** All registrations of the handset, oldest first; undefined: only the first one, which never changed. */
  registrations: Registration[] | undefined;
  /** Planned: how long after the next registration a person claims it; null: nobody does. */
  claimAfterMs: number | null;
  claimTimer: Timer | undefined;
  /** True after the log has noted that a message was refused because the channel is not active. */
  hasRefusedSend: boolean;
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
  /** Keys of recent incoming texts, to detect duplicates. Bounded, see `recent-texts.ts`. */
  recentTexts: Set<string> | undefined;
  /** Messages whose reports were refused an ack, see `acksUnknown` of the preset. */
  refusedReports: Set<number> | undefined;
  /** Whether the alarm for a condition was raised, and the condition has not cleared since. */
  silentRaised: boolean;
  powerRaised: boolean;
  alarmTimer: Timer | undefined;
  /** Faults of the service towards this phone; undefined: it never had one. */
  faults: ServiceFaults | undefined;
  /** Fault `offersTo`: the channels whose messages are offered to this phone while they have the fault. */
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
  /** Active channels. Built on first use: only the API needs it. */
  #byUuid: ReadonlyMap<string, Channel> | undefined;
  /** Counts changes of registrations: what was derived from numbers, UUIDs and `isActive` is then derived again. */
  #version = 0;

  constructor(specs: readonly ChannelSpec[], journal: Journal, continued?: ReadonlyMap<number, ContinuedChannel>) {
    this.#journal = journal;
    this.all = specs.map((spec) => newChannel(spec, continued?.get(spec.id)));
    this.#byIndex = indexChannels(this.all);
    this.saveChanged();
  }

  /** Changes with each change of a registration. */
  get version(): number {
    return this.#version;
  }

  /** Call it after a registration has changed. */
  registrationChanged(): void {
    this.#version++;
    this.#byUuid = undefined;
  }

  /** An active channel. @param uuid - in lower case */
  byUuid(uuid: string): Channel | undefined {
    this.#byUuid ??= new Map(this.active().map((channel) => [channel.uuid, channel]));
    return this.#byUuid.get(uuid);
  }

  /** The channels that are claimed, and not released. */
  active(): readonly Channel[] {
    return this.all.filter(({ isActive }) => isActive);
  }

  /** The channel with a registration of this id, also one that is released or not claimed. */
  withRelayer(id: number): Channel | undefined {
    const channel = this.#byIndex[(id - 1) % IDS_PER_REGISTRATION];
    if (channel === undefined) return undefined;
    const { relayer, registrations } = channel;
    return relayer === id || registrations?.some((one) => one.relayer === id) === true ? channel : undefined;
  }

  /** @throws RangeError when the id is unknown */
  get(id: number): Channel {
    const channel = this.#byIndex[id - 1];
    if (channel === undefined) throw new RangeError(`channel must be one of the ${this.all.length} here, got ${id}`);
    return channel;
  }

  /** The channel to which a message belongs: the one whose phone has it, or, by fault `offersTo`, another one. */
  homeOf(channel: Channel, { home }: Message): Channel {
    return home === undefined ? channel : this.get(home);
  }

  has(id: number): boolean {
    return this.#byIndex[id - 1] !== undefined;
  }

  /**
   * Writes the channels that changed since the last call. Syncs are too frequent to write: they set `isChanged`.
   *
   * @param only - writes only this one
   */
  saveChanged(only?: Channel): void {
    for (const channel of only === undefined ? this.all : [only]) {
      if (!channel.isChanged) continue;
      channel.isChanged = false;
      this.#journal.channel({
        id: channel.spec.id,
        relayer: channel.relayer,
        uuid: channel.uuid,
        name: channel.spec.name,
        phone: channel.phone,
        isActive: channel.isActive,
        createdAtMs: channel.createdAtMs,
        claimAfterMs: channel.claimAfterMs,
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

/** Whether another organisation has claimed a registration, and not released it. */
export function isElsewhere({ org, releasedAtMs }: Registration): boolean {
  return org !== 0 && org !== OWN_ORG && releasedAtMs === null;
}

function newChannel(spec: ChannelSpec, continued: ContinuedChannel | undefined): Channel {
  const { messageCount = 0, callCount = 0, eventCount = 0 } = continued ?? {};
  const changed = continued?.changed;
  return {
    spec,
    relayer: changed?.relayer ?? spec.id,
    uuid: changed?.uuid ?? spec.uuid,
    phone: changed?.phone ?? spec.phone,
    isActive: changed?.isActive ?? true,
    isElsewhere: changed?.registrations.some((one) => one.relayer === changed.relayer && isElsewhere(one)) === true,
    createdAtMs: changed?.createdAtMs ?? 0,
    registrations: changed && [...changed.registrations],
    claimAfterMs: changed?.claimAfterMs ?? null,
    claimTimer: undefined,
    hasRefusedSend: false,
    offersThrough: undefined,
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
