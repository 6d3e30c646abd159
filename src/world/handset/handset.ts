import { type Distribution, type Kernel, sample, sampleWhole, type Stream } from "../../sim/index.js";
import type { DelayReason, DeviceStatus, Report } from "../../wire/index.js";
import { type Carrier, delayOf, type Incoming, type Subscriber } from "../carrier.js";
import type { HandsetGroup } from "../cast/cast.js";
import { type FleetColumns, phoneFlags } from "../fleet-columns.js";
import type { InTransit } from "../in-transit.js";
import type { SmsServiceState } from "../input.js";
import { Layers } from "../layers.js";
import { type NetworkType, networkTypes } from "../network.js";
import type { Fault } from "../profiles/faults.js";
import type { Profile } from "../profiles/profile.js";
import type { WorldContext } from "../world-context.js";
import { Calls, type PlannedCall } from "./calls.js";
import type { Conditions } from "./conditions.js";
import type { HandsetView } from "./handset-view.js";
import { Inbox } from "./inbox.js";
import { KeptReports } from "./kept-reports.js";
import { Outbox } from "./outbox.js";
import type { Phone } from "./phone.js";
import { Power, type Powered } from "./power.js";
import { segmentsOf } from "./segments.js";
import { Sync } from "./sync.js";

/** A text that a handset sends to a number. */
export interface TextToNumber {
  /** The service's id of the message. */
  readonly id: number;
  /** Counts resets of the handset. */
  readonly epoch: number;
  readonly to: string;
  readonly text: string;
}

/** Routes the texts that handsets put on air. */
export interface TextRouter {
  routeText(from: Handset, text: TextToNumber): void;
}

interface TemporaryChange {
  readonly handset: Handset;
  readonly key: keyof Conditions;
  readonly layer: object;
}

/**
 * One virtual Android phone that relays for the service: battery and power, data link, and the app's parts. The carrier
 * brings texts to the inbox; calls that end go to the call log; the service's messages go to the outbox. Each part
 * keeps its reports in `reports`, and `sync` takes them to the service. Parts are made on first use, so an idle phone
 * stays small.
 */
export class Handset implements Phone, Subscriber, Powered {
  readonly channel: number;
  readonly group: HandsetGroup;
  readonly context: WorldContext;
  readonly stream: Stream;
  readonly carrier: Carrier;
  readonly #router: TextRouter;
  readonly #power: Power;
  /** Copy on write: the handsets of a group share one object until a condition changes. */
  #conditions: Readonly<Conditions>;
  #layers: Layers<Conditions> | undefined;
  readonly reports: KeptReports;
  readonly sync: Sync;
  #outbox: Outbox | undefined;
  #inbox: Inbox | undefined;
  #calls: Calls | undefined;
  #skewMs: number;
  #hasBeenOpened = true;
  #activeAtMs = -Infinity;
  /** Texts that have reached this phone. */
  #textCount = 0;
  /** Fault stale-after-reboot: the status that the phone stored last. */
  #stored: DeviceStatus | undefined;

  constructor(options: {
    readonly channel: number;
    readonly group: HandsetGroup;
    /** The initial ones, see `conditionsOf`. */
    readonly conditions: Readonly<Conditions>;
    readonly context: WorldContext;
    readonly stream: Stream;
    readonly carrier: Carrier;
    readonly router: TextRouter;
  }) {
    const { group, stream } = options;
    this.channel = options.channel;
    this.group = group;
    this.context = options.context;
    this.stream = stream;
    this.carrier = options.carrier;
    this.#router = options.router;
    this.#skewMs = Math.round(sampleSigned(group.clockSkew, stream));
    this.#conditions = options.conditions;
    this.reports = new KeptReports(this);
    this.sync = new Sync(this, this.reports);
    this.#power = new Power(this, sample(group.battery, stream));
  }

  /** Starts the phone: it polls for the first time within the poll interval. */
  start(): void {
    this.sync.startPolling(this.stream.int(0, Math.max(0, this.profile.pollEveryMs - 1)));
    this.#power.conditionsChanged();
  }

  get kernel(): Kernel {
    return this.context.kernel;
  }

  get profile(): Profile {
    return this.group.profile;
  }

