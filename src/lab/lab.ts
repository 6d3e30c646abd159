import { performance } from "node:perf_hooks";
import type { Account, AccountTables } from "../account/index.js";
import type { Retry } from "../delivery/index.js";
import type { Judgement } from "../expect/index.js";
import type { Emission, Gateway } from "../gateway/index.js";
import type { LedgerReport } from "../ledger/index.js";
import type { Scenario } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import { StoreError } from "../store/index.js";
import type { Census } from "../wire/index.js";
import type { World } from "../world/index.js";
import { AccountWork, readBacklog } from "./account-work.js";
import { ApiActivity } from "./api-activity.js";
import { blockedPhones, Ending, messagesAtService } from "./ending.js";
import type { LabOptions } from "./lab-options.js";
import type { Pipeline, PipelineCounts } from "./pipeline.js";
import { ReachedTime } from "./reached-time.js";
import { refusedSendsTexts } from "./refused-sends.js";
import type { Replies } from "./replies/replies.js";
import { type Reexecution, resumedText } from "./resume/reexecution.js";
import { reexecuteRecording, reexecutionOf, type ReexecutionSource } from "./resume/resumption.js";
import { RunBounds } from "./run-bounds.js";
import { sampleFleet } from "./sampler.js";
import { recordGuests, recordInTransitWithCommits } from "./served-state.js";
import type { StoryAction } from "./story.js";
import type { Progress, RunTotals } from "./run-totals.js";
import type { LiveClock } from "./time/clock.js";
import { Drain } from "./time/drain.js";
import type { Simulation } from "./time/simulation.js";
import { outstandingRequests } from "./time/outstanding-requests.js";
import { playToEnd } from "./time/pace.js";
import type { LabParts } from "./lab-parts.js";
import { wireParts } from "./wiring.js";
import { readWorldEnd, recordWorldEnd } from "./resume/world-end.js";

/**
 * One run: world, service and delivery under one clock. `wiring.ts` makes and connects them; this class plays the run
 * to its end, applies inputs from outside (`write`), and reports its progress. One `play` per instance.
 */
export class Lab {
  readonly #options: LabOptions;
  readonly #parts: LabParts;
  readonly #ending: Ending;
  readonly #drain: Drain;
  readonly #apiActivity: ApiActivity;
  /** Absent: the lab is not continued after a restart. */
  readonly #reachedTime: ReachedTime | undefined;
  readonly #bounds: RunBounds;
  /** The account's work that a restart continues. */
  readonly accountWork: AccountWork = new AccountWork();
  #hasEnded = false;

