import type { BugAnswer, BugFile, BugJob, MinimisedBug, PlayedBug } from "../../console/index.js";
import { LabError } from "../../base/index.js";
import { answerText, type ExactAnswer, playExactAt, verdictText } from "../../exact/index.js";
import type { ExactInput } from "../../scenario/index.js";
import type { ControlParts } from "../control-parts.js";
import { refusal } from "../refusal.js";
import { ChainBugs } from "./chain-bugs.js";
import type { MinimiserStep } from "./minimiser.js";
import { readBug } from "./read-bug.js";
import { readReset } from "./read-reset.js";

/** Wall milliseconds that a search which is stopped has to write its result. */
const STOP_MS = 3000;

/**
 * Works with bug files at the lab's receiver: plays one, or minimises a chain's failure. One piece of work runs at a
 * time, beside the lab, whose account and clock it does not touch.
 */
export class BugDesk {
  readonly chains: ChainBugs;
  readonly #parts: ControlParts;
  #job: BugJob = { id: 0, is_running: false, problem: null, play: null, minimise: null };
  #stop: () => void = () => undefined;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    this.chains = new ChainBugs(parts);
  }

  /** What runs, or what ran last. */
  get work(): BugJob {
    return this.#job;
  }

  /** @throws ControlRefusal */
  read(text: string, name: string): BugFile {
    return readBug(text, name, this.#place()).file;
  }

  /**
   * Begins to play a bug file of exact requests at the lab's receiver.
   *
   * @param written - the request that resets the receiver first; empty: none
   * @throws ControlRefusal
   */
  play(text: string, name: string, written: string): BugJob {
    const { file, input } = readBug(text, name, this.#place());
    const { receiver, not_here: why } = file;
    if (input === undefined || receiver === null) throw refusal("detail", why ?? "It cannot be played here.", 409);
    const reset = readReset(written, receiver, this.#parts);
    const id = this.#begin({ play: { ...startOfPlay, requests: input.requests.length } });
    const controller = new AbortController();
    this.#stop = () => controller.abort();
    void this.#playAt(input, { url: receiver, reset, signal: controller.signal, id });
    return this.#job;
  }

  /**
   * Begins to minimise what is wrong with a chain.
   *
   * @param written - the request that resets the receiver before each play; empty: none
   * @throws ControlRefusal
   */
  async minimise(id: string, wrong: string, written: string): Promise<BugJob> {
    this.#requireIdle();
    const { input, command } = await this.chains.searchOf(id, wrong);
    const { minimiser } = this.#parts;
    if (minimiser === undefined) throw refusal("detail", "This server was started without it.", 409);
    const reset = readReset(written, input.receiver, this.#parts);
    const before = input.requests.length;
    const minimise: MinimisedBug = {
      condition: input.condition,
      phase: "first play",
      trials: 0,
      events: before,
      before,
      ending: null,
      words: [],
      yaml: null,
      command,
    };
    const job = this.#begin({ minimise });
    const change = (part: Partial<MinimisedBug>): void => {
      const now = this.#job.minimise;
      if (this.#job.id === job && now !== null) this.#job = { ...this.#job, minimise: { ...now, ...part } };
    };
    const run = minimiser.start({ ...input, reset }, (step: MinimiserStep) => change(step));
    this.#stop = () => {
      run.stop();
      const timer = setTimeout(() => run.close(), STOP_MS);
      void run.result.catch(() => undefined).finally(() => clearTimeout(timer));
    };
    run.result
      .then(({ yaml = null, ...result }) => change({ ...result, yaml }))
      .then(
        () => this.#end(job, null),
        (error: unknown) => this.#end(job, messageOf(error)),
      );
    return this.#job;
  }

  /** Stops what runs: a play at once, a search soon, with the smallest failing input so far. */
  stop(): BugJob {
    const { id, is_running: isRunning, play } = this.#job;
    this.#stop();
    if (isRunning && play !== null) this.#end(id, "Stopped.");
    return this.#job;
  }

  #place(): { readonly receiver: string | null; readonly notHere: string | null } {
    const receiver = this.#parts.receiver();
    const notHere =
      this.#parts.served === undefined
        ? "A run's receiver is judged by the run, so nothing else is sent to it. In a terminal: handset run FILE -r URL"
        : receiver === null
          ? "This lab has no receiver. In a terminal: handset run FILE -r URL"
          : null;
    return { receiver: notHere === null ? receiver : null, notHere };
  }

  async #playAt(
    input: ExactInput,
    {
      url,
      reset,
      signal,
      id,
    }: {
      readonly url: string;
      readonly reset: string | undefined;
      readonly signal: AbortSignal;
      readonly id: number;
    },
  ): Promise<void> {
    const change = (part: Partial<PlayedBug>): void => {
      const now = this.#job.play;
      if (this.#job.id === id && now !== null) this.#job = { ...this.#job, play: { ...now, ...part } };
    };
    const answers: BugAnswer[] = [];
    const { minimiser, isAllowed } = this.#parts;
    try {
      if (reset !== undefined) await minimiser?.reset(reset, url, isAllowed);
      const outcome = await playExactAt(input, {
        url,
        signal,
        isAllowed,
        onAnswer(answer) {
          answers.push(answerOf(answer));
          change({ answers: [...answers] });
        },
      });
      const { exitCode, expectations } = outcome;
      change({
        expectations: expectations.map(({ text, held, seen }) => ({ text, held, seen })),
        verdict: exitCode === 3 ? "not-judged" : exitCode === 1 ? "there" : "not-there",
        words: verdictText(input, outcome).replace(/^[✔✘] /u, ""),
      });
      this.#end(id, null);
    } catch (error) {
      this.#end(id, messageOf(error));
    }
  }

  #requireIdle(): void {
    if (this.#job.is_running) throw refusal("detail", "Another bug is played or minimised here: stop it first.", 409);
  }

  #begin(work: Partial<Pick<BugJob, "play" | "minimise">>): number {
    this.#requireIdle();
    const id = this.#job.id + 1;
    this.#job = { id, is_running: true, problem: null, play: null, minimise: null, ...work };
    return id;
  }

  #end(id: number, problem: string | null): void {
    if (this.#job.id !== id || !this.#job.is_running) return;
    this.#job = { ...this.#job, is_running: false, problem };
    this.#stop = () => undefined;
  }
}

const startOfPlay: PlayedBug = { requests: 0, answers: [], expectations: [], verdict: null, words: "" };

function answerOf(answer: ExactAnswer): BugAnswer {
  const { request, status, tookMs, reply } = answer;
  return { request, status, text: answerText(answer), ms: Math.round(tookMs * 10) / 10, reply: reply?.text ?? null };
}

/** Why work ended without a result, as a sentence. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = error instanceof LabError && error.hint !== undefined ? `${message}: ${error.hint}` : message;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
