import { allowedHosts } from "../../http/index.js";
import { startReceiver } from "../../receiver/index.js";
import { openReceivers, type ReceiverOptions, type Receivers } from "../receivers.js";

/** The receivers of the scenarios. */
export interface ZooReceivers extends Receivers {
  /** The bundled receiver needs no proof that it accepts events. */
  readonly isBundled: boolean;
}

/** How receivers of the user's own are had. */
export interface OwnReceiverOptions extends Omit<ReceiverOptions, "width" | "isAllowed"> {
  readonly allowHosts?: readonly string[] | undefined;
}

/** Scenarios that play at the same time, where the command can start several receivers. */
const WIDTH = 2;

/** Bundled receivers with the right application, or with some of its built-in bugs: a new one for each scenario. */
export function bundledReceivers(bugs: readonly string[] = []): ZooReceivers {
  return {
    name: "the bundled receiver",
    isBundled: true,
    isFresh: true,
    width: 1,
    async take() {
      const receiver = await startReceiver({ logbook: { bugs } });
      return { url: receiver.url, ending: () => Promise.resolve(undefined), release: () => receiver.close() };
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Receivers of the user's own.
 *
 * @throws LabError `bad-options`, `host-not-allowed`, `no-receiver`
 */
export async function ownReceivers({ allowHosts = [], ...options }: OwnReceiverOptions): Promise<ZooReceivers> {
  const receivers = await openReceivers({ ...options, width: WIDTH, isAllowed: allowedHosts(allowHosts) });
  return {
    name: receivers.name,
    isBundled: false,
    isFresh: receivers.isFresh,
    width: receivers.width,
    take: () => receivers.take(),
    close: () => receivers.close(),
  };
}
