import { performance } from "node:perf_hooks";
import type { Account, AccountTables } from "../account/index.js";
import type { Emission, Gateway } from "../gateway/index.js";
import type { LedgerReport } from "../ledger/index.js";
import type { Scenario } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import { StoreError } from "../store/index.js";
import type { Census } from "../wire/index.js";
import type { World } from "../world/index.js";
import { ApiActivity } from "./api-activity.js";
import { Ending, messagesAtService } from "./ending.js";
import type { LabOptions } from "./lab-options.js";
import type { Pipeline } from "./pipeline.js";
import type { Replies } from "./replies.js";
import { resumedText } from "./relive.js";
import { reexecuteRecording } from "./resumption.js";
import { sampleFleet } from "./sampler.js";
import { keepInTransit, keepGuests } from "./served-state.js";
import type { StoryAction } from "./story.js";
import type { Progress, Tallies } from "./tallies.js";
import type { LiveClock } from "./time/clock.js";
import { Drain } from "./time/drain.js";
import type { Driven } from "./time/loop.js";
import { outward } from "./time/outward.js";
import { drive } from "./time/pace.js";
import { type LabParts, wireParts } from "./wiring.js";
import { readWorldEnd, recordWorldEnd } from "./world-end.js";

/**
 * One run: world, service and delivery under one clock. `wiring.ts` makes and connects them; this class plays the run to its
 * end, applies what comes from outside (`write`), and answers how it stands. Made for one `play`.
 */
export class Lab {
  readonly #options: LabOptions;
  readonly #parts: LabParts;
  readonly #ending: Ending;
  readonly #drain: Drain;
  readonly #apiActivity: ApiActivity;

