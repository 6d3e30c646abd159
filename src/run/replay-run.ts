import { performance } from "node:perf_hooks";
import { type Attempt, Delivery } from "../delivery/index.js";
import { Thresholds } from "../expect/index.js";
import type { ChannelRow, EventRow } from "../gateway/index.js";
import type { Poster } from "../http/index.js";
import {
  allAnswered,
  drainLimitMs,
  drive,
  type Driven,
  Gauge,
  LEAD_MS,
  LiveClock,
  Measuring,
  Outgoing,
  type Pace,
  type Progress,
  ReplyReader,
  type Tallies,
} from "../lab/index.js";
import { Ledger } from "../ledger/index.js";
import type { Scenario } from "../scenario/index.js";
import { Kernel, type SimTime } from "../sim/index.js";
import type { Recording, RecordingReader } from "../store/index.js";
import { isForwarded } from "../wire/index.js";

export interface ReplayRunOptions {
  /** What is replayed. */
  readonly source: RecordingReader;
  /** Its events, or some of them, in their order. */
  readonly events: Iterator<EventRow>;
  readonly scenario: Scenario;
  readonly recording: Recording;
  readonly sender: Poster;
  readonly url: string;
  /** Types that are posted although the account does not forward them. */
  readonly named: readonly string[];
  /** Virtual milliseconds in each of the wall's; undefined: as fast as the receiver answers. */
  readonly speed: number | undefined;
  readonly giveUpAfterMs: number;
  readonly signal?: AbortSignal;
}

/** Why a reply led to nothing. */
const REPLAYED = "replayed";

/** An event of the recording; `url` null: the account does not forward its type. */
interface Replayed extends EventRow {
  readonly url: string | null;
  readonly isForwarded: boolean;
}

/** One replay: recorded events go out again, and what comes back is recorded. Made for one `play`. */
export class ReplayRun {
  readonly delivery: Delivery;
  readonly measuring: Measuring;
  readonly thresholds: Thresholds;
  readonly #options: ReplayRunOptions;
  readonly #kernel: Kernel;
  readonly #clock: LiveClock | undefined;
  readonly #gauge: Gauge | undefined;
  readonly #ledger = new Ledger();
  readonly #events: Iterator<EventRow>;
  readonly #endMs: SimTime;
  readonly #channels: ReadonlyMap<number, ChannelRow>;
  #next: EventRow | undefined;
  readonly #outgoing: Outgoing<Replayed>;
  readonly #replies: ReplyReader;
  #ignored = 0;
  #firstEventAt: number | undefined;
  #lastAnswerAt: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** The expectation that ended it. */
  #stoppedBy: string | undefined;
  #isStopped = false;
  #hasGivenUp = false;

