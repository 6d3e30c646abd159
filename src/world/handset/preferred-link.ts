import type { Timer } from "../../sim/index.js";
import type { Phone } from "./phone.js";

/**
 * The app's wait before a sync for the kind of link that it prefers (docs/reference/handset.md#network-handling). When
 * the link comes up, or the wait is over, it calls `onReady` once for all syncs that were requested meanwhile; `forced`
 * if one of them was.
 */
export class PreferredLink {
  readonly #phone: Phone;
  readonly #onReady: (forced: boolean) => void;
  #timer: Timer | undefined;
  #isForced = false;
  /** True while `onReady` runs: the sync that it starts does not wait again. */
  #hasWaited = false;

  constructor(phone: Phone, onReady: (forced: boolean) => void) {
    this.#phone = phone;
    this.#onReady = onReady;
  }

  /** Changes to the preferred link, or waits for it. @returns true: a sync can start now; false: `onReady` follows */
  prepare(forced: boolean): boolean {
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

  /** Ends the wait without a call of `onReady`. */
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
