import { eventId, troubleOfCode } from "../../measure/index.js";
import { copyCauses, isForwarded, lossCauses } from "../../wire/index.js";
import type { RecordedAttempt, StoredLoss, TracedEvent } from "../../store/index.js";
import { readableDuration } from "../number-format.js";
import { endingText } from "./ending-text.js";
import type { LifeSubject } from "./subject.js";
import { reasonText } from "./delay-text.js";
import { type OutageSource, outageSentences } from "./outage-sentences.js";

/** Limit of ids in a sentence; further ones are counted. */
const IDS_MAX = 6;

/** A delay shorter than this is not mentioned. */
const LONG_MS = 10_000;

/** The attempt at an event that is under way or planned. */
export interface OpenTry {
  readonly try: number;
  /** Virtual milliseconds from the last attempt to this one; null: it is under way. */
  readonly afterMs: number | null;
}

interface HeadlineSource {
  /** The attempt of an event that has no answer yet; undefined when it has none, or it is unknown. */
  readonly openTryOf: (event: TracedEvent) => OpenTry | undefined;
  /** Why the service ignored the receiver's answer; undefined when it did not, or the answer has no message. */
  readonly ignoredBecause: (event: TracedEvent) => string | undefined;
  readonly lossesOf: (message: number) => readonly Pick<StoredLoss, "cause">[];
  readonly attemptsOf: (event: TracedEvent) => readonly RecordedAttempt[];
  /** Tries that were made by hand. */
  readonly triesByHand: (event: TracedEvent) => readonly number[];
  /** Absent when nothing is known of the receiver's outages. */
  readonly gone?: OutageSource | undefined;
  /** The types that the account forwards from a channel; undefined for all types. */
  readonly forwardsOf: (channel: number) => readonly string[] | undefined;
}

/**
 * The first sentences of a life: whether the receiver died or went away meanwhile, why it has the event twice, what
 * delayed it, how its delivery ended.
 */
export function headlineOf(subject: LifeSubject, source: HeadlineSource): string[] {
  const { attemptsOf, triesByHand, forwardsOf, openTryOf, ignoredBecause, gone } = source;
  const { asked } = subject;
  const sentences =
    subject.kind === "incoming"
      ? copySentences(subject)
      : [...lossSentences(subject, source), ...outcomeCopySentence(asked)];
  if (asked === undefined) return sentences;
  const tries = triesByHand(asked);
  const attempts = attemptsOf(asked);
  const own = attempts.filter((attempt) => !tries.includes(attempt.try));
  const byHand = attempts.filter((attempt) => tries.includes(attempt.try));
  return [
    ...(gone === undefined ? [] : outageSentences(asked, own, gone)),
    ...sentences,
    ...delaySentence(subject),
    ...deliverySentences(asked, {
      attempts: own,
      forwards: forwardsOf(asked.channel),
      openTry: openTryOf(asked),
    }),
    ...ignoredSentence(ignoredBecause(asked)),
    ...byHandSentence(asked, own, byHand),
  ];
}

function copySentences({ asked, first, copies }: Extract<LifeSubject, { kind: "incoming" }>): string[] {
  if (copies.length === 0) return [];
  const what = asked.type === "mo_sms" ? "text" : "call";
  const all = [first, ...copies].map(eventId);
  const ids = all.slice(0, IDS_MAX).join(", ") + (all.length > IDS_MAX ? `, and ${all.length - IDS_MAX} more` : "");
  const times = `The service has this ${what} ${all.length} times, each under its own number: events ${ids}.`;
  if (asked.copy !== null) {
    return [`Event ${eventId(asked)} is a copy of ${eventId(first)}: ${copyCauses[asked.copy.cause]}.`, times];
  }
  const causes = [...new Set(copies.flatMap(({ copy }) => (copy === null ? [] : [copyCauses[copy.cause]])))];
  return [times, ...causes.map((cause) => `Why: ${cause}.`)];
}

/** Sentences about a message that was lost, or whose outcome is unknown. */
function lossSentences(subject: LifeSubject, { lossesOf }: HeadlineSource): string[] {
  if (subject.kind !== "outgoing") return [];
  const { id, status } = subject.message;
  const [loss] = lossesOf(id);
  if (loss === undefined) {
    return status === "Q" ? [`Message ${id} is still queued: no phone has reported an outcome under this id.`] : [];
  }
  const unknown = loss.cause === "carrier" ? " Neither phone can know." : "";
  return [`Message ${id} was lost: ${lossCauses[loss.cause]}.${unknown}`];
}

