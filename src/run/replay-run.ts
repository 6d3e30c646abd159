import { performance } from "node:perf_hooks";
import { type Attempt, DeliveryTroubles } from "../delivery/index.js";
import type { ChannelRow, EventRow } from "../gateway/index.js";
import type { HttpSender } from "../http/index.js";
import {
  allAnswered,
  applyDeliveryTrouble,
  drainLimitMs,
  playToEnd,
  LiveClock,
  type Pace,
  Pipeline,
  type Progress,
  ReplyReader,
  RunPosition,
  type RunTotals,
} from "../lab/index.js";
import { Ledger } from "../ledger/index.js";
import { Spacing } from "../measure/index.js";
import { type AnswerComparison, recipientsOf } from "../report/index.js";
import type { DeliveryInput, Scenario } from "../scenario/index.js";
import { Kernel, type SimTime, Streams } from "../sim/index.js";
import type { RecordedEvent, Recording, RecordingReader } from "../store/index.js";
import { isForwarded, type Reply, shiftEventTimes } from "../wire/index.js";
import { Population } from "../world/index.js";

/** Options of one replay run. */
export interface ReplayRunOptions {
  /** The recording that is replayed. */
  readonly source: RecordingReader;
  /** Its events, or a selection, in their order. */
  readonly events: Iterator<EventRow | RecordedEvent>;
  readonly scenario: Scenario;
  readonly recording: Recording;
  readonly sender: HttpSender;
  readonly url: string;
  /** Types that are sent although the account does not forward them. */
  readonly forwardedTypes: readonly string[];
  readonly pace: Pace;
  /** Milliseconds by which the times in the events' bodies are shifted. */
  readonly shiftMs: number;
  /** Trouble on the way to the receiver, from the first event on; absent: none. */
  readonly delivery?: DeliveryInput | undefined;
  /** Holds the answers against the recorded ones. Then the events have their attempts. */
  readonly comparison?: AnswerComparison | undefined;
  readonly giveUpAfterMs: number;
  readonly judgeBusy?: boolean | undefined;
  /** Signals, each of which stops the replay. */
  readonly signals: readonly AbortSignal[];
}

/** The reason under which the result counts the ignored replies: a replay ignores all of them. */
const REPLAYED = "replayed";

/**
 * How far a paced replay plays ahead of the wall clock: wall milliseconds. No answer changes what it sends, so it may be
 * far ahead: only the sender's thread must keep time.
 */
const REPLAY_AHEAD_MS = 250;

/** A recorded event; `url` is null when the account does not forward its type. */
interface Replayed extends EventRow {
  readonly url: string | null;
  readonly isForwarded: boolean;
}

/**
 * One replay: recorded events pass the pipeline again, and their attempts are recorded. It has no world and no service,
 * so replies are counted as ignored. One `play` per instance.
 */
export class ReplayRun {
  readonly pipeline: Pipeline<Replayed>;
  readonly #options: ReplayRunOptions;
  readonly #pace: Pace;
  readonly #kernel: Kernel;
  readonly #clock: LiveClock | undefined;
  readonly #ledger = new Ledger();
  readonly #endMs: SimTime;
  readonly #channels: ReadonlyMap<number, ChannelRow>;
  readonly #replies: ReplyReader;
  /** Paced: how well the recorded spacing was kept. */
  readonly spacing = new Spacing();
  #next: EventRow | RecordedEvent | undefined;
  #ignoredCount = 0;
  /** Numbers of the people whom answers ask to be written to; absent: no bound is on doubles. */
  readonly #people: Map<string, number> | undefined;

