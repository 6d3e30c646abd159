import { Sender } from "../delivery/index.js";
import type { Scenario } from "../scenario/index.js";
import { LabError } from "./errors.js";

/**
 * What sends a scenario's events. Its headers go to `url` only, as they may hold a secret.
 *
 * @throws LabError `bad-options` for headers that cannot be sent, a `ca` that is no certificate, no connections at all
 */
export function senderFor(
  { receiver, service }: Scenario,
  options: {
    readonly url: string | null;
    readonly isAllowed: (url: string) => boolean;
    readonly connections?: number | undefined;
  },
): Sender {
  const { url, isAllowed, connections } = options;
  try {
    return new Sender({
      connections: connections ?? receiver?.connections ?? 50,
      ...(url !== null && { headers: receiver?.headers ?? {}, headersFor: url }),
      redirects: service.redirects,
      isAllowed,
      ...(receiver?.ca !== undefined && { ca: receiver.ca }),
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LabError("bad-options", `the receiver's settings do not work: ${why}`, { cause: error });
  }
}