  get life(): number {
    return this.#power.life;
  }

  get isOn(): boolean {
    return this.#power.isOn;
  }

  get isPaused(): boolean {
    return this.#conditions.paused;
  }

  get isOpened(): boolean {
    return this.#hasBeenOpened || !this.has("unopened-after-reboot");
  }

  get isWorking(): boolean {
    return this.isOn && !this.isPaused && this.isOpened;
  }

  get hasMains(): boolean {
    return this.#conditions.mains;
  }

  get link(): NetworkType {
    return this.#conditions.airplane ? "none" : this.#conditions.network;
  }

  get hasData(): boolean {
    return this.isOn && this.link !== "none";
  }

  get linkLoses(): number {
    return this.#conditions.loses;
  }

  get isReachable(): boolean {
    return this.isOn && this.#conditions.coverage === "ok" && !this.#conditions.airplane;
  }

  get blockedBy(): DelayReason | undefined {
    if (!this.isOn) return "switched-off";
    if (this.isPaused) return "paused";
    if (!this.isOpened) return "unopened";
    if (this.hasData) return undefined;
    return this.#conditions.airplane ? "airplane" : "no-network";
  }

  get unreachableBecause(): DelayReason | undefined {
    if (this.isReachable) return undefined;
    if (!this.isOn) return "switched-off";
    return this.#conditions.airplane ? "airplane" : "no-coverage";
  }

