import { troubleOfCode } from "../../measure/index.js";
import { durationLiteral, type RawValue, type WrittenTree } from "../../scenario/index.js";
import type { RecordedAttempt, RecordingReader, StoredLoss } from "../../store/index.js";
import { attemptsOf, type ChainAbout } from "./about.js";
import type { Delay } from "../../wire/index.js";
import { handsetsOf, type Involved } from "./involved.js";
import type { TimedStep } from "./story.js";

/** What carriers did to the chain, apart from losing or duplicating single texts. */
export interface CarrierFacts {
  /** Transit time of the chain's text; undefined when unknown or unchanged by the carrier. */
  readonly delayMs: number | undefined;
  /** Whether the message's delivery was reported; undefined when the chain has no message, or it is unknown. */
  readonly reportsDelivery: boolean | undefined;
}

interface CauseSource {
  readonly reader: RecordingReader;
  readonly about: ChainAbout;
  readonly involved: Involved;
  /** Texts of its people to its handsets, and messages to them, that were lost. */
  readonly losses: readonly StoredLoss[];
  /** Steps from the story and from hands; they may already contain the cause. */
  readonly told: readonly TimedStep[];
}

/** Steps that repeat what chance did in the recording. */
export function causeSteps(source: CauseSource): TimedStep[] {
  return [...lostSyncs(source), ...carrierSteps(source), ...receiverSteps(source)];
}

export function carrierFactsOf(reader: RecordingReader, { events, message }: ChainAbout): CarrierFacts {
  const delays = events.flatMap(({ type, beganAtMs, phoneAtMs, delays: why }) =>
    type === "mo_sms" && beganAtMs !== null && phoneAtMs !== null && !why.some(({ kind }) => kind === "held-by-carrier")
      ? [phoneAtMs - beganAtMs]
      : [],
  );
  const isHeard = message !== undefined && reader.lookup().hearingsOf(message.id).length > 0;
  return { delayMs: delays[0], reportsDelivery: isHeard ? events.some(({ type }) => type === "mt_dlvd") : undefined };
}

/**
 * Steps for the syncs of the chain's reports that the network lost, unless a step already loses them. Each lost answer
 * makes exactly one copy, whichever sync it belongs to. So a phone whose sync times differ, because fewer people text
 * it, makes as many copies as the recorded one.
 */
function lostSyncs({ about: { events }, involved, told }: CauseSource): TimedStep[] {
  return handsetsOf(involved).flatMap(({ channel, name: of }) => {
    if (told.some(({ step }) => verbArgs(step, "sync")?.["of"] === of)) return [];
    const late = events.filter((event) => event.channel === channel && event.delays.some(isLostSync));
    const [first] = late;
    const readyAtMs = first?.phoneAtMs ?? null;
    if (first === undefined || readyAtMs === null) return [];
    const lost = late.flatMap(({ delays }) => delays.filter(isLostSync));
    const answers = lost.filter(({ why }) => why === "answer-lost").reduce((sum, { times }) => sum + times, 0);
    const isRequest = lost[0]?.why === "request-lost";
    // The sending radio's result produces an outcome report, at a time of its own.
    const { type, beganAtMs } = first;
    const isOutcome = (type === "mt_sent" || type === "mt_dlvd") && beganAtMs !== null;
    const atMs = isOutcome ? Math.round((beganAtMs + readyAtMs) / 2) : Math.max(0, readyAtMs - 1);
    const loses = (what: string, times: number): WrittenTree => ({ sync: { of, loses: what, times: String(times) } });
    return [
      ...(isRequest ? [{ atMs, rank: 1, step: loses("request", 1) } as const] : []),
      ...(answers > 0
        ? [{ atMs: isRequest ? readyAtMs + 1 : atMs, rank: 1, step: loses("response", answers) } as const]
        : []),
      ...late.map((event): TimedStep => {
        const syncsAtMs = Math.max(readyAtMs + 2, event.atMs - SYNC_BEFORE_MS);
        return { atMs: syncsAtMs, rank: 2, step: { sync: { of, now: "true" } } };
      }),
    ];
  });
}

