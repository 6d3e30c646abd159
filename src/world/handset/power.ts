import type { Kernel, SimTime, Timer } from "../../sim/index.js";
import type { PowerSource, PowerStatus } from "../../wire/index.js";
import type { PowerView } from "./handset-view.js";
import { Battery } from "./battery.js";
import type { Plug } from "../phone-words.js";
import type { NetworkType } from "../network.js";
import type { Profile } from "../profiles/profile.js";

/** The phone's interface for its power supply. */
export interface Powered {
  readonly kernel: Kernel;
  readonly profile: Profile;
  readonly hasMains: boolean;
  /** What a solar panel gives now, percentage points an hour. */
  readonly solarPerHour: number;
  readonly plug: Plug;
  /** The radio searches for a network, which costs power. */
  readonly isSearching: boolean;
  readonly link: NetworkType;
  switchedOff(): void;
  booted(): void;
}

/** Power sources as phones report them (docs/reference/handset.md#status-report). */
const sources = { ac: "AC", usb: "USB", wireless: "WIR" } as const satisfies Record<Plug, PowerSource>;

/** Levels up to this count as 0, because of rounding errors. */
const EMPTY = 1e-9;

/** If the battery lasts longer than this, the timer fires at half the time and recomputes the end. */
const LONG_MS = 3_600_000;

/**
 * Battery, mains and sun: when the phone dies and when it boots again. On mains it charges; on battery it drains by its
 * idle rate, its link and its actions, less what a solar panel gives. At 0 it switches off. It boots when charging, or
 * a story step that sets the level, brings it to the profile's `bootLevel`.
 */
export class Power {
  readonly #phone: Powered;
  readonly #battery: Battery;
  #isOn = true;
  #life = 0;
  #isRestarting = false;
  #checkTimer: Timer | undefined;
  #bootTimer: Timer | undefined;

