import type { SimTime } from "../../sim/index.js";
import { addDelay, type Delay, type DelayReason } from "../../wire/index.js";
import { delayOf } from "../carrier/holding.js";
import type { Incoming } from "../carrier/subscriber.js";
import type { UnreadTextView } from "./handset-view.js";
import type { InboundReport } from "../in-transit.js";
import type { Phone } from "./phone.js";

type Received = Omit<Extract<Incoming, { kind: "text" }>, "kind">;

interface Unread extends Omit<Received, "held"> {
  /** When the phone received it. */
  readonly atMs: SimTime;
  readonly delays: Delay[] | undefined;
  /** Why the app did not read it immediately. */
  readonly why: DelayReason | undefined;
  readonly timeMs: number;
}

/** Received texts that the app has not read; it reads them newest first (docs/reference/handset.md#incoming-texts). */
export class Inbox {
  readonly #phone: Phone;
  #unread: Unread[] = [];
  /** Phone time of the newest text read. Used by fault inbox-mark only. */
  #markMs = -Infinity;

  constructor(phone: Phone) {
    this.#phone = phone;
  }

  get unreadCount(): number {
    return this.#unread.length;
  }

  /** The reports that the app will make of the texts that it has not read. */
  unreadReports(): InboundReport[] {
    return this.#unread.map(({ from, text, timeMs }) => ({ type: "mo_sms", phone: from, text, timeMs }));
  }

  /** The unread texts, in the order of arrival. */
  inspect(): UnreadTextView[] {
    return this.#unread.map(({ from, text, sentAtMs, atMs, why }) => ({
      from,
      text,
      sentAtMs,
      atMs,
      why: why ?? null,
    }));
  }

  /**
   * Stores a text in Android's inbox, reassembled from its segments. `isMoreComing`: more of a backlog follows; the
   * app is notified once, after the last.
   */
  receive({ from, text, fact, sentAtMs, held }: Received, { isMoreComing }: { readonly isMoreComing: boolean }): void {
    const phone = this.#phone;
    const { now: atMs } = phone.context.kernel;
    const delays = delayOf(held, atMs);
    const timeMs = phone.clockMs + phone.profile.textTimeOffMs;
    if (this.#unread.length === 0 && !isMoreComing && phone.isWorking && this.#canRead) {
      // Fast path, taken by nearly all texts: the app reads the text immediately.
      this.#reportText({ from, text, fact, sentAtMs, timeMs, atMs, delays, why: undefined }, this.#markMs);
      phone.app.sync.requestSync({ forced: true });
      return;
    }
    const why = phone.blockedBy ?? (isMoreComing ? "backlog" : undefined);
    this.#unread.push({ from, text, fact, sentAtMs, timeMs, atMs, delays, why });
    if (!isMoreComing) this.readUnread();
  }

  /**
   * Makes the app read the unread texts, newest first, and report them. While paused or not claimed it loses them.
   * Without a data link it reads nothing, so texts of an outage are reported newest first, unless the profile's
   * `readsOffline` is on (docs/reference/handset.md#backlog).
   */
  readUnread(): void {
    const phone = this.#phone;
    if (this.#unread.length === 0 || !phone.isOn || !phone.app.isOpened) return;
    if (!this.#canRead && !phone.isPaused && phone.app.isClaimed) return;
    this.#readAll();
  }

  /** Whether the app may read now: there is a data link, or the profile reads without one. */
  get #canRead(): boolean {
    return this.#phone.hasData || this.#phone.profile.readsOffline;
  }

  /** Begins a pause: the app first reads earlier texts, so that the pause does not lose them. */
  readBeforePause(): void {
    if (this.#unread.length > 0 && this.#phone.isWorking) this.#readAll();
  }

  #readAll(): void {
    const phone = this.#phone;
    const unread = this.#unread;
    const { tally } = phone.context;
    this.#unread = [];
    if (phone.isPaused || !phone.app.isClaimed) {
      this.#markMs = phone.clockMs;
      tally.lost(
        "texts",
        !phone.isPaused ? "unclaimed" : phone.blockedBy === "no-permission" ? "no-permission" : "paused",
        unread.map(({ from, text }) => ({ channel: phone.channel, phone: from, text })),
      );
      return;
    }
    const markMs = this.#markMs;
    for (const one of unread.reverse()) this.#reportText(one, markMs);
    phone.app.sync.requestSync({ forced: true });
  }

  /** @param markMs - the mark before this read */
  #reportText({ from, text, fact, timeMs, sentAtMs, atMs, delays: before, why }: Unread, markMs: number): void {
    const phone = this.#phone;
    if (timeMs <= markMs && phone.has("inbox-mark")) {
      phone.context.tally.lost("texts", "clock-mark", [{ channel: phone.channel, phone: from, text }]);
    } else {
      const { now } = phone.context.kernel;
      const hold = { kind: "held-by-phone", why: why ?? null, fromMs: atMs, untilMs: now } as const;
      const delays = now > atMs ? addDelay(before, hold) : before;
      const origin = { beganAtMs: sentAtMs, phoneAtMs: atMs, delays };
      const report = { type: "mo_sms", phone: from, text, timeMs } as const;
      phone.app.reports.keep(report, fact === undefined ? origin : { ...origin, fact, causeOfCopy: "carrier" });
    }
    if (timeMs > this.#markMs) this.#markMs = timeMs;
  }
}
