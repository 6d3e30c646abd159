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
import { type AnsweredRequest, type LogJudge, type PlayedAnswer, playRequests } from "../../exact/index.js";
import type { Receivers, TrialReceiver } from "../receivers.js";
import { Contaminated } from "./contaminated.js";

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

/** Receivers that are started for one trial at most, where they end before the first answer. */
const TAKES_MAX = 3;

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
  /** Holds the receiver's log against what it accepted, for `reconcile`. */
  readonly log?: LogJudge | undefined;
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

/** Plays requests at a receiver of their own and judges the answers. @throws LabError, Contaminated */
export async function playTrial(
  requests: readonly TrialRequest[],
  settings: TrialSettings,
  options: TrialOptions,
): Promise<TrialResult> {
  for (let take = 1; ; take++) {
    const receiver = await settings.receivers.take();
    try {
      const left = (await settings.log?.rowsBefore(receiver.url)) ?? "";
      if (left !== "") throw new Contaminated(left);
      return await playAt(receiver, requests, settings, options);
    } catch (error) {
      const ending = error instanceof ReceiverGone ? await receiver.ending() : undefined;
      if (ending === undefined) throw error;
      // What it has not answered cannot have ended it: another one is started.
      if (take === TAKES_MAX) throw ending;
    } finally {
      await receiver.release();
    }
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
  // Of a condition about words, the fingerprint leaves out the answer, so other failures look the same.
  const isAboutWords = condition.terms.some(({ kind }) => kind === "reply" || kind === "hears-twice");
  const failures: MetFailure[] = [];
  const others: MetFailure[] = [];
  const answered: AnsweredRequest[] = [];
  let last: PlayedAnswer | undefined;
  let slowestMs = 0;
  let isOver = false;
  const startedMs = performance.now();
  const ask = async (index: number, events: number, at: Failure | undefined): Promise<MetFailure | undefined> => {
    const broken = await brokenTerms({ ...settings, url, answered });
    if (broken === undefined) return undefined;
    const fingerprint =
      at === undefined ? `${condition.text} | ${broken.effect}` : `${at.fingerprint} | ${broken.effect}`;
    return {
      fingerprint,
      index,
      condition: condition.text,
      failure: condition,
      events,
      // Where only the whole play decides, the last answer says nothing.
      answer: at === undefined ? undefined : last,
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
        if (settings.log !== undefined) answered.push({ request, answer, sentMs: Date.now() - answer.tookMs });
        if (isAway(answer.error)) {
          if (place === 0) throw new ReceiverGone(url, answer.error);
          isOver = true;
          return false;
        }
        if (answer.status !== null && answer.tookMs > slowestMs) slowestMs = answer.tookMs;
        const events = place + 1;
        const failure = hasAnswerTerms ? watch.observe(request, answer) : undefined;
        const general = ordinaryFailure(answer);
        if (general !== undefined && (failure === undefined || !isAboutWords)) {
          const met = failure ?? new FailureWatch(general, { replyToSender }).observe(request, answer);
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
  log,
  answered,
}: TrialSettings & {
  readonly url: string;
  readonly answered: readonly AnsweredRequest[];
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
    } else if (term.kind === "reconcile" && log !== undefined) {
      const found = await log.difference(answered, url);
      signal.throwIfAborted();
      if (found === undefined) return undefined;
      effects.push(`${found.kind} ${found.type}`);
      told.push(found.text);
    } else throw new RangeError(`the condition '${term.kind}' cannot be judged by requests`);
  }
  return { effect: effects.join(" | "), seen: told.join("; ") };
}

/** Nothing listens at the receiver before the first request of a trial. */
class ReceiverGone extends LabError {
  constructor(url: string, error: string | null) {
    super("no-receiver", `the receiver at ${url} is gone (${error})`, {
      hint: "if an event ends it, let minimise start it for each trial: handset minimise … -- COMMAND",
    });
  }
}
