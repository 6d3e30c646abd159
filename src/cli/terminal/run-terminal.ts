import type { OperationProgress } from "../../base/index.js";
import type { RunStart } from "../../run/index.js";
import type { Io } from "./io.js";
import { LiveProgress } from "./progress.js";
import { RunKeys } from "./run-keys.js";

/** What the terminal shows of a run at its start. A replay has no hands and no API. */
export interface ShownStart {
  /** Name of the scenario, or path of the replayed recording. */
  readonly name: string;
  readonly start: RunStart;
  /** The receivers, from `deliveryTargets`; absent: all events go to one. */
  readonly targets?: readonly string[];
  /** The console is offered: its link is printed even with --quiet. */
  readonly hasConsole?: boolean;
}

/** The terminal while a run plays: progress, keys, and Ctrl-C, which stops the run and, pressed again, the process. */
export class RunTerminal {
  readonly #io: Io;
  readonly #progress: LiveProgress | undefined;
  readonly #isPart: boolean;
  readonly #controller = new AbortController();
  readonly #stopListening: () => void;
  #stopKeys: (() => void) | undefined;

  private constructor(io: Io, progress: LiveProgress | undefined, isPart: boolean) {
    this.#isPart = isPart;
    this.#io = io;
    this.#progress = progress;
    this.#stopListening = io.onInterrupt(() => this.#interrupt());
  }

  /** @param options - `isPart`: of a fleet, which Ctrl-C leaves for a resume */
  static async open(
    io: Io,
    { isQuiet, isPart = false }: { readonly isQuiet: boolean; readonly isPart?: boolean },
  ): Promise<RunTerminal> {
    return new RunTerminal(io, isQuiet ? undefined : await LiveProgress.on(io.stderr), isPart);
  }

  /** Aborts at the first Ctrl-C or the key `q`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Shows the addresses that a run offers, and from now on its progress. */
  showStart({ name, start, targets, hasConsole = false }: ShownStart): void {
    const { stderr } = this.#io;
    const { api, metrics } = start;
    if (hasConsole && api !== undefined) stderr.write(`Console at ${api.url}/console/#token=${api.labToken}\n`);
    if (this.#progress === undefined) return;
    if (api !== undefined) {
      stderr.write(`REST API at ${api.url}/api/v2/, token ${api.token}\n`);
      stderr.write(`Control API at ${api.url}/lab/, token ${api.labToken} (handset do finds it)\n`);
    }
    this.#listenToKeys(start, this.#progress);
    const hasKeys = this.#stopKeys !== undefined;
    this.#progress.start(name, start, { hasKeys, targets });
    if (metrics !== undefined) stderr.write(`Metrics at ${metrics}\n`);
  }

  /** Shows what precedes the run or follows it, such as indexing the recording. */
  readonly onProgress = (progress: OperationProgress): void => this.#progress?.showOperation(progress);

  /** Shows whom a part of a fleet waits for; an empty text: it waits no longer. */
  readonly onWait = (text: string): void => {
    if (text === "") this.#progress?.say();
    else this.#progress?.say(text);
  };

  /** Removes the live lines and ends the keys; may be called twice. */
  endProgress(): void {
    this.#stopKeys?.();
    this.#progress?.end();
  }

  /** Ends everything; may be called twice. */
  close(): void {
    this.endProgress();
    this.#stopListening();
  }

  #interrupt(): void {
    if (this.signal.aborted) {
      this.#stopKeys?.();
      this.#io.stderr.write("\nhandset: ended at once; the recording holds what was answered so far\n");
      this.#io.exit(130);
    }
    this.#stopRun();
  }

  #stopRun(): void {
    this.#controller.abort();
    this.#progress?.say(
      this.#isPart
        ? "stopping: the part can be resumed"
        : "stopping: waiting for the attempts in flight (Ctrl-C again to end at once)",
    );
  }

  #listenToKeys(start: RunStart, progress: LiveProgress): void {
    const { hands } = start;
    if (hands === undefined || !this.#io.stderr.isTTY) return;
    const keys = new RunKeys({ ...start, hands }, () => this.#stopRun());
    this.#stopKeys = this.#io.onKey?.((key) => {
      const lines = keys.press(key);
      if (lines !== undefined) progress.say(...lines);
    });
  }
}
