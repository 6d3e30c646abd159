import type { Kernel } from "../sim/index.js";
import {
  type CallEvent,
  type CallEventType,
  type CopyCause,
  type ReportedFact,
  cutText,
  idWithin,
  type MessageEvent,
  type Report,
  type ReportedCallType,
  type ServicePreset,
  type SyncReport,
  type Tally,
  type ReportOrigin,
} from "../wire/index.js";
import type { Channel, Channels } from "./channels.js";
import { type ContactBook, contactFields } from "./contacts.js";
import type { ContinuedState } from "./continued-state.js";
import type { Events, Subject } from "./events.js";
import type { FlowHandler } from "./flow-handler.js";
import type { CallRow, EventCopy, Journal } from "./journal.js";
import type { Messages } from "./messages.js";
import { takeWithheldDelay } from "./offers.js";
import { isNewText } from "./recent-texts.js";
import type { Registrations } from "./registrations.js";
import { causeOf, wayOf } from "./report-way.js";

/** The event type of each reported status, and where its message keeps the number of the first one. */
const outcomes = {
  S: { type: "mt_sent", first: "sentEvent" },
  D: { type: "mt_dlvd", first: "deliveredEvent" },
  F: { type: "mt_fail", first: "failedEvent" },
} as const;

/** Turns a phone's reports into messages, calls and events. */
export class Reports {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tally: Tally;
  readonly #preset: ServicePreset;
  readonly #contacts: ContactBook;
  readonly #messages: Messages;
  readonly #events: Events;
  readonly #registrations: Registrations;
  readonly #channels: Channels;
  readonly #flows: FlowHandler | undefined;
  #callRows: number;
  /** Place in its sync, from 1, of the report that is being applied. */
  #place = 0;
  /** Places of the reports of this sync that are not acknowledged. */
  #refused: Set<number> | undefined;
  /** The cause of copies while a request is processed again. */
  copyCause: CopyCause | undefined;

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    tally: Tally;
    preset: ServicePreset;
    contacts: ContactBook;
    messages: Messages;
    events: Events;
    registrations: Registrations;
    channels: Channels;
    flows?: FlowHandler;
    continueFrom?: ContinuedState;
  }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#preset = options.preset;
    this.#contacts = options.contacts;
    this.#messages = options.messages;
    this.#events = options.events;
    this.#registrations = options.registrations;
    this.#channels = options.channels;
    this.#flows = options.flows;
    this.#callRows = options.continueFrom?.rows.calls ?? 0;
  }

  /**
   * Applies the first `count` reports of a sync.
   *
   * @returns the places, from 1, of those that are not acknowledged; undefined: none
   */
  apply(channel: Channel, { reports, origins }: SyncReport, count: number): ReadonlySet<number> | undefined {
    const seenCalls = this.#preset.deduplicatesCalls && count > 1 ? new Set<string>() : undefined;
    for (let index = 0; index < count; index++) {
      const report = reports[index] as Report;
      this.#place = index + 1;
      if (this.copyCause !== undefined) {
        if (report.type === "mo_sms") this.#tally.copy("texts", this.copyCause);
        else if (report.type === "call") this.#tally.copy("calls", this.copyCause);
      }
      this.#applyReport(channel, report, origins?.[index], seenCalls);
    }
    const refused = this.#refused;
    this.#refused = undefined;
    return refused;
  }

  /** Handles the reports of a channel of another organisation, which has its own receiver: they count as lost. */
  applyElsewhere(channel: Channel, reports: readonly Report[]): void {
    const { id } = channel.spec;
    for (const report of reports) {
      if (report.type === "mo_sms") {
        if (this.copyCause !== undefined) this.#tally.copy("texts", this.copyCause);
        this.#tally.lost("texts", "moved", [{ channel: id, phone: report.phone, text: report.text }]);
      } else if (report.type === "call") {
        if (this.copyCause !== undefined) this.#tally.copy("calls", this.copyCause);
        this.#tally.lost("calls", "moved", [{ channel: id, phone: report.phone }]);
      } else if (report.type === "reset" && report.releases === true) this.#registrations.releaseElsewhere(channel);
    }
  }

  #applyReport(
    channel: Channel,
    report: Report,
    origin: ReportOrigin | undefined,
    seenCalls: Set<string> | undefined,
  ): void {
    switch (report.type) {
      case "mo_sms":
        return this.#applyText(channel, report, origin);
      case "call":
        return this.#applyCall(channel, report, origin, seenCalls);
      case "reset":
        if (report.releases === true) return void this.#registrations.release(channel);
        // A real service releases the channel; here the phone stays in use, and later syncs offer its queue again.
        return this.#note(channel, "reset", "the phone was reset: what it had not reported is gone");
      case "mt_sent":
        return this.#applyStatus(channel, report.id, "S", report.timeMs, origin);
      case "mt_dlvd":
        return this.#applyStatus(channel, report.id, "D", report.timeMs, origin);
      case "mt_fail":
        return this.#applyStatus(channel, report.id, "F", report.timeMs, origin);
      default:
        report satisfies never;
    }
  }

  /** Leaves a report without its ack. The phone repeats it in every sync, so only the first is noted. */
  #refuseReport(channel: Channel, id: number): void {
    (this.#refused ??= new Set()).add(this.#place);
    channel.refusedReports ??= new Set();
    if (channel.refusedReports.has(id)) return;
    channel.refusedReports.add(id);
    const text = `a report for message ${id}, which is not of this channel, is never acked: the phone repeats it`;
    this.#note(channel, "report-refused", text);
  }

  /** The part of a text that the service keeps (docs/reference/handset.md#numbers). */
  #keptText(channel: Channel, text: string): string {
    const { textMax } = this.#preset;
    if (textMax === 0 || text.length <= textMax) return text;
    const kept = cutText(text, textMax);
    if (kept !== text) this.#note(channel, "text-cut", `a text was cut to ${textMax} characters`);
    return kept;
  }

  #applyText(
    channel: Channel,
    { phone, text: whole, timeMs }: Extract<Report, { type: "mo_sms" }>,
    origin: ReportOrigin | undefined,
  ): void {
    const text = this.#keptText(channel, whole);
    if (phone === "") {
      this.#tally.lost("texts", "withheld", [{ channel: channel.spec.id, phone, text }]);
      return this.#note(channel, "text-ignored", "a text without a sender was acked and dropped");
    }
    if (text === "") {
      this.#tally.lost("texts", "ignored-by-service", [{ channel: channel.spec.id, phone, text }]);
      return this.#note(channel, "text-ignored", "a text without words was acked and dropped");
    }
    if (this.#preset.deduplicates && !isNewText(channel, `${phone} ${Math.floor(timeMs / 1000)} ${text}`)) {
      return this.#tally.lost("texts", "deduplicated", [{ channel: channel.spec.id, phone, text }]);
    }
    const contact = this.#contacts.senderWithPhone(phone);
    const handling = contact.isBlocked
      ? undefined
      : this.#flows?.flowForText(contact, { channel: channel.spec.id, text });
    const message = this.#messages.storeIncoming(channel, contact, { text, timeMs, flow: handling?.flow });
    this.#contacts.noteSeen(contact, channel.spec.id);
    this.#emitFirstOrCopy(
      channel,
      {
        event: "mo_sms",
        relayer: channel.relayer,
        relayerPhone: channel.phone,
        sms: message.id,
        phone,
        text,
        status: this.#preset.moSmsStatus,
        direction: "I",
        time: this.#eventTime(timeMs),
      },
      message,
      origin,
    );
    handling?.handle(message);
    if (channel.faults?.offersIncoming === true) {
      this.#messages.queueIncoming(channel, message);
      this.#note(
        channel,
        "sent-back",
        `text ${message.id} of ${phone} is offered to the phone as a message to its sender`,
      );
    }
  }

  /**
   * Every report emits an event, repeated ones included; there is no order check
   * (docs/reference/webhook.md#message-events). A final failure emits one only if the preset has `mtFail`; a text that
   * came in and was offered by a fault emits none.
   */
  #applyStatus(
    channel: Channel,
    reportedId: number,
    status: "S" | "D" | "F",
    timeMs: number,
    origin: ReportOrigin | undefined,
  ): void {
    const id = reportedId < 0 && this.#preset.repairsIds ? reportedId + 2 ** 32 : reportedId;
    const message = this.#messages.find(channel, id);
    if (message === undefined) {
      const isKnown = this.#messages.isKnown(channel, id);
      if (!isKnown && !this.#preset.acksUnknown) return this.#refuseReport(channel, id);
      const why = isKnown ? "was settled long ago" : "is not of this channel";
      return this.#note(
        channel,
        "report-ignored",
        `a report for message ${id}, which ${why}, was acked without effect`,
      );
    }
    this.#messages.applyReport(channel, message, { status, timeMs });
    if (message.isIncoming === true) return;
    if (status === "F" && !this.#preset.mtFail) return;
    const { type, first: firstOf } = outcomes[status];
    const first = message[firstOf];
    const copy = first === 0 ? null : { of: first, cause: this.copyCause ?? causeOf(origin) ?? "sent-again" };
    const withheld = takeWithheldDelay(message);
    if (withheld !== undefined && origin !== undefined) origin.delays = [withheld, ...(origin.delays ?? [])];
    const home = this.#channels.homeOf(channel, message);
    const number = this.#emit(
      home,
      {
        event: type,
        relayer: home.relayer,
        relayerPhone: home.phone,
        sms: id,
        phone: message.phone,
        text: message.text,
        status,
        direction: "O",
        time: this.#eventTime(timeMs),
      },
      message,
      copy,
      origin,
    );
    if (first === 0) message[firstOf] = number;
  }

  /** Records a call that no sync has reported. */
  logCall(channel: Channel, call: { type: CallEventType; phone: string; timeMs: number; durationS: number }): void {
    this.#tally.in("calls");
    this.#applyCall(channel, { ...call, call: call.type }, undefined, undefined);
  }

  #applyCall(
    channel: Channel,
    report: { call: ReportedCallType; phone: string; timeMs: number; durationS: number },
    origin: ReportOrigin | undefined,
    seenCalls: Set<string> | undefined,
  ): void {
    const { call: type, phone, timeMs, durationS } = report;
    if (phone === "") {
      this.#tally.lost("calls", "withheld", [{ channel: channel.spec.id, phone }]);
      return this.#note(channel, "call-ignored", "a call without a number was acked and dropped");
    }
    if (type === "unk") {
      this.#tally.lost("calls", "unknown-call-type", [{ channel: channel.spec.id, phone }]);
      return this.#note(channel, "call-ignored", "a call of an unknown type was acked and dropped");
    }
    const key = `${type} ${phone} ${timeMs}`;
    if (seenCalls?.has(key) === true) {
      return this.#tally.lost("calls", "deduplicated", [{ channel: channel.spec.id, phone }]);
    }
    seenCalls?.add(key);
    const id = idWithin(channel.spec.id, ++channel.callCount);
    const contact = this.#contacts.withPhone(phone);
    const call: CallRow = {
      row: ++this.#callRows,
      id,
      channel: channel.spec.id,
      contact: contact.row,
      phone,
      type,
      timeMs,
      durationS,
      createdAtMs: this.#kernel.now,
    };
    this.#journal.call(call);
    this.#contacts.noteSeen(contact, channel.spec.id);
    this.#tally.delivered("calls");
    this.#emitFirstOrCopy(
      channel,
      {
        event: type,
        relayer: channel.relayer,
        relayerPhone: channel.phone,
        call: id,
        phone,
        time: this.#eventTime(timeMs),
        duration: durationS,
      },
      call,
      origin,
    );
    if (!contact.getsNothing) this.#flows?.handleCall(contact, { channel: channel.spec.id, type });
  }

  /** Emits an event about a text or a call: the first one, or a copy of it. */
  #emitFirstOrCopy(
    channel: Channel,
    event: MessageEvent | CallEvent,
    subject: Subject,
    origin: ReportOrigin | undefined,
  ): void {
    const fact: ReportedFact | undefined = origin?.fact ?? origin;
    const isFirst = fact === undefined || fact.event === 0;
    const copy = isFirst ? null : { of: fact.event, cause: this.copyCause ?? causeOf(origin) ?? "answer-lost" };
    const number = this.#emit(channel, event, subject, copy, origin);
    if (isFirst && fact !== undefined) fact.event = number;
  }

  #emit(
    channel: Channel,
    event: MessageEvent | CallEvent,
    subject: Subject,
    copy: EventCopy | null,
    origin: ReportOrigin | undefined,
  ): number {
    const body =
      this.#preset.spelling === "historic"
        ? { ...event, ...contactFields(this.#contacts.findByPhone(event.phone)) }
        : event;
    const way = origin === undefined ? undefined : wayOf(origin);
    return this.#events.emit(channel, body, subject, { copy, way });
  }

  /** The historic service kept a phone's times in whole seconds (docs/reference/webhook.md#value-types). */
  #eventTime(timeMs: number): number {
    return this.#preset.spelling === "historic" ? Math.floor(timeMs / 1000) * 1000 : timeMs;
  }

  #note(channel: Channel, kind: string, text: string): void {
    this.#journal.note({ atMs: this.#kernel.now, channel: channel.spec.id, kind, text });
  }
}
