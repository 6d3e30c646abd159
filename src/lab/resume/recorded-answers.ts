import type { ServiceAnswer } from "../../delivery/index.js";
import type { SimTime } from "../../sim/index.js";
import { isMocked } from "../call-mocks.js";
import type { RecordedFlowCall, RecordedResthookAttempt, RecordingReader } from "../../store/index.js";

/** The answer to a request of the service, with the run's position when it took effect. */
export interface RecordedAnswer {
  /** `ServiceRequest.name` */
  readonly name: string;
  readonly effectAtMs: SimTime;
  readonly step: number | null;
  readonly answer: ServiceAnswer;
}

/** Name of the request of a flow's call. */
export function flowCallName(id: number): string {
  return `flow-call/${id}`;
}

/** Name of the request that posts an event of a resthook to a subscriber. */
export function resthookName(attempt: Pick<RecordedResthookAttempt, "event" | "subscriber" | "try">): string {
  return `resthook/${attempt.event}/${attempt.subscriber}/${attempt.try}`;
}

/** All recorded answers to requests of the service, in the order of their effects. Mocks answer again by themselves. */
export function* recordedAnswers(
  recordedRun: Pick<RecordingReader, "flowCalls" | "resthookAttempts">,
): Generator<RecordedAnswer> {
  const calls = sentCalls(recordedRun.flowCalls());
  const attempts = recordedRun.resthookAttempts();
  let call = nextOf(calls, answerOfCall);
  let attempt = nextOf(attempts, answerOfAttempt);
  while (call !== undefined || attempt !== undefined) {
    if (call !== undefined && (attempt === undefined || isBefore(call, attempt))) {
      yield call;
      call = nextOf(calls, answerOfCall);
    } else if (attempt !== undefined) {
      yield attempt;
      attempt = nextOf(attempts, answerOfAttempt);
    }
  }
}

function* sentCalls(calls: Iterable<RecordedFlowCall>): Generator<RecordedFlowCall> {
  for (const call of calls) if (!isMocked(call)) yield call;
}

function nextOf<T>(rows: Generator<T>, answerOf: (row: T) => RecordedAnswer): RecordedAnswer | undefined {
  const next = rows.next();
  return next.done === true ? undefined : answerOf(next.value);
}

function isBefore(one: RecordedAnswer, other: RecordedAnswer): boolean {
  return (
    one.effectAtMs < other.effectAtMs || (one.effectAtMs === other.effectAtMs && (one.step ?? 0) < (other.step ?? 0))
  );
}

function answerOfCall(call: RecordedFlowCall): RecordedAnswer {
  const { id, effectAtMs, step, sentWallMs, durationMs, status, error, answerHeaders, answerBody, redirects } = call;
  const answer = { sentWallMs, durationMs, status, error, headers: answerHeaders, body: answerBody, redirects };
  return { name: flowCallName(id), effectAtMs, step, answer };
}

function answerOfAttempt(attempt: RecordedResthookAttempt): RecordedAnswer {
  const { atMs, step, durationMs, status, error, body } = attempt;
  const answer = { sentWallMs: null, durationMs, status, error, headers: null, body, redirects: [] };
  return { name: resthookName(attempt), effectAtMs: atMs, step, answer };
}
