import { type Distribution, type Kernel, sample, sampleSigned, sampleWhole, type Stream } from "../../sim/index.js";
import { segmentsOf, type DelayReason, type DeviceStatus, type PhoneValues, unknownStatus } from "../../wire/index.js";
import type { Carrier } from "../carrier/carrier.js";
import type { Incoming } from "../carrier/subscriber.js";
import { type HandsetGroup, phoneOf, type PhonePattern } from "../cast/cast.js";
import { type PhoneColumns, phoneFlags } from "../phone-columns.js";
import { ChangingValues } from "../changing-values.js";
import type { InTransit } from "../in-transit.js";
import type { SmsServiceState } from "../input.js";
import type { Plug } from "../phone-words.js";
import { Layers } from "../layers.js";
import { failShareOn, worksWithoutMast, type NetworkType, networkTypes } from "../network.js";
import type { Fault } from "../profiles/faults.js";
import { isPreferred, type NetworkPreference, type Profile } from "../profiles/profile.js";
import type { WorldContext } from "../world-context.js";
import type { PlannedCall } from "./calls.js";
import type { Conditions } from "./conditions.js";
import type { HandsetView, SimView } from "./handset-view.js";
import type { Phone, SendFails, TextToNumber } from "./phone.js";
import { Power, type Powered } from "./power.js";
import { RelayApp } from "./relay-app.js";
import { Sim, type SimHolder, type SimSlot, simSlots } from "./sim.js";
import { SimSlots } from "./sim-slots.js";
import { type PanelHolder, SolarPanel } from "./solar.js";

/** Routes the texts that handsets put on air. */
export interface TextRouter {
  routeText(from: Handset, text: TextToNumber): void;
}

/**
 * A planned start of the app after a stop. It is void if the app was started or stopped meanwhile. `stop`: the app's
 * `stopCount` at the planning.
 */
interface AppStart {
  readonly handset: Handset;
  readonly by: "user" | "system";
  readonly stop: number;
}

interface TemporaryChange {
  readonly handset: Handset;
  readonly key: keyof Conditions;
  readonly layer: object;
}

/**
 * One virtual Android phone that relays for the service: battery and power, its external conditions (mains, network,
 * coverage), permanent or temporary, its clock, and the relayer app. The carrier delivers texts to it.
 */
export class Handset implements Phone, SimHolder, Powered, PanelHolder {
  readonly channel: number;
  readonly group: HandsetGroup;
  readonly context: WorldContext;
  readonly stream: Stream;
  readonly #member: number;
  /** The first SIM that the cast gives it, whose number people know from the start. */
  readonly castSim: Sim;
  /** Undefined: `castSim` is and was the only SIM. */
  #slots: SimSlots | undefined;
  readonly #router: TextRouter;
  readonly #power: Power;
  /** Copy on write: the handsets of a group share one object until a condition changes. */
  #conditions: Readonly<Conditions>;
  #layers: Layers<Conditions> | undefined;
  /** Undefined: the phone never had one. */
  #panel: SolarPanel | undefined;
  readonly app: RelayApp;
  #skewMs: number;
  /** Changes of the clock; undefined: there were none. */
  #skews: ChangingValues<{ skewMs: number }> | undefined;
  #heardAtMs = -Infinity;
  #sentAtMs = -Infinity;
  /** The app uses the second data link for the sync under way. */
  #isFlipped = false;
  /** Number of texts that have reached this phone. */
  #textCount = 0;
  /** Fault stale-after-reboot: the status that the phone last stored. */
  #stored: PhoneValues | undefined;

