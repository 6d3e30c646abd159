import { type Distribution, type Kernel, sample, sampleWhole, type SimTime, type Stream } from "../../sim/index.js";
import type { CallEventType, DelayReason, DeviceStatus, Report } from "../../wire/index.js";
import type { InTransit } from "../in-transit.js";
import { CallLog } from "./call-log.js";
import { type Carrier, delayOf, type Incoming, type Subscriber } from "../carrier.js";
import type { HandsetGroup } from "../cast/cast.js";
import type { Fault } from "../profiles/faults.js";
import { Inbox } from "./inbox.js";
import type { SmsServiceState } from "../input.js";
import { Layers } from "../layers.js";
import type { NetworkType } from "../network.js";
import { Outbox } from "./outbox.js";
import type { Phone } from "./phone.js";
import { Power, type Powered } from "./power.js";
import type { Profile } from "../profiles/profile.js";
import { segmentsOf } from "./segments.js";
import type { WorldContext } from "../world-context.js";
import { Sync } from "./sync.js";

/** What the outside does to a handset, each for good or for a while. */
export interface Conditions {
  mains: boolean;
  network: NetworkType;
  /** Takes the place of the profile's latency. */
  latency: Distribution<number> | undefined;
  /** Share of exchanges that the link loses. */
  loses: number;
  coverage: "none" | "ok";
  smsService: SmsServiceState;
  airplane: boolean;
  paused: boolean;
}

/** In what conditions the handsets of a group begin. */
export function conditionsOf({ mains, network }: HandsetGroup): Conditions {
  return {
    mains,
    network,
    latency: undefined,
    loses: 0,
    coverage: "ok",
    smsService: "ok",
    airplane: false,
    paused: false,
  };
}

/** How a handset puts a text on air. */
export type OnAir = (
  handset: Handset,
  text: { readonly id: number; readonly epoch: number; readonly to: string; readonly text: string },
) => void;

interface TemporaryChange {
  readonly handset: Handset;
  readonly key: keyof Conditions;
  readonly layer: object;
}

/** A call in progress. */
interface CallInProgress {
  readonly handset: Handset;
  readonly life: number;
  readonly call: CallEventType;
  readonly phone: string;
  readonly timeMs: number;
  readonly durationS: number;
  readonly beganAtMs: SimTime;
}

/**
 * One virtual Android phone that relays for the service: battery and power, data link, and the app's parts. The carrier
 * brings texts to the inbox; calls that end go to the call log; the service's messages go to the outbox. Each part gives
 * its reports to `sync`, which takes them to the service. Parts are made on first use, so an idle phone stays small.
 */
export class Handset implements Phone, Subscriber, Powered {
  readonly channel: number;
  readonly group: HandsetGroup;
  readonly context: WorldContext;
  readonly stream: Stream;
  readonly carrier: Carrier;
  readonly #onAir: OnAir;
  readonly #power: Power;
  /** Replaced when one of them changes: up to then a group's handsets share theirs. */
  #conditions: Readonly<Conditions>;
  #layers: Layers<Conditions> | undefined;
  readonly sync: Sync;
  #outbox: Outbox | undefined;
  #inbox: Inbox | undefined;
  #callLog: CallLog | undefined;
  #skewMs: number;
  #hasBeenOpened = true;
  #callsInProgress: Set<CallInProgress> | undefined;
  #activeAtMs = -Infinity;
  /** Fault stale-after-reboot: what the phone stored last. */
  #stored: DeviceStatus | undefined;

  constructor(options: {
    readonly channel: number;
    readonly group: HandsetGroup;
    /** Those at the beginning, see `conditionsOf`. */
    readonly conditions: Readonly<Conditions>;
    readonly context: WorldContext;
    readonly stream: Stream;
    readonly carrier: Carrier;
    readonly onAir: OnAir;
  }) {
    const { group, stream } = options;
    this.channel = options.channel;
    this.group = group;
    this.context = options.context;
    this.stream = stream;
    this.carrier = options.carrier;
    this.#onAir = options.onAir;
    this.#skewMs = Math.round(sampleSigned(group.clockSkew, stream));
    this.#conditions = options.conditions;
    this.sync = new Sync(this);
    this.#power = new Power(this, sample(group.battery, stream));
  }

  /** Begins its life: within the poll interval it polls for the first time. */
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

  /** What the phone would report of itself now. */
  status(): DeviceStatus {
    const { source, status, level } = this.#power;
    const stored = this.#stored;
    // One literal: this is built for every sync.
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
    // The ack of a reset needs nothing: the service claims the channel again at once.
    if ("id" in report) this.#outbox?.acknowledged(report.type, report.id);
  }

