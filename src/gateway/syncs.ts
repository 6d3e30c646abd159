import type { Kernel } from "../sim/index.js";
import {
  type CallEvent,
  type CallEventType,
  type CopyCause,
  type Delay,
  type ReportedFact,
  cutText,
  idWithin,
  type MessageEvent,
  type Report,
  type ReportedCallType,
  type ServicePreset,
  type SyncAnswer,
  type SyncReport,
  type Tally,
  type ReportOrigin,
} from "../wire/index.js";
import type { Alarms } from "./alarms.js";
import { type Channel, type Channels, noteDevice } from "./channels.js";
import { type ContactBook, contactFields } from "./contacts.js";
import type { ContinuedState } from "./continued-state.js";
import type { Events, Subject } from "./events.js";
import type { FlowHandler } from "./flow-handler.js";
import type { CallRow, EventCopy, EventWay, Journal } from "./journal.js";
import type { Message } from "./message.js";
import type { Messages } from "./messages.js";
import { offersFor, takeMisdirected, takeWithheldDelay } from "./offers.js";
import type { ServiceFaults, SyncFailure } from "./service-faults.js";
import type { Registrations } from "./registrations.js";

/** Maximum number of texts that a channel remembers to detect duplicates. */
const RECENT_TEXTS_MAX = 5000;
/** Most that the shown time of the last sync lags behind the real one (docs/reference/service-api.md#channels). */
const SHOWN_SEEN_MS = 5 * 60_000;

/** The event type of each reported status, and where its message keeps the number of the first one. */
const outcomes = {
  S: { type: "mt_sent", first: "sentEvent" },
  D: { type: "mt_dlvd", first: "deliveredEvent" },
  F: { type: "mt_fail", first: "failedEvent" },
} as const;

/** An answer that acknowledges reports and offers nothing. */
type Acks = Extract<SyncAnswer, { accepted: true }>;

/** Shared immutable answers, by number of reports: most answers only acknowledge. */
const ackPool: Acks[] = [];

/** Maximum number of reports in a shared answer: a phone sends at most 50 at once. */
const POOLED_ACKS_MAX = 100;

function acksOf(reports: number): Acks {
  const pooled = ackPool[reports];
  if (pooled !== undefined) return pooled;
  const commands = Array.from({ length: reports }, (_, index) => ({ type: "ack" as const, report: index + 1 }));
  const answer: Acks = { accepted: true, commands };
  if (reports <= POOLED_ACKS_MAX) ackPool[reports] = answer;
  return answer;
}

