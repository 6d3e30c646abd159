import type { Kernel, SimTime } from "../sim/index.js";

/** Which run of which contact makes an HTTP call, and at which node. */
export interface FlowCallOrigin {
  /** Row of the contact. */
  readonly contact: number;
  /** UUID of the run. */
  readonly run: string;
  /** Id of the flow. */
  readonly flow: number;
  /** UUID of the node. */
  readonly node: string;
}

/** An HTTP call that a flow wants (docs/reference/flows.md#call_webhook). */
export interface NewFlowCall {
  readonly origin: FlowCallOrigin;
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  /** Headers of this call only; the sender adds its own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with every method except GET and HEAD; empty: none. */
  readonly body: string;
}

/** One HTTP call, as the account orders it from its host. */
export interface FlowCallOrder extends Omit<NewFlowCall, "origin"> {
  /** Counts from 1. */
  readonly id: number;
  /** When the call is made. */
  readonly atMs: SimTime;
}

/** How a call ended. Exactly one of `status` and `error` is null. */
export interface FlowCallAnswer {
  /** Wall milliseconds. */
  readonly durationMs: number;
  readonly status: number | null;
  /** Why there is no complete answer: a code of the HTTP client, or a sentence about a host that is not allowed. */
  readonly error: string | null;
  /** `name: value` lines of the answer. */
  readonly headers: string | null;
  /** The first 64 KiB of the answer's body. */
  readonly body: Uint8Array | null;
}

/** How calls leave the account. */
export interface FlowCallPorts {
  /** Makes the call; the caller passes the result to `FlowCalls.applyAnswer`. Absent: every call fails. */
  call?(order: FlowCallOrder): void;
}

/** Gets the answer at the kernel's `now`. */
export type FlowCallListener = (answer: FlowCallAnswer) => void;

/**
 * HTTP calls of flows that have no answer yet. An account that is closed forgets them: the sessions that made them make
 * them again.
 */
export class FlowCalls {
  readonly #kernel: Kernel;
  readonly #ports: FlowCallPorts;
  readonly #waiting = new Map<number, FlowCallListener>();
  #lastId = 0;

  constructor(options: { kernel: Kernel; ports: FlowCallPorts }) {
    this.#kernel = options.kernel;
    this.#ports = options.ports;
  }

  /** Calls without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Makes a call now.
   *
   * @param onAnswer - called once, never before `make` has returned; never, when the run ends before
   * @returns id of the call
   */
  make({ method, url, headers, body }: NewFlowCall, onAnswer: FlowCallListener): number {
    const id = ++this.#lastId;
    this.#waiting.set(id, onAnswer);
    if (this.#ports.call === undefined) this.#kernel.in(0, this.#answerUnsent, id);
    else this.#ports.call({ id, atMs: this.#kernel.now, method, url, headers, body });
    return id;
  }

  /** Passes the result of a call that `FlowCallPorts.call` made to the listener. A call is answered once. */
  applyAnswer(id: number, answer: FlowCallAnswer): void {
    const listener = this.#waiting.get(id);
    this.#waiting.delete(id);
    listener?.(answer);
  }

  readonly #answerUnsent = (id: number): void => this.applyAnswer(id, noSender);
}

/** The answer to every call without the port `call`. */
const noSender: FlowCallAnswer = { durationMs: 0, status: null, error: "no-sender", headers: null, body: null };
