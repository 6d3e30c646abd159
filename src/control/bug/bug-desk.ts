import type { BugAnswer, BugFile, BugJob, MinimisedBug, PlayedBug } from "../../console/index.js";
import { LabError } from "../../base/index.js";
import { answerText, type ExactAnswer, playExactAt, verdictText } from "../../exact/index.js";
import type { ExactInput } from "../../scenario/index.js";
import type { ControlParts } from "../control-parts.js";
import { refusal } from "../refusal.js";
import { ChainBugs } from "./chain-bugs.js";
import type { MinimiserStep } from "./minimiser.js";
import { readBug } from "./read-bug.js";

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

  /** Begins to play a bug file of exact requests at the lab's receiver. @throws ControlRefusal */
  play(text: string, name: string): BugJob {
    const { file, input } = readBug(text, name, this.#place());
    const { receiver, not_here: why } = file;
    if (input === undefined || receiver === null) throw refusal("detail", why ?? "It cannot be played here.", 409);
    const id = this.#begin({ play: { ...startOfPlay, requests: input.requests.length } });
    const controller = new AbortController();
    this.#stop = () => controller.abort();
    void this.#playAt(input, { url: receiver, signal: controller.signal, id });
    return this.#job;
  }

  /** Begins to minimise what is wrong with a chain. @throws ControlRefusal */
  async minimise(id: string, wrong: string): Promise<BugJob> {
    this.#requireIdle();
    const { input, command } = await this.chains.inputOf(id, wrong);
    const { minimiser } = this.#parts;
    if (minimiser === undefined) throw refusal("detail", "This server was started without it.", 409);
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
    const run = minimiser(input, (step: MinimiserStep) => change(step));
    this.#stop = () => run.close();
    run.result
      .then(({ yaml = null, ...result }) => change({ ...result, yaml }))
      .then(
        () => this.#end(job, null),
        (error: unknown) => this.#end(job, messageOf(error)),
      );
    return this.#job;
  }

  /** Stops what runs. */
  stop(): BugJob {
    this.#stop();
    if (this.#job.is_running) this.#end(this.#job.id, "Stopped.");
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
    { url, signal, id }: { readonly url: string; readonly signal: AbortSignal; readonly id: number },
  ): Promise<void> {
    const change = (part: Partial<PlayedBug>): void => {
      const now = this.#job.play;
      if (this.#job.id === id && now !== null) this.#job = { ...this.#job, play: { ...now, ...part } };
    };
    const answers: BugAnswer[] = [];
    try {
      const outcome = await playExactAt(input, {
        url,
        signal,
        isAllowed: this.#parts.isAllowed,
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

function messageOf(error: unknown): string {
  if (error instanceof LabError && error.hint !== undefined) return `${error.message}: ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
