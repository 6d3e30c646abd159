import { LabError } from "../../base/index.js";
import {
  type Failure,
  type FailureCondition,
  FailureWatch,
  isAboutAnswer,
  isAway,
  judgeCheck,
} from "../../expect/index.js";
import { askCheck } from "../../lab/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import { type PlayedAnswer, playRequests } from "../../exact/index.js";
import type { Receivers, TrialReceiver } from "../receivers.js";

/** A request of a trial: `index` is its place in the source. */
export interface TrialRequest {
  readonly index: number;
  readonly request: ExactRequest;
}

/** A failure that a trial met. */
export interface MetFailure extends Failure {
  /** Place of its request in the source; that of the last request for a condition of the whole play. */
  readonly index: number;
  /** How the failure is asked for with `--while`. */
  readonly condition: string;
  /** The same, read. */
  readonly failure: FailureCondition;
  /** Requests that were played up to it. */
  readonly events: number;
  readonly answer: PlayedAnswer | undefined;
  /** What a check or a comparison showed. */
  readonly seen?: string | undefined;
}

/** What a trial showed. */
export interface TrialResult {
  /** Failures of the condition, in their order; the first ends the trial unless it is asked to continue. */
  readonly failures: readonly MetFailure[];
  /** Other failures: statuses from 500 on, timeouts, closed connections. */
  readonly others: readonly MetFailure[];
  readonly played: number;
  /** Of the last request that was answered. */
  readonly answer: PlayedAnswer | undefined;
  readonly wallMs: number;
  readonly slowestMs: number;
}

/** What trials share. */
export interface TrialSettings {
  readonly condition: FailureCondition;
  readonly receivers: Receivers;
  readonly replyToSender: boolean;
  readonly isAllowed: (url: string) => boolean;
  readonly signal: AbortSignal;
}

/** How one trial is played. */
export interface TrialOptions {
  readonly timeoutMs: number;
  /** Whether a failure at a request ends the trial. Default: each of the condition does. */
  readonly endsAt?: ((failure: MetFailure) => boolean) | undefined;
  /** For a condition of the whole play: after which requests it is asked, beside the last. */
  readonly asksAt?: ((played: number) => boolean) | undefined;
}

/** Whether a condition has a term that only the whole play decides. */
export function isAboutPlay({ terms }: FailureCondition): boolean {
  return terms.some((term) => !isAboutAnswer(term));
}

/** The failure that any answer may show, whatever is asked: undefined: none. */
export function ordinaryFailure({ status, error }: PlayedAnswer): FailureCondition | undefined {
  if (status !== null) {
    if (status < 500) return undefined;
    return { text: `status ${status}`, terms: [{ kind: "status", op: "==", status }] };
  }
  if (error === "ETIMEDOUT") return { text: "timeout", terms: [{ kind: "timeout" }] };
  return isAway(error) ? undefined : { text: "closed", terms: [{ kind: "closed" }] };
}

/** Plays requests at a receiver of their own and judges the answers. */
export async function playTrial(
  requests: readonly TrialRequest[],
  settings: TrialSettings,
  options: TrialOptions,
): Promise<TrialResult> {
  const receiver = await settings.receivers.take();
  try {
    return await playAt(receiver, requests, settings, options);
  } finally {
    await receiver.release();
  }
}