/** The phone syncs this many milliseconds before the service has the report. */
const SYNC_BEFORE_MS = 1000;

function isLostSync({ kind, why }: Delay): boolean {
  return kind === "sync-failed" && (why === "request-lost" || why === "answer-lost");
}

function carrierSteps({ reader, about, involved, losses, told }: CauseSource): TimedStep[] {
  const nameOf = new Map(handsetsOf(involved).map(({ channel, name }) => [channel, name]));
  const steps: TimedStep[] = [];
  const add = (channel: number, atMs: number, fate: Readonly<Record<string, RawValue>>): void => {
    const of = nameOf.get(channel);
    if (of === undefined || told.some(({ step }) => verbArgs(step, "carrier")?.["of"] === of)) return;
    steps.push({ atMs, rank: 1, step: { carrier: { of, ...fate } } });
  };
  for (const { cause, channel, atMs, message } of losses) {
    if (cause !== "carrier") continue;
    if (message === null) add(channel, atMs, { loses: "texts" });
    else if (about.message?.id === message) add(channel, loneMessageAtMs(about) ?? atMs - 1, { loses: "messages" });
  }
  for (const { channel, copy, beganAtMs } of about.events) {
    if (copy?.cause === "carrier" && beganAtMs !== null) add(channel, beganAtMs, { duplicates: "texts" });
  }
  for (const { id, channel, createdAtMs } of about.messages) {
    if (reader.lookup().hearingsOf(id).length > 1) add(channel, createdAtMs, { duplicates: "messages" });
  }
  return steps;
}

/** When the chain's only message was created; undefined when its phone sent other messages before. */
function loneMessageAtMs({ message, messages }: ChainAbout): number | undefined {
  return messages.length === 1 ? message?.createdAtMs : undefined;
}

/** A failed answer lasts this long before and after its attempt, unless an accepted one is nearer. */
const AROUND_MS = 60_000;

/** Steps that make the bundled receiver answer the chain's events as recorded, where it did not accept them. */
function receiverSteps({ reader, about: { events } }: CauseSource): TimedStep[] {
  const attempts = attemptsOf(reader, events).toSorted((a, b) => a.dueAtMs - b.dueAtMs);
  const steps: TimedStep[] = [];
  let at = 0;
  while (at < attempts.length) {
    const answers = answerOf(attempts[at]);
    let end = at;
    while (end + 1 < attempts.length && answerOf(attempts[end + 1]) === answers) end++;
    const [first, last] = [attempts[at]?.dueAtMs ?? 0, attempts[end]?.dueAtMs ?? 0];
    if (answers !== "ok") {
      const before = attempts[at - 1]?.dueAtMs;
      const after = attempts[end + 1]?.dueAtMs;
      const fromMs = Math.max(0, first - Math.min(AROUND_MS, before === undefined ? AROUND_MS : (first - before) / 2));
      const tillMs = last + Math.min(AROUND_MS, after === undefined ? AROUND_MS : (after - last) / 2);
      const span = durationLiteral(Math.max(1, Math.round(tillMs - fromMs) - 1));
      steps.push({ atMs: Math.round(fromMs), rank: 0, step: { receiver: { answers, for: span } } });
    }
    at = end + 1;
  }
  return steps;
}

/** An answer as a value of the verb `receiver`. */
function answerOf(attempt: RecordedAttempt | undefined): string {
  if (attempt === undefined || attempt.outcome === "accepted") return "ok";
  // Trouble on the way is not an answer.
  if (troubleOfCode(attempt.error) !== undefined) return "ok";
  if (attempt.status !== null && attempt.status >= 200 && attempt.status <= 599) return String(attempt.status);
  return attempt.outcome === "timeout" ? "hang" : "close";
}

/** The arguments of a step with this verb. */
export function verbArgs(
  step: Readonly<Record<string, RawValue>>,
  verb: string,
): Readonly<Record<string, RawValue>> | undefined {
  const args = step[verb];
  return typeof args === "object" && args !== null && !Array.isArray(args)
    ? (args as Readonly<Record<string, RawValue>>)
    : undefined;
}
