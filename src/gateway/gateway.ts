import type { Kernel, Streams } from "../sim/index.js";
import type {
  CallEventType,
  DeviceStatus,
  FlowValue,
  Reply,
  ReplyRefusal,
  ServicePreset,
  SyncAnswer,
  SyncReport,
  Tally,
} from "../wire/index.js";
import { Account } from "./account/account.js";
import type { AccountTables } from "./account/tables.js";
import { Alarms } from "./alarms.js";
import { Channels, type ChannelSpec } from "./channels.js";
import { contactFields, Contacts } from "./contacts.js";
import { Events } from "./events.js";
import type { Journal, MessageOrigin } from "./journal.js";
import { Messages } from "./messages.js";
import type { Directory, GatewayPorts } from "./ports.js";
import { planReply } from "./replies.js";
import type { ResumeState } from "./resume.js";
import { Syncs } from "./sync.js";

export interface GatewayOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly journal: Journal;
  readonly tables: AccountTables;
  /** Whether the REST API is offered: then what only it shows is kept up, too. */
  readonly isServed: boolean;
  readonly tally: Tally;
  readonly preset: ServicePreset;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** In the order of their ids, which count from 1; where a part of a fleet is played, those of the part. */
  readonly channels: readonly ChannelSpec[];
  readonly directory: Directory;
  readonly ports: GatewayPorts;
  /** What was written down before; absent: nothing was. */
  readonly resume?: ResumeState;
}

/** What a reply led to: the messages that it made, or why it made none. */
export type ReplyEffect =
  | { readonly kind: "sent"; readonly messages: readonly number[] }
  | { readonly kind: "ignored"; readonly reason: ReplyRefusal; readonly detail: string };

/** A flow step that calls out (reference, "Fields of flow events"). `time` of a value is milliseconds since 1970. */
export interface FlowStep {
  readonly phone: string;
  readonly flow: number;
  readonly name: string;
  readonly language: string;
  readonly step: string;
  readonly values: readonly FlowValue[];
}

/**
 * The messaging service: channels, contacts, messages, calls, alarms, events. A deterministic reducer: everything
 * comes in through these methods at the kernel's `now`, everything goes out through the journal and the ports.
 */
export class Gateway {
  /** What clients of the REST API can change. */
  readonly account: Account;
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #startsAtMs: number;
  readonly #preset: ServicePreset;
  readonly #ports: GatewayPorts;
  readonly #channels: Channels;
  readonly #contacts: Contacts;
  readonly #messages: Messages;
  readonly #events: Events;
  readonly #alarms: Alarms;
  readonly #syncs: Syncs;
  #lastSeenChannel: number;