  get radio(): SmsServiceState {
    if (this.#conditions.airplane) return "radio-off";
    return this.#conditions.coverage === "none" ? "no-service" : this.#conditions.smsService;
  }

  get clockMs(): number {
    return this.context.startsAtMs + this.kernel.now + this.#skewMs;
  }

  get activeAtMs(): number {
    return this.#activeAtMs;
  }

  has(fault: Fault): boolean {
    return this.profile.faults.has(fault);
  }

  /** The status that the phone would report now. */
  status(): DeviceStatus {
    const { source, status, level } = this.#power;
    const stored = this.#stored;
    // One object literal without a spread: this runs for every sync.
    return {
      powerSource: stored?.powerSource ?? source,
      powerStatus: stored?.powerStatus ?? status,
      powerLevel: stored?.powerLevel ?? Math.round(level),
      networkType: stored?.networkType ?? (this.link === "none" ? "NONE" : this.link),
      pending: this.#outbox?.pending ?? noIds,
      retry: this.#outbox?.retry ?? noIds,
    };
  }

  latencyMs(): number {
    const { link } = this;
    const latency = this.#conditions.latency ?? (link === "none" ? undefined : this.profile.latency[link]);
    return latency === undefined ? 0 : sampleWhole(latency, this.stream);
  }

  heldGapMs(): number {
    return sampleWhole(this.profile.heldGap, this.stream);
  }

  drain(percent: number): void {
    this.#power.drain(percent);
  }

  runOutbox(): void {
    this.#outbox?.runPass();
  }

  acknowledged(report: Report): void {
    // The ack of a reset has no effect: the service has claimed the channel again already.
    if ("id" in report) this.#outbox?.acknowledged(report.type, report.id);
  }

  acceptMessage(id: number, to: string, text: string): void {
    (this.#outbox ??= new Outbox(this)).acceptOffer(id, to, text);
  }

  transmitText(id: number, to: string, text: string): void {
    this.#activeAtMs = this.kernel.now;
    this.#router.routeText(this, { id, epoch: this.#outbox?.epoch ?? 0, to, text });
  }

  /** The carrier delivers a text or a receipt. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void {
    if (incoming.kind === "delivered") {
      this.#outbox?.receiptArrived(incoming, delayOf(incoming.held, this.kernel.now));
      if (!options.isMoreComing) this.#inbox?.readUnread();
    } else {
      this.#activeAtMs = this.kernel.now;
      this.#textCount++;
      (this.#inbox ??= new Inbox(this)).receive(incoming, options);
      if (!this.hasMains) this.drain(this.profile.drainPerText * segmentsOf(incoming.text).count);
    }
  }

  backlogInterrupted(): void {
    this.#inbox?.readUnread();
  }

  /** Starts a call with a person, in either direction. Out of reach the call is lost and never logged. */
  call(call: PlannedCall): void {
    const { tally } = this.context;
    tally.in("calls");
    if (!this.isReachable) return tally.lost("calls", "unreachable", [{ channel: this.channel, phone: call.phone }]);
    (this.#calls ??= new Calls(this)).start(call);
  }

  /**
   * The user opens the app and syncs; an app that stayed closed after a reboot starts to work now
   * (docs/reference/handset.md#restart-pause-and-reset).
   */
  open(): void {
    if (!this.isOn) return;
    this.#stored = undefined;
    if (!this.#hasBeenOpened) {
      this.#hasBeenOpened = true;
      this.#beginWork();
    }
    this.#inbox?.readUnread();
    this.sync.requestSync({ forced: true });
  }

  setBattery(percent: number): void {
    this.#power.setLevel(percent);
  }

  setSkew(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  restart(downMs: number): void {
    this.#power.restart(downMs);
  }

  /**
   * The user resets the app: it empties its table, ends a pause and reports the reset
   * (docs/reference/handset.md#restart-pause-and-reset).
   */
  reset(downMs: number): void {
    if (!this.isOn) return;
    this.sync.wipe();
    this.#outbox?.wipe();
    this.reports.keep({ type: "reset" });
    this.change("paused", false, undefined);
    if (downMs > 0) this.restart(downMs);
    else this.sync.requestSync({ forced: true });
  }

  /** Changes a condition, for good or for `forMs`. */
  change<K extends keyof Conditions>(key: K, value: Conditions[K], forMs: number | undefined): void {
    this.#layers ??= new Layers({ ...this.#conditions });
    if (forMs === undefined) this.#layers.set(key, value);
    else {
      const layer = this.#layers.addLayer(key, value, this.kernel.now + forMs);
      const change: TemporaryChange = { handset: this, key, layer };
      this.kernel.in(forMs, Handset.#changeEnded, change);
    }
    this.#applyCondition(key, this.#layers.get(key));
  }

  static #changeEnded(this: void, { handset, key, layer }: TemporaryChange): void {
    const layers = handset.#layers;
    if (layers?.removeLayer(layer) === true) handset.#applyCondition(key, layers.get(key));
  }

  #applyCondition<K extends keyof Conditions>(key: K, value: Conditions[K]): void {
    if (this.#conditions[key] === value) return;
    if (key === "paused") this.#inbox?.readBeforePause();
    const hadData = this.hasData;
    const wasReachable = this.isReachable;
    this.#conditions = { ...this.#conditions, [key]: value };
    this.#power.conditionsChanged();
    if ((this.hasData && !hadData) || (this.isReachable && !wasReachable)) this.#scheduleRejoin();
    if (key === "paused" && value === false) this.open();
  }

  /** Data or coverage is back: the phone uses it after the profile's `rejoinAfter`. */
  #scheduleRejoin(): void {
    this.kernel.in(sampleWhole(this.profile.rejoinAfter, this.stream), Handset.#rejoined, this);
  }

  static #rejoined(this: void, handset: Handset): void {
    if (handset.hasData) {
      handset.#inbox?.readUnread();
      handset.sync.linkReturned();
    }
    if (handset.isReachable) handset.carrier.deliverBacklog(handset);
  }

  switchedOff(): void {
    if (this.has("stale-after-reboot")) this.#stored = this.status();
    this.#hasBeenOpened = false;
    this.sync.switchedOff();
    this.#outbox?.switchedOff();
  }

  booted(): void {
    if (this.isOpened) {
      this.#hasBeenOpened = true;
      this.#beginWork();
    }
    this.sync.requestSync({ forced: false });
    this.#scheduleRejoin();
  }

  /** The app starts to poll, to send, and to read the inbox and the call log. */
  #beginWork(): void {
    this.sync.startPolling();
    if (this.isPaused) return;
    this.#calls?.log.repeatNewest();
    this.#calls?.log.readUnread();
    this.#inbox?.readUnread();
    this.#outbox?.runPass();
  }

  /** Whether the phone has, or had, a message that the service may still have as queued. */
  holds(id: number): boolean {
    return this.#outbox?.holds(id) === true;
  }

  /** The texts and calls on this phone that the service has not applied. */
  inTransit(): InTransit[] {
    const reports = [
      ...this.reports.openReports(),
      ...(this.#inbox?.unreadReports() ?? []),
      ...(this.#calls?.openReports() ?? []),
    ];
    return reports.map((report) => ({ channel: this.channel, report }));
  }

  /** Restores a text or a call that was in transit when the database was closed. */
  restoreInTransit(one: InTransit): void {
    const { tally } = this.context;
    if ("report" in one) {
      tally.in(one.report.type === "call" ? "calls" : "texts");
      this.reports.keep(one.report);
      this.sync.requestSync({ forced: true });
    } else {
      tally.in("texts");
      this.carrier.restoreText(this, one);
    }
  }

  /** The phone as it stands now. */
  inspect(): HandsetView {
    return {
      power: this.#power.inspect(),
      conditions: { ...this.#conditions },
      endsAtMs: this.#layers?.ends() ?? {},
      clockMs: this.clockMs,
      skewMs: this.#skewMs,
      blockedBy: this.blockedBy ?? null,
      unreachableBecause: this.unreachableBecause ?? null,
      isOpened: this.isOpened,
      outbox: this.#outbox?.inspect() ?? {
        messages: [],
        nextPassAtMs: null,
        triesMax: this.profile.retryWaitsMs.length + 1,
      },
      reports: this.reports.inspect(),
      unread: this.#inbox?.inspect() ?? [],
      calls: this.#calls?.inspect() ?? { ongoing: [], unread: [] },
      sync: this.sync.inspect(),
    };
  }

  /** Whether a text, a call or a report waits on this phone. */
  get isBusy(): boolean {
    if (this.reports.count > 0) return true;
    const { texts, calls } = this.census();
    return texts + calls > 0;
  }

  /** Counts the texts and calls that wait on this phone. */
  census(): { readonly texts: number; readonly calls: number } {
    const reported = this.reports.census();
    return {
      texts: reported.texts + (this.#inbox?.unreadCount ?? 0) + (this.#outbox?.openCount ?? 0),
      calls: reported.calls + (this.#calls?.openCount ?? 0),
    };
  }

  get pendingCount(): number {
    return this.#outbox?.pendingCount ?? 0;
  }

  get retryCount(): number {
    return this.#outbox?.retryCount ?? 0;
  }

  /** Counts unacknowledged reports, and texts and calls that the app has not read. */
  get unsyncedCount(): number {
    return this.reports.count + (this.#inbox?.unreadCount ?? 0) + (this.#calls?.log.unreadCount ?? 0);
  }

  /** Percent, 0..100. */
  get batteryLevel(): number {
    return this.#power.level;
  }

  /** Writes the phone's state at its index. Allocates nothing: it is called for each phone several times a second. */
  writeColumns(columns: FleetColumns): void {
    const index = this.channel - 1;
    const { mains, airplane, paused, coverage, smsService } = this.#conditions;
    columns.battery[index] = Math.round(this.#power.level);
    columns.flags[index] =
      (this.isOn ? phoneFlags.isOn : 0) |
      (mains ? phoneFlags.hasMains : 0) |
      (airplane ? phoneFlags.isAirplane : 0) |
      (paused ? phoneFlags.isPaused : 0) |
      (coverage === "ok" ? 0 : phoneFlags.isUncovered) |
      (smsService === "ok" ? 0 : phoneFlags.isSmsFaulty) |
      (Math.abs(this.#skewMs) > CLOCK_OFF_MS ? phoneFlags.isClockOff : 0);
    columns.network[index] = networkTypes.indexOf(this.link);
    columns.pending[index] = this.pendingCount;
    columns.retry[index] = this.retryCount;
    columns.unsynced[index] = this.unsyncedCount;
    columns.texts[index] = this.#textCount;
  }
}

/** From here on a phone's clock counts as wrong. */
const CLOCK_OFF_MS = 60_000;

const noIds: readonly number[] = [];

/** Like `sample`, but a normal distribution is not cut at 0: a clock may be behind. */
function sampleSigned(skew: Distribution<number>, stream: Stream): number {
  return skew.kind === "normal" ? stream.normal(skew.mean, skew.deviation) : sample(skew, stream);
}
