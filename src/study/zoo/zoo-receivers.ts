import { Closers, LabError } from "../../base/index.js";
import { allowedHosts } from "../../http/index.js";
import { askCheck, refuseUrl } from "../../lab/index.js";
import { startReceiver } from "../../receiver/index.js";
import { COMMAND_RECEIVER, startReceiverCommand } from "../../run/index.js";

/** A receiver for one scenario. */
export interface ZooReceiver {
  readonly url: string;
  /** Ends it, or gives it to the next scenario. */
  release(): Promise<void>;
}

/** The receivers of the scenarios. */
export interface ZooReceivers {
  /** Name for messages: a URL, or `the bundled receiver`. */
  readonly name: string;
  /** The bundled receiver needs no proof that it accepts events. */
  readonly isBundled: boolean;
  /** Each scenario gets a receiver that remembers nothing. */
  readonly isFresh: boolean;
  /** @throws LabError `no-receiver`, `command-failed` */
  take(): Promise<ZooReceiver>;
}

/** How a receiver of the user's own is reached. */
export interface OwnReceiverOptions {
  /** URL; default with a command: that of `handset run`. */
  readonly receiver?: string | undefined;
  /** Starts the receiver, again for each scenario; it has its port in `PORT`. Empty: it runs already. */
  readonly command?: readonly string[] | undefined;
  /** Before each scenario: `POST URL`, `POST /path` at the receiver, or a shell command. */
  readonly reset?: string | undefined;
  /** How long to wait until the receiver listens: wall milliseconds. */
  readonly waitMs?: number | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Wall milliseconds that a reset may take. */
const RESET_MS = 30_000;

/** Bundled receivers with the right application, or with some of its built-in bugs: a new one for each scenario. */
export function bundledReceivers(bugs: readonly string[] = []): ZooReceivers {
  return {
    name: "the bundled receiver",
    isBundled: true,
    isFresh: true,
    async take() {
      const receiver = await startReceiver({ logbook: { bugs } });
      return { url: receiver.url, release: () => receiver.close() };
    },
  };
}

/** @throws LabError `bad-options`, `host-not-allowed` */
export function ownReceivers(options: OwnReceiverOptions): ZooReceivers {
  const { command = [], reset, waitMs, allowHosts = [], signal } = options;
  const url = options.receiver ?? COMMAND_RECEIVER;
  const isAllowed = allowedHosts(allowHosts);
  if (!URL.canParse(url) || !isAllowed(url)) refuseUrl(url);
  const resetOnce = async (): Promise<void> => {
    if (reset === undefined) return;
    const [, method, target] = /^(GET|POST|PUT|DELETE) (https?:\/\/\S+|\/\S*)$/.exec(reset) ?? [];
    const ask =
      method === undefined || target === undefined
        ? ({ kind: "command", command: reset } as const)
        : ({ kind: "http", method, url: target } as const);
    const answer = await askCheck({ ask, withinMs: RESET_MS }, { receiver: url, recording: null, isAllowed, signal });
    const problem = problemOf(answer);
    if (problem !== undefined) throw new LabError("command-failed", `--reset '${reset}': ${problem}`);
  };
  return {
    name: url,
    isBundled: false,
    isFresh: command.length > 0 || reset !== undefined,
    async take() {
      const closers = new Closers();
      try {
        await startReceiverCommand(
          url,
          { command, ...(waitMs !== undefined && { waitMs }), ...(signal && { signal }) },
          closers,
        );
        await resetOnce();
      } catch (error) {
        await closers.close();
        throw error;
      }
      return { url, release: () => closers.close() };
    },
  };
}

function problemOf(answer: Awaited<ReturnType<typeof askCheck>>): string | undefined {
  switch (answer.kind) {
    case "none":
      return answer.why;
    case "http":
      return answer.status >= 200 && answer.status < 300 ? undefined : `the answer has status ${answer.status}`;
    case "command":
      return answer.exitCode === 0
        ? undefined
        : `exit code ${answer.exitCode ?? answer.signal}: ${answer.stderr.trim()}`;
  }
}