  constructor(options: GatewayOptions) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#startsAtMs = options.startsAtMs;
    this.#preset = options.preset;
    this.#ports = options.ports;
    const { resume } = options;
    this.#channels = new Channels(options.channels, options.journal, resume?.channels);
    this.#lastSeenChannel = lastSeenOf(this.#channels);
    this.#contacts = new Contacts({
      ...options,
      table: options.tables.contacts,
      created: (contact) => this.account.contacts.met(contact),
      returned: (contact) => void this.account.contacts.setState(contact, "active"),
    });
    this.#messages = new Messages({
      ...options,
      contacts: this.#contacts,
      channels: this.#channels,
      table: options.tables.messages,
    });
    this.account = new Account({
      ...options,
      channels: this.#channels,
      messages: this.#messages,
      forget: (urns) => this.#contacts.forget(urns),
    });
    this.#events = new Events(options);
    this.#alarms = new Alarms({ ...options, events: this.#events });
    this.#syncs = new Syncs({
      ...options,
      contacts: this.#contacts,
      messages: this.#messages,
      events: this.#events,
      alarms: this.#alarms,
    });
  }

  /** Begins the watch over the channels; they all count as seen at this instant. */
  start(): void {
    const { now } = this.#kernel;
    for (const channel of this.#channels.all) {
      channel.changed ||= channel.lastSeenMs !== now;
      channel.lastSeenMs = now;
      if (!channel.hasSynced) channel.shownSeenMs = now;
      this.#alarms.watch(channel);
    }
    this.account.start();
  }

  /** A phone's report has arrived; the answer is what it is told. */
  sync(channelId: number, report: SyncReport): SyncAnswer {
    const answer = this.#syncs.exchange(this.#channels.get(channelId), report);
    if (answer.accepted) this.#lastSeenChannel = channelId;
    return answer;
  }

  /**
   * Queues a text to a number and wakes the phone.
   *
   * @returns the id of the message; undefined when the contact with this number gets nothing: it is blocked, or has
   *   opted out
   */
  send(channelId: number, message: { phone: string; text: string; origin: MessageOrigin }): number | undefined {
    if (this.#contacts.known(message.phone)?.getsNothing === true) {
      const text = `a message to ${message.phone} was not sent: the contact is blocked or has opted out`;
      this.#journal.note({ atMs: this.#kernel.now, channel: channelId, kind: "send-refused", text });
      return undefined;
    }
    const { id } = this.#messages.queue(this.#channels.get(channelId), { ...message, replyTo: null });
    this.#ports.push(channelId);
    return id;
  }

  /**
   * A receiver's accepted answer asks for messages.
   *
   * @param event - channel and number of the event that was answered
   * @param about - the number that the event was about, if it was about one
   */
  reply(event: { channel: number; number: number }, reply: Reply, about: string | undefined): ReplyEffect {
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
    const messages = plan.phones.map(
      (phone) => this.#messages.queue(plan.channel, { phone, text: plan.text, origin: "reply", replyTo }).id,
    );
    this.#ports.push(plan.channel.spec.id);
    return { kind: "sent", messages };
  }

  /** Emits a flow event through a channel. */
  flow(channelId: number, step: FlowStep): void {
    const channel = this.#channels.get(channelId);
    this.#events.emit(
      channel,
      {
        event: "flow",
        relayer: channelId,
        relayerPhone: channel.spec.phone,
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

  /** Only the historic spelling has these (webhook.md 5.1). */
  #historicFlowFields({ phone, values }: FlowStep): { text?: string; time?: number } {
    if (this.#preset.spelling !== "historic") return {};
    const fields = {
      ...contactFields(this.#contacts.of(phone)),
      time: this.#startsAtMs + this.#kernel.now,
    };
    const last = values.at(-1);
    return last === undefined ? fields : { ...fields, text: last.text };
  }

  /** Emits any event by hand, of unknown types too. The fields that name the channel are added unless they are given. */
  event(channelId: number, type: string, fields: readonly (readonly [key: string, value: string])[]): void {
    const { spec } = this.#channels.get(channelId);
    const own: [string, string][] = [
      ["event", type],
      ["relayer", String(spec.id)],
      ["relayer_phone", spec.phone],
    ];
    const given = new Set(fields.map(([key]) => key));
    const pairs = [
      ...own.filter(([key]) => key === "event" || !given.has(key)),
      ...fields.filter(([key]) => key !== "event"),
    ];
    this.#events.emit(this.#channels.get(channelId), { event: type, pairs }, null);
  }

  /** Raises an alarm of a channel, whatever its state. */
  alarm(channelId: number): void {
    this.#alarms.raise(this.#channels.get(channelId));
  }

  /** A call is in the log of a phone, as if it had reported it. `timeMs` is milliseconds since 1970. */
  call(channelId: number, call: { type: CallEventType; phone: string; timeMs: number; durationS: number }): void {
    this.#syncs.logCall(this.#channels.get(channelId), call);
  }

  /** Where the events of a channel go from now on; null: nowhere. */
  setDeliveryUrl(channelId: number, url: string | null): void {
    const channel = this.#channels.get(channelId);
    channel.url = url;
    channel.changed = true;
    this.#channels.save();
  }

  /** What the service knows of a channel now. @throws RangeError when there is none */
  channel(channelId: number): {
    readonly url: string | null;
    readonly lastSeenMs: number;
    readonly device: DeviceStatus;
  } {
    return this.#channels.get(channelId);
  }

  /** Writes the latest state of the channels to the journal. */
  save(): void {
    this.#channels.save();
  }

  /** The ids of the messages that wait (status Q), channel by channel. */
  *queued(): Iterable<{ channel: number; message: number }> {
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
