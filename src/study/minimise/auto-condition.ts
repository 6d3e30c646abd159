import { LabError } from "../../base/index.js";
import { type FailureCondition, FailureWatch } from "../../expect/index.js";
import { trialRequests } from "./play-counter.js";
import { playRequests } from "../../exact/index.js";
import type { Receivers } from "../receivers.js";
import type { MinimiseSource, SourceElement } from "./source.js";
import { ordinaryFailure } from "./trial.js";

/** A condition, and where it came from if nobody gave it. */
export interface TakenCondition {
  readonly condition: FailureCondition;
  /** A clause; empty: it was given. */
  readonly took: string;
}

/**
 * The condition that the source itself shows: its first answer with a status from 500 on, without an answer, or with a status
 * from 400 on. If it shows none, the source is played once, and what the receiver does wrong now is taken.
 *
 * @throws LabError `bad-options` if nothing is wrong
 */
export async function autoCondition(
  source: MinimiseSource,
  { type }: { readonly type?: string },
  play: {
    readonly receivers: Receivers;
    readonly isAllowed: (url: string) => boolean;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
): Promise<TakenCondition> {
  const ofType = (element: SourceElement): boolean => type === undefined || element.request.type === type;
  const isSevere = ({ recorded }: SourceElement): boolean =>
    recorded !== undefined && (recorded.status === null ? recorded.error !== null : recorded.status >= 500);
  const isRefused = ({ recorded }: SourceElement): boolean => (recorded?.status ?? 0) >= 400;
  for (const isWrong of [isSevere, isRefused]) {
    const index = source.elements.findIndex((element) => ofType(element) && isWrong(element));
    const element = source.elements[index];
    if (element?.recorded === undefined) continue;
    const condition = conditionOf(element.recorded, element.request.type);
    return { condition, took: `the ${source.kind} has this answer to event ${index + 1}` };
  }
  return conditionNow(source, ofType, play);
}

async function conditionNow(
  source: MinimiseSource,
  ofType: (element: SourceElement) => boolean,
  { receivers, isAllowed, signal, timeoutMs }: Parameters<typeof autoCondition>[2],
): Promise<TakenCondition> {
  const { elements, replyToSender } = source;
  const twice = new FailureWatch({ text: "hears-twice", terms: [{ kind: "hears-twice" }] }, { replyToSender });
  const requests = trialRequests(
    elements,
    elements.map((_, index) => index),
  );
  let severe: TakenCondition | undefined;
  let refused: TakenCondition | undefined;
  const receiver = await receivers.take();
  try {
    await playRequests(
      requests.map(({ request }) => request),
      {
        url: receiver.url,
        timeoutMs,
        isAllowed,
        signal,
        onAnswer: (place, answer) => {
          const element = elements[requests[place]?.index ?? -1];
          if (element === undefined || !ofType(element)) return true;
          const { request } = element;
          const took = `the receiver answers event ${place + 1} so now, and the ${source.kind} shows nothing wrong`;
          if (ordinaryFailure(answer) !== undefined) severe = { condition: conditionOf(answer, request.type), took };
          else if (twice.observe(request, answer) !== undefined) {
            severe = { condition: { text: "hears-twice", terms: [{ kind: "hears-twice" }] }, took };
          } else if ((answer.status ?? 0) >= 400) refused ??= { condition: conditionOf(answer, request.type), took };
          return severe === undefined;
        },
      },
    );
  } finally {
    await receiver.release();
  }
  signal.throwIfAborted();
  const taken = severe ?? refused;
  if (taken !== undefined) return taken;
  throw new LabError("bad-options", `nothing is wrong in ${source.path}, nor in the receiver's answers to it`, {
    hint: "say what is wrong: --while 'reply /sorry/', --while 'no reply of mo_sms', --while 'check { http: GET /health, status: 200 }'",
  });
}

/** The condition that describes one answer. */
function conditionOf(
  { status, error }: { readonly status: number | null; readonly error: string | null },
  type: string,
): FailureCondition {
  const narrowed = type === "" ? {} : { type };
  const of = type === "" ? "" : ` of ${type}`;
  if (status !== null)
    return { text: `status ${status}${of}`, terms: [{ kind: "status", op: "==", status }], ...narrowed };
  const kind = error === "ETIMEDOUT" ? "timeout" : "closed";
  return { text: `${kind}${of}`, terms: [{ kind }], ...narrowed };
}
