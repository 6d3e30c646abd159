import type { Closers } from "../base/index.js";
import { findReceiverSwitch, type ReceiverSwitch, waitForReceiver } from "../lab/index.js";
import { startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import { OfferedApi } from "../serve/index.js";
import { type RunningCommand, startCommand } from "./command.js";
import type { RunPlan } from "./plan-run.js";
import type { RunOptions } from "./run-options.js";

/** How long the receiver of a started command may take to listen. Wall milliseconds. */
const COMMAND_WAIT_MS = 30_000;

/** The receiver of a run, and the API that is offered to it. */
export interface StartedReceiver {
  readonly api: OfferedApi | undefined;
  readonly command: RunningCommand | undefined;
  readonly isBundled: boolean;
  /** Null: events are posted nowhere. */
  readonly url: string | null;
  /** Switches how the receiver answers; undefined: it is not a bundled one, or the story has no step for it. */
  readonly switch: ReceiverSwitch | undefined;
}

/**
 * Offers the API, starts the receiver's command or the bundled receiver, and waits until the receiver listens.
 *
 * @param closers - receives a closer for each resource that this opens
 * @throws LabError `port-taken`, `command-failed`, `no-receiver`
 */
export async function startReceiverOrCommand(
  plan: RunPlan,
  options: RunOptions,
  closers: Closers,
): Promise<StartedReceiver> {
  const { scenario, receiver } = plan;
  const api = options.api && (await OfferedApi.open(options.api, plan));
  if (api !== undefined) closers.push(() => api.close());
  const command = await commandOf(options, api);
  if (command !== undefined) closers.push(() => command.stop());
  const bundled = receiver === "bundled" ? await startReceiver({ answers: scenario.receiver?.answers }) : undefined;
  if (bundled !== undefined) closers.push(() => bundled.close());
  const url = bundled?.url ?? (receiver === "none" ? null : receiver);
  const waitMs = options.waitMs ?? (command === undefined ? 0 : COMMAND_WAIT_MS);
  if (url !== null && waitMs > 0) {
    const signals = [command?.hasEnded, options.signal].filter((signal) => signal !== undefined);
    await waitForReceiver(url, waitMs, AbortSignal.any(signals));
    command?.hasEnded.throwIfAborted();
  }
  const answerSwitch = bundled ?? (await switchFor(scenario, url));
  return { api, command, isBundled: bundled !== undefined, url, switch: answerSwitch };
}

async function commandOf({ command }: RunOptions, api: OfferedApi | undefined): Promise<RunningCommand | undefined> {
  const [program, ...args] = command ?? [];
  if (program === undefined) return undefined;
  const environment = api && { HANDSET_API_URL: api.url, HANDSET_API_TOKEN: api.token };
  return startCommand([program, ...args], environment);
}

/** The switch of a receiver in another process; it is requested only if the story has steps for it. */
async function switchFor(scenario: Scenario, url: string | null): Promise<ReceiverSwitch | undefined> {
  if (url === null || !scenario.story.some((step) => step.input.to === "receiver")) return undefined;
  return findReceiverSwitch(url);
}
