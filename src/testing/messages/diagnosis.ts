import { lossCauses } from "../../wire/index.js";
import type { LabEvent } from "../lab/log.js";
import type { LabFace } from "../lab/lab-face.js";
import { clockText, quoted } from "./words.js";

/**
 * Why a person may have heard nothing, as far as the lab knows, in sentences: where the person's last text is, what
 * became of the answer to it, and where the message of that answer is.
 */
export function diagnosisOf(lab: LabFace, who: string): string[] {
  const phone = lab.phoneOf(who);
  const events = lab.events().filter(({ type, event }) => isFromPerson(type) && phoneIn(event) === phone);
  const last = events.at(-1);
  const later = waitingText(lab, phone);
  if (last === undefined) {
    const lost = lostTexts(lab, phone);
    if (later !== undefined || lost.length > 0) return [...(later === undefined ? [] : [later]), ...lost];
    return [`${phone} has not texted or called any handset, and nothing was sent to this number.`];
  }
  return [...afterEvent(lab, last, phone), ...(later === undefined ? [] : [later])];
}

function afterEvent(lab: LabFace, event: LabEvent, phone: string): string[] {
  const last = event.attempts.at(-1);
  const [channel, number] = event.id.split("/").map(Number) as [number, number];
  const { run } = lab;
  if (event.state === "not-sent") return ["This lab sends its events nowhere: start it with startLab({ receiver })."];
  if (event.state === "failed") {
    return [`The service has given event ${event.id} up after ${event.attempts.length} attempts.`];
  }
  const retry = run.lab.retryOf({ channel, number });
  if (event.state === "waiting" && retry !== undefined) {
    return [
      `Your receiver has not accepted event ${event.id} yet: the service tries again at ${clockText(retry.dueAtMs)}. ` +
        "Wait longer with { within }.",
    ];
  }
  if (last === undefined || event.state === "waiting") return [];
  run.recording.flush();
  const lookup = run.recording.reader().lookup();
  const ignored = lookup.answersTo(channel, number).find(({ kind }) => kind === "ignored");
  if (ignored !== undefined) return [`The service ignored this answer: ${ignored.detail ?? ignored.reason}.`];
  const replies = lookup.repliesOf(channel, number);
  if (replies.length === 0) {
    if (last.answer.trim() !== "" && last.outcome === "answered") {
      return ["The answer has not taken effect in the service yet. Wait longer with { within }."];
    }
    return [
      "Your receiver accepted the event and asked for no message. A reply is JSON with the number and the text: " +
        `{"urn": ["tel:${phone}"], "text": "…"}`,
    ];
  }
  return replies.flatMap(({ id, phone: to, text, status }) => {
    if (to !== phone) return [`Your reply ${quoted(text)} went to ${to}, not to ${phone}.`];
    const [loss] = lookup.lossesOf(id);
    if (loss !== undefined) return [`Your reply ${quoted(text)} was lost: ${lossCauses[loss.cause]}.`];
    if (lookup.hearingsOf(id).length > 0) return [];
    return [`Your reply ${quoted(text)} is under way: ${wordsOfStatus(status)}${blockText(lab, channel)}.`];
  });
}

function wordsOfStatus(status: string): string {
  if (status === "Q") return "the service has it in its queue, and the handset has not fetched it";
  if (status === "F") return "the handset has given it up";
  if (status === "E") return "the handset could not send it and tries again";
  return "the handset has sent it, and the carrier has not brought it";
}

function blockText(lab: LabFace, channel: number): string {
  const { world } = lab.run.lab;
  const { blockedBy, power, link } = world.inspectHandset(channel);
  const name = world.population.nameOfHandset(channel);
  if (!power.isOn) return ` (${name} is off)`;
  if (link === "none") return ` (${name} has no data link)`;
  return blockedBy === null ? "" : ` (${name} is blocked: ${blockedBy})`;
}

/** Where texts of a number are that have not become events: on their way, or on a phone. */
function waitingText(lab: LabFace, phone: string): string | undefined {
  const { world } = lab.run.lab;
  for (const { from, channel, text } of world.carriedTexts()) {
    if (from !== phone) continue;
    const name = world.population.nameOfHandset(channel);
    const { unreachableBecause } = world.inspectHandset(channel);
    const why = unreachableBecause === null ? "" : `: the carrier cannot reach the handset (${unreachableBecause})`;
    return `The text ${quoted(text)} is still on its way to ${name}${why}.`;
  }
  for (const channel of world.channels()) {
    const { unread, reports } = world.inspectHandset(channel);
    const held =
      unread.some(({ from }) => from === phone) ||
      reports.some(({ report, isApplied }) => !isApplied && "phone" in report && report.phone === phone);
    if (!held) continue;
    const name = world.population.nameOfHandset(channel);
    return `A text of ${phone} is on ${name} and has not been synced${blockText(lab, channel)}.`;
  }
  return undefined;
}

function lostTexts(lab: LabFace, phone: string): string[] {
  const { recording, lab: world, nowMs } = lab.run;
  recording.flush();
  const lookup = recording.reader().lookup();
  return world.world
    .channels()
    .flatMap((channel) => lookup.lossesBetween({ channel, phone }, nowMs))
    .map(
      ({ text, cause }) => `${text === null ? "A call" : `The text ${quoted(text)}`} was lost: ${lossCauses[cause]}.`,
    );
}

function isFromPerson(type: string): boolean {
  return type.startsWith("mo_");
}

function phoneIn(event: LabEvent["event"]): string | undefined {
  const { phone } = event as { readonly phone?: unknown };
  return typeof phone === "string" ? phone : undefined;
}
