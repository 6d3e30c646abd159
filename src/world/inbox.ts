import type { Fact } from "../wire/index.js";
import type { Phone } from "./phone.js";

interface Received {
  readonly from: string;
  readonly text: string;
  /** Where the carrier delivered the text twice: shared by both. */
  readonly fact: Fact | undefined;
}

interface Unread extends Received {
  readonly timeMs: number;
}

/** Texts that have come and wait for the app to read them, newest first (handset.md 4). */
export class Inbox {
  readonly #phone: Phone;
  #unread: Unread[] = [];
  /** Phone time of the newest text read; only fault inbox-mark minds it. */
  #markMs = -Infinity;

  constructor(phone: Phone) {
    this.#phone = phone;
  }

  get unreadCount(): number {
    return this.#unread.length;
  }

  /**
   * Android has written a text, whole, whatever its number of parts. `isMoreComing`: the carrier is handing over a
   * backlog, and the app is told of it once, at its end.
   */
  receive({ from, text, fact }: Received, { isMoreComing }: { readonly isMoreComing: boolean }): void {
    const phone = this.#phone;
    if (this.#unread.length === 0 && !isMoreComing && phone.isWorking && phone.hasData) {
      // It would be read at once: so nearly all texts go.
      this.#tell({ from, text, fact, timeMs: phone.clockMs }, this.#markMs);
      phone.requestSync({ forced: true });
      return;
    }
    this.#unread.push({ from, text, fact, timeMs: phone.clockMs });
    if (!isMoreComing) this.read();
  }

  /**
   * The app reads what is new, newest first, and tells the service. Paused, it passes over what is there. Without a
   * data link it reads nothing: what has piled up by the end of an outage is told newest first, as the field has it
   * (7.3); read text by text it would be told in the order of arrival.
   */
  read(): void {
    const phone = this.#phone;
    if (this.#unread.length === 0 || !phone.isOn || !phone.isOpened) return;
    if (!phone.hasData && !phone.isPaused) return;
    this.#readAll();
  }

  /** The app is about to be paused: what came before is not passed over. */
  pausing(): void {
    if (this.#unread.length > 0 && this.#phone.isWorking) this.#readAll();
  }

  #readAll(): void {
    const phone = this.#phone;
    const unread = this.#unread;
    const { tally } = phone.around;
    this.#unread = [];
    if (phone.isPaused) {
      this.#markMs = phone.clockMs;
      tally.lost("texts", "paused", unread.length);
      return;
    }
    const markMs = this.#markMs;
    for (const one of unread.reverse()) this.#tell(one, markMs);
    phone.requestSync({ forced: true });
  }

  /** @param markMs - the mark at which the reading began */
  #tell({ from, text, fact, timeMs }: Unread, markMs: number): void {
    const phone = this.#phone;
    if (timeMs <= markMs && phone.has("inbox-mark")) phone.around.tally.lost("texts", "clock-mark");
    else if (fact === undefined) phone.report({ type: "mo_sms", phone: from, text, timeMs });
    else phone.report({ type: "mo_sms", phone: from, text, timeMs }, { fact, doubledBy: "carrier" });
    if (timeMs > this.#markMs) this.#markMs = timeMs;
  }
}
