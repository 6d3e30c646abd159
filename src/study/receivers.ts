import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { addressOf } from "../http/index.js";
import { isListening, refuseUrl } from "../lab/index.js";
import { lastLine, requireReset, resetReceiver } from "./reset-receiver.js";
import { COMMAND_RECEIVER, freePort, type RunningCommand, startCommand } from "../run/index.js";

/** A receiver for one trial. */
export interface TrialReceiver {
  readonly url: string;
  /** How a receiver that was started has ended by itself; undefined: it has not, or it was not started here. */
  ending(): Promise<LabError | undefined>;
  /** Ends it, or gives it to the next trial. */
  release(): Promise<void>;
}

/** The receivers of trials: of the search for a small failing input, and of the scenarios of the zoo. */
export interface Receivers {
  /** For messages and commands: the URL as it was given, with `{port}` in it. */
  readonly name: string;
  /** Trials that may play at the same time. */
  readonly width: number;
  /** Whether each trial gets a receiver without the state of the ones before, as far as the options say. */
  readonly isFresh: boolean;
  /** @throws LabError `no-receiver`, `command-failed` */
  take(): Promise<TrialReceiver>;
  close(): Promise<void>;
}

/** How receivers are had. */
export interface ReceiverOptions {
  /** May hold `{port}`. */
  readonly receiver?: string | undefined;
  /** May hold `{port}`. */
  readonly command?: readonly string[] | undefined;
  /** `POST URL`, or a shell command: before each trial. */
  readonly reset?: string | undefined;
  /** Trials at the same time where the receiver can be started several times. */
  readonly width: number;
  /** Only one runs at a time, also where each could have a port of its own: they would share a file. */
  readonly isAlone?: boolean | undefined;
  readonly waitMs?: number | undefined;
  readonly isAllowed: (url: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Wall milliseconds until a receiver that runs is said to be away: a connection takes long on a busy machine. */
const CONNECT_WAIT_MS = 2000;

/** Wall milliseconds that a started receiver has until it listens, and between two looks whether it does. */
const START_WAIT_MS = 30_000;
const LOOK_MS = 5;

/** Wall milliseconds between SIGTERM and SIGKILL of a receiver whose trial is over. */
const STOP_PATIENCE_MS = 500;

/** Opens the receivers. @throws LabError `bad-options`, `host-not-allowed`, `no-receiver` */
export async function openReceivers(options: ReceiverOptions): Promise<Receivers> {
  const { command = [], receiver, isAllowed } = options;
  const hasPort = [receiver ?? "", ...command].some((word) => word.includes("{port}"));
  if (hasPort && command.length === 0) {
    throw new LabError("bad-options", `${receiver}: {port} stands for the port of a receiver that is started`, {
      hint: "add -- COMMAND that starts your receiver, or write the port",
    });
  }
  const url = receiver ?? (hasPort ? "http://127.0.0.1:{port}/" : COMMAND_RECEIVER);
  const plain = url.replaceAll("{port}", "8080");
  if (!URL.canParse(plain) || !isAllowed(plain)) refuseUrl(plain);
  if (options.reset !== undefined) requireReset(options.reset, plain);
  if (command.length > 0) return new StartedReceivers({ ...options, command, url, isMany: url.includes("{port}") });
  const running = new RunningReceiver(url, options);
  await running.requireListening();
  return running;
}

/** A receiver that runs already, reset before each trial if the options say how. */
class RunningReceiver implements Receivers {
  readonly width = 1;
  readonly isFresh: boolean;
  readonly name: string;
  readonly #url: string;
  readonly #options: ReceiverOptions;

  constructor(url: string, options: ReceiverOptions) {
    this.#url = url;
    this.name = url;
    this.#options = options;
    this.isFresh = options.reset !== undefined;
  }

  async requireListening(): Promise<void> {
    await waitUntilListening(this.#url, this.#options.waitMs ?? CONNECT_WAIT_MS, this.#options.signal);
  }

  async take(): Promise<TrialReceiver> {
    if (this.#options.reset !== undefined) await resetReceiver(this.#options.reset, this.#url, this.#options);
    return { url: this.#url, ending: () => Promise.resolve(undefined), release: () => Promise.resolve() };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Receivers that are started for one trial each; the next ones start while a trial plays. */
class StartedReceivers implements Receivers {
  readonly width: number;
  readonly isFresh = true;
  readonly name: string;
  readonly #options: ReceiverOptions & {
    readonly command: readonly string[];
    readonly url: string;
    readonly isMany: boolean;
  };
  readonly #spares: Promise<StartedReceiver>[] = [];
  readonly #running = new Set<StartedReceiver>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(
    options: ReceiverOptions & { readonly command: readonly string[]; readonly url: string; readonly isMany: boolean },
  ) {
    this.#options = options;
    this.name = options.url;
    this.width = this.#isMany ? options.width : 1;
  }

  /** Whether several run at the same time. */
  get #isMany(): boolean {
    return this.#options.isMany && this.#options.isAlone !== true;
  }

  async take(): Promise<TrialReceiver> {
    // At a fixed port, or with a file of all, the one before must have ended.
    if (!this.#isMany) await Promise.all(this.#stopping);
    // A spare may have ended by itself, such as at a file that another one was writing.
    const spare = await this.#spares.shift()?.catch(() => undefined);
    const started = spare !== undefined && spare.command.exit === undefined ? spare : await this.#start();
    if (this.#isMany) {
      while (!this.#isClosed && this.#spares.length < this.width) {
        const spare = this.#start();
        // An error is thrown where the spare is taken.
        spare.catch(() => undefined);
        this.#spares.push(spare);
      }
    }
    if (started.command.exit !== undefined) throw await endedByItself(started);
    const { reset: how } = this.#options;
    if (how !== undefined) await resetReceiver(how, started.url, this.#options);
    return {
      url: started.url,
      ending: () =>
        started.command.exit === undefined ? Promise.resolve(undefined) : endedByItself(started, "while it was used"),
      release: () => this.#stop(started),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#spares);
    for (const started of this.#running) void this.#stop(started);
    await Promise.all(this.#stopping);
  }

  async #start(): Promise<StartedReceiver> {
    const { command, url: template, isMany, waitMs = START_WAIT_MS, signal } = this.#options;
    const port = isMany ? await freePort() : addressOf(new URL(template)).port;
    const url = template.replaceAll("{port}", String(port));
    const [program = "", ...words] = command.map((word) => word.replaceAll("{port}", String(port)));
    const environment = { HANDSET_RECEIVER: url, PORT: String(port) };
    if (!isMany && (await isListening(url))) {
      throw new LabError("port-taken", `something listens at ${url} already`, {
        hint: "stop it, or let each trial have a port of its own: -r http://127.0.0.1:{port}/ and {port} in the command",
      });
    }
    const running = await startCommand([program, ...words], environment, {
      isSilent: true,
      stopPatienceMs: STOP_PATIENCE_MS,
    });
    const started = { url, command: running };
    this.#running.add(started);
    if (this.#isClosed) void this.#stop(started);
    const signals = [running.hasEnded, signal].filter((one) => one !== undefined);
    await waitUntilListening(url, waitMs, AbortSignal.any(signals), running.words);
    if (running.exit !== undefined) throw await endedByItself(started);
    return started;
  }

  #stop(started: StartedReceiver): Promise<void> {
    if (!this.#running.delete(started)) return Promise.resolve();
    const stopping = started.command.stop().finally(() => this.#stopping.delete(stopping));
    this.#stopping.add(stopping);
    // The next trial has another port, so it need not wait.
    return this.#isMany ? Promise.resolve() : stopping;
  }
}

interface StartedReceiver {
  readonly url: string;
  readonly command: RunningCommand;
}

async function endedByItself({ command }: StartedReceiver, when = "before it listened"): Promise<LabError> {
  const { stderr, stdout } = await command.output();
  const told = lastLine(stderr) || lastLine(stdout);
  return new LabError("command-failed", `'${command.words}' ended ${when}${told === "" ? "" : `: ${told}`}`, {
    hint: "it must listen at the port in PORT, or at {port} among its words; if all use one file, leave out {port}, so that one runs at a time",
  });
}

async function waitUntilListening(url: string, waitMs: number, signal?: AbortSignal, words?: string): Promise<void> {
  const endsAtMs = performance.now() + waitMs;
  while (!(await isListening(url))) {
    if (signal?.aborted === true) return;
    if (performance.now() >= endsAtMs) {
      const { host, port } = addressOf(new URL(url));
      const hint =
        words === undefined
          ? "start the receiver first, wait longer with --wait, or start it for each trial with -- COMMAND"
          : `'${words}' must listen there: PORT has the port, {port} stands for it among its words`;
      throw new LabError("no-receiver", `nothing listens at ${host}:${port} after ${waitMs / 1000} s`, { hint });
    }
    await sleep(LOOK_MS);
  }
}
