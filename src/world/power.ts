import type { Kernel, SimTime, Timer } from "../sim/index.js";
import type { PowerSource, PowerStatus } from "../wire/index.js";
import { Battery } from "./battery.js";
import type { NetworkType } from "./network.js";
import type { Profile } from "./profile.js";

/** The phone that a power supply keeps going. */
export interface Powered {
  readonly kernel: Kernel;
  readonly profile: Profile;
  readonly hasMains: boolean;
  readonly link: NetworkType;
  switchedOff(): void;
  booted(): void;
}

/** A level below this is empty: rounding leaves such crumbs. */
const EMPTY = 1e-9;

/** With more time left than this, the timer of the battery's end is only a reminder to work it out again. */
const LONG_MS = 3_600_000;

/**
 * Battery and mains: when the phone dies and when it comes back. A phone on mains charges, whatever it does; one on
 * battery drains by its idle rate, its link, and by what it does. At 0 it is off; with mains (or a level put there by
 * hand) it boots again when the level has reached the profile's `bootLevel`.
 */
export class Power {
  readonly #unit: Powered;
  readonly #battery: Battery;
  #isOn = true;
  #life = 0;
  #isRestarting = false;
  #look: Timer | undefined;
  #boot: Timer | undefined;

  /** @param level - percent, 0..100 */
  constructor(unit: Powered, level: number) {
    this.#unit = unit;
    this.#battery = new Battery(level);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Counts switch-offs. */
  get life(): number {
    return this.#life;
  }

  /** Percent, 0..100. */
  get level(): number {
    return this.#battery.level(this.#now);
  }

  get source(): PowerSource {
    return this.#unit.hasMains ? "AC" : "BAT";
  }

  get status(): PowerStatus {
    if (!this.#unit.hasMains) return "DIS";
    if (this.level >= 100) return "FUL";
    return this.#unit.profile.chargePerHour > 0 ? "CHA" : "NOT";
  }

  /** Takes so many percentage points at once. */
  drain(percent: number): void {
    if (this.#unit.hasMains || !this.#isOn) return;
    this.#battery.take(percent, this.#now);
    this.#watch();
  }

  /** Puts the level where somebody wants it. */
  setLevel(percent: number): void {
    this.#battery.set(percent, this.#now);
    this.conditionsChanged();
  }

  /** Mains or link are other than before. */
  conditionsChanged(): void {
    this.#battery.setRate(this.#ratePerHour(), this.#now);
    if (this.#isOn) this.#watch();
    else this.#considerBoot();
  }

  /** Off now, and on again after this time. */
  restart(downMs: number): void {
    if (!this.#isOn) return;
    this.#switchOff();
    this.#isRestarting = true;
    this.#boot = this.#unit.kernel.in(downMs, Power.#booted, this);
  }

  get #now(): SimTime {
    return this.#unit.kernel.now;
  }

  #ratePerHour(): number {
    const { profile, hasMains, link } = this.#unit;
    if (hasMains) return profile.chargePerHour;
    return this.#isOn ? -(profile.drainPerHour + profile.linkDrainPerHour[link]) : 0;
  }

  /** Sees to it that the phone dies in time. Reminders keep the number of timers low although every sync drains. */
  #watch(): void {
    const { kernel, hasMains } = this.#unit;
    const now = this.#now;
    if (!hasMains && this.level <= EMPTY) return this.#switchOff();
    const endMs = hasMains ? Infinity : this.#battery.reaches(0, now);
    if (this.#look !== undefined) {
      if (this.#look.atMs <= endMs && endMs !== Infinity) return;
      kernel.cancel(this.#look);
      this.#look = undefined;
    }
    if (endMs === Infinity) return;
    const lookAtMs = endMs - now > LONG_MS ? now + Math.floor((endMs - now) / 2) : endMs;
    this.#look = kernel.at(lookAtMs, Power.#looked, this);
  }

  static #looked(this: void, power: Power): void {
    power.#look = undefined;
    power.#watch();
  }

  #switchOff(): void {
    if (this.#look !== undefined) this.#unit.kernel.cancel(this.#look);
    this.#look = undefined;
    this.#isOn = false;
    this.#life++;
    this.#battery.setRate(this.#ratePerHour(), this.#now);
    this.#unit.switchedOff();
  }

  #considerBoot(): void {
    if (this.#isRestarting) return;
    const { kernel, profile } = this.#unit;
    const now = this.#now;
    const isReady = this.level >= profile.bootLevel - EMPTY;
    if (this.#boot !== undefined) {
      if (isReady && this.#boot.atMs <= now + profile.bootMs) return; // it is starting already
      kernel.cancel(this.#boot);
      this.#boot = undefined;
    }
    const readyAtMs = isReady ? now : this.#battery.reaches(profile.bootLevel, now);
    if (readyAtMs !== Infinity) this.#boot = kernel.at(readyAtMs + profile.bootMs, Power.#booted, this);
  }

  static #booted(this: void, power: Power): void {
    power.#boot = undefined;
    power.#isRestarting = false;
    if (!power.#unit.hasMains && power.level <= EMPTY) return;
    power.#isOn = true;
    power.#battery.setRate(power.#ratePerHour(), power.#now);
    power.#unit.booted();
    if (power.#isOn) power.#watch();
  }
}