  constructor(options: {
    readonly channel: number;
    readonly group: HandsetGroup;
    /** Its number in the group, from 0. */
    readonly member: number;
    /** The initial conditions, see `conditionsOf`. */
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
    this.#member = options.member;
    this.castSim = new Sim({ holder: this, carrier: options.carrier, number: undefined, credit: group.credit });
    this.#router = options.router;
    this.#skewMs = Math.round(sampleSigned(group.clockSkew, stream));
    this.#conditions = options.conditions;
    this.app = new RelayApp(this);
    this.#power = new Power(this, sample(group.battery, stream));
  }

  /** Starts the phone: it polls for the first time within the poll interval. */
  start(): void {
    this.app.sync.startPolling(this.stream.int(0, Math.max(0, this.profile.pollEveryMs - 1)));
    if (this.#conditions.solar > 0) this.#updatePanel();
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
    return this.#conditions.paused || !this.#conditions.smsPermission;
  }

  get isDozing(): boolean {
    return this.#conditions.dozing;
  }

  get canReadCalls(): boolean {
    return this.#conditions.callPermission;
  }

  get isWorking(): boolean {
    return this.isOn && !this.isPaused && this.app.isOpened && this.app.isClaimed;
  }

  get hasMains(): boolean {
    return this.#conditions.mains && !this.#conditions.powerCut;
  }

  get plug(): Plug {
    return this.#conditions.plug;
  }

  get solarPerHour(): number {
    return this.#panel === undefined ? 0 : this.#panel.perHour;
  }

  get panelPerHour(): number {
    return this.#conditions.solar;
  }

  get clouds(): Distribution<number> {
    return this.#conditions.clouds;
  }

  sunChanged(): void {
    this.#power.conditionsChanged();
  }

  #updatePanel(): void {
    this.#panel ??= new SolarPanel(this);
    this.#panel.update();
  }

  /** Whether the mains, or a panel in the sun, supply it. */
  get isPlugged(): boolean {
    return this.hasMains || this.solarPerHour > 0;
  }

  /** Without coverage the radio searches for a network, unless it is off. */
  get isSearching(): boolean {
    return !this.#hasCoverage && !this.#conditions.airplane;
  }

  get link(): NetworkType {
    const { airplane, powerCut, second } = this.#conditions;
    if (airplane || powerCut) return "none";
    if (second === "none") return this.#firstLink;
    return this.#usesSecond ? this.#secondLink : this.#firstLink;
  }

  get #firstLink(): NetworkType {
    const { network } = this.#conditions;
    return this.#hasMobileData || worksWithoutMast(network) ? network : "none";
  }