  constructor(options: LabOptions) {
    const { scenario, pace } = options;
    this.#options = options;
    this.#parts = wireParts(options);
    const { kernel, idle, pipeline } = this.#parts;
    this.#ending = new Ending(options, this.#parts);
    this.#drain = new Drain({
      kernel,
      lastsMs: scenario.cast.lastsMs,
      limitMs: options.drainMs ?? 0,
      pace,
      isWaiting: () => this.#ending.isWaiting,
    });
    this.#apiActivity = new ApiActivity({
      idle,
      isLockstep: pace.kind === "lockstep",
      settles: options.settleMs !== undefined,
      nowMs: () => kernel.now,
      isAwaited: () => pipeline.delivery.inFlight > 0,
    });
  }

  /** Plays the scenario to its end, or until it is stopped or gives up. Attempts in flight at the end are awaited. */
  async play(): Promise<Tallies> {
    const { scenario, pace, recording, past } = this.#options;
    const { kernel, clock, pipeline, gateway, subscribers } = this.#parts;
    this.#startWorld();
    await this.#options.begins?.();
    const end = readWorldEnd(past);
    await reexecuteRecording(this, this.#options, this.#parts, { drain: this.#drain, end });
    const driven = this.#driven();
    const endChecks = pipeline.begin({ isResumed: past !== undefined, onCheck: () => this.#ending.check() });
    let reachedMs: SimTime;
    try {
      if (end === undefined) {
        await drive(driven, pace, clock);
        pipeline.end.guard(() => this.#recordWorldEnd());
      }
      this.#apiActivity.endWorld();
      reachedMs = pipeline.end.isOver ? (end?.atMs ?? kernel.now) : scenario.cast.lastsMs;
      this.#ending.endWorld();
      const warning = await this.#ending.awaitAnswers(driven);
      if (warning !== undefined) this.warn(warning);
      await this.#options.closes?.();
    } finally {
      endChecks();
      subscribers.close();
    }
    for (const warning of this.#apiActivity.warnings()) this.warn(warning);
    pipeline.end.throwFailure();
    gateway.saveChannels();
    recording.flush();
    return this.#tallies(reachedMs);
  }

  /** Schedules the story and begins the day: at one instant the story's steps come first. */
  #startWorld(): void {
    const { inTransit = [], undelivered = [], isDurable, recording } = this.#options;
    const { story, world, gateway, account, pipeline } = this.#parts;
    story.scheduleSteps();
    this.#drain.schedule();
    if (isDurable === true) keepInTransit(recording, world);
    world.start();
    world.restoreInTransit(inTransit);
    gateway.start();
    account.continueRecorded();
    pipeline.resendEvents(undelivered, (channel) => gateway.channelState(channel).url);
    sampleFleet({
      kernel: this.#parts.kernel,
      world,
      lastsMs: this.#options.scenario.cast.lastsMs,
      untilMs: this.#drain.endsAtMs,
      wall: () => pipeline.senderMs,
      record: (row) => pipeline.end.guard(() => recording.sample(row)),
    });
  }

  /** What a loop of `time/` drives. */
  #driven(): Driven {
    const { settleMs, isDurable = false } = this.#options;
    const { kernel, pipeline, subscribers, story, idle } = this.#parts;
    const drain = this.#drain;
    return {
      kernel,
      delivery: outward(pipeline.delivery, subscribers),
      get lastsMs() {
        return drain.endsAtMs;
      },
      get isDraining() {
        return drain.isUnderWay;
      },
      wall: () => performance.now(),
      isOver: () => pipeline.end.isOver,
      takeBarrier: () => story.takeBarrier(),
      hasBarrier: () => story.hasBarrier,
      idle: () => pipeline.dispatch({ flushesNow: isDurable }),
      settle: settleMs === undefined ? undefined : () => idle.settle(settleMs),
    };
  }

  #recordWorldEnd(): void {
    const { end } = this.#parts.pipeline;
    if (end.hasFailed) return;
    recordWorldEnd(this.#options.recording, {
      turn: this.#parts.position.value,
      atMs: this.#parts.kernel.now,
      isStopped: end.isStopped,
      hasGivenUp: end.hasGivenUp,
      stoppedBy: end.stoppedBy ?? null,
    });
  }

  #tallies(reachedMs: SimTime): Tallies {
    const { pipeline, replies, expectations, replyWatch } = this.#parts;
    const ledger = this.ledger();
    if (this.#options.past !== undefined) this.warn(resumedText(pipeline.repeatCount));
    const { drained } = this.#drain;
    const tallies = pipeline.tallies();
    return {
      reachedMs,
      ...tallies,
      drained: tallies.wasStopped || tallies.hasGivenUp ? undefined : drained,
      replies,
      ledger,
      expectations: expectations.results(reachedMs),
      sightings: expectations.sightings(),
      crossing: replyWatch?.problem,
      warnings: this.#parts.log.warnings,
    };
  }

  /** Ends the run at the next step: `play` then waits for the attempts in flight and returns. */
  stop(): void {
    this.#parts.pipeline.end.stop();
  }

  /** Aborts attempts in flight, so that a stopped `play` need not wait for their answers. */
  breakOff(): void {
    this.#ending.abortAttempts();
  }

  /** The run cannot continue: it ends at the next step, and `play` throws this. */
  fail(error: unknown): void {
    this.#parts.pipeline.end.fail(error);
  }

  /** A sentence that a reader of the result must see. */
  warn(sentence: string): void {
    this.#parts.log.warn(sentence);
  }

  /** A request of the API begins. @returns call it when the request has been answered */
  requested(request: { readonly mayWrite: boolean }): () => void {
    return this.#apiActivity.beginRequest(request);
  }

  /**
   * Applies an input from outside now: it is recorded, it acts, and both are committed when this returns. Its events are
   * sent after that.
   *
   * @param input - `kind`: who reads it again, `api` or `hand`
   */
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T {
    const { recording } = this.#options;
    const { kernel, clock, position, pipeline, world } = this.#parts;
    const record = (): T => {
      const result = recording.applyInput({ atMs: kernel.now, step: position.value, ...input }, act);
      position.countOutsideEffect();
      return result;
    };
    const apply = (): T => {
      const guestCount = world.guests.length;
      try {
        const result = pipeline.sendAfterCommit(record);
        if (world.guests.length > guestCount) keepGuests(recording, world.guests);
        return result;
      } catch (error) {
        // The caller gets it too; but a lab whose recording cannot be written cannot continue.
        if (error instanceof StoreError) this.fail(error);
        throw error;
      }
    };
    return clock === undefined ? apply() : clock.enter(apply);
  }

  /** Does now what a step of a story does. Call it within `write`. */
  perform(input: StoryAction): void {
    this.#parts.story.performHand(input);
  }

  progress(): Progress {
    const { pipeline, world } = this.#parts;
    const { pending, retry, unsynced } = world.progress();
    return {
      ...pipeline.progress(),
      lastsMs: this.#options.scenario.cast.lastsMs,
      waitingOnPhones: pending + retry + unsynced,
      traffic: world.traffic,
      ...(this.#drain.isUnderWay && { drainsToMs: this.#drain.endsAtMs }),
    };
  }

  /** The accounts as they stand now. */
  ledger(): LedgerReport {
    return this.#parts.ledger.close(this.#census());
  }

  /** What waits at each place. A message that is queued at the service and is on its phone counts as the phone's. */
  #census(): Census {
    const { world, pipeline } = this.#parts;
    const { texts, calls } = world.census();
    return { texts: texts + messagesAtService(this.#parts), calls, ...pipeline.delivery.census() };
  }

  /** Virtual time now. */
  get nowMs(): SimTime {
    return this.clock?.nowMs ?? this.#parts.kernel.now;
  }

  get scenario(): Scenario {
    return this.#options.scenario;
  }

  get isAllowed(): (url: string) => boolean {
    return this.#options.isAllowed ?? (() => false);
  }

  /** Paced: joins virtual and wall time. */
  get clock(): LiveClock | undefined {
    return this.#parts.clock;
  }

  get pipeline(): Pipeline<Emission> {
    return this.#parts.pipeline;
  }

  get replies(): Replies {
    return this.#parts.replies;
  }

  get world(): World {
    return this.#parts.world;
  }

  /** The service's hot path. Change it by `write` only. */
  get gateway(): Gateway {
    return this.#parts.gateway;
  }

  /** What API clients change. Change it by `write` only. */
  get account(): Account {
    return this.#parts.account;
  }

  get tables(): AccountTables {
    return this.#options.recording.tables;
  }
}
