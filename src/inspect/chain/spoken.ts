import { durationLiteral, type WrittenTree } from "../../scenario/index.js";
import type { RecordedMessage, StoredLoss, TracedEvent } from "../../store/index.js";
import { formField } from "../../wire/index.js";
import type { ChainAbout } from "./about.js";
import type { Involved, InvolvedEnds } from "./involved.js";
import type { TimedStep } from "./story.js";

/** Most texts and calls of the chain's people that become steps: the latest. */
const SPOKEN_MAX = 200;

/** Ringing time of a call that did not reach the handset: no recording has it. */
const RINGS = "25s";

/** Steps for the texts and calls between the chain's ends, each once, at the instant at which it began. */
export function spokenSteps(source: {
  /** Of the chain's ends, newest first. */
  readonly events: readonly TracedEvent[];
  readonly losses: readonly StoredLoss[];
  readonly involved: Involved;
  readonly notes: string[];
}): TimedStep[] {
  const { events, losses, involved, notes } = source;
  const steps = [
    ...events.flatMap((event) => eventStep(event, endsOf(event.channel, formField(event.body, "phone"), involved))),
    ...losses.flatMap((loss) => lossStep(loss, endsOf(loss.channel, loss.phone, involved))),
  ].toSorted((a, b) => b.atMs - a.atMs);
  const left = steps.length - SPOKEN_MAX;
  if (left > 0) notes.push(`${left} earlier texts and calls of these people are left out.`);
  return steps.slice(0, SPOKEN_MAX);
}

/**
 * Steps that send the service's messages. Requests to the API, flows and the receiver's answers have no steps of their
 * own.
 */
export function sendSteps(
  { messages }: ChainAbout,
  { involved, hasFlows, notes }: { readonly involved: Involved; readonly hasFlows: boolean; readonly notes: string[] },
): TimedStep[] {
  const sent = messages.filter(({ origin }) => !(hasFlows && (origin === "flow" || origin === "campaign")));
  const origins = new Map<string, number>();
  for (const { origin } of sent) {
    const words = stepWords[origin];
    if (words !== undefined) origins.set(words, (origins.get(words) ?? 0) + 1);
  }
  for (const [words, count] of origins) notes.push(`${count} ${count === 1 ? "step" : "steps"} \`send\`: ${words}.`);
  return sent.flatMap((message) => sendStep(message, involved));
}

const stepWords: Readonly<Record<string, string>> = {
  reply: "what the receiver's answers asked for",
  api: "what requests to the API sent",
  flow: "what a flow sent, as the account is not in the scenario's `data`",
  campaign: "what a campaign sent, as the account is not in the scenario's `data`",
};

function sendStep({ channel, phone, createdAtMs, text }: RecordedMessage, involved: Involved): TimedStep[] {
  const ends = endsOf(channel, phone, involved);
  if (ends?.person === undefined) return [];
  return [{ atMs: createdAtMs, rank: 2, step: { send: { via: ends.handset.name, to: ends.person.name, body: text } } }];
}

function eventStep(event: TracedEvent, ends: InvolvedEnds | undefined): TimedStep[] {
  const { type, body, copy, beganAtMs, phoneAtMs, atMs } = event;
  if (ends?.person === undefined || copy !== null) return [];
  const text = formField(body, "text") ?? "";
  if (type === "mo_sms") {
    if (text === "") return [];
    return [{ atMs: beganAtMs ?? atMs, rank: 2, step: { text: { ...fromPerson(ends), body: text } } }];
  }
  const [, direction, end] = /^(mo|mt)_(call|miss)$/.exec(type) ?? [];
  if (direction === undefined) return [];
  const who = direction === "mo" ? fromPerson(ends) : { from: ends.handset.name, to: ends.person.name };
  const seconds = Number(formField(body, "duration") ?? 0);
  const span = end === "call" ? durationLiteral(Math.max(1, seconds) * 1000) : ringsOf(beganAtMs, phoneAtMs);
  const step: WrittenTree = { call: { ...who, ...(end === "call" ? { talks: span } : { rings: span }) } };
  return [{ atMs: beganAtMs ?? atMs, rank: 2, step }];
}

function ringsOf(beganAtMs: number | null, phoneAtMs: number | null): string {
  const ms = beganAtMs === null || phoneAtMs === null ? 0 : phoneAtMs - beganAtMs;
  // A phone that was blocked logs the call later than the call ends, which would give a wrong ringing time.
  return ms > 0 && ms <= 120_000 ? durationLiteral(ms) : RINGS;
}

/** A step for a text or call that never reached the service. Its start is known only if it was lost immediately. */
function lossStep({ cause, text, message, atMs }: StoredLoss, ends: InvolvedEnds | undefined): TimedStep[] {
  if (ends?.person === undefined || message !== null) return [];
  if (cause === "carrier" && text !== null && text !== "") {
    return [{ atMs, rank: 2, step: { text: { ...fromPerson(ends), body: text } } }];
  }
  return cause === "unreachable" ? [{ atMs, rank: 2, step: { call: { ...fromPerson(ends), rings: RINGS } } }] : [];
}

function fromPerson({ handset, person }: InvolvedEnds): WrittenTree {
  return { from: person?.name ?? "", to: handset.name };
}

function endsOf(channel: number, phone: string | undefined, { ends }: Involved): InvolvedEnds | undefined {
  return ends.find(({ handset, person }) => handset.channel === channel && person?.phone === phone);
}
