import { LabError } from "../base/index.js";
import {
  allowedHosts,
  DEFAULT_CONNECTIONS,
  HttpClient,
  type HttpClientOptions,
  type ThreadedHttpSender,
  ThreadedHttpClient,
} from "../http/index.js";
import type { Scenario } from "../scenario/index.js";

/** The run's options for its HTTP client. */
export interface SenderForOptions {
  /** The scenario's headers go to this address only, as they may hold a secret. */
  readonly url: string | null;
  /** See `allowedHosts`. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Absent: the scenario's, else `DEFAULT_CONNECTIONS`. */
  readonly connections?: number | undefined;
}

/**
 * The HTTP client for a scenario's events.
 *
 * @throws LabError `bad-options` for headers that cannot be sent, a `ca` that is no certificate, or zero connections
 */
export function senderFor(scenario: Scenario, options: SenderForOptions): HttpClient {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  try {
    return new HttpClient({ ...settingsOf(scenario, options), isAllowed });
  } catch (error) {
    throw badSettings(error);
  }
}

/**
 * The same in a worker thread, so that requests leave on time while this thread is busy.
 *
 * @param options - `keepsTime`: see `ThreadOptions`
 */
export async function threadedSenderFor(
  scenario: Scenario,
  options: SenderForOptions & { readonly keepsTime?: boolean },
): Promise<ThreadedHttpSender> {
  const { allowHosts = [], keepsTime } = options;
  try {
    return await ThreadedHttpClient.start(settingsOf(scenario, options), { allowHosts, keepsTime });
  } catch (error) {
    throw badSettings(error);
  }
}

/** The error of a sender thread that ended by itself. */
export function senderEndedError(cause: Error): LabError {
  return new LabError("sender-gone", "the thread that sends events has ended", {
    hint: "memory may have run out; the recording is readable, and handset run --resume RECORDING continues the run",
    cause,
  });
}

function settingsOf({ receiver, service }: Scenario, { url, connections }: SenderForOptions): HttpClientOptions {
  return {
    connections: connections ?? receiver?.connections ?? DEFAULT_CONNECTIONS,
    ...(url !== null && { headers: receiver?.headers ?? {}, headersFor: url }),
    redirects: service.redirects,
    ca: receiver?.ca,
  };
}

function badSettings(error: unknown): LabError {
  const why = error instanceof Error ? error.message : String(error);
  return new LabError("bad-options", `the receiver's settings do not work: ${why}`, { cause: error });
}