/** Turns a phone's reports into messages, calls and events, and offers it the queued messages. */
export class Syncs {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tally: Tally;
  readonly #preset: ServicePreset;
  readonly #startsAtMs: number;
  readonly #contacts: ContactBook;
  readonly #messages: Messages;
  readonly #events: Events;
  readonly #alarms: Alarms;
  readonly #registrations: Registrations;
  readonly #channels: Channels;
  readonly #flows: FlowHandler | undefined;
  #callRows: number;
  /** Place in its sync, from 1, of the report that is being applied. */
  #place = 0;
  /** The cause of copies while a request is processed again. */
  #copyCause: CopyCause | undefined;
  /** Places of the reports of this sync that are not acknowledged. */
  #refused: Set<number> | undefined;

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    tally: Tally;
    preset: ServicePreset;
    startsAtMs: number;
    contacts: ContactBook;
    messages: Messages;
    events: Events;
    alarms: Alarms;
    registrations: Registrations;
    channels: Channels;
    flows?: FlowHandler;
    continueFrom?: ContinuedState;
  }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#preset = options.preset;
    this.#startsAtMs = options.startsAtMs;
    this.#contacts = options.contacts;
    this.#messages = options.messages;
    this.#events = options.events;
    this.#alarms = options.alarms;
    this.#registrations = options.registrations;
    this.#channels = options.channels;
    this.#flows = options.flows;
    this.#callRows = options.continueFrom?.rows.calls ?? 0;
  }

  /** Answers a request of a channel's phone. */
  exchange(channel: Channel, report: SyncReport): SyncAnswer {
    if (report.registration === undefined && channel.registrations === undefined) return this.#apply(channel, report);
    const registrations = this.#registrations;
    return (
      registrations.answer(channel, report) ?? registrations.withClaim(channel, report, this.#apply(channel, report))
    );
  }

  /**
   * Applies one report. A phone whose clock is too far off is refused: nothing of its report takes effect. A fault of
   * the service may refuse it too, or apply it in part or twice.
   */
  #apply(channel: Channel, report: SyncReport): SyncAnswer {
    const offMs = report.clockAtMs - (this.#startsAtMs + this.#kernel.now);
    if (Math.abs(offMs) > this.#preset.clockWindowMs) {
      this.#noteRefusal(channel, offMs);
      return { accepted: false, error: "old-request" };
    }
    channel.isRefusing = false;
    const { faults } = channel;
    return faults === undefined ? this.#process(channel, report) : this.#processFaulty(channel, faults, report);
  }

  #process(channel: Channel, report: SyncReport): SyncAnswer {
    this.#noteSeen(channel, report);
    if (channel.isElsewhere) {
      this.#applyElsewhere(channel, report.reports);
      return acksOf(report.reports.length);
    }
    // Most syncs are polls that find nothing: return early.
    if (
      report.reports.length === 0 &&
      (channel.queued === undefined || channel.queued.size === 0) &&
      channel.takesFrom === undefined
    ) {
      this.#alarms.noteSync(channel);
      return acksOf(0);
    }
    const count = report.reports.length;
    this.#applyReports(channel, report, count);
    this.#alarms.noteSync(channel);
    if (channel.takesFrom !== undefined) this.#noteMisdirected(channel, takeMisdirected(channel));
    const offers = offersFor(channel, report, this.#kernel.now);
    const answer = this.#refused === undefined ? acksOf(count) : this.#takeAcks(count, this.#refused);
    return offers === undefined ? answer : { accepted: true, commands: [...answer.commands, ...offers] };
  }

  #processFaulty(channel: Channel, faults: ServiceFaults, report: SyncReport): SyncAnswer {
    const failure = faults.failureOf(report.reports);
    const once = (): SyncAnswer =>
      failure === undefined ? this.#process(channel, report) : this.#fail(channel, report, failure);
    if (failure !== undefined && !faults.isNoted) {
      faults.isNoted = true;
      const where = failure.why === "poison-command" ? "at a text" : `after ${failure.after} reports`;
      this.#note(channel, "sync-failed", `the service fails ${where}: it answers 500, and the phone repeats all`);
    }
    const answer = once();
    if (!faults.doubles) return answer;
    this.#copyCause = "request-doubled";
    const second = once();
    this.#copyCause = undefined;
    return second;
  }

  /** Fails at a command: what came before has taken effect, unless the request is one transaction. */
  #fail(channel: Channel, report: SyncReport, { after, why }: SyncFailure): SyncAnswer {
    const applied = this.#preset.atomicSync ? 0 : after;
    if (!this.#preset.atomicSync) {
      this.#noteSeen(channel, report);
      if (channel.isElsewhere) this.#applyElsewhere(channel, report.reports.slice(0, applied));
      else this.#applyReports(channel, report, applied);
      this.#refused = undefined;
      this.#alarms.noteSync(channel);
    }
    return { accepted: false, error: "server-error", why, applied };
  }

  #noteSeen(channel: Channel, report: SyncReport): void {
    const { now } = this.#kernel;
    channel.lastSeenMs = now;
    if (now - channel.shownSeenMs > SHOWN_SEEN_MS) channel.shownSeenMs = now;
    channel.hasSynced = true;
    noteDevice(channel, report.status);
    channel.isChanged = true;
  }

  /** The channel of a message that a channel's phone has. */
  #homeOf(channel: Channel, home: number | undefined): Channel {
    return home === undefined ? channel : this.#channels.get(home);
  }

  #noteMisdirected(channel: Channel, moved: readonly Message[]): void {
    for (const { id, home } of moved) {
      const text = `message ${id} of ${this.#homeOf(channel, home).spec.name} is offered to the phone of ${channel.spec.name}`;
      this.#note(channel, "misdirected", text);
    }
  }

  /** Handles reports for another organisation, which has its own receiver: here they are lost. */
  #applyElsewhere(channel: Channel, reports: readonly Report[]): void {
    const { id } = channel.spec;
    for (const report of reports) {
      if (report.type === "mo_sms") {
        if (this.#copyCause !== undefined) this.#tally.copy("texts", this.#copyCause);
        this.#tally.lost("texts", "moved", [{ channel: id, phone: report.phone, text: report.text }]);
      } else if (report.type === "call") {
        if (this.#copyCause !== undefined) this.#tally.copy("calls", this.#copyCause);
        this.#tally.lost("calls", "moved", [{ channel: id, phone: report.phone }]);
      } else if (report.type === "reset" && report.releases === true) this.#registrations.releaseElsewhere(channel);
    }
  }

  /** Applies the first `count` reports of a sync. */
  #applyReports(channel: Channel, { reports, origins }: SyncReport, count: number): void {
    const seenCalls = this.#preset.deduplicatesCalls && count > 1 ? new Set<string>() : undefined;
    for (let index = 0; index < count; index++) {
      const report = reports[index] as Report;
      this.#place = index + 1;
      if (this.#copyCause !== undefined) {
        if (report.type === "mo_sms") this.#tally.copy("texts", this.#copyCause);
        else if (report.type === "call") this.#tally.copy("calls", this.#copyCause);
      }
      this.#applyReport(channel, report, origins?.[index], seenCalls);
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

  /** The acks of a sync some of whose reports are not acknowledged. */
  #takeAcks(reports: number, refused: ReadonlySet<number>): Acks {
    this.#refused = undefined;
    return {
      accepted: true,
      commands: acksOf(reports).commands.filter((one) => one.type !== "ack" || !refused.has(one.report)),
    };
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
    if (this.#preset.deduplicates && !this.#isNewText(channel, `${phone} ${Math.floor(timeMs / 1000)} ${text}`)) {
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
   * (docs/reference/webhook.md#message-events). One of a final failure does so only if the preset has the type.
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
    const copy = first === 0 ? null : { of: first, cause: this.#copyCause ?? causeOf(origin) ?? "sent-again" };
    const withheld = takeWithheldDelay(message);
    if (withheld !== undefined && origin !== undefined) origin.delays = [withheld, ...(origin.delays ?? [])];
    const home = this.#homeOf(channel, message.home);
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

  #isNewText(channel: Channel, text: string): boolean {
    channel.recentTexts ??= new Set();
    if (channel.recentTexts.has(text)) return false;
    channel.recentTexts.add(text);
    if (channel.recentTexts.size > RECENT_TEXTS_MAX) {
      for (const oldest of channel.recentTexts) {
        channel.recentTexts.delete(oldest);
        break;
      }
    }
    return true;
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
    const copy = isFirst ? null : { of: fact.event, cause: this.#copyCause ?? causeOf(origin) ?? "answer-lost" };
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

  #noteRefusal(channel: Channel, offMs: number): void {
    if (channel.isRefusing) return;
    channel.isRefusing = true;
    const minutes = Math.round(Math.abs(offMs) / 60_000);
    const direction = offMs < 0 ? "behind" : "ahead";
    this.#note(channel, "sync-refused", `the phone's clock is ${minutes} min ${direction}: its syncs are refused`);
  }

  #note(channel: Channel, kind: string, text: string): void {
    this.#journal.note({ atMs: this.#kernel.now, channel: channel.spec.id, kind, text });
  }
}

/** Moves the delays out of the origin of a report: later delays belong to the next copy of the report. */
function wayOf(origin: ReportOrigin): EventWay {
  const { beganAtMs, phoneAtMs, delays = noDelays } = origin;
  origin.delays = undefined;
  return { beganAtMs, phoneAtMs, delays };
}

const noDelays: readonly Delay[] = [];

/** Why a report is a copy: the phone repeats the same report, or sends a second one about the same thing. */
function causeOf(origin: ReportOrigin | undefined): CopyCause | undefined {
  return origin?.isApplied === true ? origin.repeatedBy : origin?.causeOfCopy;
}
