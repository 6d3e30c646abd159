import { normalisedAnswer } from "../../expect/index.js";
import { troubleOfCode } from "../../measure/index.js";
import { openRecording, type RecordingReader } from "../../store/index.js";
import { formField, readReply } from "../../wire/index.js";

/** Answers that took longer are a behaviour of their own: wall milliseconds. A busy machine must not look new. */
const SLOW_MS = 1000;

/** An event that comes this long after the phone had it is late: virtual milliseconds. */
const LATE_MS = 600_000;

/**
 * What a receiver showed in one play, without ids, numbers and times, each with its weight: how much it says about the
 * receiver.
 */
export type Behaviour = ReadonlyMap<string, number>;

/** What a play shows beside its failure. */
export interface Shown {
  readonly behaviour: Behaviour;
  /** The texts of the receiver's replies. */
  readonly replies: readonly string[];
}

/**
 * Weights: an answer with words or with a status that is no 2xx; one without words; an answer after other words to this
 * person; an answer to an event that came late, twice or again.
 */
const WEIGHT = { spoken: 16, silent: 3, after: 2, how: 1 };

/** Whether a weight is that of an answer with words or with an error status. Other behaviours only help to choose. */
export function saysMuch(weight: number): boolean {
  return weight >= WEIGHT.spoken;
}

/** Reads what the receiver showed in a recorded play. */
export function shownIn(path: string): Shown {
  const reader = openRecording(path);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

/** One answer of the receiver. */
interface Answered {
  readonly dueAtMs: number;
  readonly person: string | undefined;
  readonly type: string;
  /** How the event came, beside the ordinary: late, as a copy, again. */
  readonly how: string;
  readonly status: number | string;
  readonly words: string;
  readonly reply: string | undefined;
  readonly isSlow: boolean;
}

function read(reader: RecordingReader): Shown {
  const behaviour = new Map<string, number>();
  const replies = new Set<string>();
  const before = new Map<string, string>();
  for (const { person, type, how, status, words, reply, isSlow } of answersIn(reader)) {
    if (reply !== undefined) replies.add(reply);
    const answer = `${type}: ${status} ${words}`.trimEnd();
    const isSilent = words === "" && typeof status === "number" && status < 300;
    behaviour.set(answer, isSilent ? WEIGHT.silent : WEIGHT.spoken);
    if (isSlow) behaviour.set(`${type}: slow`, WEIGHT.spoken);
    if (how !== "") behaviour.set(`${how}${answer}`, WEIGHT.how);
    if (person === undefined || words === "") continue;
    // What a person was answered last is state that the receiver shows.
    const last = before.get(person);
    if (last !== undefined && last !== words) behaviour.set(`${last} → ${answer}`, WEIGHT.after);
    before.set(person, words);
  }
  return { behaviour, replies: [...replies] };
}

/** The receiver's answers in the order of their requests. What met trouble on the way shows nothing of the receiver. */
function answersIn(reader: RecordingReader): Answered[] {
  const answers: Answered[] = [];
  const late = new Set(reader.lateEvents(LATE_MS).map(({ channel, number }) => `${channel}/${number}`));
  for (const { type, channel, number, body, attempts, copy } of reader.events()) {
    const isLate = late.has(`${channel}/${number}`);
    for (const [place, { status, error, body: bytes, durationMs, dueAtMs }] of attempts.entries()) {
      if (troubleOfCode(error) !== undefined) continue;
      const text = bytes === null ? "" : new TextDecoder().decode(bytes);
      const reading = text === "" ? undefined : readReply(text, { replyToSender: true });
      const reply = reading?.kind === "reply" ? reading.reply.text : undefined;
      answers.push({
        dueAtMs,
        person: formField(body, "phone") ?? undefined,
        type,
        how: `${copy === null ? "" : "copy "}${isLate ? "late " : ""}${place === 0 ? "" : "again "}`,
        status: status ?? error ?? "no answer",
        words: text === "{}" ? "" : normalisedAnswer(reply ?? text, body),
        reply,
        isSlow: status !== null && durationMs > SLOW_MS,
      });
    }
  }
  return answers.toSorted((a, b) => a.dueAtMs - b.dueAtMs);
}
