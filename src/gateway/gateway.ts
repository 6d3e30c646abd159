import type { Kernel, Streams } from "../sim/index.js";
import {
  type CallEventType,
  type DeviceStatus,
  type FlowValue,
  OWN_ORG,
  type PhoneRegistration,
  type Reply,
  type ReplyRefusal,
  type ServicePreset,
  type SyncAnswer,
  type SyncReport,
  type Tally,
} from "../wire/index.js";
import { Alarms } from "./alarms.js";
import type { Channel, Channels } from "./channels.js";
import { type ContactBook, contactFields } from "./contacts.js";
import type { ContinuedState } from "./continued-state.js";
import { Events } from "./events.js";
import type { FlowHandler } from "./flow-handler.js";
import type { Journal, MessageOrigin } from "./journal.js";
import type { Messages } from "./messages.js";
import type { GatewayPorts } from "./ports.js";
import { Registrations } from "./registrations.js";
import { RefusalCounts, type RefusedSends } from "./refused-sends.js";
import { planReply } from "./replies.js";
import { Reports } from "./reports.js";
import { type ServiceFault, ServiceFaults } from "./service-faults.js";
import { Syncs } from "./syncs.js";
import { WakeRound } from "./wake-round.js";

export interface GatewayOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly journal: Journal;
  readonly tally: Tally;
  readonly preset: ServicePreset;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly channels: Channels;
  readonly contacts: ContactBook;
  readonly messages: Messages;
  readonly ports: GatewayPorts;
  /** Absent: no flows run. */
  readonly flows?: FlowHandler;
  /** The recorded state that the service continues from; absent: it starts empty. */
  readonly continueFrom?: ContinuedState;
}

/** The result of a reply: ids of the queued messages, or the reason why there are none. */
export type ReplyEffect =
  | { readonly kind: "sent"; readonly messages: readonly number[] }
  | { readonly kind: "ignored"; readonly reason: ReplyRefusal; readonly detail: string };

/** A channel at an instant, for readers. */
export interface ChannelView {
  /** Id, UUID and number of the registration that was claimed last. */
  readonly relayer: number;
  readonly uuid: string;
  /** Empty: the channel has no number. */
  readonly phone: string;
  /** False: it is released, or belongs to another organisation. */
  readonly isActive: boolean;
  readonly lastSeenMs: number;
  readonly hasSynced: boolean;
  /** Alarms that were raised and have not cleared: it was silent for too long, or low on power. */
  readonly alarms: readonly ("silent" | "power")[];
  /** Faults of the service towards its phone, in words. */
  readonly faults: readonly string[];
  /** As in its last sync. */
  readonly device: DeviceStatus;
  /** Messages that its phone has not reported on, oldest first. */
  readonly queued: readonly {
    readonly id: number;
    readonly phone: string;
    readonly text: string;
    /** True when a sync has offered it to the phone. */
    readonly isOffered: boolean;
  }[];
}

/** A flow step that posts an event (docs/reference/webhook.md#flow-fields); `time` of a value: ms since 1970. */
export interface FlowStep {
  readonly phone: string;
  readonly flow: number;
  readonly name: string;
  readonly language: string;
  readonly step: string;
  readonly values: readonly FlowValue[];
}

/**
 * The messaging service on the path of every text and call: channels, messages, calls, alarms, events. A deterministic
 * reducer: everything comes in through these methods at the kernel's `now`, everything goes out through the journal and
 * the ports. The account (`account/`) uses the same channels and messages, and implements `ContactBook`.
 */
export class Gateway {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #startsAtMs: number;
  readonly #preset: ServicePreset;
  readonly #channels: Channels;
  readonly #contacts: ContactBook;
  readonly #messages: Messages;
  readonly #ports: GatewayPorts;
  readonly #events: Events;
  readonly #alarms: Alarms;
  readonly #reports: Reports;
  readonly #syncs: Syncs;
  readonly #wakeRound: WakeRound | undefined;
  readonly #registrations: Registrations;
  readonly #refusals = new RefusalCounts();
  #lastSeenChannel: number;