  acceptMessage(id: number, to: string, text: string): void {
    (this.#outbox ??= new Outbox(this)).acceptOffer(id, to, text);
  }

  transmitText(id: number, to: string, text: string): void {
    this.#activeAtMs = this.kernel.now;
    this.#onAir(this, { id, epoch: this.#outbox?.epoch ?? 0, to, text });
  }

  /** The carrier brings something. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void {
    if (incoming.kind === "delivered") {
      this.#outbox?.receiptArrived(incoming, delayOf(incoming.held, this.kernel.now));
      if (!options.isMoreComing) this.#inbox?.readUnread();
    } else {
      this.#activeAtMs = this.kernel.now;
      (this.#inbox ??= new Inbox(this)).receive(incoming, options);
      if (!this.hasMains) this.drain(this.profile.drainPerText * segmentsOf(incoming.text).count);
    }
  }

  backlogInterrupted(): void {
    this.#inbox?.readUnread();
  }

  /**
   * A call with a person, either way. Out of reach it fails and no phone ever knows of it; else it is logged when it
   * ends, with the time at which it began.
   */
  call(options: {
    readonly phone: string;
    readonly by: "person" | "handset";
    readonly isAnswered: boolean;
    readonly lastsMs: number;
  }): void {
    const { tally } = this.context;
    tally.in("calls");
    if (!this.isReachable) return tally.lost("calls", "unreachable");
    const { phone, by, isAnswered, lastsMs } = options;
    const ongoing: CallInProgress = {
      handset: this,
      life: this.life,
      call: this.#callType(by, isAnswered),
      phone,
      timeMs: this.clockMs,
      durationS: isAnswered ? Math.round(lastsMs / 1000) : 0,
      beganAtMs: this.kernel.now,
    };
    (this.#callsInProgress ??= new Set()).add(ongoing);
    this.kernel.in(lastsMs, Handset.#hungUp, ongoing);
  }

  #callType(by: "person" | "handset", isAnswered: boolean): CallEventType {
    if (by === "person") return isAnswered ? "mo_call" : "mo_miss";
    return isAnswered || this.has("no-mt-miss") ? "mt_call" : "mt_miss";
  }

  static #hungUp(this: void, ongoing: CallInProgress): void {
    const { handset, life, call, phone, timeMs, durationS, beganAtMs } = ongoing;
    handset.#callsInProgress?.delete(ongoing);
    if (life !== handset.life) handset.context.tally.lost("calls", "switched-off");
    else (handset.#callLog ??= new CallLog(handset)).addCall({ call, phone, timeMs, durationS, beganAtMs });
  }

  /**
   * Somebody opens the app and has it sync; what a reboot left undone is done now
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
   * The user resets the app: its table is emptied, it is un-paused and tells the service
   * (docs/reference/handset.md#restart-pause-and-reset).
   */
  reset(downMs: number): void {
    if (!this.isOn) return;
    this.sync.wipe();
    this.#outbox?.wipe();
    this.sync.keepReport({ type: "reset" });
    this.change("paused", false, undefined);
    if (downMs > 0) this.restart(downMs);
    else this.sync.requestSync({ forced: true });
  }

  /** Changes a condition, for good or for a while. */
  change<K extends keyof Conditions>(key: K, value: Conditions[K], forMs: number | undefined): void {
    this.#layers ??= new Layers({ ...this.#conditions });
    if (forMs === undefined) this.#layers.set(key, value);
    else {
      const layer = this.#layers.addLayer(key, value);
      const passing: TemporaryChange = { handset: this, key, layer };
      this.kernel.in(forMs, Handset.#changeEnded, passing);
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

  /** Data or coverage are back: a little later the phone makes use of them. */
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

  /** The app starts to watch inbox and call log, to poll and to send. */
  #beginWork(): void {
    this.sync.startPolling();
    if (this.isPaused) return;
    this.#callLog?.repeatNewest();
    this.#callLog?.readUnread();
    this.#inbox?.readUnread();
    this.#outbox?.runPass();
  }

  /** Whether the phone has a message of the service, or its text has had its fate there. */
  holds(id: number): boolean {
    return this.#outbox?.holds(id) === true;
  }

  /** The texts and calls here that the service has not taken over. A call in progress is as it will be logged. */
  inTransit(): InTransit[] {
    const reports = [
      ...this.sync.openReports(),
      ...(this.#inbox?.unreadReports() ?? []),
      ...(this.#callLog?.unreadReports() ?? []),
    ];
    for (const { life, call, phone, timeMs, durationS } of this.#callsInProgress ?? []) {
      if (life === this.life) reports.push({ type: "call", call, phone, timeMs, durationS });
    }
    return reports.map((report) => ({ channel: this.channel, report }));
  }

  /** Takes up what was here before the world began anew. */
  restoreInTransit(one: InTransit): void {
    const { tally } = this.context;
    if ("report" in one) {
      tally.in(one.report.type === "call" ? "calls" : "texts");
      this.sync.keepReport(one.report);
      this.sync.requestSync({ forced: true });
    } else {
      tally.in("texts");
      this.carrier.restoreText(this, one);
    }
  }

  /** Whether a text, a call or a report waits here for its end. */
  get isBusy(): boolean {
    if (this.sync.keptCount > 0) return true;
    const { texts, calls } = this.census();
    return texts + calls > 0;
  }

  /** Texts and calls that wait here, counted where they wait. */
  census(): { readonly texts: number; readonly calls: number } {
    const reported = this.sync.census();
    return {
      texts: reported.texts + (this.#inbox?.unreadCount ?? 0) + (this.#outbox?.openCount ?? 0),
      calls: reported.calls + (this.#callLog?.unreadCount ?? 0) + (this.#callsInProgress?.size ?? 0),
    };
  }

  get pendingCount(): number {
    return this.#outbox?.pendingCount ?? 0;
  }

  get retryCount(): number {
    return this.#outbox?.retryCount ?? 0;
  }

  /** Reports that the service has not taken over, and texts and calls that the app has yet to report, as in an outage. */
  get unsyncedCount(): number {
    return this.sync.keptCount + (this.#inbox?.unreadCount ?? 0) + (this.#callLog?.unreadCount ?? 0);
  }

  /** Percent, 0..100. */
  get batteryLevel(): number {
    return this.#power.level;
  }
}

const noIds: readonly number[] = [];

/** Like `sample`; skews may be negative, so the normal kind is not cut at 0. */
function sampleSigned(skew: Distribution<number>, stream: Stream): number {
  return skew.kind === "normal" ? stream.normal(skew.mean, skew.deviation) : sample(skew, stream);
}
