import type { FlowCallAnswer, FlowCallOrder } from "../account/index.js";
import { patternMatcher } from "../expect/index.js";
import type { CallMock } from "../scenario/index.js";
import type { Kernel } from "../sim/index.js";

/** The error of a call that a mock leaves without an answer. */
const NO_CONNECTION = "mocked: no connection";

/** Bytes that are kept of a body, as in the HTTP client. */
const KEPT_BODY_BYTES = 64 * 1024;

/** An entry of `mocks` during a run. */
interface MockInUse {
  readonly mock: CallMock;
  readonly matchesUrl: (url: string) => boolean;
  readonly headers: string;
  readonly body: Uint8Array;
  /** How many more calls it answers. */
  left: number;
}

/** A mocked call that waits for its answer. */
interface MockedCall {
  readonly answer: FlowCallAnswer;
  readonly onAnswer: (answer: FlowCallAnswer) => void;
}

/** Order of answers among the timers of one instant: the same as for answers from the network. */
const EFFECT_ORDER = 0xffff_ffff;

/**
 * Scripted answers to HTTP calls of flows. A kernel timer applies each answer at every pace, so a run, its re-execution
 * and its replay pass the same instants.
 */
export class CallMocks {
  readonly #kernel: Kernel;
  readonly #mocks: readonly MockInUse[];
  #waiting = 0;

  constructor(kernel: Kernel, mocks: readonly CallMock[]) {
    this.#kernel = kernel;
    this.#mocks = mocks.map((mock) => ({
      mock,
      matchesUrl: patternMatcher(mock.url, "contained"),
      headers: Object.entries(mock.headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n"),
      body: Buffer.from(mock.body).subarray(0, KEPT_BODY_BYTES),
      left: mock.times ?? Infinity,
    }));
  }

  /** Whether a mocked call waits for its answer. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Answers a call by the first mock that matches it and is not used up.
   *
   * @param onAnswer - called once, at the virtual time of the answer
   * @returns false when no mock answers it
   */
  answerCall(call: FlowCallOrder, onAnswer: (answer: FlowCallAnswer) => void): boolean {
    const used = this.#mocks.find(
      ({ mock: { method = call.method }, matchesUrl, left }) =>
        left > 0 && method === call.method && matchesUrl(call.url),
    );
    if (used === undefined) return false;
    used.left--;
    this.#waiting++;
    const answer = answerOf(used, call.method);
    this.#kernel.in(used.mock.afterMs, this.#applyAnswer, { answer, onAnswer }, EFFECT_ORDER);
    return true;
  }

  readonly #applyAnswer = ({ answer, onAnswer }: MockedCall): void => {
    this.#waiting--;
    onAnswer(answer);
  };
}

/** Whether a mock answered a call: it has a status and was not sent, or the error of a mock. */
export function isMocked({
  sentWallMs,
  status,
  error,
}: Pick<FlowCallAnswer, "sentWallMs" | "status" | "error">): boolean {
  return error === NO_CONNECTION || (status !== null && (sentWallMs ?? null) === null);
}

function answerOf({ mock: { status }, headers, body }: MockInUse, method: string): FlowCallAnswer {
  const unsent = { sentWallMs: null, durationMs: 0 };
  if (status === 0) return { ...unsent, status: null, error: NO_CONNECTION, headers: null, body: null };
  return { ...unsent, status, error: null, headers, body: method === "HEAD" ? new Uint8Array() : body };
}
