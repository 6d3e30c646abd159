import type { Timer } from "../../sim/index.js";
import type { Phone } from "./phone.js";

/**
 * The wait of the app for the network that it prefers, before a sync (docs/reference/handset.md#network-handling). When
 * the link is up, or the wait is over, it calls `onReady` with what was requested meanwhile.
 */
export class PreferredLink {
  readonly #phone: Phone;
  readonly #onReady: (forced: boolean) => void;
  #timer: Timer | undefined;
  #isForced = false;
  #hasWaited = false;

  constructor(phone: Phone, onReady: (forced: boolean) => void) {
    this.#phone = phone;
    this.#onReady = onReady;
  }

  /** Changes to the preferred link. @returns whether a sync can start now; else `onReady` is called later */
  isReady(forced: boolean): boolean {
    const { profile, context } = this.#phone;
    if (this.#hasWaited) return true;
    if (this.#phone.usePreferredLink(profile.prefersNetwork)) {
      this.stop();
      return true;
    }
    this.#isForced ||= forced;
    this.#timer ??= context.kernel.in(profile.preferWaitMs, PreferredLink.#waited, this);
    return false;
  }

  /** Call it when a link may have come up. */
  linksChanged(): void {
    if (this.#timer === undefined || !this.#phone.usePreferredLink(this.#phone.profile.prefersNetwork)) return;
    this.#end();
  }

  /** Forgets what waits. */
  stop(): void {
    if (this.#timer !== undefined) this.#phone.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
    this.#isForced = false;
  }

  static #waited(this: void, link: PreferredLink): void {
    link.#end();
  }

  #end(): void {
    const isForced = this.#isForced;
    this.stop();
    this.#hasWaited = true;
    this.#onReady(isForced);
    this.#hasWaited = false;
  }
}
