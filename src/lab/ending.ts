import { EffectsWatch } from "./effects.js";
import type { LabOptions } from "./lab-options.js";
import { type Driven, STEPS } from "./time/loop.js";
import type { LabParts } from "./wiring.js";

/** How often a run that ends checks whether it was stopped meanwhile: wall milliseconds. */
const CHECK_MS = 100;

/** A run that is stopped or given up waits for answers this long at most: wall milliseconds. */
const END_PATIENCE_MS = 5000;

/** The end of a run: what is still in flight, what is awaited, and when waiting stops. */
export class Ending {
  readonly #options: LabOptions;
  readonly #parts: LabParts;
  readonly #effects: EffectsWatch;
  #hasWorldEnded = false;
  /** Since when the run is over although attempts are in flight. */
  #overSinceWallMs: number | undefined;

  constructor(options: LabOptions, parts: LabParts) {
    const { idle, pipeline } = parts;
    this.#options = options;
    this.#parts = parts;
    this.#effects = new EffectsWatch({
      idle,
      wall: () => performance.now(),
      waiting: () => pipeline.measuring.trips.waiting,
      slowestMs: () => pipeline.measuring.meter.total().roundTrip.percentiles().max ?? 0,
      lastAnswerAt: () => pipeline.lastAnswerAt,
    });
  }

  /** The kernel stands still from now on: no threshold can stop the run any more. */
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
    this.#parts.subscribers.close();
  }

  /**
   * Waits for the attempts in flight, and for what API clients do about the last events. A run that is stopped or gives up
   * meanwhile sends nothing more and waits for 5 s at most.
   *
   * @returns a warning where clients were still busy
   */
  async awaitAnswers(driven: Driven): Promise<string | undefined> {
    const { pipeline, subscribers } = this.#parts;
    const haltIfOver = (): void => {
      if (!pipeline.end.isOver || this.#overSinceWallMs !== undefined) return;
      this.#overSinceWallMs = performance.now();
      pipeline.delivery.stopSending();
      subscribers.stopSending();
    };
    haltIfOver();
    // A run that failed cannot record answers: it does not wait for them.
    if (pipeline.end.hasFailed) return undefined;
    const timer = setInterval(haltIfOver, CHECK_MS);
    try {
      await this.#allAnswered();
      if (this.#options.isServed !== true || pipeline.end.isOver) return undefined;
      return await this.#awaitClients(driven);
    } finally {
      clearInterval(timer);
    }
  }

  async #allAnswered(): Promise<void> {
    await Promise.all([this.#parts.pipeline.delivery.drain(), this.#parts.subscribers.drain()]);
  }

  /** What a client asks for now is due now: it happens at the run's last instant. */
  async #awaitClients(driven: Driven): Promise<string | undefined> {
    const { kernel, pipeline } = this.#parts;
    const { end, delivery } = pipeline;
    const { kind } = this.#options.pace;
    const catchUp = (): number => kernel.run(driven.lastsMs + 1, STEPS);
    await driven.settle?.();
    if (kind === "max") await this.#effects.wait({ catchUp, isOver: () => end.isOver });
    const advice = kind === "paced" ? "; a longer 'drain' waits longer" : "";
    const warning = kind === "lockstep" || end.isOver ? undefined : this.#effects.leftText(advice);
    while (catchUp() > 0 && !end.isOver) delivery.dispatchAttempts();
    await this.#allAnswered();
    return warning;
  }

  /** Whether anything may still reach its end without traffic or story. */
  get isWaiting(): boolean {
    const { pace, recording, isServed = false } = this.#options;
    const { pipeline, subscribers, world } = this.#parts;
    // Except in lockstep a drain ends by the wall clock, so a re-executed run ends where it is recorded to have ended.
    if (pace.kind !== "lockstep" && recording.isReexecuting) return true;
    const { events, attempts } = pipeline.delivery.census();
    if (events + attempts > 0 || subscribers.inFlight > 0 || world.isBusy) return true;
    if (messagesAtService(this.#parts) > 0) return true;
    return isServed && pace.kind === "paced" && this.#effects.mayCome;
  }
}

/** Messages that are queued at the service and not on a phone. */
export function messagesAtService({ gateway, world }: Pick<LabParts, "gateway" | "world">): number {
  let count = 0;
  for (const { channel, message } of gateway.queuedMessages()) if (!world.holds(channel, message)) count++;
  return count;
}
