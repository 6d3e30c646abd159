import { eventKey, PersonOrder } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { formField } from "../../wire/index.js";
import { answeredTwice, isReplay } from "../answered-twice.js";
import { DoubleFinder } from "../receiver-behaviour.js";
import { lateEvents } from "./late.js";

/** What can be wrong with an event, as far as a recording tells. */
export const affectedKinds = ["doubles", "without-effect", "reordered", "refused", "late"] as const;
export type AffectedKind = (typeof affectedKinds)[number];

/**
 * The events of a recording with which something is wrong, by `eventKey`: `doubles`: the receiver acted on them twice;
 * `without-effect`: texts without a reply and without a message to the person; `reordered`: accepted after a later event
 * of the same person; `refused`: an attempt was answered with an error; `late`: it came to the receiver, or its answer came, late
 * (`lateEvents`).
 *
 * @param options - `lateMs`: from when on an event is late
 */
export function affectedEvents(
  recording: RecordingReader,
  kind: AffectedKind,
  { lateMs }: { readonly lateMs?: number | undefined } = {},
): ReadonlySet<number> {
  switch (kind) {
    case "doubles":
      return doubled(recording);
    case "without-effect":
      return new Set(Array.from(recording.textsWithoutEffect(Number.MAX_SAFE_INTEGER), eventKey));
    case "reordered":
      return reordered(recording);
    case "refused":
      return refused(recording);
    case "late":
      return lateEvents(recording, lateMs).keys;
    default:
      return kind satisfies never;
  }
}

function doubled(recording: RecordingReader): ReadonlySet<number> {
  if (isReplay(recording)) return answeredAgain(recording);
  const keys = new Set<number>();
  const messages = new Map<number, number>();
  const finder = new DoubleFinder((about) => {
    const key = typeof about === "number" ? messages.get(about) : about && eventKey(about);
    if (key !== undefined) keys.add(key);
  });
  for (const event of recording.eventRows()) {
    const { channel, number, type, copy, subject } = event;
    const isText = type === "mo_sms" && subject !== null;
    if (copy !== null) finder.addCopy({ channel, number }, copy.of, isText ? subject : null);
    if (isText) messages.set(subject, eventKey(event));
  }
  for (const attempt of recording.attemptMeasures()) finder.addAttempt(attempt);
  finder.addMessages(recording);
  return keys;
}

/** A replay sends no messages: what the answers ask for counts. */
function answeredAgain(recording: RecordingReader): ReadonlySet<number> {
  const keys = new Set<number>();
  for (const { second } of answeredTwice(recording)) if (second.event !== undefined) keys.add(eventKey(second.event));
  return keys;
}

function reordered(recording: RecordingReader): ReadonlySet<number> {
  const rows = new Map<number, { readonly row: number; readonly contact: number }>();
  const contacts = new Map<string, number>();
  for (const event of recording.eventRows()) {
    const phone = event.subject === null ? undefined : formField(event.body, "phone");
    if (phone === undefined) continue;
    let contact = contacts.get(phone);
    if (contact === undefined) contacts.set(phone, (contact = contacts.size));
    rows.set(eventKey(event), { row: event.row, contact });
  }
  const keys = new Set<number>();
  const order = new PersonOrder();
  for (const attempt of recording.attemptMeasures()) {
    const key = eventKey(attempt);
    const event = rows.get(key);
    if (event === undefined || attempt.outcome !== "accepted") continue;
    const before = order.count;
    order.recordAccepted({ ...event, try: attempt.try });
    if (order.count > before) keys.add(key);
  }
  return keys;
}

function refused(recording: RecordingReader): ReadonlySet<number> {
  const keys = new Set<number>();
  for (const attempt of recording.attemptMeasures())
    if (attempt.status !== null && attempt.outcome !== "accepted") keys.add(eventKey(attempt));
  return keys;
}
