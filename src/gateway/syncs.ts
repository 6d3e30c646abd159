import type { Kernel } from "../sim/index.js";
import type { ServicePreset, SyncAnswer, SyncReport } from "../wire/index.js";
import { acksOf, acksWithout } from "./acks.js";
import type { Alarms } from "./alarms.js";
import { type Channel, type Channels, noteDevice } from "./channels.js";
import type { Journal } from "./journal.js";
import type { Message } from "./message.js";
import { offersFor, takeMisdirected } from "./offers.js";
import type { Registrations } from "./registrations.js";
import type { Reports } from "./reports.js";
import type { ServiceFaults, SyncFailure } from "./service-faults.js";

/** Most that the shown time of the last sync lags behind the real one (docs/reference/service-api.md#channels). */
const SHOWN_SEEN_MS = 5 * 60_000;

/** Answers the requests of phones: passes their reports to `Reports`, and offers the phones the queued messages. */
export class Syncs {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #preset: ServicePreset;
  readonly #startsAtMs: number;
  readonly #alarms: Alarms;
  readonly #registrations: Registrations;
  readonly #channels: Channels;
  readonly #reports: Reports;

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    preset: ServicePreset;
    startsAtMs: number;
    alarms: Alarms;
    registrations: Registrations;
    channels: Channels;
    reports: Reports;
  }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#preset = options.preset;
    this.#startsAtMs = options.startsAtMs;
    this.#alarms = options.alarms;
    this.#registrations = options.registrations;
    this.#channels = options.channels;
    this.#reports = options.reports;
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
   * Applies one request. A phone whose clock is too far off is refused: nothing of its request takes effect. A fault of
   * the service may make it fail, or apply it in part or twice.
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
      this.#reports.applyElsewhere(channel, report.reports);
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
    const refused = this.#reports.apply(channel, report, count);
    this.#alarms.noteSync(channel);
    if (channel.takesFrom !== undefined) this.#noteMisdirected(channel, takeMisdirected(channel));
    const offers = offersFor(channel, report, this.#kernel.now);
    const answer = refused === undefined ? acksOf(count) : acksWithout(refused, count);
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
    this.#reports.copyCause = "request-doubled";
    const second = once();
    this.#reports.copyCause = undefined;
    return second;
  }

  /** Fails at a command: the ones before it have taken effect, unless the preset has `atomicSync`. */
  #fail(channel: Channel, report: SyncReport, { after, why }: SyncFailure): SyncAnswer {
    const applied = this.#preset.atomicSync ? 0 : after;
    if (!this.#preset.atomicSync) {
      this.#noteSeen(channel, report);
      if (channel.isElsewhere) this.#reports.applyElsewhere(channel, report.reports.slice(0, applied));
      else this.#reports.apply(channel, report, applied);
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

  #noteMisdirected(channel: Channel, moved: readonly Message[]): void {
    for (const message of moved) {
      const home = this.#channels.homeOf(channel, message);
      const text = `message ${message.id} of ${home.spec.name} is offered to the phone of ${channel.spec.name}`;
      this.#note(channel, "misdirected", text);
    }
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