  get #secondLink(): NetworkType {
    const { second } = this.#conditions;
    return this.#hasMobileData || worksWithoutMast(second) ? second : "none";
  }

  get #hasMobileData(): boolean {
    return !this.#conditions.mastDown && this.hasSim;
  }

  /**
   * Android uses the second link while the first is down; the app may also change to it
   * (docs/reference/handset.md#network-handling).
   */
  get #usesSecond(): boolean {
    return this.#secondLink !== "none" && (this.#isFlipped || this.#firstLink === "none");
  }

  get hasPortal(): boolean {
    return this.#conditions.portal && !this.#usesSecond;
  }

  get canFlip(): boolean {
    return this.link !== "none" && this.#firstLink !== "none" && this.#secondLink !== "none";
  }

  flipLink(): void {
    this.useSecondLink(!this.#usesSecond);
  }

  usePreferredLink(kind: NetworkPreference): boolean {
    if (!this.hasData) return false;
    const isFirst = isPreferred(this.#firstLink, kind);
    const isSecond = isPreferred(this.#secondLink, kind);
    this.useSecondLink(!isFirst && isSecond);
    return isFirst || isSecond;
  }

  useSecondLink(isSecond: boolean): void {
    if (this.#isFlipped === isSecond) return;
    this.#isFlipped = isSecond;
    this.#power.conditionsChanged();
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  get sentAtMs(): number {
    return this.#sentAtMs;
  }

  toggleAirplane(forMs: number): void {
    this.change("airplane", true, forMs);
  }

  get #hasCoverage(): boolean {
    return this.#conditions.coverage === "ok" && !this.#conditions.mastDown;
  }

  get hasData(): boolean {
    return this.isOn && this.link !== "none";
  }

  get linkLoses(): number {
    return this.#usesSecond ? 0 : this.#conditions.loses;
  }

  get isReachable(): boolean {
    return this.isOn && this.#hasCoverage && !this.#conditions.airplane && this.hasSim;
  }

  get castNumber(): string {
    return phoneOf(this.group.phone, this.#member);
  }

  /** The number that a pattern gives this handset, by its place in the group. */
  numberIn(pattern: PhonePattern): string {
    return phoneOf(pattern, this.#member);
  }

  get hasSim(): boolean {
    return this.#slots === undefined ? !this.#conditions.simOut : this.sendingSim !== undefined;
  }

  /** The SIM for texts; undefined: there is none. */
  get sendingSim(): Sim | undefined {
    if (this.#slots !== undefined) return this.#slots.sending(this.#conditions);
    return this.#conditions.simOut ? undefined : this.castSim;
  }

  simAt(slot: SimSlot): Sim | undefined {
    if (this.#slots !== undefined) return this.#slots.at(slot);
    return slot === 1 ? this.castSim : undefined;
  }

  holds(sim: Sim): boolean {
    return this.slotOf(sim) !== undefined;
  }

  slotOf(sim: Sim): SimSlot | undefined {
    if (this.#slots !== undefined) return this.#slots.slotOf(sim);
    return sim === this.castSim ? 1 : undefined;
  }

  reachesOn(sim: Sim): boolean {
    return this.isReachable && this.#isIn(sim);
  }

  unreachableOn(sim: Sim): DelayReason | undefined {
    return this.unreachableBecause ?? (this.#isIn(sim) ? undefined : "no-sim");
  }

  /** Whether a SIM has a slot of the phone and is not taken out. */
  #isIn(sim: Sim): boolean {
    if (this.#slots !== undefined) return this.#slots.isIn(sim, this.#conditions);
    return sim === this.castSim && !this.#conditions.simOut;
  }

  /** Puts a SIM into a slot, or empties the slot. The SIM that was there does not come back. */
  putSim(slot: SimSlot, sim: Sim | undefined): void {
    const before = this.simAt(slot);
    (this.#slots ??= new SimSlots(this.castSim)).put(slot, sim);
    this.#power.conditionsChanged();
    before?.carrier.backlogs.move(before);
    this.#scheduleRejoin();
  }

  /** Chooses the SIM for texts. */
  sendWith(slot: SimSlot): void {
    (this.#slots ??= new SimSlots(this.castSim)).sendsWith = slot;
  }

  get blockedBy(): DelayReason | undefined {
    if (!this.isOn) return "switched-off";
    if (this.isPaused) return this.#conditions.paused ? "paused" : "no-permission";
    if (!this.app.isOpened) return this.app.isRunning ? "unopened" : "app-stopped";
    if (!this.app.isClaimed) return "unclaimed";
    if (this.hasData) return undefined;
    if (this.#conditions.airplane) return "airplane";
    return this.hasSim || this.#conditions.network === "none" ? "no-network" : "no-sim";
  }

  get unreachableBecause(): DelayReason | undefined {
    if (this.isReachable) return undefined;
    if (!this.isOn) return "switched-off";
    if (this.#conditions.airplane) return "airplane";
    return this.hasSim ? "no-coverage" : "no-sim";
  }

  get radio(): SmsServiceState {
    if (this.#conditions.airplane) return "radio-off";
    return this.#hasCoverage && this.hasSim ? this.#conditions.smsService : "no-service";
  }

  paySegment(): boolean {
    return this.sendingSim?.paySegment() ?? true;
  }

  get sendFails(): SendFails | undefined {
    const { smsFails, smsFailsWith } = this.#conditions;
    const carrier = (this.sendingSim ?? this.castSim).carrier;
    const ownShare = failShareOn(smsFails, this.link);
    const share = 1 - (1 - ownShare) * (1 - carrier.refusesSends);
    return share === 0 ? undefined : { share, state: ownShare > 0 ? smsFailsWith : "generic-failure" };
  }

  get clockMs(): number {
    return this.context.startsAtMs + this.kernel.now + this.#skewMs;
  }

  get activeAtMs(): number {
    return Math.max(this.#heardAtMs, this.#sentAtMs);
  }

  has(fault: Fault): boolean {
    return this.profile.faults.has(fault);
  }

  /** The status that the phone would report now. */
  status(): DeviceStatus {
    const { pending, retry } = this.app;
    if (this.#stored !== undefined) return { ...this.#stored, pending, retry };
    const { source, status, level } = this.#power;
    const { batteryReports } = this.#conditions;
    if (batteryReports !== "ok") return this.#statusOfUnknownBattery(batteryReports, { pending, retry });
    // One object literal without a spread: this runs for every sync.
    return {
      powerSource: source,
      powerStatus: status,
      powerLevel: Math.round(level),
      networkType: this.#networkName,
      pending,
      retry,
    };
  }

  /** The link as the status report names it. */
  get #networkName(): string {
    const { link } = this;
    return link === "none" ? "NONE" : link;
  }

  /**
   * The status with `batteryReports` other than `ok`. `unknown`: the gauge fails, so the phone says UNK. `none`: before
   * the first battery broadcast the app knows neither source, status nor level.
   */
  #statusOfUnknownBattery(reports: "unknown" | "none", lists: Pick<DeviceStatus, "pending" | "retry">): DeviceStatus {
    const { powerSource, powerStatus, powerLevel } = unknownStatus;
    const { source, level } = this.#power;
    return {
      powerSource: reports === "none" ? powerSource : source,
      powerStatus,
      powerLevel: reports === "none" ? powerLevel : Math.round(level),
      networkType: this.#networkName,
      ...lists,
    };
  }

  latencyMs(): number {
    const { link } = this;
    const own = this.#usesSecond ? undefined : this.#conditions.latency;
    const latency = own ?? (link === "none" ? undefined : this.profile.latency[link]);
    return latency === undefined ? 0 : sampleWhole(latency, this.stream);
  }

  heldGapMs(): number {
    return sampleWhole(this.profile.heldGap, this.stream);
  }

  drain(percent: number): void {
    this.#power.drain(percent);
  }

  transmitText(text: TextToNumber): void {
    this.#sentAtMs = this.kernel.now;
    this.#router.routeText(this, text);
  }

  /** Handles a text or a receipt that the carrier delivers. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void {
    if (incoming.kind === "text") {
      this.#heardAtMs = this.kernel.now;
      this.#textCount++;
    }
    this.app.receive(incoming, options);
    if (incoming.kind === "text" && !this.hasMains) {
      this.drain(this.profile.drainPerText * segmentsOf(incoming.text).count);
    }
  }

  backlogInterrupted(): void {
    this.app.backlogInterrupted();
  }

  /**
   * Starts a call with a person, in either direction. When the phone is out of reach, the call is lost and never
   * logged.
   */
  call(call: PlannedCall): void {
    const { tally } = this.context;
    tally.in("calls");
    if (!this.isReachable) return tally.lost("calls", "unreachable", [{ channel: this.channel, phone: call.phone }]);
    this.app.startCall(call);
  }

  /** Makes the user open the app, which syncs. */
  open(): void {
    if (!this.isOn) return;
    this.#stored = undefined;
    this.app.open();
  }

  /**
   * Ends the app's process: it was killed, it crashed, or it is upgraded. Only a push, its user or the given start
   * starts it again (docs/reference/handset.md#restart-pause-and-reset).
   */
  stopApp(start: { readonly afterMs: number; readonly by: "user" | "system" } | undefined): void {
    if (!this.isOn) return;
    if (this.has("stale-after-reboot")) this.#stored = this.status();
    this.app.stop();
    if (start === undefined) return;
    const planned: AppStart = { handset: this, by: start.by, stop: this.app.stopCount };
    this.kernel.in(start.afterMs, Handset.#appStarts, planned);
  }

  static #appStarts(this: void, { handset, by, stop }: AppStart): void {
    if (!handset.isOn || handset.app.isRunning || handset.app.stopCount !== stop) return;
    if (by === "user") handset.open();
    else handset.app.start();
  }

  setBattery(percent: number): void {
    this.#power.setLevel(percent);
  }

  /** Sets the clock, permanently or for `forMs`. */
  setSkew(skewMs: number, forMs: number | undefined): void {
    const skews = (this.#skews ??= new ChangingValues(
      { skewMs: this.#skewMs },
      { kernel: this.kernel, onChange: () => void (this.#skewMs = skews.current.skewMs) },
    ));
    skews.change({ skewMs }, forMs);
  }

  restart(downMs: number): void {
    this.#power.restart(downMs);
  }

  /**
   * Makes the user reset the app: it empties its table, ends a pause and reports the reset
   * (docs/reference/handset.md#restart-pause-and-reset).
   *
   * @param options - `releases`: the service releases the channel when the report of the reset arrives
   */
  reset({ downMs, releases = false }: { readonly downMs: number; readonly releases?: boolean | undefined }): void {
    if (!this.isOn) return;
    if (!this.app.isRunning) this.open();
    this.app.reset(releases);
    this.change("paused", false, undefined);
    if (downMs > 0) this.restart(downMs);
    else this.app.sync.requestSync({ forced: true });
  }

  /** Makes the user install the app again, and open it. */
  reinstall(): void {
    this.app.reinstall();
    this.change("paused", false, undefined);
    this.open();
  }

  /** Changes a condition, permanently or for `forMs`. */
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
    const wasPaused = this.isPaused;
    if (key === "paused" || key === "smsPermission") this.app.readBeforePause();
    this.#changeConnection(() => {
      this.#conditions = { ...this.#conditions, [key]: value };
      if (key === "solar" || (key === "clouds" && this.#panel !== undefined)) this.#updatePanel();
    });
    if (wasPaused && !this.isPaused) this.open();
    if (key === "dozing") this.app.sync.dozeChanged();
  }

  /** Applies a change of a condition. If it brings data or coverage back, the phone uses them after `rejoinAfter`. */
  #changeConnection(change: () => void): void {
    const hadData = this.hasData && !this.hasPortal;
    const reached = this.#reachedSims;
    change();
    this.#power.conditionsChanged();
    if ((this.hasData && !this.hasPortal && !hadData) || this.#reachedSims > reached) this.#scheduleRejoin();
    this.app.sync.linksChanged();
  }

  /** How many of its SIMs the carriers reach. */
  get #reachedSims(): number {
    if (!this.isReachable) return 0;
    return this.#slots === undefined ? 1 : this.#slots.countIn(this.#conditions);
  }

  /** Called when data or coverage is back: the phone uses it after the profile's `rejoinAfter`. */
  #scheduleRejoin(): void {
    this.kernel.in(sampleWhole(this.profile.rejoinAfter, this.stream), Handset.#rejoined, this);
  }

  static #rejoined(this: void, handset: Handset): void {
    if (handset.hasData) handset.app.linkReturned();
    if (!handset.isReachable) return;
    for (const slot of simSlots) {
      const sim = handset.simAt(slot);
      sim?.carrier.backlogs.release(sim);
    }
  }

  switchedOff(): void {
    if (this.has("stale-after-reboot")) this.#stored = this.status();
    this.app.phoneSwitchedOff();
  }

  booted(): void {
    this.app.phoneBooted();
    this.#scheduleRejoin();
  }

  /** Restores a text or a call that was in transit when the database was closed. */
  restoreInTransit(one: InTransit): void {
    const { tally } = this.context;
    if ("report" in one) {
      tally.in(one.report.type === "call" ? "calls" : "texts");
      this.app.reports.keep(one.report);
      this.app.sync.requestSync({ forced: true });
    } else {
      tally.in("texts");
      this.castSim.carrier.restoreText(this.castSim, one);
    }
  }

  /** The current state of the phone. */
  inspect(): HandsetView {
    return {
      power: this.#power.inspect(),
      conditions: { ...this.#conditions },
      link: this.link,
      endsAtMs: { ...this.#layers?.ends(), ...this.#skews?.ends() },
      clockMs: this.clockMs,
      skewMs: this.#skewMs,
      credit: (this.sendingSim ?? this.castSim).credit ?? null,
      sims: this.#inspectSims(),
      blockedBy: this.blockedBy ?? null,
      unreachableBecause: this.unreachableBecause ?? null,
      ...this.app.inspect(),
    };
  }

  #inspectSims(): SimView[] {
    const sending = this.sendingSim;
    return simSlots.flatMap((slot) => {
      const sim = this.simAt(slot);
      if (sim === undefined) return [];
      const { number, carrier, credit = null } = sim;
      return [{ slot, number, carrier: carrier.name, credit, isIn: this.#isIn(sim), sends: sim === sending }];
    });
  }

  /** Percent, 0..100. */
  get batteryLevel(): number {
    return this.#power.level;
  }

  /** Writes the phone's state at its index. Allocates nothing: it is called for each phone several times a second. */
  writeColumns(columns: PhoneColumns): void {
    const index = this.channel - 1;
    const { powerCut, airplane, paused, smsService, smsFails, dozing, smsPermission } = this.#conditions;
    columns.battery[index] = Math.round(this.#power.level);
    columns.flags[index] =
      (this.isOn ? phoneFlags.isOn : 0) |
      (this.hasMains ? phoneFlags.hasMains : 0) |
      (this.solarPerHour > 0 ? phoneFlags.hasSun : 0) |
      (powerCut ? phoneFlags.isPowerCut : 0) |
      (airplane ? phoneFlags.isAirplane : 0) |
      (paused || !smsPermission ? phoneFlags.isPaused : 0) |
      (this.app.isRunning ? 0 : phoneFlags.isAppStopped) |
      (dozing ? phoneFlags.isDozing : 0) |
      (this.#hasCoverage && this.hasSim ? 0 : phoneFlags.isUncovered) |
      (smsService === "ok" && smsFails === 0 ? 0 : phoneFlags.isSmsFaulty) |
      (this.app.isClaimed ? 0 : phoneFlags.isUnclaimed) |
      (Math.abs(this.#skewMs) > CLOCK_OFF_MS ? phoneFlags.isClockOff : 0);
    columns.network[index] = networkTypes.indexOf(this.link);
    columns.pending[index] = this.app.pendingCount;
    columns.retry[index] = this.app.retryCount;
    columns.unsynced[index] = this.app.unsyncedCount;
    columns.texts[index] = this.#textCount;
  }
}

/** A phone's clock counts as wrong from this difference on. */
const CLOCK_OFF_MS = 60_000;
