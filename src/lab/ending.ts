import type { BlockedPhone } from "../wire/index.js";
import { PendingApiEffects } from "./pending-api-effects.js";
import type { LabOptions } from "./lab-options.js";
import { type Simulation, STEPS_BETWEEN_CHECKS } from "./time/simulation.js";
import type { LabParts } from "./lab-parts.js";

/** Interval at which a run that waits for its last answers checks whether it was stopped: wall milliseconds. */
const CHECK_MS = 100;

/** How long a run that was stopped or gave up waits for answers: wall milliseconds. */
const END_PATIENCE_MS = 5000;

/** The end of a run: waits for attempts in flight and for API clients, and decides when to stop waiting. */
export class Ending {
  readonly #options: LabOptions;
  readonly #parts: LabParts;
  readonly #effects: PendingApiEffects;
  #hasWorldEnded = false;
  /** When the run was stopped or gave up while attempts were in flight. */
  #overSinceWallMs: number | undefined;

  constructor(options: LabOptions, parts: LabParts) {
    const { apiIdleness, pipeline } = parts;
    this.#options = options;
    this.#parts = parts;
    this.#effects = new PendingApiEffects({
      apiIdleness,
      wall: () => performance.now(),
      waiting: () => pipeline.measurements.trips.waiting,
      slowestMs: () => pipeline.measurements.meter.total().roundTrip.percentiles().max ?? 0,
      lastAnswerAt: () => pipeline.lastAnswerAt,
    });
  }

  /** Records that the kernel has stopped for good: bounds are no longer checked. */
  endWorld(): void {
    this.#hasWorldEnded = true;
    this.#parts.pipeline.thresholds.stopCounting(performance.now());
  }

  /** Called every 100 ms, from outside the loop: the loop may wait for answers that never come. */
  check(): void {
    const { end } = this.#parts.pipeline;
    if (end.hasGivenUp) end.wakeAll();
    if (!this.#hasWorldEnded) this.#parts.pipeline.checkThresholds();
    if (this.#overSinceWallMs === undefined || !end.isOver) return;
    if (performance.now() - this.#overSinceWallMs >= END_PATIENCE_MS) this.abortAttempts();
  }

  /** Aborts attempts in flight, so that `awaitAnswers` returns. */
  abortAttempts(): void {
    this.#options.sender?.close();
    this.#parts.requests.close();
  }

  /**
   * Waits for the attempts in flight, and for API clients' reactions to the last events. A run that is stopped or gives
   * up meanwhile sends nothing more and waits for 5 s at most.
   *
   * @returns a warning if clients were still busy
   */
  async awaitAnswers(simulation: Simulation): Promise<string | undefined> {
    const { pipeline, requests } = this.#parts;
    const haltIfOver = (): void => {
      if (!pipeline.end.isOver || this.#overSinceWallMs !== undefined) return;
      this.#overSinceWallMs = performance.now();
      pipeline.delivery.stopSending();
      requests.stopSending();
    };
    haltIfOver();
    // A failed run cannot record answers, so it does not wait for them.
    if (pipeline.end.hasFailed) return undefined;
    const timer = setInterval(haltIfOver, CHECK_MS);
    try {
      await this.#allAnswered();
      if (this.#options.served === undefined || pipeline.end.isOver) return undefined;
      return await this.#awaitClients(simulation);
    } finally {
      clearInterval(timer);
    }
  }

  async #allAnswered(): Promise<void> {
    const { requests, pipeline } = this.#parts;
    const { delivery } = pipeline;
    // One after the other, so that effects have one order, whichever answers first. An effect may cause another
    // attempt or request, such as a flow that continues.
    while (requests.isBusy || delivery.census().attempts > 0) {
      requests.dispatchRequests();
      await delivery.drain();
      await requests.drain();
    }
  }

  /** Client requests of this phase take effect at the run's last instant. */
  async #awaitClients(simulation: Simulation): Promise<string | undefined> {
    const { kernel, pipeline } = this.#parts;
    const { end, delivery } = pipeline;
    const { kind } = this.#options.pace;
    const catchUp = (): number => kernel.run(simulation.lastsMs + 1, STEPS_BETWEEN_CHECKS);
    await simulation.waitUntilApiIdle?.();
    if (kind === "max") await this.#effects.waitUntilQuiet({ catchUp, isOver: () => end.isOver });
    const advice = kind === "paced" ? "; a longer 'drain' waits longer" : "";
    const warning = kind === "lockstep" || end.isOver ? undefined : this.#effects.missedText(advice);
    while (catchUp() > 0 && !end.isOver) delivery.dispatchAttempts();
    await this.#allAnswered();
    return warning;
  }

  /** Whether any text, call, event or attempt is still open. */
  get isWaiting(): boolean {
    const { pace, recording, served } = this.#options;
    const { pipeline, requests, mocks, world } = this.#parts;
    // Except in lockstep, answers come by the wall clock: re-execution must not end the drain before its recorded end.
    if (pace.kind !== "lockstep" && recording.isReexecuting) return true;
    const { events, attempts } = pipeline.delivery.census();
    if (events + attempts > 0 || requests.isBusy || mocks.isBusy || world.isBusy) return true;
    if (messagesAtService(this.#parts) > 0) return true;
    return served !== undefined && pace.kind === "paced" && this.#effects.mayOccur;
  }
}

/** The phones that cannot relay although texts or calls wait on them or for them, those with the most waiting first. */
export function blockedPhones({ gateway, world }: Pick<LabParts, "gateway" | "world">): BlockedPhone[] {
  const atService = new Map<number, number>();
  for (const { channel, message } of gateway.queuedMessages())
    if (!world.holds(channel, message)) atService.set(channel, (atService.get(channel) ?? 0) + 1);
  return [...world.blocked()]
    .map(({ channel, selector, why, waiting }) => ({
      of: selector,
      why,
      waiting: waiting + (atService.get(channel) ?? 0),
    }))
    .filter(({ waiting }) => waiting > 0)
    .toSorted((a, b) => b.waiting - a.waiting);
}

/** Number of messages that are queued at the service and not on a phone. */
export function messagesAtService({ gateway, world }: Pick<LabParts, "gateway" | "world">): number {
  let count = 0;
  for (const { channel, message } of gateway.queuedMessages()) if (!world.holds(channel, message)) count++;
  return count;
}
