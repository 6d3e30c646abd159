import type { CallEntry, ConversationHead, HandsetDetails, Listed, TextEntry } from "../../console/index.js";
import { handsetDetails } from "./handset-details.js";
import { idOf, type PageAsked, type PhoneLookup } from "./phone-lookup.js";
import { type Ends, handsetEntry, isWaiting, newestFirst, unsyncedEntries, unsyncedTexts } from "./text-entries.js";

/**
 * Reads single handsets: the state from the world, texts and calls from the recording. All methods accept a selector of
 * one handset, `clinic/3`, and throw a ControlRefusal for others.
 */
export class HandsetReader {
  readonly #lookup: PhoneLookup;

  constructor(lookup: PhoneLookup) {
    this.#lookup = lookup;
  }

  handset(of: string): HandsetDetails {
    return handsetDetails(this.#lookup.served.lab, this.#lookup.channelOf(of), this.#lookup.at);
  }

  /** The conversations of a handset, newest text first. */
  conversations(of: string, { behind, limit }: PageAsked): Listed<ConversationHead> {
    const channel = this.#lookup.channelOf(of);
    const { conversations } = this.#lookup.served;
    const { rows, next } = conversations.headsOfChannel(channel, { behindId: idOf(behind), size: limit });
    const view = this.#lookup.viewOf(channel);
    const ends = (phone: string): Ends => ({ channel, phone, ...view });
    const heads = new Map<string, TextEntry>();
    for (const row of rows) {
      const shown = handsetEntry(row, ends(row.phone), this.#lookup.at);
      // The screen does not show a message that the phone does not have yet, so the previous one is shown.
      const entry = shown ?? this.#handsetTexts(ends(row.phone), { limit: 1 }).results[0];
      if (entry !== undefined && !heads.has(row.phone)) heads.set(row.phone, entry);
    }
    if (behind === undefined) {
      for (const phone of new Set(unsyncedTexts(view.view).map((text) => text.phone))) {
        const [newest] = unsyncedEntries(ends(phone), this.#lookup.at);
        const known = heads.get(phone);
        if (newest !== undefined && (known === undefined || known.at < newest.at)) heads.set(phone, newest);
      }
    }
    const results = [...heads].map(([phone, last]) => ({
      phone,
      ...this.#lookup.nameOf(phone),
      last,
      unsynced: unsyncedTexts(view.view).filter((text) => text.phone === phone).length,
      waiting: view.view.outbox.messages.filter(({ to, state }) => to === phone && isWaiting(state)).length,
    }));
    return {
      results: results.toSorted((a, b) => newestFirst(a.last, b.last)),
      next: next === null ? null : String(next),
    };
  }

  /** The texts between a handset and a person, as the handset shows them. */
  conversation(of: string, phone: string, page: PageAsked): Listed<TextEntry> {
    const channel = this.#lookup.channelOf(of);
    return this.#handsetTexts({ channel, phone, ...this.#lookup.viewOf(channel) }, page);
  }

  #handsetTexts(ends: Ends, { behind, limit }: PageAsked): Listed<TextEntry> {
    const { rows, next } = this.#lookup.between(ends, { behind, limit });
    const entries = rows.flatMap((row) => handsetEntry(row, ends, this.#lookup.at) ?? []);
    const unsynced = behind === undefined ? unsyncedEntries(ends, this.#lookup.at) : [];
    return { results: [...unsynced, ...entries].toSorted(newestFirst), next: next === null ? null : String(next) };
  }

  calls(of: string, { behind, limit }: PageAsked): Listed<CallEntry> {
    const channel = this.#lookup.channelOf(of);
    const { conversations } = this.#lookup.served;
    const { rows, next } = conversations.callsOfChannel(channel, { behindId: idOf(behind), size: limit });
    const onPhone = behind === undefined ? this.#callsOnPhone(channel) : [];
    return { results: [...onPhone, ...this.#lookup.callEntries(rows)], next: next === null ? null : String(next) };
  }

  #callsOnPhone(channel: number): CallEntry[] {
    const { view } = this.#lookup.viewOf(channel);
    const entry =
      (state: CallEntry["state"]) =>
      (call: { phone: string; call: CallEntry["type"]; durationS: number; beganAtMs: number }) => ({
        id: null,
        phone: call.phone,
        name: this.#lookup.nameOf(call.phone).name,
        type: call.call,
        at: this.#lookup.at(call.beganAtMs),
        duration_s: state === "ongoing" ? 0 : call.durationS,
        state,
        cause: null,
      });
    const reported = view.reports.flatMap(({ report, isApplied, beganAtMs, sinceMs }) =>
      report.type === "call" && !isApplied ? [{ ...report, beganAtMs: beganAtMs ?? sinceMs }] : [],
    );
    return [
      ...view.calls.ongoing.map(entry("ongoing")),
      ...[...view.calls.unread, ...reported].map(entry("on-phone")),
    ].toSorted(newestFirst);
  }
}