  /** @param level - percent, 0..100 */
  constructor(phone: Powered, level: number) {
    this.#phone = phone;
    this.#battery = new Battery(level, phone.profile.taperFrom);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Number of switch-offs so far. */
  get life(): number {
    return this.#life;
  }

  /** Percent, 0..100. */
  get level(): number {
    return this.#battery.level(this.#now);
  }

  get source(): PowerSource {
    if (this.#phone.hasMains) return sources[this.#phone.plug];
    return this.#phone.solarPerHour > 0 ? "USB" : "BAT"; // assumed: docs/reference/handset.md#solar-power
  }

  get status(): PowerStatus {
    const { hasMains, solarPerHour } = this.#phone;
    if (!hasMains && solarPerHour === 0) return "DIS";
    if (this.level >= 100) return "FUL";
    return this.#ratePerHour() > 0 ? "CHA" : "NOT";
  }

  /** Whether the supply covers the steady drain, so that the battery does not run empty. */
  get #isFed(): boolean {
    return this.#phone.hasMains || (this.#phone.solarPerHour > 0 && this.#ratePerHour() > 0);
  }

  inspect(): PowerView {
    const { hasMains, solarPerHour } = this.#phone;
    const level = this.level;
    const emptyAtMs = this.#isOn && !hasMains ? this.#battery.timeOfLevel(0, this.#now) : Infinity;
    return {
      level,
      isOn: this.#isOn,
      isCharging: this.#isFed && level < 100 && this.#ratePerHour() > 0,
      solarPerHour,
      bootsAtMs: this.#bootTimer?.atMs ?? null,
      emptyAtMs: emptyAtMs === Infinity ? null : emptyAtMs,
      isRestarting: this.#isRestarting,
    };
  }

  /** Drains percentage points at once. */
  drain(percent: number): void {
    if (this.#phone.hasMains || !this.#isOn) return;
    this.#battery.drain(percent, this.#now);
    this.#scheduleCheck();
  }

  /** Sets the level. */
  setLevel(percent: number): void {
    this.#battery.set(percent, this.#now);
    this.conditionsChanged();
  }

  /** Applies a change of mains or link. */
  conditionsChanged(): void {
    this.#battery.setRate(this.#ratePerHour(), this.#now);
    if (this.#isOn) this.#scheduleCheck();
    else this.#scheduleBoot();
  }

  /** Switches off now and boots after `downMs`. */
  restart(downMs: number): void {
    if (!this.#isOn) return;
    this.#switchOff();
    this.#isRestarting = true;
    this.#bootTimer = this.#phone.kernel.in(downMs, Power.#bootDone, this);
  }

  get #now(): SimTime {
    return this.#phone.kernel.now;
  }

  get #chargePerHour(): number {
    const { profile, plug } = this.#phone;
    if (plug === "ac") return profile.chargePerHour;
    return plug === "usb" ? profile.usbChargePerHour : profile.wirelessChargePerHour;
  }

  #ratePerHour(): number {
    const { profile, hasMains, solarPerHour, link, isSearching } = this.#phone;
    if (hasMains) return this.#chargePerHour;
    const sun = solarPerHour === 0 ? 0 : Math.min(solarPerHour, profile.chargePerHour);
    if (!this.#isOn) return sun;
    const searchDrain = isSearching ? profile.searchDrainPerHour : 0;
    return sun - (profile.drainPerHour + profile.linkDrainPerHour[link] + searchDrain);
  }

  /**
   * Schedules the switch-off at an empty battery. A timer set early stays, so that a drain per sync sets no new timer.
   */
  #scheduleCheck(): void {
    const { kernel } = this.#phone;
    const isFed = this.#isFed;
    const now = this.#now;
    if (!isFed && this.level <= EMPTY) return this.#switchOff();
    const endMs = isFed ? Infinity : this.#battery.timeOfLevel(0, now);
    if (this.#checkTimer !== undefined) {
      if (this.#checkTimer.atMs <= endMs && endMs !== Infinity) return;
      kernel.cancel(this.#checkTimer);
      this.#checkTimer = undefined;
    }
    if (endMs === Infinity) return;
    const checkAtMs = endMs - now > LONG_MS ? now + Math.floor((endMs - now) / 2) : endMs;
    this.#checkTimer = kernel.at(checkAtMs, Power.#checkDue, this);
  }

  static #checkDue(this: void, power: Power): void {
    power.#checkTimer = undefined;
    power.#scheduleCheck();
  }

  #switchOff(): void {
    if (this.#checkTimer !== undefined) this.#phone.kernel.cancel(this.#checkTimer);
    this.#checkTimer = undefined;
    this.#isOn = false;
    this.#life++;
    this.#battery.setRate(this.#ratePerHour(), this.#now);
    this.#phone.switchedOff();
  }

  #scheduleBoot(): void {
    if (this.#isRestarting) return;
    const { kernel, profile } = this.#phone;
    const now = this.#now;
    const isReady = this.level >= profile.bootLevel - EMPTY;
    if (this.#bootTimer !== undefined) {
      if (isReady && this.#bootTimer.atMs <= now + profile.bootMs) return; // a boot is scheduled already
      kernel.cancel(this.#bootTimer);
      this.#bootTimer = undefined;
    }
    const readyAtMs = isReady ? now : this.#battery.timeOfLevel(profile.bootLevel, now);
    if (readyAtMs !== Infinity) this.#bootTimer = kernel.at(readyAtMs + profile.bootMs, Power.#bootDone, this);
  }

  static #bootDone(this: void, power: Power): void {
    power.#bootTimer = undefined;
    power.#isRestarting = false;
    if (!power.#phone.hasMains && power.level <= EMPTY) return;
    power.#isOn = true;
    power.#battery.setRate(power.#ratePerHour(), power.#now);
    power.#phone.booted();
    if (power.#isOn) power.#scheduleCheck();
  }
}
