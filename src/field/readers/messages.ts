import { formatTimestamp, parseFilterTime, phoneOfUrn } from "../../wire/index.js";
import { formOf } from "./event-body.js";
import { JsonObjects } from "./json-objects.js";
import type { FieldSink, LogReader, RejectReason } from "./log-reader.js";

/** A message as `messages.json` of API v2 lists it; anything may be absent. */
interface ListedMessage {
  readonly id?: number;
  readonly contact?: { readonly uuid?: string; readonly name?: string | null } | null;
  readonly urn?: string | null;
  readonly channel?: { readonly uuid?: string; readonly name?: string } | null;
  readonly direction?: string;
  readonly status?: string;
  readonly text?: string | null;
  readonly created_on?: string | null;
  readonly sent_on?: string | null;
  readonly modified_on?: string | null;
}

/** The event that a message's status shows, and its letter. */
const outcomes: Readonly<Record<string, { readonly event: string; readonly status: string }>> = {
  sent: { event: "mt_sent", status: "S" },
  wired: { event: "mt_sent", status: "S" },
  delivered: { event: "mt_dlvd", status: "D" },
  read: { event: "mt_dlvd", status: "D" },
  failed: { event: "mt_fail", status: "F" },
};

/**
 * Reads pages of `messages.json`, one after the other or in one list. Each message is the event that it shows: an
 * incoming one `mo_sms` when it was stored, an outgoing one its last outcome, when it was changed. Messages have no
 * channel number, so `channel_uuid` names the handset.
 */
export function messagesReader(sink: FieldSink): LogReader {
  const messages = new JsonObjects("results", (text, place) => {
    let message: ListedMessage;
    try {
      message = JSON.parse(text) as ListedMessage;
    } catch {
      sink.reject(place, "not JSON", text);
      return;
    }
    const event = eventOf(message);
    if (typeof event === "string") sink.reject(place, event, text);
    else sink.event({ place, ...event });
  });
  return {
    write: (text) => messages.write(text),
    end: () => {
      if (messages.isCut) sink.reject(messages.count + 1, "not JSON", messages.rest);
    },
  };
}

function eventOf(message: ListedMessage): { readonly atMs: number; readonly body: string } | RejectReason {
  const { id, contact, urn, channel, direction, status = "", text, created_on, sent_on, modified_on } = message;
  if (direction !== "in" && direction !== "out") return "no event";
  const isIncoming = direction === "in";
  const outcome = isIncoming ? { event: "mo_sms", status: "D" } : outcomes[status];
  if (outcome === undefined) return "no outcome yet";
  const isDelivered = outcome.event === "mt_dlvd";
  const atMs = firstTime(isIncoming ? [created_on] : isDelivered ? [modified_on, sent_on] : [sent_on, modified_on]);
  const told = atMs ?? firstTime([created_on]);
  if (told === undefined) return "no time";
  const phoneTime = firstTime(isIncoming ? [sent_on, created_on] : [sent_on, modified_on]) ?? told;
  return {
    atMs: told,
    body: formOf([
      ["event", outcome.event],
      ["channel_uuid", channel?.uuid],
      ["sms", id],
      ["phone", urn === null || urn === undefined ? undefined : (phoneOfUrn(urn) ?? urn)],
      ["text", text ?? ""],
      ["status", outcome.status],
      ["direction", isIncoming ? "I" : "O"],
      ["time", formatTimestamp(phoneTime)],
      ["contact", contact?.uuid],
      ["contact_name", contact?.name],
      ["urn", urn],
    ]),
  };
}

function firstTime(texts: readonly (string | null | undefined)[]): number | undefined {
  for (const text of texts) {
    const atMs = text === null || text === undefined ? undefined : parseFilterTime(text);
    if (atMs !== undefined) return atMs;
  }
  return undefined;
}
