// The global one is looked up anew at each call, which takes as long as the clock itself.
import { performance } from "node:perf_hooks";
import { Account, type AccountTables } from "../account/index.js";
import { LabError } from "../base/index.js";
import { type Attempt, Delivery, Subscribers } from "../delivery/index.js";
import { Expectations, Thresholds } from "../expect/index.js";
import { Channels, type Emission, Gateway, Messages, type QueuedText } from "../gateway/index.js";
import { Ledger, type LedgerReport } from "../ledger/index.js";
import { fakesOf, readHand, type Step, type StoryInput } from "../scenario/index.js";
import { Kernel, type SimTime, Streams } from "../sim/index.js";
import { type RecordedInput, type Recording, StoreError } from "../store/index.js";
import type { Census, ServicePreset } from "../wire/index.js";
import { type Afloat, World } from "../world/index.js";
import { channelSpecs } from "./channel-specs.js";
import { EffectsWatch } from "./effects.js";
import { Gauge } from "./gauge.js";
import type { LabOptions } from "./lab-options.js";
import { Measuring } from "./measuring.js";
import { Outgoing } from "./outgoing.js";
import { relive, resumedText } from "./relive.js";
import { Replies } from "./replies.js";
import { ReplyWatch } from "./reply-watch.js";
import { sampleFleet } from "./sampler.js";
import { Stage } from "./stage.js";
import { Story } from "./story.js";
import type { Progress, Tallies } from "./tallies.js";
import { LiveClock } from "./time/clock.js";
import { Drain } from "./time/drain.js";
import { Idle } from "./time/idle.js";
import { type Driven, STEPS } from "./time/loop.js";
import { outward } from "./time/outward.js";
import { drive } from "./time/pace.js";
import { readWorldEnd, recordWorldEnd, type WorldEnd } from "./world-end.js";

/** Where a recording keeps the numbers of people who are not in the cast. */
const GUESTS = "guests";

/** The numbers of people beyond the cast that a recording knows. */
export function guestsIn(recording: Recording): string[] {
  return JSON.parse(recording.kept(GUESTS) ?? "[]") as string[];
}

/** Where a database that is served keeps the texts and calls that are on their way to the service. */
const AFLOAT = "afloat";

/** Those of a database that was closed or cut off. */
export function afloatIn(recording: Recording): Afloat[] {
  return JSON.parse(recording.kept(AFLOAT) ?? "[]") as Afloat[];
}

function untimedText(count: number): string {
  const requests = count === 1 ? "1 API request came" : `${count} API requests came`;
  return (
    `${requests} while virtual time went on: in lockstep they take effect at an instant that depends on the receiver's ` +
    "speed, so the same seed may give another digest; a longer --settle waits for them"
  );
}

/** How often it is looked at whether a run is to end: wall milliseconds. */
const WATCH_MS = 100;

/** A run that is stopped or given up waits for answers this long at most: wall milliseconds. */
const END_PATIENCE_MS = 5000;

/**
 * One run: joins kernel, world, gateway, delivery and recording, and is the only place where virtual and wall time meet.
 * Made for one `play`.
 */
export class Lab {
  readonly delivery: Delivery;
  readonly measuring: Measuring;
  /** Paced runs only. */
  readonly #gauge: Gauge | undefined;
  readonly thresholds: Thresholds;
  readonly #subscribers: Subscribers;
  /** Paced: what joins virtual and wall time, and what inputs from outside go through (`enter`). */
  readonly clock: LiveClock | undefined;
  /** To be told of each API request, where a run settles (`settleMs`). */
  readonly idle: Idle = new Idle();
  readonly #options: LabOptions;
  readonly #kernel: Kernel;
  readonly #ledger = new Ledger();
  readonly #world: World;
  readonly #account: Account;
  readonly #gateway: Gateway;
  readonly #stage: Stage;
  readonly #drain: Drain;
  readonly #effects: EffectsWatch;
  readonly #expectations: Expectations;
  readonly #replyWatch: ReplyWatch | undefined;
  readonly replies: Replies;
  readonly #outgoing: Outgoing<Emission>;
  readonly #warnings: string[] = [];
  /** Attempts that were in flight when the run was cut off, and were made again. */
  #repeats = 0;
  /** Effects that came from outside the kernel: answers where they take effect as they come, hands. */
  #outside = 0;
  #flushedAt = 0;
  /** From here on the sender's clock counts. */
  readonly #madeAt: number;
  /** Added to the time since then, where a run goes on: what it had taken before. */
  #wallFromMs = 0;
  #firstEventAt: number | undefined;
  #lastAnswerAt: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isStopped = false;
  #stoppedBy: string | undefined;
  #hasGivenUp = false;
  /** Lockstep: requests that may have changed something while the clock went on. */
  #untimedWrites = 0;
  /** The world has come to its end, one way or another. */
  #hasEnded = false;
  /** When the run was found to be over although attempts were out. */
  #overSinceWallMs: number | undefined;

