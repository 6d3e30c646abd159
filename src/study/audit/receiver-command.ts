import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../../base/index.js";
import { addressOf } from "../../http/index.js";
import { isListening } from "../../lab/index.js";
import { type RunningCommand, startCommand } from "../../run/index.js";
import { lastLine } from "../reset-receiver.js";

/** Wall milliseconds that a receiver has until it listens, and between two looks whether it does. */
const START_WAIT_MS = 30_000;
const LOOK_MS = 20;

/**
 * Starts the receiver that is audited, and waits until it listens. It finds its URL in `HANDSET_RECEIVER`, its port in
 * `PORT`, and the emulated service in `HANDSET_API_URL` and `HANDSET_API_TOKEN`.
 *
 * @throws LabError `port-taken`, `command-failed`, `no-receiver`
 */
export async function startAudited(
  command: readonly [string, ...string[]],
  url: string,
  {
    api,
    signal,
  }: { readonly api: { readonly url: string; readonly token: string } | undefined; signal?: AbortSignal | undefined },
): Promise<RunningCommand> {
  const { host, port } = addressOf(new URL(url));
  if (await isListening(url)) {
    throw new LabError("port-taken", `something listens at ${host}:${port} already`, {
      hint: "stop it, or leave out -- COMMAND to audit what runs",
    });
  }
  const running = await startCommand(
    command,
    {
      HANDSET_RECEIVER: url,
      PORT: String(port),
      ...(api !== undefined && { HANDSET_API_URL: api.url, HANDSET_API_TOKEN: api.token }),
    },
    { isSilent: true },
  );
  try {
    const endsAtMs = performance.now() + START_WAIT_MS;
    while (!(await isListening(url))) {
      signal?.throwIfAborted();
      if (running.exit !== undefined) throw await endedByItself(running);
      if (performance.now() > endsAtMs) {
        throw new LabError("no-receiver", `nothing listens at ${host}:${port} after ${START_WAIT_MS / 1000} s`, {
          hint: `'${running.words}' must listen there: PORT has the port`,
        });
      }
      await sleep(LOOK_MS);
    }
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function endedByItself(running: RunningCommand): Promise<LabError> {
  const { stderr, stdout } = await running.output();
  // The last line of a crash may name the version of the program alone.
  const error = stderr.split("\n").findLast((line) => /\w*(?:Error|Exception)\b.*:/.test(line));
  const told = error?.trim().slice(0, 200) ?? (lastLine(stderr) || lastLine(stdout));
  return new LabError(
    "command-failed",
    `'${running.words}' ended before it listened${told === "" ? "" : `: ${told}`}`,
    { hint: "it must listen at the port in PORT" },
  );
}