  constructor(options: LabOptions) {
    const { scenario, pace } = options;
    this.#options = options;
    this.#parts = wireParts(options);
    const { kernel, position, apiIdleness, pipeline, requests } = this.#parts;
    this.#ending = new Ending(options, this.#parts);
    this.#drain = new Drain({
      kernel,
      lastsMs: scenario.cast.lastsMs,
      limitMs: options.drainMs ?? 0,
      pace,
      isWaiting: () => this.#ending.isWaiting,
    });
    this.#bounds = new RunBounds({ kernel, pipeline, ledger: () => this.ledger() });
    if (options.served?.isDurable === true) {
      this.#reachedTime = new ReachedTime(options.recording, { kernel, position, nowMs: () => this.nowMs });
    }
    this.#apiActivity = new ApiActivity({
      apiIdleness,
      isLockstep: pace.kind === "lockstep",
      settles: options.settleMs !== undefined,
      nowMs: () => kernel.now,
      isAwaited: () => pipeline.delivery.inFlight + requests.inFlight > 0,
    });
  }

  /** Plays the scenario to its end, or until it is stopped or gives up. Awaits the attempts in flight at the end. */
  async play(): Promise<RunTotals> {
    const { scenario, pace, recording, resumed } = this.#options;
    const killedRun = resumed?.killedRun;
    const { kernel, clock, pipeline, gateway, requests } = this.#parts;
    this.#startWorld();
    await this.#options.beforeStart?.();
    const end = readWorldEnd(killedRun);
    for (const second of killedRun?.hostSeconds() ?? []) pipeline.measurements.host.recordSecond(second);
    await reexecuteRecording(this, this.#options, this.#parts, { drain: this.#drain, end });
    const simulation = this.#simulation();
    const endChecks = pipeline.startChecks({
      isResumed: killedRun !== undefined,
      onCheck: () => this.#ending.check(),
    });
    this.#reachedTime?.start((act) => pipeline.end.guard(act));
    let reachedMs: SimTime;
    try {
      if (end === undefined) {
        await playToEnd(simulation, pace, clock);
        pipeline.end.guard(() => this.#recordWorldEnd());
      }
      this.#apiActivity.endWorld();
      reachedMs = pipeline.end.isOver ? (end?.atMs ?? kernel.now) : scenario.cast.lastsMs;
      this.#ending.endWorld();
      const warning = await this.#ending.awaitAnswers(simulation);
      if (warning !== undefined) this.warn(warning);
      await this.#parts.checks.askAtEnd(!pipeline.end.isOver);
      await this.#options.beforeClose?.();
    } finally {
      this.#hasEnded = true;
      this.#reachedTime?.stop();
      endChecks();
      requests.close();
    }
    for (const warning of this.#apiActivity.warnings()) this.warn(warning);
    pipeline.end.throwFailure();
    gateway.saveChannels();
    recording.flush();
    this.#reachedTime?.recordClosed();
    return this.#totals(reachedMs);
  }

  /**
   * Instead of `play`: starts the world to look at a recorded run's past. The caller advances the re-execution.
   *
   * @param options - `awaitsAnswers`: at the recorded end, outstanding answers take effect, as at the end of `play`
   */
  startReexecution(
    source: Omit<ReexecutionSource, "drain" | "finish">,
    { awaitsAnswers }: { readonly awaitsAnswers: boolean },
  ): Reexecution {
    const { pipeline, requests } = this.#parts;
    this.#startWorld();
    if (!awaitsAnswers) return reexecutionOf(this, this.#options, this.#parts, { ...source, drain: this.#drain });
    const finish = async (): Promise<void> => {
      if (pipeline.delivery.inFlight + requests.inFlight > 0) return;
      await pipeline.delivery.drain();
      await requests.drain();
    };
    return reexecutionOf(this, this.#options, this.#parts, { ...source, drain: this.#drain, finish });
  }

  /** Schedules the story, then starts world and service, so the story's steps come first within an instant. */
  #startWorld(): void {
    const { continues, served, recording } = this.#options;
    // Read before this lab's first commit, which overwrites it with an empty backlog.
    const backlog = readBacklog(recording);
    const { kernel, story, expectations, accountState, world, gateway, account, pipeline } = this.#parts;
    story.scheduleSteps();
    expectations.scheduleChecks(kernel, accountState);
    this.#drain.schedule();
    const judgesAtMs = served?.judgesAtMs;
    if (judgesAtMs !== undefined && judgesAtMs > kernel.now) {
      kernel.at(judgesAtMs, () => this.judgeBounds(), undefined, Number.MAX_SAFE_INTEGER);
    }
    if (served !== undefined) this.accountWork.recordWithCommits(recording, account);
    this.#reachedTime?.recordWithCommits();
    if (served?.isDurable === true) recordInTransitWithCommits(recording, world);
    // The console shows texts in transit.
    else if (served !== undefined) world.trackTexts();
    world.start();
    world.restoreInTransit(continues?.inTransit ?? []);
    gateway.start();
    if (continues !== undefined) account.continueRecorded(backlog);
    pipeline.resendEvents(continues?.undelivered ?? [], (channel) => gateway.channelState(channel).url);
    sampleFleet({
      kernel,
      world,
      lastsMs: this.#options.scenario.cast.lastsMs,
      untilMs: this.#drain.endsAtMs,
      wall: () => pipeline.senderMs,
      record: (row) => pipeline.end.guard(() => recording.sample(row)),
    });
  }

  #simulation(): Simulation {
    const { settleMs, served } = this.#options;
    const { kernel, pipeline, requests, story, apiIdleness } = this.#parts;
    const drain = this.#drain;
    return {
      kernel,
      outstanding: outstandingRequests(pipeline.delivery, requests),
      get lastsMs() {
        return drain.endsAtMs;
      },
      get isDraining() {
        return drain.isUnderWay;
      },
      wall: () => performance.now(),
      isOver: () => pipeline.end.isOver,
      dequeueBarrier: () => story.dequeueBarrier(),
      hasBarrier: () => story.hasBarrier,
      dispatch: () => {
        requests.dispatchRequests();
        pipeline.dispatch({ flushesNow: served?.isDurable ?? false });
      },
      waitUntilApiIdle: settleMs === undefined ? undefined : () => apiIdleness.waitUntilIdle(settleMs),
      gate: this.#options.gate,
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

  #totals(reachedMs: SimTime): RunTotals {
    const { pipeline, replies, expectations, checks, crossPartReplies } = this.#parts;
    const ledger = this.ledger();
    if (this.#options.resumed?.killedRun !== undefined) this.warn(resumedText(pipeline.repeatCount));
    for (const warning of this.#parts.account.flowNotes.warnings()) this.warn(warning);
    for (const warning of refusedSendsTexts(this.gateway.refusedSends())) this.warn(warning);
    const { result: drained } = this.#drain;
    const totals = pipeline.totals();
    return {
      reachedMs,
      ...totals,
      blocked: blockedPhones(this.#parts),
      drained: totals.wasStopped || totals.hasGivenUp ? undefined : drained,
      replies,
      ledger,
      expectations: [...expectations.results(reachedMs), ...checks.results()],
      observations: expectations.observations(),
      crossing: crossPartReplies?.problem,
      warnings: this.#parts.log.warnings,
      stepProblems: this.#parts.log.stepProblems,
      flowCalls: this.#parts.account.flowCalls.counts,
    };
  }

  /** Ends the run at the next step: `play` then waits for the attempts in flight and returns. */
  stop(): void {
    this.#parts.pipeline.end.stop();
  }

  /** Makes the time loop look at what waits after the kernel step under way. */
  pauseKernel(): void {
    this.#parts.kernel.pause();
  }

  /** Aborts attempts in flight, so that a stopped `play` need not wait for their answers. */
  abortAttempts(): void {
    this.#ending.abortAttempts();
  }

  /** Ends the run at the next step because it cannot continue; `play` throws the error. */
  fail(error: unknown): void {
    this.#parts.pipeline.end.fail(error);
  }

  /** Adds a warning to the result; repeated ones are dropped. */
  warn(sentence: string): void {
    this.#parts.log.warn(sentence);
  }

  /**
   * Counts an API request as in flight.
   * @returns ends the count: call it when the request has been answered
   */
  beginRequest(request: { readonly mayWrite: boolean }): () => void {
    return this.#apiActivity.beginRequest(request);
  }

  /**
   * Applies an input from outside now. Input and effect are recorded in one transaction; after its commit the input's
   * events are sent, and this returns.
   *
   * @param input - `kind`: how a resumed run applies it again, such as `api`, `hand` or `clock`
   */
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T {
    const { recording } = this.#options;
    const { kernel, clock, position, pipeline, world } = this.#parts;
    const record = (): T => {
      this.account.workload.beginInput();
      const result = recording.applyInput({ atMs: kernel.now, step: position.value, ...input }, act);
      position.countOutsideEffect();
      return result;
    };
    const apply = (): T => {
      const guestCount = world.population.guests.length;
      try {
        const result = pipeline.sendAfterCommit(record);
        if (world.population.guests.length > guestCount) recordGuests(recording, world.population.guests);
        return result;
      } catch (error) {
        // The caller gets the error, too. A run whose recording cannot be written cannot continue.
        if (error instanceof StoreError) this.fail(error);
        throw error;
      }
    };
    return clock === undefined ? apply() : clock.applyInput(apply);
  }

  /** Performs a story input now. Call it within `write`. @returns problems, a sentence each */
  perform(input: StoryAction): readonly string[] {
    return this.#parts.story.performHand(input);
  }

  /** Counts since the start, cheap enough to be read several times a second; `lost`: texts lost by a cause. */
  counts(): PipelineCounts & { readonly lost: number } {
    return { ...this.#parts.pipeline.counts(), lost: this.#parts.ledger.totals.texts.lost };
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

  /**
   * The provisional verdicts on the expectations: those of the story, then the bounds on metrics. Bounds are judged at
   * the end of a run, or at `ServedMode.judgesAtMs`.
   */
  judgements(): readonly Judgement[] {
    const { kernel, expectations, checks } = this.#parts;
    // The clock is ahead of the kernel while due timers wait.
    const reachedMs = Math.min(this.nowMs, kernel.nextAtMs - 1);
    const untilMs = this.#options.served?.judgesAtMs ?? this.#options.scenario.cast.lastsMs;
    return [...expectations.judgements(reachedMs), ...checks.judgements(), ...this.#bounds.judgements(untilMs)];
  }

  /** Judges the bounds on metrics now, for good, as at the end of a run. */
  judgeBounds(): void {
    this.#bounds.judge();
  }

  /** The ledger's accounts so far. */
  ledger(): LedgerReport {
    return this.#parts.ledger.close(this.#census());
  }

  /** Open texts, calls, events and attempts. A message both queued at the service and on its phone counts once. */
  #census(): Census {
    const { world, pipeline } = this.#parts;
    const { texts, calls } = world.census();
    return { texts: texts + messagesAtService(this.#parts), calls, ...pipeline.delivery.census() };
  }

  /** Whether the world has stopped permanently; no further attempt is made. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Lockstep: how long the API must be idle before the clock advances, wall milliseconds; undefined: it does not wait. */
  get settleMs(): number | undefined {
    return this.#options.settleMs;
  }

  /** The retry of an event that is planned or in flight; undefined when there is none. */
  retryOf(event: { readonly channel: number; readonly number: number }): Retry | undefined {
    return this.#hasEnded ? undefined : this.pipeline.delivery.retryOf(event);
  }

  /** Virtual time now. */
  get nowMs(): SimTime {
    return this.clock?.nowMs ?? this.#parts.kernel.now;
  }

  /** Virtual time at which this lab began: above 0 where it continues a recording. */
  get beganAtMs(): SimTime {
    return this.#options.continues?.fromMs ?? 0;
  }

  /** Durable labs: records the virtual time, so that a restart continues there. Call it after a step of the clock. */
  recordReachedTime(): void {
    if (!this.#hasEnded) this.#reachedTime?.record();
  }

  /** In a part of a fleet: a sentence about the first reply that acts on another part; undefined: there was none. */
  get crossing(): string | undefined {
    return this.#parts.crossPartReplies?.problem;
  }

  get scenario(): Scenario {
    return this.#options.scenario;
  }

  get isAllowed(): (url: string) => boolean {
    return this.#options.isAllowed ?? (() => false);
  }

  /** Paced runs only. */
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

  /** The service's hot path. Change it only within `write`. */
  get gateway(): Gateway {
    return this.#parts.gateway;
  }

  /** The data that API clients change. Change it only within `write`. */
  get account(): Account {
    return this.#parts.account;
  }

  get tables(): AccountTables {
    return this.#options.recording.tables;
  }
}
