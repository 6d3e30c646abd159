import type { SimTime } from "../sim/index.js";
import type { Command, Delay, SyncReport } from "../wire/index.js";
import type { Channel } from "./channels.js";
import type { Message } from "./message.js";

/** Maximum number of messages that one sync offers (docs/reference/handset.md#messages-at-the-service). */
const OFFERS_MAX = 1000;

/**
 * The queued messages that the phone does not have yet, oldest first, at most `OFFERS_MAX`
 * (docs/reference/handset.md#messages-at-the-service).
 *
 * @returns undefined when there are none, or a fault withholds them
 */
export function offersFor(channel: Channel, { status }: SyncReport, now: SimTime): Command[] | undefined {
  if (channel.queued === undefined || channel.queued.size === 0) return undefined;
  const held = new Set([...status.pending, ...status.retry]);
  const isWithheld = channel.faults?.withholdsFrom(channel.spec.id) === true;
  const offers: Command[] = [];
  for (const message of channel.queued.values()) {
    if (held.has(message.id)) continue;
    if (isWithheld) {
      message.withheldFromMs ??= now;
      continue;
    }
    if (offers.length === OFFERS_MAX) break;
    if (message.withheldFromMs !== undefined) message.withheldUntilMs ??= now;
    message.isOffered = true;
    offers.push({ type: "send", id: message.id, phone: message.phone, text: message.text });
  }
  return offers.length === 0 && isWithheld ? undefined : offers;
}

/** The delay of a message that a fault withheld; undefined: none did, or an earlier event has the delay. */
export function takeWithheldDelay(message: Message): Delay | undefined {
  const { withheldFromMs: fromMs, withheldUntilMs: untilMs } = message;
  if (fromMs === undefined || untilMs === undefined) return undefined;
  message.withheldFromMs = undefined;
  message.withheldUntilMs = undefined;
  return { kind: "held-by-service", why: "withheld", fromMs, untilMs, times: 1 };
}

/**
 * Moves the messages that the service wrongly offers to this channel's phone into its queue, from where they are never
 * offered to their own phone again.
 *
 * @returns the moved messages
 */
export function takeMisdirected(channel: Channel): readonly Message[] {
  const moved: Message[] = [];
  for (const source of channel.takesFrom ?? []) {
    if (source === channel || source.faults?.offersTo?.includes(channel.spec.id) !== true) continue;
    for (const message of source.queued?.values() ?? []) {
      // The phone that has it may send it: another one would send it twice.
      if (message.isOffered) continue;
      source.queued?.delete(message.id);
      message.home ??= source.spec.id;
      channel.queued ??= new Map();
      channel.queued.set(message.id, message);
      moved.push(message);
    }
  }
  return moved;
}