  constructor(options: ReplayRunOptions) {
    const { source, scenario, sender, recording } = options;
    this.#options = options;
    if (scenario.expect.some(({ metric }) => metric === "doubles")) this.#people = new Map();
    this.#replies = new ReplyReader(scenario.service);
    this.#channels = new Map(Array.from(source.channels(), (channel) => [channel.id, channel]));
    this.#next = this.#readEvent();
    const pace = (this.#pace = options.pace);
    // Virtual time starts at the first event; retries are made until the end of the recorded world and its drain.
    this.#endMs = Math.max(scenario.cast.lastsMs, source.lastAtMs()) + drainLimitMs(scenario, this.#pace);
    const kernel = (this.#kernel = new Kernel(this.#next?.atMs ?? 0));
    const wall = (): number => performance.now();
    this.#clock =
      pace.kind === "paced"
        ? new LiveClock({ kernel, wall, speed: pace.speed, playAheadMs: REPLAY_AHEAD_MS, lastsMs: this.#endMs })
        : undefined;
    this.pipeline = new Pipeline<Replayed>({
      troubles: options.delivery && troublesOf(options.delivery, scenario, kernel),
      kernel,
      clock: this.#clock,
      pace: this.#pace,
      ledger: this.#ledger,
      recording,
      position: new RunPosition(kernel),
      scenario,
      sender,
      giveUpAfterMs: options.giveUpAfterMs,
      judgeBusy: options.judgeBusy,
      receivers: [options.url],
      selectorOf: (channel) => this.#channels.get(channel)?.name ?? "",
      isResumable: false,
      countEvent: (event) => this.#recordEvent(event),
      onAttempt: (attempt) => this.#recordAttempt(attempt),
      applyReply: (attempt) => this.#countReply(attempt),
      replies: () => ({ valid: 0, ignored: this.#ignoredCount }),
    });
  }

  /** Sends every event, until it is stopped or gives up. Awaits the attempts in flight at the end. */
  async play(): Promise<RunTotals> {
    const { recording, signals } = this.#options;
    const { end, delivery, thresholds } = this.pipeline;
    const stop = (): void => end.stop();
    for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
    if (signals.some(({ aborted }) => aborted)) stop();
    const endChecks = this.pipeline.startChecks({ onCheck: () => this.#check() });
    try {
      await this.#playEvents();
    } finally {
      endChecks();
      for (const signal of signals) signal.removeEventListener("abort", stop);
    }
    thresholds.stopCounting(performance.now());
    if (end.isStopped) delivery.stopSending();
    // A failed replay cannot record answers, so it does not wait for them.
    if (!end.hasFailed) await delivery.drain();
    end.throwFailure();
    recording.flush();
    return this.#totals();
  }

  progress(): Progress {
    return {
      ...this.pipeline.progress(),
      lastsMs: this.#endMs,
      waitingOnPhones: 0,
      traffic: { times: 1, state: "running" },
    };
  }

  #check(): void {
    const { end } = this.pipeline;
    end.guard(() => this.#options.recording.whenFlushed(() => undefined));
    this.pipeline.checkThresholds();
    if (end.hasGivenUp) end.stop();
  }

  /** Runs the time loop of a run, with the next event as a kernel timer. */
  async #playEvents(): Promise<void> {
    const kernel = this.#kernel;
    const { delivery, end } = this.pipeline;
    this.#scheduleNext();
    const simulation = {
      kernel,
      outstanding: delivery,
      lastsMs: this.#endMs,
      wall: () => performance.now(),
      isOver: () => end.isStopped || (this.#next === undefined && delivery.inFlight + delivery.waiting === 0),
      dequeueBarrier: () => undefined,
      hasBarrier: () => false,
      dispatch: () => delivery.dispatchAttempts(),
    };
    do {
      await playToEnd(simulation, this.#pace, this.#clock);
      // The last answers may lead to further attempts.
      await allAnswered(simulation);
    } while (!simulation.isOver() && kernel.nextAtMs <= this.#endMs);
  }

  #scheduleNext(): void {
    if (this.#next !== undefined) this.#kernel.at(this.#next.atMs, this.#fire, this.#next);
  }

  readonly #fire = (event: EventRow | RecordedEvent): void => {
    const { channel, number, atMs, type, subject, copy } = event;
    const { url, forwardedTypes, shiftMs, comparison } = this.#options;
    const body = shiftMs === 0 ? event.body : shiftEventTimes(event.body, shiftMs);
    const isSent = forwardedTypes.includes(type) || isForwarded(type, this.#channels.get(channel)?.forwards);
    if (comparison !== undefined && isSent && "attempts" in event) comparison.expectEvent(event);
    // Not an object spread: measured, it took 20% of an event's time on this thread.
    this.pipeline.emitEvent({
      row: this.pipeline.eventCount + 1,
      channel,
      number,
      atMs,
      type,
      body,
      subject,
      copy,
      url: isSent ? url : null,
      isForwarded: isSent,
    });
    this.#next = this.#readEvent();
    this.#scheduleNext();
  };

  #readEvent(): EventRow | RecordedEvent | undefined {
    const { done, value } = this.#options.events.next();
    return done === true ? undefined : value;
  }

  #recordEvent(event: Replayed): void {
    this.pipeline.measurements.meter.recordEvent(event.type, event.channel);
    if (event.copy === null) this.#ledger.in("events");
    else this.#ledger.copy("events", event.copy.cause);
    if (event.copy !== null && this.#people !== undefined) {
      this.pipeline.measurements.behaviour.doubles.recordCopy(event, event.copy.of);
    }
    this.#options.recording.event(event, event.isForwarded);
  }

  #recordAttempt(attempt: Attempt): void {
    this.spacing.recordAttempt(attempt);
    this.#options.comparison?.compareAttempt(attempt);
  }

  #countReply(attempt: Attempt): void {
    const reading = this.#replies.read(attempt);
    if (reading.kind === "none") return;
    if (reading.kind === "reply") this.#countDoubles(attempt, reading.reply);
    this.#ignoredCount++;
    const { channel, number, effectAtMs: atMs } = attempt;
    this.#options.recording.reply({ atMs, channel, number, kind: "ignored", reason: REPLAYED, detail: null });
  }

  /** Counts an answer to an event, or to a copy of it, that asks for a second message to a person. */
  #countDoubles(event: Attempt, reply: Reply): void {
    const people = this.#people;
    if (people === undefined) return;
    for (const person of recipientsOf(reply, "its sender")) {
      const contact = people.get(person) ?? people.size + 1;
      people.set(person, contact);
      this.pipeline.measurements.behaviour.doubles.recordReply(event, { contact });
    }
  }

  #totals(): RunTotals {
    const { delivery, end } = this.pipeline;
    const isWhole = this.#next === undefined && !(end.isStopped && delivery.census().events > 0);
    return {
      reachedMs: this.#kernel.now,
      ...this.pipeline.totals(),
      replies: {
        valid: 0,
        ignored: this.#ignoredCount,
        reasons: new Map(this.#ignoredCount === 0 ? [] : [[REPLAYED, this.#ignoredCount]]),
      },
      ledger: this.#ledger.close({ texts: 0, calls: 0, ...delivery.census() }),
      expectations: [],
      observations: [],
      crossing: undefined,
      warnings: isWhole ? [] : ["not all recorded events were replayed"],
    };
  }
}

/** The troubles of a replay: each event meets what it would have met in a run of its scenario. */
function troublesOf(input: DeliveryInput, { cast, seed }: Scenario, kernel: Kernel): DeliveryTroubles {
  const streams = new Streams(seed);
  const population = new Population({ cast, streams, part: { index: 1, count: 1 }, guests: [] });
  const troubles = new DeliveryTroubles((channel, name) => streams.get(`${population.nameOfHandset(channel)}/${name}`));
  applyDeliveryTrouble(input, { troubles, population, kernel });
  return troubles;
}
