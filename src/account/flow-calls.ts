import type { Kernel, SimTime } from "../sim/index.js";
import type { RowTable } from "./registry.js";

/** The origin of an HTTP call: contact, run, flow and node. */
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

/** An HTTP call that a flow requests (docs/reference/flows.md#call_webhook). */
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

/** An HTTP call that the account asks its host to make. */
export interface FlowCallOrder extends Omit<NewFlowCall, "origin"> {
  /** Counts from 1. */
  readonly id: number;
  /** When the call is made. */
  readonly atMs: SimTime;
}

/** The result of a call. Exactly one of `status` and `error` is null. */
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
  /** URLs of the redirects that were followed, in order; absent: none. */
  readonly redirects?: readonly string[];
  /** Wall milliseconds from the start of the run until the call was sent; null or absent when it was not sent. */
  readonly sentWallMs?: number | null;
  /** Position of the run at which the answer takes effect, for the recording. */
  readonly step?: number;
}

/** The recorded row of an answered HTTP call. */
export interface FlowCallRow extends Omit<FlowCallOrder, "headers"> {
  readonly origin: FlowCallOrigin;
  readonly answer: FlowCallAnswer;
  /** When the answer took effect. */
  readonly effectAtMs: SimTime;
}

/** Where answered calls are recorded. The store implements it. */
export type FlowCallTable = RowTable<FlowCallRow>;

/** Ports through which calls leave the account. */
export interface FlowCallPorts {
  /** Makes the call; the caller passes the result to `FlowCalls.applyAnswer`. Absent: every call fails. */
  call?(order: FlowCallOrder): void;
}

/** Receives the answer at the kernel's `now`. */
export type FlowCallListener = (answer: FlowCallAnswer) => void;

/** A call that waits for its answer. */
interface WaitingCall {
  readonly call: Omit<FlowCallRow, "answer" | "effectAtMs">;
  readonly onAnswer: FlowCallListener;
}

/**
 * HTTP calls of flows. Only answered ones are recorded. Closing the account drops unanswered calls; their sessions
 * make them again after a restart.
 */
export class FlowCalls {
  readonly #kernel: Kernel;
  readonly #ports: FlowCallPorts;
  readonly #table: FlowCallTable;
  readonly #waiting = new Map<number, WaitingCall>();
  #answered = 0;
  #failed = 0;

  constructor(options: { kernel: Kernel; ports: FlowCallPorts; table: FlowCallTable }) {
    this.#kernel = options.kernel;
    this.#ports = options.ports;
    this.#table = options.table;
  }

  /** Answered calls; `failed`: those without an answer or with a status outside 200..299. */
  get counts(): { readonly answered: number; readonly failed: number } {
    return { answered: this.#answered, failed: this.#failed };
  }

  /** Calls without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Makes a call now.
   *
   * @param onAnswer - called once, after `make` has returned; not called when the run ends first
   * @returns id of the call
   */
  make({ origin, method, url, headers, body }: NewFlowCall, onAnswer: FlowCallListener): number {
    const id = this.#table.nextId();
    const atMs = this.#kernel.now;
    this.#waiting.set(id, { call: { id, atMs, origin, method, url, body }, onAnswer });
    if (this.#ports.call === undefined) this.#kernel.in(0, this.#answerUnsent, id);
    else this.#ports.call({ id, atMs, method, url, headers, body });
    return id;
  }

  /**
   * Records the result of a call that `FlowCallPorts.call` made, and passes it to the listener. A call is answered once:
   * another answer has no effect.
   */
  applyAnswer(id: number, answer: FlowCallAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#answered++;
    if (answer.status === null || answer.status < 200 || answer.status > 299) this.#failed++;
    this.#table.put({ ...waiting.call, answer, effectAtMs: this.#kernel.now });
    waiting.onAnswer(answer);
  }

  readonly #answerUnsent = (id: number): void => this.applyAnswer(id, noSender);
}

/** The answer to every call without the port `call`. */
const noSender: FlowCallAnswer = { durationMs: 0, status: null, error: "no-sender", headers: null, body: null };