  constructor(options: GatewayOptions) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#startsAtMs = options.startsAtMs;
    this.#preset = options.preset;
    this.#channels = options.channels;
    this.#contacts = options.contacts;
    this.#messages = options.messages;
    this.#ports = options.ports;
    this.#lastSeenChannel = lastSeenOf(options.channels);
    this.#events = new Events(options);
    this.#alarms = new Alarms({ ...options, events: this.#events });
    const parts = { ...options, events: this.#events, alarms: this.#alarms };
    this.#registrations = new Registrations(parts);
    this.#reports = new Reports({ ...parts, registrations: this.#registrations });
    this.#syncs = new Syncs({ ...parts, registrations: this.#registrations, reports: this.#reports });
    this.#wakeRound = options.preset.wakesSilent ? new WakeRound(options) : undefined;
  }

  /** Starts to watch the channels, which all count as seen at this instant. */
  start(): void {
    const { now } = this.#kernel;
    for (const channel of this.#channels.all) {
      channel.isChanged ||= channel.lastSeenMs !== now;
      channel.lastSeenMs = now;
      if (!channel.hasSynced) channel.shownSeenMs = now;
      this.#alarms.watch(channel);
    }
    this.#wakeRound?.scheduleRound();
    this.#registrations.start();
  }

  /** Applies a phone's report and returns the answer to it. */
  sync(channelId: number, report: SyncReport): SyncAnswer {
    const answer = this.#syncs.exchange(this.#channels.get(channelId), report);
    if (answer.accepted) this.#lastSeenChannel = channelId;
    return answer;
  }

  /**
   * Queues a text to a number and wakes the phone.
   *
   * @returns the id of the message; undefined when the contact with this number is blocked or has opted out
   */
  send(channelId: number, message: { phone: string; text: string; origin: MessageOrigin }): number | undefined {
    const { phone } = message;
    if (this.#contacts.findByPhone(phone)?.getsNothing === true) {
      const text = `a message to ${phone} was not sent: the contact is blocked or has opted out`;
      this.#journal.note({ atMs: this.#kernel.now, channel: channelId, kind: "send-refused", text });
      return undefined;
    }
    const channel = this.#channels.get(channelId);
    if (!channel.isActive) {
      if (!channel.hasRefusedSend) this.#noteInactive(channel, "send-refused", "messages through it are not sent");
      channel.hasRefusedSend = true;
      this.#refusals.add(channel.spec.name, channel.isElsewhere ? "moved" : "released", this.#kernel.now);
      return undefined;
    }
    return this.#messages.send(channel, this.#contacts.withPhone(phone), message);
  }

  /** Counts of the messages that `send` did not make because their channel was not active. */
  refusedSends(): readonly RefusedSends[] {
    return this.#refusals.list();
  }

