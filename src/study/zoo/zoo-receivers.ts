import { Closers } from "../../base/index.js";
import { allowedHosts } from "../../http/index.js";
import { refuseUrl } from "../../lab/index.js";
import { startReceiver } from "../../receiver/index.js";
import { COMMAND_RECEIVER, startReceiverCommand } from "../../run/index.js";
import { requireReset, resetReceiver } from "../reset-receiver.js";

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
  if (reset !== undefined) requireReset(reset, url);
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
        if (reset !== undefined) await resetReceiver(reset, url, { isAllowed, signal });
      } catch (error) {
        await closers.close();
        throw error;
      }
      return { url, release: () => closers.close() };
    },
  };
}
