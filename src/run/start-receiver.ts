import { dirname } from "node:path";
import { type Closers, LabError } from "../base/index.js";
import { addressOf } from "../http/index.js";
import { findReceiverSwitch, type ReceiverSwitch, waitForReceiver } from "../lab/index.js";
import { loadApplication, type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import { RunApi } from "../serve/index.js";
import { type RunningCommand, startCommand } from "./command.js";
import type { RunPlan } from "./plan-run.js";
import type { RunOptions } from "./run-options.js";

/** Longest time until the receiver of a started command listens. Wall milliseconds. */
const COMMAND_WAIT_MS = 30_000;

/** The receiver of a run, and the API that is offered to it. */
export interface StartedReceiver {
  readonly api: RunApi | undefined;
  readonly command: RunningCommand | undefined;
  readonly isBundled: boolean;
  /** Null: events are posted nowhere. */
  readonly url: string | null;
  /** Switches how the receiver answers; undefined when it is not a bundled one, or the story has no step for it. */
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
  const api = options.api && (await RunApi.open(options.api, plan));
  if (api !== undefined) closers.push(() => api.close());
  const bundled = receiver === "bundled" ? await startBundled(scenario) : undefined;
  if (bundled !== undefined) closers.push(() => bundled.close());
  const url = bundled?.url ?? (receiver === "none" ? null : receiver);
  // With the bundled receiver, the command is an application that uses the API.
  const command = await startReceiverCommand(bundled === undefined ? url : null, options, closers, api);
  const answerSwitch = bundled ?? (await switchFor(scenario, url));
  return { api, command, isBundled: bundled !== undefined, url, switch: answerSwitch };
}

/** Starts the bundled receiver, with the scenario's application and answers. */
async function startBundled({ receiver, source }: Scenario): Promise<Receiver> {
  const application = await loadApplication(receiver?.application, dirname(source.file));
  return startReceiver({ answers: receiver?.answers, application });
}

/**
 * Starts the receiver's command, if there is one, and waits until something listens at the URL. The command finds the
 * URL in `HANDSET_RECEIVER` and its port in `PORT`.
 *
 * @param url - null when events are posted nowhere, so there is nothing to wait for
 * @param api - values of the command's `HANDSET_API_URL` and `HANDSET_API_TOKEN`
 * @throws LabError `command-failed`, `no-receiver`
 */
export async function startReceiverCommand(
  url: string | null,
  { command: words, waitMs, signal }: Pick<RunOptions, "command" | "waitMs" | "signal">,
  closers: Closers,
  api?: { readonly url: string; readonly token: string },
): Promise<RunningCommand | undefined> {
  const [program, ...args] = words ?? [];
  const environment = {
    ...(url !== null && { HANDSET_RECEIVER: url, PORT: String(addressOf(new URL(url)).port) }),
    ...(api !== undefined && { HANDSET_API_URL: api.url, HANDSET_API_TOKEN: api.token }),
  };
  const command = program === undefined ? undefined : await startCommand([program, ...args], environment);
  if (command !== undefined) closers.push(() => command.stop());
  const patienceMs = waitMs ?? (command === undefined ? 0 : COMMAND_WAIT_MS);
  if (url === null || patienceMs === 0) return command;
  const signals = [command?.hasEnded, signal].filter((one) => one !== undefined);
  try {
    await waitForReceiver(url, patienceMs, AbortSignal.any(signals));
  } catch (error) {
    if (command === undefined || !(error instanceof LabError)) throw error;
    throw new LabError(error.code, error.message, {
      hint: `'${command.words}' must listen there (PORT has the port): name another address with -r, or wait longer with --wait`,
    });
  }
  command?.hasEnded.throwIfAborted();
  return command;
}

/** The switch of a receiver in another process; it is requested only if the story has steps for it. */
async function switchFor(scenario: Scenario, url: string | null): Promise<ReceiverSwitch | undefined> {
  if (url === null || !scenario.story.some((step) => step.input.to === "receiver")) return undefined;
  return findReceiverSwitch(url);
}
