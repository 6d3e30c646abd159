import { Closers, LabError } from "../base/index.js";
import { type ExactOutcome, playExactAt, playsFor } from "../exact/index.js";
import { allowedHosts } from "../http/index.js";
import { refuseUrl } from "../lab/index.js";
import { startReceiver } from "../receiver/index.js";
import type { ExactInput } from "../scenario/index.js";
import { receiverOf } from "./delivery-targets.js";
import { withFreePort } from "./free-port.js";
import type { RunOptions } from "./run-options.js";
import { startReceiverCommand } from "./start-receiver.js";

/** How a bug file is played. */
type PlayExactOptions = Pick<RunOptions, "receiver" | "command" | "waitMs" | "allowHosts" | "signal">;

/**
 * Plays a bug file of exact requests at a receiver, which it may start, and judges the answers. Where a command starts the
 * receiver for each play, a bug that does not show each time is played until it shows, as often as `playsFor` says.
 *
 * @throws LabError for options and environments that do not allow it
 */
export async function playExact(input: ExactInput, options: PlayExactOptions = {}): Promise<ExactOutcome> {
  const isStarted = options.command !== undefined && options.command.length > 0;
  const most = isStarted ? playsFor(input) : 1;
  for (let plays = 1; ; plays++) {
    const outcome = await playOnce(input, options);
    if (plays >= most || outcome.exitCode !== 0) return { ...outcome, plays };
  }
}

async function playOnce(input: ExactInput, givenOptions: PlayExactOptions): Promise<ExactOutcome> {
  const isAllowed = allowedHosts(givenOptions.allowHosts ?? []);
  const closers = new Closers();
  try {
    const { receiver = input.receiver } = givenOptions;
    const options = await withFreePort({ ...givenOptions, ...(receiver !== undefined && { receiver }) });
    const given = receiverOf({}, options);
    const bundled = given === "bundled" ? await startReceiver() : undefined;
    if (bundled !== undefined) closers.push(() => bundled.close());
    const url = bundled?.url ?? given;
    if (url === "none")
      throw new LabError("bad-options", "a bug file needs a receiver", { hint: "name it with -r URL" });
    if (!URL.canParse(url) || !isAllowed(url)) refuseUrl(url);
    await startReceiverCommand(url, options, closers);
    return await playExactAt(input, { url, isAllowed, signal: options.signal });
  } finally {
    await closers.close();
  }
}