  constructor(options: ReplayRunOptions) {
    const { source, scenario, sender, speed } = options;
    this.#options = options;
    this.#replies = new ReplyReader(options.scenario.service);
    this.#events = options.events;
    this.#next = this.#read();
    // Nothing is waited for before the first event, and retries are made up to the end of the recorded world and its drain.
    const pace: Pace =
      speed === undefined ? { kind: "max", connections: sender.connections } : { kind: "paced", speed };
    this.#endMs = Math.max(scenario.cast.lastsMs, source.lastAtMs()) + drainLimitMs(scenario, pace);
    this.#kernel = new Kernel(this.#next?.atMs ?? 0);
    this.#clock =
      speed === undefined
        ? undefined
        : new LiveClock({
            kernel: this.#kernel,
            wall: () => this.#wall(),
            speed,
            leadMs: LEAD_MS,
            lastsMs: this.#endMs,
          });
    const clock = this.#clock;
    this.#gauge = clock === undefined ? undefined : new Gauge();
    this.#channels = new Map(Array.from(source.channels(), (channel) => [channel.id, channel]));
    this.measuring = new Measuring({
      recording: options.recording,
      pace: clock === undefined ? "max" : "paced",
      selectorOf: (channel) => this.#channels.get(channel)?.name ?? "",
      now: () => this.#wall(),
      dueAt: () => this.#wall(),
    });
    this.thresholds = new Thresholds({
      expectations: scenario.expect,
      meter: this.measuring.meter,
      counts: () => ({
        events: this.#outgoing.counts,
        replies: { valid: 0, ignored: this.#ignored },
        unanswered: 0,
        doubles: 0,
      }),
    });
    this.#outgoing = new Outgoing({
      ledger: this.#ledger,
      emitted: (event) => this.#emitted(event),
      post: (posting) => this.delivery.post(posting),
    });
    this.delivery = new Delivery({
      kernel: this.#kernel,
      sender,
      preset: { ...scenario.service, timeoutMs: scenario.receiver?.timeoutMs ?? scenario.service.timeoutMs },
      answersAfterMs: undefined,
      wall: () => this.#wall(),
      ...(clock !== undefined && {
        dueWallMs: (atMs: SimTime) => clock.dueWallMs(atMs),
        catchUp: () => clock.catchUp(),
      }),
      recording: options.recording,
      tally: this.#ledger,
      marks: scenario.receiver?.marks ?? false,
      ports: {
        attempted: (attempt) => this.#attempted(attempt),
        left: (attempt) => this.measuring.meter.timeline.recordUnanswered(attempt),
        failed: (error) => this.fail(error),
      },
    });
  }

  /** Posts every event, or goes on until it is stopped or given up. Attempts in flight at the end are awaited. */
  async play(): Promise<Tallies> {
    const { recording, sender, signal, speed } = this.#options;
    const pace: Pace =
      speed === undefined ? { kind: "max", connections: sender.connections } : { kind: "paced", speed };
    const stop = (): void => this.#stop();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    this.thresholds.begin(this.#wall());
    this.measuring.meter.timeline.begin(this.#wall() - sender.bornMs);
    const watch = setInterval(() => {
      this.#guarded(() => recording.whenFlushed(() => undefined));
      this.#stoppedBy ??= this.thresholds.look(this.#wall());
      if (this.#stoppedBy !== undefined || this.#shouldGiveUp()) this.#stop();
    }, 100);
    try {
      await this.#playAll(pace);
    } finally {
      clearInterval(watch);
      signal?.removeEventListener("abort", stop);
    }
    this.thresholds.stopCounting(this.#wall());
    if (this.#isStopped) this.delivery.halt();
    // Where nothing goes on, nobody waits for answers.
    if (this.#failure === undefined) await this.delivery.drain();
    if (this.#failure !== undefined) throw this.#failure.error;
    recording.flush();
    return this.#tallies();
  }

  /** Ends it at once: `play` throws the error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop();
  }

  progress(): Progress {
    const { counts, awaited } = this.delivery;
    const failures = counts.retried + counts.refused + counts.failed + counts.timeout + counts.connection;
    const gauge = this.#gauge?.read({
      nowMs: this.#wall(),
      answered: counts.accepted + failures,
      waiting: awaited,
      waitingForConnection: this.delivery.waitingForConnection,
    });
    return {
      atMs: this.#kernel.now,
      steps: this.#kernel.fired,
      lastsMs: this.#endMs,
      events: this.#outgoing.count,
      accepted: counts.accepted,
      failures,
      inFlight: awaited,
      retrying: this.delivery.waiting,
      waitingOnPhones: 0,
      traffic: { times: 1, state: "running" },
      ...(this.#clock !== undefined && { clock: this.#clock.status }),
      ...(gauge !== undefined && { gauge }),
    };
  }

  /** The loop of runs, with the next event as the kernel's timer. Retries are made up to where the recorded world ended. */
  async #playAll(pace: Pace): Promise<void> {
    const kernel = this.#kernel;
    const { delivery } = this;
    const { url: receiver, named } = this.#options;
    const fire = (event: EventRow): void => {
      const { channel, number, atMs, type, body, subject, copy } = event;
      const isSent = named.includes(type) || isForwarded(type, this.#channels.get(channel)?.forwards);
      // Property by property: spread, it costs a fifth of what an event takes this thread.
      this.#outgoing.emit({
        row: this.#outgoing.count + 1,
        channel,
        number,
        atMs,
        type,
        body,
        subject,
        copy,
        url: isSent ? receiver : null,
        isForwarded: isSent,
      });
      this.#next = this.#read();
      if (this.#next !== undefined) kernel.at(this.#next.atMs, fire, this.#next);
    };
    if (this.#next !== undefined) kernel.at(this.#next.atMs, fire, this.#next);
    const driven: Driven = {
      kernel,
      delivery,
      lastsMs: this.#endMs,
      wall: () => this.#wall(),
      isOver: () => this.#isStopped || (this.#next === undefined && delivery.inFlight + delivery.waiting === 0),
      takeBarrier: () => undefined,
      hasBarrier: () => false,
      idle: () => delivery.dispatch(),
    };
    do {
      await drive(driven, pace, this.#clock);
      // The last answers may lead to further attempts.
      await allAnswered(driven);
    } while (!driven.isOver() && kernel.nextAtMs <= this.#endMs);
  }

  #read(): EventRow | undefined {
    const { done, value } = this.#events.next();
    return done === true ? undefined : value;
  }

  #emitted(event: Replayed): void {
    this.#firstEventAt ??= this.#clock?.dueWallMs(this.#kernel.now) ?? this.#wall();
    this.measuring.meter.recordEvent(event.type, event.channel);
    this.#ledger.in("events");
    this.#options.recording.event(event, event.isForwarded);
  }

  #attempted(attempt: Attempt): void {
    this.#lastAnswerAt = this.#wall();
    this.measuring.attempted(attempt);
    this.#gauge?.attempted(attempt, this.#lastAnswerAt);
    this.#options.recording.attempt(attempt, this.#kernel.fired);
    if (attempt.outcome === "accepted") this.#countReply(attempt);
  }

  #countReply(attempt: Attempt): void {
    if (this.#replies.read(attempt).kind === "none") return;
    this.#ignored++;
    const { channel, number, effectAtMs: atMs } = attempt;
    this.#options.recording.reply({ atMs, channel, number, kind: "ignored", reason: REPLAYED, detail: null });
  }

  #tallies(): Tallies {
    const endedAt = this.#lastAnswerAt ?? this.#wall();
    const isWhole = this.#next === undefined && !(this.#isStopped && this.delivery.census().events > 0);
    const left = isWhole ? [] : ["not all recorded events were replayed"];
    return {
      reachedMs: this.#kernel.now,
      digest: this.#outgoing.digest(),
      events: this.#outgoing.counts,
      replies: {
        valid: 0,
        ignored: this.#ignored,
        reasons: new Map(this.#ignored === 0 ? [] : [[REPLAYED, this.#ignored]]),
      },
      ledger: this.#ledger.close({ texts: 0, calls: 0, ...this.delivery.census() }),
      expectations: [],
      wallMs: this.#firstEventAt === undefined ? 0 : Math.max(0, endedAt - this.#firstEventAt),
      stoppedBy: this.#stoppedBy,
      hasGivenUp: this.#hasGivenUp,
      wasStopped: this.#isStopped && !this.#hasGivenUp,
      warnings: left,
      sightings: [],
      crossing: undefined,
    };
  }

  #shouldGiveUp(): boolean {
    const since = this.delivery.silentSinceWallMs;
    if (since !== undefined && this.#wall() - since >= this.#options.giveUpAfterMs) this.#hasGivenUp = true;
    return this.#hasGivenUp;
  }

  /** What fails in a socket's callback (a full disk, above all) ends the replay, and is thrown by `play`. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  #stop(): void {
    this.#isStopped = true;
    this.delivery.nudge();
    this.#clock?.wake();
  }

  #wall(): number {
    return performance.now();
  }
}