  constructor(options: LabOptions) {
    const { scenario, recording, fakes, pace } = options;
    const { cast } = scenario;
    const streams = new Streams(scenario.seed);
    this.#options = options;
    this.#madeAt = options.sender?.bornMs ?? performance.now();
    this.#kernel = new Kernel(options.fromMs);
    this.clock =
      pace.kind === "paced"
        ? new LiveClock({
            kernel: this.#kernel,
            wall: () => this.#wall(),
            speed: pace.speed,
            leadMs: options.leadMs ?? 0,
            lastsMs: cast.lastsMs + (options.drainMs ?? 0),
            isPaused: options.isPaused ?? false,
            startsAt: options.startsAt,
          })
        : undefined;
    const { clock } = this;
    this.#world = new World({
      kernel: this.#kernel,
      streams,
      cast,
      fakes,
      tally: this.#ledger,
      part: options.part,
      guests: options.guests,
      ports: {
        uplink: (channel, report) => this.#gateway.sync(channel, report),
        send: (channel, phone, text) => void this.#gateway.send(channel, { phone, text, origin: "traffic" }),
        heard: (person, text, _channel, atMs, message) => {
          recording.hearing({ message, atMs });
          this.#expectations.heard(person, text, atMs);
        },
      },
    });
    this.#gauge = clock === undefined ? undefined : new Gauge();
    this.measuring = new Measuring({
      recording,
      pace: pace.kind,
      selectorOf: (channel) => this.#world.handset(channel).selector,
      now: pace.kind === "lockstep" ? () => this.#kernel.now : () => this.#wall(),
      dueAt: (atMs) => (pace.kind === "lockstep" ? atMs : (clock?.dueWallMs(atMs) ?? this.#wall())),
      ...(options.past !== undefined && { past: options.past.roundTrips() }),
    });
    this.thresholds = new Thresholds({
      expectations: scenario.expect,
      meter: this.measuring.meter,
      counts: () => ({
        events: this.#outgoing.counts,
        replies: this.replies,
        unanswered: this.measuring.trips.waiting,
        doubles: this.measuring.behaviour.doubles.count,
      }),
    });
    this.#outgoing = new Outgoing({
      ledger: this.#ledger,
      emitted: (emission) => this.#emitted(emission),
      post: (posting, whichTry) => this.delivery.post(posting, whichTry),
      ...(options.happened !== undefined && { happened: options.happened }),
      ...(options.sabotage !== undefined && { sabotage: options.sabotage }),
    });
    const continueFrom = options.resumes === true ? recording.readGatewayState() : undefined;
    const channels = new Channels(channelSpecs(this.#world, streams, options), recording, continueFrom?.channels);
    const push = (channel: number): void => this.#world.push(channel);
    const service = {
      kernel: this.#kernel,
      journal: recording,
      tally: this.#ledger,
      preset: scenario.service,
      startsAtMs: cast.startsAtMs,
      channels,
      ports: {
        emit: (emission: Emission) => this.#outgoing.emit(emission),
        queued: (text: QueuedText) => this.measuring.queued(text, this.#kernel.now),
        push,
      },
      ...(continueFrom && { continueFrom }),
    };
    const messages = new Messages({ ...service, recorded: recording.tables.messages });
    this.#account = new Account({
      ...service,
      streams,
      tables: recording.tables,
      messages,
      isServed: options.isServed ?? false,
      directory: (phone) => this.#entryOf(phone),
      ports: { push, resthook: (delivery) => this.#subscribers.post(delivery) },
    });
    this.#gateway = new Gateway({ ...service, messages, contacts: this.#account.contacts });
    this.delivery = new Delivery({
      kernel: this.#kernel,
      sender: options.sender,
      preset: { ...scenario.service, timeoutMs: scenario.receiver?.timeoutMs ?? scenario.service.timeoutMs },
      answersAfterMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
      wall: () => this.#wall(),
      ...(clock !== undefined && {
        dueWallMs: (atMs: SimTime) => clock.dueWallMs(atMs),
        catchUp: () => clock.catchUp(),
      }),
      recording,
      isRepeat: () => recording.isLastRowRecorded,
      tally: this.#ledger,
      marks: scenario.receiver?.marks ?? false,
      ports: {
        intends: ({ channel, number }, tryNumber) => recording.intent({ channel, number, try: tryNumber }),
        attempted: (attempt) => this.#attempted(attempt),
        left: (attempt) => this.measuring.meter.timeline.recordUnanswered(attempt),
        failed: (error) => this.fail(error),
      },
    });
    this.#subscribers = new Subscribers({
      kernel: this.#kernel,
      preset: scenario.service,
      answersAfterMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
      isAllowed: this.isAllowed,
      ...(clock !== undefined && {
        dueWallMs: (atMs: SimTime) => clock.dueWallMs(atMs),
        catchUp: () => clock.catchUp(),
      }),
      attempted: (posting, exchange) => this.#account.resthooks.attempted(posting, exchange),
      failed: (error) => this.fail(error),
    });
    this.#stage = new Stage({
      kernel: this.#kernel,
      clock,
      story: new Story({
        kernel: this.#kernel,
        streams,
        fakes,
        world: this.#world,
        gateway: this.#gateway,
        startsAtMs: cast.startsAtMs,
      }),
      steps: scenario.story,
      isAhead: (step) => this.#isAhead(step),
      receiver: options.receiver,
      unswitched: () => this.#warnUnswitched(),
      log: (text) => this.#note("note", text),
    });
    this.#effects = new EffectsWatch({
      idle: this.idle,
      wall: () => this.#wall(),
      waiting: () => this.measuring.trips.waiting,
      slowestMs: () => this.measuring.meter.total().roundTrip.percentiles().max ?? 0,
      lastAnswerAt: () => this.#lastAnswerAt,
    });
    this.#drain = new Drain({
      kernel: this.#kernel,
      lastsMs: cast.lastsMs,
      limitMs: options.drainMs ?? 0,
      pace,
      isWaiting: () => this.#isWaiting(),
    });
    this.#replyWatch = options.part === undefined ? undefined : new ReplyWatch(this.#world);
    this.replies = new Replies({
      gateway: this.#gateway,
      recording,
      replyToSender: scenario.service.replyToSender,
      watch: this.#replyWatch,
    });
    this.#expectations = new Expectations(
      scenario.story.filter((step) => this.#isAhead(step)),
      this.#world,
    );
  }

  /** Plays the scenario to its end, or until it is stopped or given up. Attempts in flight at the end are awaited. */
  async play(): Promise<Tallies> {
    const { scenario, pace, recording } = this.#options;
    this.#stage.schedule();
    this.#drain.schedule();
    if (this.#options.isDurable === true) {
      this.#world.track();
      recording.keepWithCommits(AFLOAT, () => JSON.stringify(this.#world.afloat()));
    }
    this.#world.start();
    this.#world.bringBack(this.#options.afloat ?? []);
    this.#gateway.start();
    this.#account.start();
    this.#outgoing.postAgain(this.#options.undelivered ?? [], (channel) => this.#gateway.channel(channel).url);
    this.#sampleFleet();
    await this.#options.begins?.();
    const end = readWorldEnd(this.#options.past);
    await this.#relive(end);
    const { settleMs } = this.#options;
    const drain = this.#drain;
    const driven: Driven = {
      kernel: this.#kernel,
      delivery: outward(this.delivery, this.#subscribers),
      get lastsMs() {
        return drain.endsAtMs;
      },
      get isDraining() {
        return drain.isUnderWay;
      },
      wall: () => this.#wall(),
      isOver: () => this.#isStopped || this.#shouldGiveUp(),
      takeBarrier: () => this.#stage.takeBarrier(),
      hasBarrier: () => this.#stage.hasBarrier,
      idle: () => this.#idle(),
      ...(settleMs !== undefined && { settle: () => this.idle.settle(settleMs) }),
    };
    this.thresholds.begin(this.#wall());
    if (this.#options.past === undefined) {
      this.measuring.meter.timeline.begin(pace.kind === "lockstep" ? 0 : this.#wall() - this.#madeAt);
    }
    // From outside the loop, which waits for answers that may never come; also once the world has ended.
    const watch = setInterval(() => this.#watch(driven), WATCH_MS);
    let reachedMs: SimTime;
    try {
      if (end === undefined) {
        await drive(driven, pace, this.clock);
        this.#guarded(() => this.#recordWorldEnd());
      }
      this.#hasEnded = true;
      reachedMs = driven.isOver() ? (end?.atMs ?? this.#kernel.now) : scenario.cast.lastsMs;
      this.thresholds.stopCounting(this.#wall());
      await this.#awaitAnswers(driven);
      await this.#options.closes?.();
    } finally {
      clearInterval(watch);
      this.#subscribers.close();
    }
    if (this.idle.impatient > 0) {
      this.#warnings.push(
        `the API was never idle for long enough ${this.idle.impatient} times: the run went on all the same`,
      );
    }
    if (this.#untimedWrites > 0) this.#warnings.push(untimedText(this.#untimedWrites));
    const wasStopped = this.#isStopped && !this.#hasGivenUp;
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#gateway.save();
    recording.flush();
    const ledger = this.ledger();
    if (this.#options.past !== undefined) this.#warnings.push(resumedText(this.#repeats));
    return {
      reachedMs,
      ...(!wasStopped && !this.#hasGivenUp && drain.drained !== undefined && { drained: drain.drained }),
      digest: this.#outgoing.digest(),
      events: this.#outgoing.counts,
      replies: this.replies,
      ledger,
      expectations: this.#expectations.results(reachedMs),
      sightings: this.#expectations.sightings(),
      crossing: this.#replyWatch?.problem,
      wallMs:
        this.#firstEventAt === undefined ? 0 : Math.max(0, (this.#lastAnswerAt ?? this.#wall()) - this.#firstEventAt),
      hasGivenUp: this.#hasGivenUp,
      wasStopped,
      stoppedBy: this.#stoppedBy,
      warnings: this.#warnings,
    };
  }

  /** The run goes on in the loop; whether it is to end, and for how long it waits for answers then, is decided here. */
  #watch(driven: Driven): void {
    if (this.#shouldGiveUp()) this.#wake();
    if (!this.#hasEnded) this.#stoppedBy ??= this.thresholds.look(this.#wall());
    if (this.#stoppedBy !== undefined) this.stop();
    if (this.#overSinceWallMs === undefined || !driven.isOver()) return;
    if (this.#wall() - this.#overSinceWallMs >= END_PATIENCE_MS) this.breakOff();
  }

  /**
   * Attempts in flight come to their end, and so does what the receiver does about the last events. A run that is stopped
   * or given up meanwhile sends nothing more, and waits for 5 s at most.
   */
  async #awaitAnswers(driven: Driven): Promise<void> {
    const halt = (): void => {
      if (!driven.isOver() || this.#overSinceWallMs !== undefined) return;
      this.#overSinceWallMs = this.#wall();
      this.delivery.halt();
      this.#subscribers.halt();
    };
    halt();
    // Where nothing more can be written down, nobody waits for answers.
    if (this.#failure !== undefined) return;
    const look = setInterval(halt, WATCH_MS);
    try {
      const answered = (): Promise<unknown> => Promise.all([this.delivery.drain(), this.#subscribers.drain()]);
      await answered();
      if (this.#options.isServed !== true || driven.isOver()) return;
      // What a client asks for now is due now, and happens at the run's last instant.
      const catchUp = (): number => this.#kernel.run(driven.lastsMs + 1, STEPS);
      await driven.settle?.();
      const { kind } = this.#options.pace;
      if (kind === "max") await this.#effects.wait({ catchUp, isOver: () => driven.isOver() });
      const left =
        kind === "lockstep"
          ? undefined
          : this.#effects.leftText(kind === "paced" ? "; a longer 'drain' waits longer" : "");
      if (left !== undefined && !driven.isOver()) this.#warnings.push(left);
      while (catchUp() > 0 && !driven.isOver()) this.delivery.dispatch();
      await answered();
    } finally {
      clearInterval(look);
    }
  }

  /** Whether anything may still come to its end by itself. */
  #isWaiting(): boolean {
    const { pace, recording, isServed = false } = this.#options;
    // What ends it in other paces depends on the wall's clock: a run that is gone through again ends where it did.
    if (pace.kind !== "lockstep" && recording.isReexecuting) return true;
    const { events, attempts } = this.delivery.census();
    if (events + attempts > 0 || this.#subscribers.inFlight > 0 || this.#world.isBusy) return true;
    for (const { channel, message } of this.#gateway.queued()) if (!this.#world.holds(channel, message)) return true;
    return isServed && pace.kind === "paced" && this.#effects.mayCome;
  }

  /** Brings a run that was cut off to where its recording ends. */
  async #relive(end: WorldEnd | undefined): Promise<void> {
    const { past, pace, recording } = this.#options;
    if (past === undefined) return;
    const drain = this.#drain;
    await relive({
      kernel: this.#kernel,
      delivery: this.delivery,
      get lastsMs() {
        return drain.endsAtMs;
      },
      end,
      lookaheadMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
      attempts: past.attempts(),
      inputs: past.inputs(),
      turn: () => this.#turn,
      perform: (input) => this.#again(input),
      isReliving: () => recording.isReexecuting,
      takeBarrier: () => this.#stage.takeBarrier(),
      isOver: () => this.#isStopped,
    });
    const now = this.#wall();
    // The time in which it was gone through again is left out.
    this.#wallFromMs = past.lastAnswerWallMs() - (now - this.#madeAt);
    this.delivery.goOn({ wallFromMs: this.#wallFromMs });
    this.measuring.goOn();
    this.thresholds.goOn();
    if (this.#firstEventAt !== undefined) this.#firstEventAt = now - past.wallMs();
    if (end === undefined) return;
    drain.resumeFrom(end.atMs);
    this.#isStopped = end.isStopped;
    this.#hasGivenUp = end.hasGivenUp;
    this.#stoppedBy = end.stoppedBy ?? undefined;
  }

  #recordWorldEnd(): void {
    if (this.#failure !== undefined) return;
    recordWorldEnd(this.#options.recording, {
      turn: this.#turn,
      atMs: this.#kernel.now,
      isStopped: this.#isStopped,
      hasGivenUp: this.#hasGivenUp,
      stoppedBy: this.#stoppedBy ?? null,
    });
  }

  /** Does what somebody did when the run was played before. */
  #again({ kind, json }: RecordedInput): void {
    if (kind === "clock") return this.#clockAgain(json);
    const { verb, args } = JSON.parse(json) as { verb: string; args: unknown };
    const { scenario } = this.#options;
    const { input } = readHand(verb, args, scenario.cast, fakesOf(scenario));
    if (input === undefined || input.to === "expect") {
      throw new LabError("recording-differs", `this version does not understand '${verb}' in the recording`);
    }
    this.write({ kind, json }, () => this.perform(input));
  }

  /** The world is gone through without a clock. What of it is to come keeps the speed; nobody is there who has paused it. */
  #clockAgain(json: string): void {
    const { speed } = JSON.parse(json) as { speed?: number };
    this.write({ kind: "clock", json }, () => undefined);
    if (speed !== undefined) this.clock?.setSpeed(speed);
  }

  /** Where the run stands among all that leads it on: a run that is gone through again passes the same turns. */
  get #turn(): number {
    return this.#kernel.fired + this.#outside;
  }

  #sampleFleet(): void {
    const { scenario, recording } = this.#options;
    sampleFleet({
      kernel: this.#kernel,
      world: this.#world,
      lastsMs: scenario.cast.lastsMs,
      untilMs: this.#drain.endsAtMs,
      wall: () => this.#wall() - this.#madeAt + this.#wallFromMs,
      record: (row) => this.#guarded(() => recording.sample(row)),
    });
  }

  /** Ends the run at the next step: `play` then waits for the attempts in flight and returns. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Attempts that are under way are broken off, so that a `play` that was stopped need not wait for their answers. */
  breakOff(): void {
    this.#options.sender?.close();
    this.#subscribers.close();
  }

  /** The run is over: whoever waits for something need not. */
  #wake(): void {
    this.delivery.nudge();
    this.clock?.wake();
    this.idle.end();
  }

  /** Virtual time now. */
  get nowMs(): SimTime {
    return this.clock?.nowMs ?? this.#kernel.now;
  }

  get seed(): number {
    return this.#options.scenario.seed;
  }

  get tables(): AccountTables {
    return this.#options.recording.tables;
  }

  /** Whether anything may be sent to an address. */
  get isAllowed(): (url: string) => boolean {
    return this.#options.isAllowed ?? (() => false);
  }

  /** A request of the API begins. @returns to be called when it has been answered */
  requested({ mayWrite }: { readonly mayWrite: boolean }): () => void {
    const isRunning = this.#options.pace.kind === "lockstep" && !this.#hasEnded && this.#kernel.now > 0;
    const isHeld = this.idle.isSettling || (this.#options.settleMs !== undefined && this.delivery.inFlight > 0);
    if (mayWrite && isRunning && !isHeld) this.#untimedWrites++;
    return this.idle.begin();
  }

  /** A sentence that a reader of the result should see. */
  warn(sentence: string): void {
    this.#warnings.push(sentence);
  }

  /** The instant 0 of virtual time, in milliseconds since 1970. */
  get startsAtMs(): number {
    return this.#options.scenario.cast.startsAtMs;
  }

  /** How the service behaves: its preset with the scenario's changes. */
  get service(): ServicePreset {
    return this.#options.scenario.service;
  }

  /** What the service keeps of the account, to be changed by `write` only. */
  get account(): Account {
    return this.#account;
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  get world(): World {
    return this.#world;
  }

  /**
   * Something from outside takes effect now: it is recorded, it acts, and both are committed when this returns.
   *
   * @param input - `kind`: who reads it again, `api` or `hand`
   */
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T {
    const { recording } = this.#options;
    const record = (): T => {
      const result = recording.applyInput({ atMs: this.#kernel.now, step: this.#turn, ...input }, act);
      this.#outside++;
      return result;
    };
    const apply = (): T => {
      const guests = this.#world.guests.length;
      try {
        const result = this.#outgoing.holdDuring(record);
        if (this.#world.guests.length > guests) recording.keep(GUESTS, JSON.stringify(this.#world.guests));
        return result;
      } catch (error) {
        // Whoever asked hears of it, too; but a lab that cannot write anything down cannot go on.
        if (error instanceof StoreError) this.fail(error);
        throw error;
      }
    };
    return this.clock === undefined ? apply() : this.clock.enter(apply);
  }

  /** Does now what a step of a story does: to be called within `write`. `expect` is nothing that can be done. */
  perform(input: Exclude<StoryInput, { to: "expect" }>): void {
    this.#stage.perform(input);
  }

  progress(): Progress {
    const { counts } = this.delivery;
    const { pending, retry, unsynced } = this.#world.progress();
    const failures = counts.retried + counts.refused + counts.failed + counts.timeout + counts.connection;
    const gauge = this.#gauge?.read({
      nowMs: this.#wall(),
      answered: counts.accepted + failures,
      waiting: this.delivery.awaited,
      waitingForConnection: this.delivery.waitingForConnection,
    });
    return {
      atMs: this.#kernel.now,
      steps: this.#kernel.fired,
      lastsMs: this.#options.scenario.cast.lastsMs,
      events: this.#outgoing.count,
      accepted: counts.accepted,
      failures,
      inFlight: this.delivery.awaited,
      retrying: this.delivery.waiting,
      waitingOnPhones: pending + retry + unsynced,
      traffic: this.#world.traffic,
      ...(this.#drain.isUnderWay && { drainsToMs: this.#drain.endsAtMs }),
      ...(this.clock !== undefined && { clock: this.clock.status }),
      ...(gauge !== undefined && { gauge }),
    };
  }

  /** By how many wall milliseconds what is due next is overdue: 0 where the run keeps to its schedule, or has none. */
  get behindMs(): number {
    return this.clock?.behindMs ?? 0;
  }

  /** The accounts as they stand now. */
  ledger(): LedgerReport {
    return this.#ledger.close(this.#census());
  }

  /** What the service knows beforehand of the person with a number. */
  #entryOf(phone: string): { name: string | null; language: string | null } | undefined {
    const place = this.#world.personByPhone(phone);
    if (place === undefined) return undefined;
    const { name = null, language = null } = this.#world.person(place);
    return { name, language };
  }

  /** Where the world goes on at a later instant than 0, what was due up to there has been. */
  #isAhead({ atMs }: Step): boolean {
    const { fromMs = 0 } = this.#options;
    return fromMs === 0 || atMs > fromMs;
  }

  #warnUnswitched(): void {
    const warning = "the story's receiver steps did nothing: the receiver is not the bundled one";
    if (this.#options.sender !== undefined && !this.#warnings.includes(warning)) this.#warnings.push(warning);
  }

  #emitted(emission: Emission): void {
    this.#firstEventAt ??= this.clock?.dueWallMs(this.#kernel.now) ?? this.#wall();
    this.#expectations.emitted(emission);
    this.measuring.emitted(emission);
  }

  /**
   * What fails here fails in the middle of a socket's callback (a full disk, above all): it is kept, ends the run at
   * the next step, and is thrown by `play`.
   */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The run cannot go on: it ends at the next step, and `play` throws this. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** An attempt is recorded before it takes effect. */
  #attempted(attempt: Attempt): void {
    this.#lastAnswerAt = this.#wall();
    this.measuring.attempted(attempt);
    this.#gauge?.attempted(attempt, this.#lastAnswerAt);
    if (attempt.isRepeat) this.#repeats++;
    const { posting } = attempt;
    this.#options.recording.attempt(attempt, this.#turn);
    // In lockstep it is the kernel that brings it about.
    if (this.#options.pace.kind !== "lockstep") this.#outside++;
    this.#options.happened?.({
      kind: "attempt",
      channel: posting.channel,
      number: posting.number,
      atMs: attempt.effectAtMs,
      try: attempt.try,
      status: attempt.status,
      error: attempt.error,
      outcome: attempt.outcome,
      durationMs: attempt.durationMs,
    });
    if (attempt.outcome === "accepted") this.replies.take(attempt);
  }

  /** Counts what waits at each place. A message that is Q at the service and also on its phone is the phone's. */
  #census(): Census {
    const world = this.#world.census();
    const posted = this.delivery.census();
    let atService = 0;
    for (const { channel, message } of this.#gateway.queued()) if (!this.#world.holds(channel, message)) atService++;
    return { texts: world.texts + atService, calls: world.calls, events: posted.events, attempts: posted.attempts };
  }

  #shouldGiveUp(): boolean {
    const since = this.delivery.silentSinceWallMs;
    if (since !== undefined && this.#wall() - since >= this.#options.giveUpAfterMs) this.#hasGivenUp = true;
    return this.#hasGivenUp;
  }

  #idle(): void {
    this.delivery.dispatch();
    const now = this.#wall();
    if (this.#options.isDurable !== true && now - this.#flushedAt < 250) return;
    this.#flushedAt = now;
    this.#guarded(() => this.#options.recording.whenFlushed(() => undefined));
  }

  #note(kind: string, text: string): void {
    this.#options.recording.note({ atMs: this.#kernel.now, channel: 0, kind, text });
    this.#options.happened?.({ kind: "note", atMs: this.#kernel.now, channel: 0, word: kind, text });
  }

  #wall(): number {
    return performance.now();
  }
}
