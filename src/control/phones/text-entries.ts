import type { HandsetTextState, TextEntry } from "../../console/index.js";
import type { StoredLoss, StoredText } from "../../store/index.js";
import type { CarriedText, HandsetView, OutboxMessageView } from "../../world/index.js";
import type { Instant } from "./handset-state.js";

// Builds the texts on the screens of a handset and of a person, from the world's views and the recording's rows. Pure.

/** What the service and the phone know about the texts between a handset and a person. */
export interface Ends {
  readonly channel: number;
  readonly phone: string;
  readonly view: HandsetView;
  readonly outbox: ReadonlyMap<number, OutboxMessageView>;
}

/** Whether a message still waits to be sent. */
export function isWaiting(state: OutboxMessageView["state"]): boolean {
  return state === "born" || state === "pending" || state === "retry";
}

interface Unsynced {
  readonly phone: string;
  readonly text: string;
  readonly sentAtMs: number | null;
  readonly phoneAtMs: number;
  readonly why: string | null;
}

/** The texts on a phone that the service has not applied. */
export function unsyncedTexts({ unread, reports, blockedBy }: HandsetView): Unsynced[] {
  return [
    ...unread.map(({ from, text, sentAtMs, atMs, why }) => ({
      phone: from,
      text,
      sentAtMs,
      phoneAtMs: atMs,
      why: blockedBy ?? why,
    })),
    ...reports.flatMap(({ report, isApplied, beganAtMs, sinceMs, why }) =>
      report.type === "mo_sms" && !isApplied
        ? [{ phone: report.phone, text: report.text, sentAtMs: beganAtMs, phoneAtMs: sinceMs, why: blockedBy ?? why }]
        : [],
    ),
  ];
}

/** Newest first. */
export function unsyncedEntries({ view, phone }: Ends, at: Instant): TextEntry[] {
  return unsyncedTexts(view)
    .filter((text) => text.phone === phone)
    .map(({ text, sentAtMs, phoneAtMs, why }) => ({
      id: null,
      from: "person" as const,
      text,
      state: "on-phone" as const,
      note: why,
      at: at(phoneAtMs),
      sent_at: sentAtMs === null ? null : at(sentAtMs),
      phone_at: at(phoneAtMs),
      service_at: null,
      heard_at: null,
      event: null,
    }))
    .toSorted(newestFirst);
}

/** The same texts on the phone of the person who sent them. */
export function asSent(entries: readonly TextEntry[]): TextEntry[] {
  return entries.map((entry) => ({ ...entry, at: entry.sent_at ?? entry.at }));
}

/** A text that the carrier has not delivered yet. */
export function carriedEntry({ text, sentAtMs, held }: CarriedText, at: Instant): TextEntry {
  return {
    id: null,
    from: "person",
    text,
    state: held === null ? "on-the-way" : "held",
    note: held?.why ?? null,
    at: at(sentAtMs),
    sent_at: at(sentAtMs),
    phone_at: null,
    service_at: null,
    heard_at: null,
    event: null,
  };
}

/** A lost text of a person; undefined: the loss is a call, or a message of the service. */
export function lostEntry({ text, message, cause, atMs }: StoredLoss, at: Instant): TextEntry | undefined {
  if (text === null || message !== null) return undefined;
  return {
    id: null,
    from: "person",
    text,
    state: "lost",
    note: cause,
    at: at(atMs),
    sent_at: cause === "carrier" ? at(atMs) : null,
    phone_at: cause === "carrier" ? null : at(atMs),
    service_at: null,
    heard_at: null,
    event: null,
  };
}

/** A message on the handset's screen; undefined: the phone does not have it. */
export function handsetEntry(row: StoredText, ends: Ends, at: Instant): TextEntry | undefined {
  if (row.direction === "I") return incomingEntry(row, at, row.phoneAtMs ?? row.createdAtMs);
  const entry = outgoingEntry(row, ends, at);
  return entry.state === "at-service" ? undefined : entry;
}

/** A message on the person's screen; undefined: it has not arrived. */
export function personEntry(row: StoredText, ends: Ends, at: Instant): TextEntry | undefined {
  if (row.direction === "I") return incomingEntry(row, at, row.beganAtMs ?? row.createdAtMs);
  return row.heardAtMs === null ? undefined : { ...outgoingEntry(row, ends, at), at: at(row.heardAtMs) };
}

function incomingEntry(row: StoredText, at: Instant, shownAtMs: number): TextEntry {
  return {
    id: row.id,
    from: "person",
    text: row.text,
    state: "reported",
    note: null,
    at: at(shownAtMs),
    sent_at: row.beganAtMs === null ? null : at(row.beganAtMs),
    phone_at: row.phoneAtMs === null ? null : at(row.phoneAtMs),
    service_at: at(row.createdAtMs),
    heard_at: null,
    event: row.event === null ? null : `${row.channel}/${row.event}`,
  };
}

/** A message of the service in its current state. */
export function outgoingEntry(row: StoredText, { outbox }: Ends, at: Instant): TextEntry {
  const message = outbox.get(row.id);
  return {
    id: row.id,
    from: "handset",
    text: row.text,
    state: outgoingState(row, message),
    note: message?.state === "retry" ? `${message.tries}` : null,
    at: at(message?.acceptedAtMs ?? row.createdAtMs),
    sent_at: row.sentAtMs === null ? null : at(row.sentAtMs),
    phone_at: message === undefined ? null : at(message.acceptedAtMs),
    service_at: at(row.createdAtMs),
    heard_at: row.heardAtMs === null ? null : at(row.heardAtMs),
    event: null,
  };
}

/** The state of a message. While the phone has it, the phone's state is newer than the service's. */
function outgoingState({ status }: StoredText, message: OutboxMessageView | undefined): HandsetTextState {
  if (message !== undefined) return message.state === "born" ? "pending" : message.state;
  if (status === "S") return "sent";
  if (status === "D") return "delivered";
  return status === "F" || status === "E" ? "failed" : "at-service";
}

/** Compares entries: the newest first. */
export function newestFirst(a: { readonly at: string }, b: { readonly at: string }): number {
  return a.at < b.at ? 1 : a.at > b.at ? -1 : 0;
}
