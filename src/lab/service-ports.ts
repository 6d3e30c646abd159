import type { Account, AccountPorts, FlowCallAnswer } from "../account/index.js";
import type { ServiceAnswer, ServiceRequest, ServiceRequests } from "../delivery/index.js";
import type { CallMocks } from "./call-mocks.js";
import type { RunPosition } from "./resume/run-position.js";
import type { Pipeline } from "./pipeline.js";
import { flowCallName, resthookName } from "./resume/recorded-answers.js";
import type { Pace } from "./time/pace.js";

/** Wall milliseconds in which a flow's call must be answered (docs/reference/flows.md#call_webhook). */
const FLOW_CALL_TIMEOUT_MS = 10_000;

/** Redirects of a flow's call that are followed (docs/reference/flows.md#call_webhook: ten requests). */
const FLOW_CALL_REDIRECTS_MAX = 9;

/** The parts that connect an account with its HTTP requests. */
export interface ServicePortsOptions {
  readonly pace: Pace;
  readonly position: RunPosition;
  /** Source of the wall time of requests. */
  readonly pipeline: Pick<Pipeline<never>, "recordedWallMs">;
  /** Answers calls of flows instead of the network. */
  readonly mocks: CallMocks;
  /** Wall milliseconds in which a subscriber of a resthook must answer. */
  readonly resthookTimeoutMs: number;
  /** Functions, because the account and the requests are made after their ports. */
  readonly account: () => Account;
  readonly requests: () => ServiceRequests;
}

/** An answer with the position at which it takes effect. */
interface PlacedAnswer extends ServiceAnswer {
  readonly step: number;
}

/** The ports by which the account makes HTTP requests: resthooks and calls of flows. */
export function servicePorts(options: ServicePortsOptions): Required<Pick<AccountPorts, "resthook" | "call">> {
  const { pace, position, pipeline, mocks, account } = options;
  const post = (request: ServiceRequest, onAnswer: (answer: PlacedAnswer) => void): void =>
    options.requests().postRequest(request, ({ sentWallMs, ...answer }) => {
      const step = position.value;
      // In lockstep a kernel timer applies the effect, which `position` counts as a step.
      if (pace.kind !== "lockstep") position.countOutsideEffect();
      const sentAt = sentWallMs === null ? null : sentWallMs + pipeline.recordedWallMs;
      onAnswer({ ...answer, sentWallMs: sentAt, step });
    });
  return {
    resthook(delivery) {
      const { atMs, url, data } = delivery;
      const request = {
        name: resthookName(delivery),
        atMs,
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(data),
        timeoutMs: options.resthookTimeoutMs,
      };
      post(request, (answer) => account().resthooks.applyAnswer(delivery, answer));
    },
    call(call) {
      const { id, ...order } = call;
      const applyMocked = (answer: FlowCallAnswer): void =>
        account().flowCalls.applyAnswer(id, { ...answer, step: position.value });
      if (mocks.answerCall(call, applyMocked)) return;
      const limits = { timeoutMs: FLOW_CALL_TIMEOUT_MS, maxRedirects: FLOW_CALL_REDIRECTS_MAX };
      const request = { ...order, ...limits, name: flowCallName(id) };
      post(request, (answer) => account().flowCalls.applyAnswer(id, answer));
    },
  };
}
