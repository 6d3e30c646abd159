import { OWN_ORG, type PhoneRegistration, type RegistrationCommand, type Report } from "../../wire/index.js";
import { delayOf } from "../carrier/holding.js";
import type { Incoming } from "../carrier/subscriber.js";
import type { CallLogState } from "../input.js";
import type { InTransit } from "../in-transit.js";
import { Calls, type PlannedCall } from "./calls.js";
import type { HandsetView } from "./handset-view.js";
import { Inbox } from "./inbox.js";
import { KeptReports } from "./kept-reports.js";
import { Outbox } from "./outbox.js";
import type { App, Phone } from "./phone.js";
import { Sync } from "./sync.js";
import { trueId } from "./message-ids.js";
import type { WipeCause } from "./wipe-cause.js";

/**
 * The app that relays for the service, with the phone's inbox and call log, which it reads. The outbox sends the
 * service's messages. Each part keeps its reports in `reports`, and `sync` takes them to the service. Parts are made on
 * first use, so an idle phone stays small.
 */
export class RelayApp implements App {
  readonly #phone: Phone;
  readonly reports: KeptReports;
  readonly sync: Sync;
  #outbox: Outbox | undefined;
  #inbox: Inbox | undefined;
  #calls: Calls | undefined;
  #hasBeenOpened = true;
  #isRunning = true;
  #stopCount = 0;
  /** Openings since the process started; a start by the system that does not need its user counts as one. */
  #openings = 1;
  /** See `SyncReport.registration`. */
  registration: PhoneRegistration | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
    this.reports = new KeptReports(phone);
    this.sync = new Sync(phone, this.reports);
  }

  get isOpened(): boolean {
    return this.#isRunning && (this.#hasBeenOpened || !this.#phone.has("unopened-after-reboot"));
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Number of stops so far. */
  get stopCount(): number {
    return this.#stopCount;
  }

  /** Ends its process: until it starts again it neither polls nor reads texts and calls, and hears no callback. */
  stop(): void {
    this.#stopCount++;
    this.#isRunning = false;
    this.#hasBeenOpened = false;
    this.#openings = 0;
    this.sync.appStopped();
    this.#outbox?.appStopped();
  }

  /** Starts its process without its user: with fault unopened-after-reboot it then answers pushes only. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (!this.isOpened) return;
    this.#hasBeenOpened = true;
    this.#openings = 1;
    this.#beginWork();
    this.sync.requestSync({ forced: false });
  }

  wake(): void {
    this.start();
  }

  get observerCount(): number {
    return this.#phone.has("call-log-observers") ? this.#openings : 1;
  }

  get isClaimed(): boolean {
    return this.registration === undefined || this.registration.org !== 0;
  }

  /**
   * Makes the user open the app, which syncs; an app that stayed closed after a reboot starts to work
   * (docs/reference/handset.md#restart-pause-and-reset).
   */
  open(): void {
    this.#openings++;
    if (!this.#hasBeenOpened) {
      this.#isRunning = true;
      this.#hasBeenOpened = true;
      this.#beginWork();
    }
    this.#inbox?.readUnread();
    this.sync.requestSync({ forced: true, isUrgent: true });
  }

  phoneSwitchedOff(): void {
    this.#hasBeenOpened = false;
    this.#openings = 0;
    this.sync.switchedOff();
    this.#outbox?.switchedOff();
  }

  phoneBooted(): void {
    this.#isRunning = true;
    if (this.isOpened) {
      this.#hasBeenOpened = true;
      this.#openings = 1;
      this.#beginWork();
    }
    this.sync.requestSync({ forced: false });
  }

  /** Starts to poll, to send, and to read the inbox and the call log. */
  #beginWork(): void {
    this.sync.startPolling();
    if (this.#phone.isPaused) return;
    this.#calls?.log.repeatNewest();
    this.#calls?.log.readUnread();
    this.#inbox?.readUnread();
    this.#outbox?.appStarted();
    this.#outbox?.runPass();
  }

  /** Empties its tables. */
  #wipe(cause: WipeCause): void {
    this.sync.wipe(cause);
    this.#outbox?.wipe(cause);
  }

  /** Empties its tables and reports the reset. @param releases - see `Report`, type `reset` */
  reset(releases: boolean): void {
    this.#wipe("reset");
    this.reports.keep(releases ? { type: "reset", releases } : { type: "reset" });
  }

  /** Handles what the service says about the registration (docs/reference/handset.md#registration). */
  registrationChanged(command: RegistrationCommand): void {
    const { install = 0, relayer = this.#phone.channel } = this.registration ?? {};
    switch (command.type) {
      case "reg":
        this.registration = { ...this.registration, relayer: command.relayer, org: 0, install };
        return;
      case "claim":
        this.registration = { relayer, org: command.org, install };
        return;
      case "rel":
        this.#wipe("released");
        this.#forgetRegistration(install);
        return;
      default:
        command satisfies never;
    }
  }

  /** Installs the app again: it has no data, another UUID, and registers. */
  reinstall(): void {
    this.#wipe("reset");
    this.#forgetRegistration((this.registration?.install ?? 0) + 1);
  }

  /** Fault resets-when-refused: empties its table and registers again, with its UUID. */
  resetItself(): void {
    this.#wipe("reset");
    this.#forgetRegistration(this.registration?.install ?? 0);
  }

  #forgetRegistration(install: number): void {
    const isOld = this.#phone.has("retired-push");
    this.registration = { relayer: 0, org: 0, install, ...(isOld && { hasRetiredPush: true }) };
  }

  /** Called when the service has failed a message, see `Outbox.disown`. @returns whether the phone has it, or had it */
  disown(id: number): boolean {
    // The outbox is needed even if it is new: an offer of the message may be under way.
    return (this.#outbox ??= new Outbox(this.#phone)).disown(id);
  }

  /** Called before a possible pause: the app reads earlier texts. */
  readBeforePause(): void {
    this.#inbox?.readBeforePause();
  }

  /** Called when the data link is back. */
  linkReturned(): void {
    this.#inbox?.readUnread();
    this.sync.linkReturned();
  }

  /** Handles a text that the phone received, or the receipt of one that it sent. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void {
    if (incoming.kind === "text") (this.#inbox ??= new Inbox(this.#phone)).receive(incoming, options);
    else {
      this.#outbox?.receiptArrived(incoming, delayOf(incoming.held, this.#phone.context.kernel.now));
      if (!options.isMoreComing) this.#inbox?.readUnread();
    }
  }

  backlogInterrupted(): void {
    this.#inbox?.readUnread();
  }

  startCall(call: PlannedCall): void {
    (this.#calls ??= new Calls(this.#phone)).start(call);
  }

  /** The owner of the phone looks at the call log, or clears it. */
  useCallLog(state: CallLogState): void {
    this.#calls?.log.useByOwner(state);
  }

  runOutbox(): void {
    this.#outbox?.runPass();
  }

  acknowledged(report: Report): void {
    if ("id" in report) this.#outbox?.acknowledged(report.type, trueId(report.id));
    // After a reset without `releases` the service keeps the channel, so the ack has no effect.
    else if (report.type === "reset" && report.releases === true) this.registrationChanged({ type: "rel" });
  }

  acceptMessage(id: number, to: string, text: string): void {
    (this.#outbox ??= new Outbox(this.#phone)).acceptOffer(id, to, text);
  }

  /** Whether it has, or had, a message that may still be queued at the service. */
  holds(id: number): boolean {
    return this.#outbox?.holds(id) === true;
  }

  /** The texts and calls that the service has not applied. */
  inTransit(): InTransit[] {
    const { channel } = this.#phone;
    const reports = [
      ...this.reports.openReports(),
      ...(this.#inbox?.unreadReports() ?? []),
      ...(this.#calls?.openReports() ?? []),
    ];
    return reports.map((report) => ({ channel, report }));
  }

  /** The current state of its parts. */
  inspect(): Pick<
    HandsetView,
    "registration" | "isOpened" | "isRunning" | "outbox" | "reports" | "unread" | "calls" | "sync"
  > {
    const { relayer = this.#phone.channel, org = OWN_ORG } = this.registration ?? {};
    return {
      registration: { relayer: relayer > 0 ? relayer : null, org: org === 0 ? null : org },
      isOpened: this.isOpened,
      isRunning: this.#isRunning,
      outbox: this.#outbox?.inspect() ?? {
        messages: [],
        nextPassAtMs: null,
        triesMax: this.#phone.profile.retryWaitsMs.length + 1,
      },
      reports: this.reports.inspect(),
      unread: this.#inbox?.inspect() ?? [],
      calls: this.#calls?.inspect() ?? { ongoing: [], unread: [], observers: this.observerCount },
      sync: this.sync.inspect(),
    };
  }

  /** Whether a text, a call or a report waits. */
  get isBusy(): boolean {
    if (this.reports.count > 0) return true;
    const { texts, calls } = this.census();
    return texts + calls > 0;
  }

  /** Numbers of the texts and calls that wait. */
  census(): { readonly texts: number; readonly calls: number } {
    const reported = this.reports.census();
    return {
      texts: reported.texts + (this.#inbox?.unreadCount ?? 0) + (this.#outbox?.openCount ?? 0),
      calls: reported.calls + (this.#calls?.openCount ?? 0),
    };
  }

  /** Ids of the messages that wait for their first try or for the radio's answer. */
  get pending(): readonly number[] {
    return this.#outbox?.pending ?? noIds;
  }

  /** Ids of the messages whose last try failed. */
  get retry(): readonly number[] {
    return this.#outbox?.retry ?? noIds;
  }

  get pendingCount(): number {
    return this.#outbox?.pendingCount ?? 0;
  }

  get retryCount(): number {
    return this.#outbox?.retryCount ?? 0;
  }

  /** Number of unacknowledged reports, and of texts and calls that it has not read. */
  get unsyncedCount(): number {
    return this.reports.count + (this.#inbox?.unreadCount ?? 0) + (this.#calls?.log.unreadCount ?? 0);
  }
}

const noIds: readonly number[] = [];
