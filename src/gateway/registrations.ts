import type { Kernel, Streams } from "../sim/index.js";
import {
  NO_RELAYER,
  OWN_ORG,
  type PhoneRegistration,
  type ServicePreset,
  type SyncAnswer,
  type SyncReport,
} from "../wire/index.js";
import type { Alarms } from "./alarms.js";
import { type Channel, type Channels, relayerId } from "./channels.js";
import type { Journal } from "./journal.js";
import type { Messages } from "./messages.js";
import type { GatewayPorts } from "./ports.js";
import type { Registration } from "./registration.js";

/** How a phone is registered until something changes its registration. */
const atStart = { org: OWN_ORG, install: 0 } as const;

/**
 * The life of the channels' registrations (docs/reference/handset.md#registration): a phone registers, a person claims
 * it, the service releases it. A channel whose registration never changed has no list of registrations.
 *
 * Methods that a story calls return why something could not be done, as a sentence; undefined when it was done.
 */
export class Registrations {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #preset: ServicePreset;
  readonly #startsAtMs: number;
  readonly #streams: Streams;
  readonly #channels: Channels;
  readonly #messages: Messages;
  readonly #alarms: Alarms;
  readonly #ports: GatewayPorts;
  /** Channels whose phones have an app that is too old to register, which the log has noted. */
  readonly #refusedApps = new Set<number>();

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    preset: ServicePreset;
    startsAtMs: number;
    streams: Streams;
    channels: Channels;
    messages: Messages;
    alarms: Alarms;
    ports: GatewayPorts;
  }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#preset = options.preset;
    this.#startsAtMs = options.startsAtMs;
    this.#streams = options.streams;
    this.#channels = options.channels;
    this.#messages = options.messages;
    this.#alarms = options.alarms;
    this.#ports = options.ports;
  }

  /** Schedules the planned claims of a continued database. */
  start(): void {
    for (const channel of this.#channels.all) {
      if (channel.registrations === undefined) continue;
      this.#scheduleClaim(channel);
      if (channel.isActive) this.#shareNumber(channel.phone);
    }
  }

  /**
   * The answer to a registration, or to a sync under an id that is released, unknown or not claimed. The order of the
   * checks: docs/reference/handset.md#registration.
   *
   * @returns undefined when the request is applied as a sync, or refused because of its clock
   */
  answer(channel: Channel, report: SyncReport): SyncAnswer | undefined {
    const { relayer, install } = report.registration ?? { relayer: channel.spec.id, ...atStart };
    if (relayer === 0) {
      const isOld = report.registration?.hasRetiredPush === true;
      const id = isOld ? this.#refuseOldApp(channel) : this.#register(channel, install);
      return { accepted: true, commands: [{ type: "reg", relayer: id }] };
    }
    if (relayer === NO_RELAYER) return { accepted: true, commands: [{ type: "rel" }] };
    const registration = channel.registrations?.find((one) => one.relayer === relayer);
    if (channel.registrations !== undefined && (registration === undefined || registration.releasedAtMs !== null)) {
      return { accepted: true, commands: [{ type: "rel" }] };
    }
    const offMs = report.clockAtMs - (this.#startsAtMs + this.#kernel.now);
    if (registration === undefined || Math.abs(offMs) > this.#preset.clockWindowMs) return undefined;
    if (registration.org === 0) return { accepted: true, commands: [{ type: "reg", relayer }] };
    return undefined;
  }

  /** Adds the command `claim` to an answer if the phone does not know who has claimed it. */
  withClaim(channel: Channel, report: SyncReport, answer: SyncAnswer): SyncAnswer {
    const { relayer, org } = report.registration ?? { relayer: channel.spec.id, ...atStart };
    const registration = channel.registrations?.find((one) => one.relayer === relayer);
    if (!answer.accepted || registration === undefined || registration.org === org) return answer;
    return { accepted: true, commands: [{ type: "claim", org: registration.org }, ...answer.commands] };
  }

  /** What the phone of a channel with changed registrations knows when a database is continued. */
  phoneRegistration({ registrations }: Channel): PhoneRegistration | undefined {
    const last = registrations?.at(-1);
    return last && { relayer: last.relayer, org: last.org, install: last.install };
  }

  /** Plans that a person claims the phone `afterMs` after its next registration; undefined: nobody does. */
  planClaim(channel: Channel, afterMs: number | undefined): void {
    this.#listOf(channel);
    channel.claimAfterMs = afterMs ?? null;
    this.#save(channel);
  }

  /** Releases the channel: its queue fails, and its phone learns of it at its next sync. */
  release(channel: Channel): string | undefined {
    const current = this.#current(channel);
    if (current === undefined) return `${channel.spec.name} has no claimed channel to release`;
    current.releasedAtMs = this.#kernel.now;
    this.#stopUsing(channel, "released");
    this.#save(channel);
    this.#note(channel, "released", `channel ${current.relayer} of ${channel.spec.name} was released`);
    this.#ports.push(channel.spec.id);
    return undefined;
  }

  /** Another organisation claims the phone, or the channel moves there: its queue fails, and its phone learns of it. */
  move(channel: Channel, org: number): string | undefined {
    const { name } = channel.spec;
    const candidate = this.#candidate(channel);
    if (candidate === undefined && !channel.isActive && !channel.isElsewhere) return nothingToClaim(name);
    const moved = candidate ?? this.#registrationOf(channel);
    if (moved.org === org) return `channel ${channel.relayer} of ${name} belongs to organisation ${org} already`;
    if (candidate !== undefined) {
      this.#endClaimed(channel);
      channel.relayer = candidate.relayer;
      channel.uuid = candidate.uuid;
    } else if (channel.isActive) this.#stopUsing(channel, "moved");
    moved.org = org;
    moved.claimedAtMs = this.#kernel.now;
    channel.isElsewhere = true;
    this.#dropPlan(channel);
    this.#save(channel);
    this.#note(channel, "moved", `channel ${channel.relayer} of ${name} belongs to organisation ${org} now`);
    this.#ports.push(channel.spec.id);
    return undefined;
  }

  /** Releases a channel of another organisation: its phone has reported a reset, or another channel replaces it. */
  releaseElsewhere(channel: Channel): void {
    this.#registrationOf(channel).releasedAtMs = this.#kernel.now;
    channel.isElsewhere = false;
    this.#save(channel);
  }

  /** Releases the phone's claimed channel, because a newer registration of the phone replaces it. */
  #endClaimed(channel: Channel): void {
    if (channel.isActive) this.release(channel);
    else if (channel.isElsewhere) this.releaseElsewhere(channel);
  }

  /** Called when this organisation stops using a channel: its queue fails, and its alarms end. */
  #stopUsing(channel: Channel, cause: "released" | "moved"): void {
    channel.isActive = false;
    this.#alarms.stopWatching(channel);
    this.#messages.failQueue(channel, cause);
    channel.offersThrough = undefined;
    this.#shareNumber(channel.phone);
  }

  /**
   * A person claims the phone under the id of its latest registration. An older channel of the phone is released. A
   * channel that belongs to another organisation comes back.
   *
   * @param phone - the channel's number, empty for none; default: the phone's last one. On a channel that is claimed
   *   already it changes the number
   */
  claim(channel: Channel, phone: string = channel.phone): string | undefined {
    const { name } = channel.spec;
    const candidate = this.#candidate(channel) ?? (channel.isElsewhere ? this.#registrationOf(channel) : undefined);
    if (candidate === undefined && !channel.isActive) return nothingToClaim(name);
    if (candidate === undefined && phone === channel.phone) {
      return `${name} is claimed already, as channel ${channel.relayer}`;
    }
    const other = this.#sharers(phone).find((one) => one !== channel);
    if (other !== undefined) {
      const sentence = `the number ${phone} for ${name} is in use: channel ${other.relayer} of ${other.spec.name} has it`;
      if (this.#preset.numberInUse === "refused") return `${sentence}, so the claim was refused`;
      const text = `${sentence}, too; messages for ${other.spec.name} are now offered to ${name}`;
      this.#note(channel, "number-in-use", text);
    }
    if (candidate === undefined) {
      this.#setNumber(channel, phone);
      this.#save(channel);
      return undefined;
    }
    const { now } = this.#kernel;
    if (candidate.relayer !== channel.relayer) this.#endClaimed(channel);
    const isBack = channel.isElsewhere;
    candidate.org = OWN_ORG;
    candidate.claimedAtMs = now;
    if (!isBack) {
      candidate.messagesBefore = channel.messageCount;
      candidate.callsBefore = channel.callCount;
    }
    channel.relayer = candidate.relayer;
    channel.uuid = candidate.uuid;
    channel.isActive = true;
    channel.isElsewhere = false;
    channel.hasRefusedSend = false;
    channel.createdAtMs = candidate.registeredAtMs;
    channel.lastSeenMs = now;
    channel.shownSeenMs = now;
    channel.hasSynced = false;
    this.#setNumber(channel, phone);
    this.#dropPlan(channel);
    this.#save(channel);
    this.#alarms.watch(channel);
    this.#note(channel, "claimed", `${name} was claimed as channel ${candidate.relayer}`);
    this.#ports.push(channel.spec.id);
    return undefined;
  }

  /** Registers an installation of the app. @returns the id under which the phone is registered now */
  #register(channel: Channel, install: number): number {
    const { spec } = channel;
    const list = this.#listOf(channel);
    const uuid = install === 0 ? spec.uuid : this.#streams.uuid(`channel/${spec.name}/install/${install}`);
    const known = list.find((one) => one.uuid === uuid);
    if (known?.releasedAtMs === null) return known.relayer;
    // A released channel gives its UUID up to the new one.
    if (known !== undefined) known.uuid = this.#streams.uuid(`channel/${spec.name}/released/${known.relayer}`);
    const { now } = this.#kernel;
    for (const one of list) if (one.org === 0) one.releasedAtMs ??= now;
    const relayer = relayerId(spec.id, list.length);
    const registration: Registration = {
      relayer,
      uuid,
      phone: "",
      org: 0,
      install,
      registeredAtMs: now,
      claimedAtMs: null,
      releasedAtMs: null,
      messagesBefore: 0,
      callsBefore: 0,
    };
    list.push(registration);
    if (known?.relayer === channel.relayer) channel.uuid = known.uuid;
    this.#save(channel);
    this.#note(channel, "registered", `${spec.name} registered again as ${relayer}; nobody has claimed it`);
    this.#scheduleClaim(channel);
    return relayer;
  }

  /** An app with the retired push system gets no channel (docs/reference/handset.md#registration). */
  #refuseOldApp(channel: Channel): number {
    if (!this.#refusedApps.has(channel.spec.id)) {
      this.#refusedApps.add(channel.spec.id);
      const why = `the app of ${channel.spec.name} is too old to register: nobody can claim it, and it tries again`;
      this.#note(channel, "old-app", why);
    }
    return NO_RELAYER;
  }

  #scheduleClaim(channel: Channel): void {
    if (channel.claimTimer !== undefined) this.#kernel.cancel(channel.claimTimer);
    channel.claimTimer = undefined;
    const candidate = this.#candidate(channel);
    if (candidate === undefined || channel.claimAfterMs === null) return;
    const atMs = Math.max(this.#kernel.now, candidate.registeredAtMs + channel.claimAfterMs);
    channel.claimTimer = this.#kernel.at(atMs, this.#claimDue, channel);
  }

  readonly #claimDue = (channel: Channel): void => {
    channel.claimTimer = undefined;
    const problem = this.claim(channel);
    this.#dropPlan(channel);
    if (problem !== undefined) this.#note(channel, "claim-refused", problem);
  };

  #dropPlan(channel: Channel): void {
    channel.claimAfterMs = null;
    if (channel.claimTimer !== undefined) this.#kernel.cancel(channel.claimTimer);
    channel.claimTimer = undefined;
  }

  #setNumber(channel: Channel, phone: string): void {
    const current = this.#current(channel);
    const before = channel.phone;
    channel.phone = phone;
    channel.offersThrough = undefined;
    if (current !== undefined) {
      current.phone = phone;
      current.claimedAtMs = this.#kernel.now;
    }
    this.#shareNumber(before);
    this.#shareNumber(phone);
  }

  /** Of several channels with one number, the messages of all go to the one that got it last. */
  #shareNumber(phone: string): void {
    const sharers = this.#sharers(phone);
    let last = sharers[0];
    for (const one of sharers) if (last !== undefined && this.#numberedAtMs(one) > this.#numberedAtMs(last)) last = one;
    for (const one of sharers) one.offersThrough = one === last ? undefined : last;
  }

  /** The active channels with a number. */
  #sharers(phone: string): Channel[] {
    if (phone === "") return [];
    return this.#channels.all.filter((one) => one.isActive && one.phone === phone);
  }

  /** When the channel got its number, from the start of virtual time. */
  #numberedAtMs({ registrations, relayer }: Channel): number {
    return registrations?.find((one) => one.relayer === relayer)?.claimedAtMs ?? 0;
  }

  /** The registration that is claimed now; undefined: the channel is not active. */
  #current(channel: Channel): Registration | undefined {
    if (!channel.isActive) return undefined;
    return this.#registrationOf(channel);
  }

  /** The registration that was claimed last. */
  #registrationOf(channel: Channel): Registration {
    const list = this.#listOf(channel);
    return list.find((one) => one.relayer === channel.relayer) ?? (list[0] as Registration);
  }

  /** The registration that nobody has claimed yet. */
  #candidate({ registrations }: Channel): Registration | undefined {
    const last = registrations?.at(-1);
    return last?.org === 0 && last.releasedAtMs === null ? last : undefined;
  }

  /** The registrations of a channel. The first call makes the list, with the registration of the start. */
  #listOf(channel: Channel): Registration[] {
    return (channel.registrations ??= [
      {
        relayer: channel.relayer,
        uuid: channel.uuid,
        phone: channel.phone,
        org: OWN_ORG,
        install: 0,
        registeredAtMs: 0,
        claimedAtMs: 0,
        releasedAtMs: null,
        messagesBefore: 0,
        callsBefore: 0,
      },
    ]);
  }

  /** Writes the channel and its registrations, and drops the caches that depend on them. */
  #save(channel: Channel): void {
    channel.isChanged = true;
    this.#channels.registrationChanged();
    this.#channels.saveChanged(channel);
    for (const registration of channel.registrations ?? []) {
      this.#journal.registration({ channel: channel.spec.id, ...registration });
    }
  }

  #note(channel: Channel, kind: string, text: string): void {
    this.#journal.note({ atMs: this.#kernel.now, channel: channel.spec.id, kind, text });
  }
}

function nothingToClaim(name: string): string {
  return `${name} has not registered again yet: there is nothing to claim`;
}