async function playAt(
  { url }: TrialReceiver,
  requests: readonly TrialRequest[],
  settings: TrialSettings,
  { timeoutMs, endsAt = () => true, asksAt = () => false }: TrialOptions,
): Promise<TrialResult> {
  const { condition, replyToSender, isAllowed, signal } = settings;
  const watch = new FailureWatch(condition, { replyToSender });
  const hasAnswerTerms = condition.terms.some(isAboutAnswer);
  const hasPlayTerms = isAboutPlay(condition);
  const failures: MetFailure[] = [];
  const others: MetFailure[] = [];
  let last: PlayedAnswer | undefined;
  let slowestMs = 0;
  let isOver = false;
  const startedMs = performance.now();
  const ask = async (index: number, events: number, at: Failure | undefined): Promise<MetFailure | undefined> => {
    const broken = await brokenTerms({ ...settings, url });
    if (broken === undefined) return undefined;
    const fingerprint =
      at === undefined ? `${condition.text} | ${broken.effect}` : `${at.fingerprint} | ${broken.effect}`;
    return {
      fingerprint,
      index,
      condition: condition.text,
      failure: condition,
      events,
      answer: last,
      seen: broken.seen,
    };
  };
  await playRequests(
    requests.map(({ request }) => request),
    {
      url,
      timeoutMs,
      isAllowed,
      signal,
      onAnswer: (place, answer) => {
        const { index = 0, request } = requests[place] ?? {};
        if (request === undefined) return false;
        last = answer;
        if (isAway(answer.error)) {
          if (place === 0) throw receiverGone(url, answer.error);
          isOver = true;
          return false;
        }
        if (answer.status !== null && answer.tookMs > slowestMs) slowestMs = answer.tookMs;
        const events = place + 1;
        const failure = hasAnswerTerms ? watch.observe(request, answer) : undefined;
        const general = ordinaryFailure(answer);
        if (general !== undefined && failure === undefined) {
          const met = new FailureWatch(general, { replyToSender }).observe(request, answer);
          const text = request.type === "" ? general.text : `${general.text} of ${request.type}`;
          const asked = { ...general, text, ...(request.type !== "" && { type: request.type }) };
          if (met !== undefined) others.push({ ...met, index, condition: text, failure: asked, events, answer });
        }
        if (failure !== undefined && !hasPlayTerms) {
          const met = { ...failure, index, condition: condition.text, failure: condition, events, answer };
          failures.push(met);
          isOver = endsAt(met);
          return !isOver;
        }
        const isAsked = hasPlayTerms && (hasAnswerTerms ? failure !== undefined : asksAt(events));
        if (!isAsked) return true;
        return ask(index, events, failure).then((met) => {
          if (met !== undefined) failures.push(met);
          isOver = met !== undefined && endsAt(met);
          return !isOver;
        });
      },
    },
  );
  signal.throwIfAborted();
  if (hasPlayTerms && !hasAnswerTerms && !isOver && !asksAt(requests.length)) {
    const met = await ask(requests.at(-1)?.index ?? -1, requests.length, undefined);
    if (met !== undefined) failures.push(met);
  }
  return { failures, others, played: requests.length, answer: last, wallMs: performance.now() - startedMs, slowestMs };
}

/** Whether all terms about the play fail, and how; undefined: one holds. */
async function brokenTerms({
  condition,
  url,
  isAllowed,
  signal,
}: TrialSettings & {
  readonly url: string;
}): Promise<{ readonly effect: string; readonly seen: string } | undefined> {
  const effects: string[] = [];
  const told: string[] = [];
  for (const term of condition.terms) {
    if (isAboutAnswer(term)) continue;
    if (term.kind === "check") {
      const answer = await askCheck(term.check, { receiver: url, recording: null, isAllowed, signal });
      signal.throwIfAborted();
      const { held, seen } = judgeCheck(term.check, answer);
      if (held) return undefined;
      effects.push(
        answer.kind === "http"
          ? `status ${answer.status}`
          : answer.kind === "command"
            ? `exit ${answer.exitCode}`
            : answer.why,
      );
      told.push(seen);
    } else throw new RangeError(`the condition '${term.kind}' cannot be judged by requests`);
  }
  return { effect: effects.join(" | "), seen: told.join("; ") };
}

function receiverGone(url: string, error: string | null): LabError {
  return new LabError("no-receiver", `the receiver at ${url} is gone (${error})`, {
    hint: "if an event ends it, let minimise start it for each trial: handset minimise … -- COMMAND",
  });
}