  #noteInactive({ spec, relayer, isElsewhere }: Channel, kind: string, consequence: string): void {
    const why = isElsewhere ? "belongs to another organisation" : "is released";
    const text = `channel ${relayer} of ${spec.name} ${why}: ${consequence}`;
    this.#journal.note({ atMs: this.#kernel.now, channel: spec.id, kind, text });
  }

  /** The channel for an event by hand or of a flow; if it is not active, notes that and returns undefined. */
  #channelForEvent(channelId: number, type: string): Channel | undefined {
    const channel = this.#channels.get(channelId);
    if (channel.isActive) return channel;
    this.#noteInactive(channel, "event-refused", `it makes no event ${type}`);
    return undefined;
  }

  /** Releases a channel. @returns why not, as a sentence; undefined when it was done */
  release(channelId: number): string | undefined {
    return this.#registrations.release(this.#channels.get(channelId));
  }

  /**
   * Makes a person claim a phone that has registered again.
   *
   * @param phone - see `Registrations.claim`
   * @param org - the organisation of the person; default: this one
   * @returns why not; undefined when it was done
   */
  claim(channelId: number, phone: string | undefined, org: number = OWN_ORG): string | undefined {
    const channel = this.#channels.get(channelId);
    return org === OWN_ORG ? this.#registrations.claim(channel, phone) : this.#registrations.move(channel, org);
  }

  /** Plans that a person claims a phone `afterMs` after its next registration; undefined: nobody does. */
  planClaim(channelId: number, afterMs: number | undefined): void {
    this.#registrations.planClaim(this.#channels.get(channelId), afterMs);
  }

  /** What phones know of their registrations when a database is continued; only phones whose registration changed. */
  *phoneRegistrations(): Iterable<{ readonly channel: number; readonly registration: PhoneRegistration }> {
    for (const channel of this.#channels.all) {
      const registration = this.#registrations.phoneRegistration(channel);
      if (registration !== undefined) yield { channel: channel.spec.id, registration };
    }
  }

  /**
   * Queues the messages that a receiver's accepted answer asks for.
   *
   * @param event - channel and number of the event that was answered
   * @param about - the phone number that the event was about, if any
   */
  applyReply(event: { channel: number; number: number }, reply: Reply, about: string | undefined): ReplyEffect {
    const plan = planReply(reply, {
      answered: this.#channels.get(event.channel),
      lastSeen: this.#channels.get(this.#lastSeenChannel),
      about,
      preset: this.#preset,
      contacts: this.#contacts,
      channels: this.#channels,
    });
    if (!plan.ok) return { kind: "ignored", reason: plan.reason, detail: plan.detail };
    const replyTo = { channel: event.channel, event: event.number };
    const text = { text: plan.text, origin: "reply", replyTo } as const;
    const messages = plan.phones.map(
      (phone) => this.#messages.queue(plan.channel, this.#contacts.withPhone(phone), text).id,
    );
    this.#ports.push(plan.channel.spec.id);
    return { kind: "sent", messages };
  }

  /** Emits a flow event through a channel. */
  emitFlowEvent(channelId: number, step: FlowStep): void {
    const channel = this.#channelForEvent(channelId, "flow");
    if (channel === undefined) return;
    this.#events.emit(
      channel,
      {
        event: "flow",
        relayer: channel.relayer,
        relayerPhone: channel.phone,
        phone: step.phone,
        flow: step.flow,
        flowName: step.name,
        flowBaseLanguage: step.language,
        step: step.step,
        values: step.values,
        ...this.#historicFlowFields(step),
      },
      null,
    );
  }

  /** Only the historic spelling has these (docs/reference/webhook.md#flow-fields). */
  #historicFlowFields({ phone, values }: FlowStep): { text?: string; time?: number } {
    if (this.#preset.spelling !== "historic") return {};
    const fields = {
      ...contactFields(this.#contacts.withPhone(phone)),
      time: this.#startsAtMs + this.#kernel.now,
    };
    const last = values.at(-1);
    return last === undefined ? fields : { ...fields, text: last.text };
  }

  /** Emits an event of any type, known or not. Adds the fields that name the channel unless `fields` has them. */
  emitCustomEvent(channelId: number, type: string, fields: readonly (readonly [key: string, value: string])[]): void {
    const channel = this.#channelForEvent(channelId, type);
    if (channel === undefined) return;
    const own: [string, string][] = [
      ["event", type],
      ["relayer", String(channel.relayer)],
      ["relayer_phone", channel.phone],
    ];
    const given = new Set(fields.map(([key]) => key));
    const pairs = [
      ...own.filter(([key]) => key === "event" || !given.has(key)),
      ...fields.filter(([key]) => key !== "event"),
    ];
    this.#events.emit(channel, { event: type, pairs }, null);
  }

  /** Raises an alarm of a channel, whether or not its condition is true. */
  raiseAlarm(channelId: number): void {
    const channel = this.#channelForEvent(channelId, "alarm");
    if (channel !== undefined) this.#alarms.raise(channel);
  }

  /** Records a call as if the phone had reported it. `timeMs` is milliseconds since 1970. */
  logCall(channelId: number, call: { type: CallEventType; phone: string; timeMs: number; durationS: number }): void {
    const channel = this.#channelForEvent(channelId, call.type);
    if (channel !== undefined) this.#reports.logCall(channel, call);
  }

  /** Changes the delivery URL of a channel; null: its events are not delivered. */
  setDeliveryUrl(channelId: number, url: string | null): void {
    const channel = this.#channels.get(channelId);
    channel.url = url;
    channel.isChanged = true;
    this.#channels.saveChanged();
  }

  /** The current state of a channel. @throws RangeError when there is none */
  channelState(channelId: number): {
    readonly url: string | null;
    readonly lastSeenMs: number;
    readonly device: DeviceStatus;
  } {
    return this.#channels.get(channelId);
  }

  /** Adds a fault of the service towards a phone, for `forMs` or until `endFaults`. */
  addFault(channelId: number, fault: ServiceFault, forMs?: number): void {
    const channel = this.#channels.get(channelId);
    (channel.faults ??= new ServiceFaults()).add(fault, this.#kernel, forMs);
    for (const id of fault.offersTo ?? []) {
      const target = this.#channels.get(id);
      target.takesFrom ??= [];
      if (!target.takesFrom.includes(channel)) target.takesFrom.push(channel);
    }
  }

  /** Ends all faults of the service towards a phone. */
  endFaults(channelId: number): void {
    this.#channels.get(channelId).faults?.clear();
  }

  /**
   * Writes what the service knows of each channel, at the index id - 1. Allocates nothing, as `World.readFleet`.
   *
   * @param columns - `events`: made so far; `lastSeenMs`: since the lab's start, -1 before the first sync; `hasAlarm`:
   *   1 if a condition has raised an alarm and has not cleared
   */
  readChannels(columns: {
    readonly events: Int32Array;
    readonly lastSeenMs: Float64Array;
    readonly hasAlarm: Uint8Array;
  }): void {
    for (const channel of this.#channels.all) {
      const index = channel.spec.id - 1;
      columns.events[index] = channel.eventCount;
      columns.lastSeenMs[index] = channel.hasSynced ? channel.lastSeenMs : -1;
      columns.hasAlarm[index] = channel.silentRaised || channel.powerRaised ? 1 : 0;
    }
  }

  /**
   * Everything that the service knows of a channel, for readers.
   * @throws RangeError when there is none
   */
  inspectChannel(channelId: number): ChannelView {
    const channel = this.#channels.get(channelId);
    const { lastSeenMs, hasSynced, silentRaised, powerRaised, queued } = channel;
    return {
      relayer: channel.relayer,
      uuid: channel.uuid,
      phone: channel.phone,
      isActive: channel.isActive,
      lastSeenMs,
      hasSynced,
      alarms: [...(silentRaised ? (["silent"] as const) : []), ...(powerRaised ? (["power"] as const) : [])],
      faults: channel.faults?.describe() ?? [],
      device: { ...channel.device },
      queued: [...(queued?.values() ?? [])].map(({ id, phone, text, isOffered }) => ({ id, phone, text, isOffered })),
    };
  }

  /** Writes the channels that changed since the last call to the journal. */
  saveChannels(): void {
    this.#channels.saveChanged();
  }

  /** The ids of the queued messages (status Q), channel by channel. */
  *queuedMessages(): Iterable<{ channel: number; message: number }> {
    for (const { spec, queued } of this.#channels.all) {
      if (queued === undefined) continue;
      for (const message of queued.keys()) yield { channel: spec.id, message };
    }
  }
}

function lastSeenOf({ all }: Channels): number {
  let last = all[0];
  for (const channel of all) if (last === undefined || channel.lastSeenMs > last.lastSeenMs) last = channel;
  return last?.spec.id ?? 1;
}
