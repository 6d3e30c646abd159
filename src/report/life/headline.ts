import { copyCauses, isForwarded } from "../../wire/index.js";
import type { TracedEvent, RecordedAttempt } from "../../store/index.js";
import { readableDuration } from "../number-format.js";
import { eventId, type LifeSubject } from "./subject.js";
import { reasonText } from "./delay-text.js";

/** Limit of ids in a sentence; further ones are counted. */
const IDS_MAX = 6;

/** Shorter delays are not mentioned. */
const LONG_MS = 10_000;

interface HeadlineSource {
  readonly attemptsOf: (event: TracedEvent) => readonly RecordedAttempt[];
  /** The types that the account forwards from a channel; undefined: all. */
  readonly forwardsOf: (channel: number) => readonly string[] | undefined;
}

/** The first sentences of a life: why the receiver has it twice, what delayed it, how its delivery ended. */
export function headlineOf(subject: LifeSubject, { attemptsOf, forwardsOf }: HeadlineSource): string[] {
  const { asked } = subject;
  const sentences = subject.kind === "incoming" ? copySentences(subject) : outcomeCopySentence(asked);
  if (asked === undefined) return sentences;
  return [
    ...sentences,
    ...delaySentence(subject),
    ...deliverySentences(asked, attemptsOf(asked), forwardsOf(asked.channel)),
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

function outcomeCopySentence(asked: TracedEvent | undefined): string[] {
  if (asked?.copy === null || asked === undefined) return [];
  return [`Event ${eventId(asked)} is a copy of ${asked.channel}/${asked.copy.of}: ${copyCauses[asked.copy.cause]}.`];
}

function delaySentence(subject: LifeSubject): string[] {
  const { asked } = subject;
  if (asked === undefined) return [];
  const event = subject.kind === "incoming" && asked.copy !== null ? subject.first : asked;
  const { delays, beganAtMs } = event;
  const longest = delays.toSorted((a, b) => b.untilMs - b.fromMs - (a.untilMs - a.fromMs))[0];
  if (longest === undefined || longest.untilMs - longest.fromMs < LONG_MS) return [];
  const whole = beganAtMs === null ? "" : `It took ${readableDuration(event.atMs - beganAtMs)} to reach the service. `;
  const reason = reasonText(longest);
  const span = readableDuration(longest.untilMs - longest.fromMs);
  return [`${whole}The longest delay: ${span}${reason === undefined ? "" : `, because ${reason}`}.`];
}

function deliverySentences(
  asked: TracedEvent,
  attempts: readonly RecordedAttempt[],
  forwards: readonly string[] | undefined,
): string[] {
  const key = eventId(asked);
  if (attempts.length === 0 && !isForwarded(asked.type, forwards)) {
    const types = forwards?.join(", ") ?? "";
    return [
      `Event ${key} was not posted: the account does not forward ${asked.type} from this handset, only ${types} (key \`events\`).`,
    ];
  }
  if (attempts.length === 0) return [`Event ${key} was never posted to a receiver.`];
  const accepted = attempts.find(({ outcome }) => outcome === "accepted");
  const last = attempts.at(-1);
  const sentences: string[] = [];
  if (accepted === undefined) {
    const how = last?.status === null ? (last.error ?? last.outcome) : String(last?.status);
    const tries = attempts.length === 1 ? "Its only try" : `None of its ${attempts.length} tries`;
    sentences.push(`${tries} ${attempts.length === 1 ? "was not" : "was"} accepted; the last ended with ${how}.`);
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

/** The request was written and not answered, so the receiver may have processed it. */
function isUnanswered({ status, sentWallMs }: RecordedAttempt): boolean {
  return status === null && sentWallMs !== null;
}