function outcomeCopySentence(asked: TracedEvent | undefined): string[] {
  if (asked?.copy === null || asked === undefined) return [];
  return [
    `Event ${eventId(asked)} is a copy of ${eventId({ channel: asked.channel, number: asked.copy.of })}: ${copyCauses[asked.copy.cause]}.`,
  ];
}

function delaySentence(subject: LifeSubject): string[] {
  const { asked } = subject;
  if (asked === undefined) return [];
  const event = subject.kind === "incoming" && asked.copy !== null ? subject.first : asked;
  const { delays, beganAtMs } = event;
  const longest = delays.toSorted((a, b) => b.untilMs - b.fromMs - (a.untilMs - a.fromMs))[0];
  if (longest === undefined || longest.untilMs - longest.fromMs < LONG_MS) return [];
  const fromMs = Math.min(beganAtMs ?? 0, ...delays.map((delay) => delay.fromMs));
  const whole = beganAtMs === null ? "" : `It took ${readableDuration(event.atMs - fromMs)} to reach the service. `;
  const reason = reasonText(longest);
  const span = readableDuration(longest.untilMs - longest.fromMs);
  return [`${whole}The longest delay: ${span}${reason === undefined ? "" : `, because ${reason}`}.`];
}

function deliverySentences(
  asked: TracedEvent,
  {
    attempts,
    forwards,
    openTry,
  }: {
    readonly attempts: readonly RecordedAttempt[];
    readonly forwards: readonly string[] | undefined;
    readonly openTry: OpenTry | undefined;
  },
): string[] {
  const key = eventId(asked);
  if (attempts.length === 0 && !isForwarded(asked.type, forwards)) {
    const types = forwards?.join(", ") ?? "";
    return [
      `Event ${key} was not posted: the account does not forward ${asked.type} from this handset, only ${types} (key \`events\`).`,
    ];
  }
  const last = attempts.at(-1);
  if (last === undefined) {
    return [
      openTry === undefined
        ? `Event ${key} was never posted to a receiver.`
        : `Event ${key} is being posted: the receiver has not answered yet.`,
    ];
  }
  const accepted = attempts.find(({ outcome }) => outcome === "accepted");
  const sentences: string[] = [];
  if (accepted === undefined) sentences.push(notAcceptedSentence(attempts.length, last, openTry));
  const troubled = attempts.filter(({ error }) => troubleOfCode(error) !== undefined);
  for (const attempt of troubled) {
    sentences.push(`Try ${attempt.try} ${endingText(attempt)}. The scenario puts this trouble there ("delivery").`);
  }
  const unclear = attempts.filter((attempt) => attempt.isRepeat || isUnanswered(attempt));
  if (unclear.length > 0 && (attempts.length > 1 || unclear.some(({ isRepeat }) => isRepeat))) {
    const tries = unclear.map((attempt) => attempt.try).join(", ");
    sentences.push(
      `The receiver may have event ${key} more than once: it may have processed try ${tries} without the service knowing.`,
    );
  }
  return sentences;
}

function notAcceptedSentence(count: number, last: RecordedAttempt, openTry: OpenTry | undefined): string {
  if (openTry !== undefined) {
    const next = `try ${openTry.try}`;
    const what =
      openTry.afterMs === null
        ? `${next} is under way`
        : `${next} follows ${readableDuration(openTry.afterMs)} after it`;
    return `Not accepted so far: try ${last.try} ${endingText(last)}; ${what}.`;
  }
  if (count === 1) return `Its only try was not accepted: it ${endingText(last)}.`;
  return `None of its ${count} tries was accepted: the last ${endingText(last)}.`;
}

function ignoredSentence(because: string | undefined): string[] {
  return because === undefined ? [] : [`The service ignored the receiver's answer: ${because}.`];
}

function byHandSentence(
  asked: TracedEvent,
  own: readonly RecordedAttempt[],
  byHand: readonly RecordedAttempt[],
): string[] {
  if (byHand.length === 0) return [];
  const times = byHand.length === 1 ? "once" : `${byHand.length} times`;
  const sent = `Event ${eventId(asked)} was sent ${own.length === 0 ? "" : "again "}by hand ${times}`;
  const accepted = byHand.filter(({ outcome }) => outcome === "accepted");
  if (own.some((attempt) => attempt.outcome === "accepted" || isUnanswered(attempt)) || accepted.length > 1) {
    return [`${sent}: the receiver may have it more than once.`];
  }
  const [only] = accepted;
  return [only === undefined ? `${sent}: not accepted either.` : `${sent}: try ${only.try} was accepted.`];
}

/** Whether the request was written and not answered, so that the receiver may have processed it. */
function isUnanswered({ status, sentWallMs }: RecordedAttempt): boolean {
  return status === null && sentWallMs !== null;
}
