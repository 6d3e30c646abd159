import type { Resent } from "../../console/index.js";
import { resendEvent } from "../../lab/index.js";
import { eventId } from "../../measure/index.js";
import { findSubject } from "../../report/index.js";
import type { RecordingReader, TracedEvent } from "../../store/index.js";
import type { LabNames } from "../lab-names.js";
import { refusal } from "../refusal.js";
import type { ServedLab } from "../served-lab.js";
import type { ControlParts } from "../control-parts.js";

/**
 * Sends an event again, as one more attempt, to the channel's current delivery URL. Its delivery must be over: the
 * service still retries any other event.
 *
 * @throws ControlRefusal 400 for an id that is not an event's; 409 while it is being delivered, or without a receiver
 */
export function resendByHand(asked: {
  readonly served: ServedLab;
  readonly parts: ControlParts;
  readonly names: LabNames;
  readonly reader: RecordingReader;
  readonly id: string;
}): Resent {
  const { served, parts, names, reader, id } = asked;
  const { isAllowed } = parts;
  const { asked: event } = findSubject(reader, id);
  if (event === undefined) {
    const about = reader.lookup().eventsAbout(Number(id)).map(eventId);
    const hint = about.length === 0 ? "it has made no event yet" : `its events are ${about.join(", ")}`;
    throw refusal("detail", `${id} is a message, and events are sent: ${hint}`);
  }
  const { lab } = served;
  const key = eventId(event);
  const handset = names.handset(event.channel);
  const url = names.deliveryUrl(event.channel);
  if (url === null) throw refusal("detail", `The events of ${handset} go nowhere: give it a delivery URL first.`, 409);
  if (!isAllowed(url))
    throw refusal("detail", `${new URL(url).hostname} is not this machine, and was not allowed.`, 409);
  if (lab.pipeline.delivery.hasOpenCopy(event))
    throw refusal("detail", `A copy of event ${key} is under way right now.`, 409);
  if (lab.pipeline.delivery.isByHand(event))
    throw refusal("detail", `Event ${key} is being sent by hand right now.`, 409);
  const attempts = reader.attemptsOf(event.channel, event.number);
  if (!isOver({ event, served, attempts })) {
    const what = attempts.length === 0 ? "waits for its answer" : "is being sent, or waits for its next try";
    throw refusal("detail", `Event ${key} ${what}: the service tries again by itself.`, 409);
  }
  const next = Math.max(0, ...attempts.map((attempt) => attempt.try)) + 1;
  const { channel, number, type, atMs, body } = event;
  resendEvent(lab, { channel, number, type, atMs, url, body, try: next });
  return { id: key, try: next, url };
}

/** Whether the delivery is over: no attempt is under way or planned. */
function isOver({
  event,
  served,
  attempts,
}: {
  readonly event: TracedEvent;
  readonly served: ServedLab;
  readonly attempts: readonly unknown[];
}): boolean {
  const { lab, log, recording } = served;
  if (lab.hasEnded) return true;
  if (attempts.length > 0) return lab.retryOf(event) === undefined;
  return !log.isPosted(event) || recording.isSettled(event.row);
}
