import type { Attempt, Posting, Sender } from "../delivery/index.js";
import { Delivery } from "../delivery/index.js";
import { type ChannelSpec, type Emission, Gateway } from "../gateway/index.js";
import { Ledger, type LedgerReport } from "../ledger/index.js";
import type { ExpectationResult } from "../report/index.js";
import type { ReceiverInput, Scenario } from "../scenario/index.js";
import { type Fakes, Kernel, type SimTime, Streams } from "../sim/index.js";
import { Digest, type Recording } from "../store/index.js";
import { type Census, decodeEvent, readReply } from "../wire/index.js";
import { World } from "../world/index.js";
import { Expectations } from "./expectations.js";
import { drive, type Driven, type Pace } from "./pace.js";
import { Story } from "./story.js";
import type { ReceiverSwitch } from "./target.js";

export interface LabOptions {
  readonly scenario: Scenario;
  readonly recording: Recording;
  /** Delivery URL of channels that have none of their own; null: their events go nowhere. */
  readonly url: string | null;
  /** Absent: nothing is posted at all, whatever the channels' URLs. */
  readonly sender?: Sender;
  readonly pace: Pace;
  readonly fakes: Fakes;
  /** The bundled receiver's switch, for the story's `receiver` steps. */
  readonly receiver?: ReceiverSwitch;
  /** Wall milliseconds without any answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /**
   * Loses the events for which it says so, without a word to the ledger: to show that the ledger notices.
   */
  readonly sabotage?: (event: { channel: number; number: number; type: string }) => boolean;
}

/** Where a run stands: cheap enough to be asked ten times a second. */
export interface Progress {
  readonly atMs: SimTime;
  readonly lastsMs: SimTime;
  /** Steps of the kernel: the measure of a run's work. */
  readonly steps: number;
  readonly events: number;
  readonly accepted: number;
  /** Attempts that were not accepted. */
  readonly failures: number;
  /** Attempts that wait for their answer. */
  readonly inFlight: number;
  /** Events that wait for their next attempt. */
  readonly retrying: number;
  /** Messages to be sent and reports to be told that wait on phones. */
  readonly waitingOnPhones: number;
}

/** What a run came to, as its parts have counted it. */
export interface Tallies {
  readonly reachedMs: SimTime;
  readonly digest: string;
  readonly events: ReadonlyMap<string, number>;
  readonly replies: { readonly valid: number; readonly ignored: number; readonly reasons: ReadonlyMap<string, number> };
  readonly ledger: LedgerReport;
  readonly expectations: readonly ExpectationResult[];
  /** From the first due event to the last answer; 0 when nothing was due. */
  readonly wallMs: number;
  readonly hasGivenUp: boolean;
  readonly wasStopped: boolean;
  /** What a reader of the result should know. */
  readonly warnings: readonly string[];
}

/**
 * One run: joins kernel, world, gateway, delivery and recording, and is the only place where virtual and wall time meet.
 * Made for one `play`.
 */
export class Lab {
  readonly delivery: Delivery;
  readonly #options: LabOptions;
  readonly #kernel = new Kernel();
  readonly #ledger = new Ledger();
  readonly #digest = new Digest();
  readonly #world: World;
  readonly #gateway: Gateway;
  readonly #story: Story;
  readonly #expectations: Expectations;
  readonly #events = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #warnings: string[] = [];
  #eventCount = 0;
  #validReplies = 0;
  #ignoredReplies = 0;
  #barriers: (() => Promise<void>)[] = [];
  #flushedAt = 0;
  #playsFrom = 0;
  #firstEventAt: number | undefined;
  #lastAnswerAt: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isStopped = false;
  #hasGivenUp = false;

  constructor(options: LabOptions) {
    const { scenario, recording, fakes, pace } = options;
    const { cast } = scenario;
    const streams = new Streams(scenario.seed);
    this.#options = options;
    this.#world = new World({
      kernel: this.#kernel,
      streams,
      cast,
      fakes,
      tally: this.#ledger,
      ports: {
        uplink: (channel, sync, report) => this.#world.answer(channel, sync, this.#gateway.sync(channel, report)),
        send: (channel, phone, text) => void this.#gateway.send(channel, { phone, text, origin: "traffic" }),
        heard: (person, text, _channel, atMs) => this.#expectations.heard(person, text, atMs),
      },
    });
    this.#gateway = new Gateway({
      kernel: this.#kernel,
      streams,
      journal: recording,
      tables: recording.tables,
      isServed: false,
      tally: this.#ledger,
      preset: scenario.service,
      startsAtMs: cast.startsAtMs,
      channels: this.#channelSpecs(streams),
      directory: (phone) => this.#entryOf(phone),
      ports: {
        emit: (emission) => this.#emitted(emission),
        push: (channel) => this.#world.push(channel),
      },
    });
    this.delivery = new Delivery({
      kernel: this.#kernel,
      sender: options.sender,
      preset: { ...scenario.service, timeoutMs: scenario.receiver?.timeoutMs ?? scenario.service.timeoutMs },
      answersAfterMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
      wall: () => this.#wall(),
      ...(pace.kind === "paced" && {
        dueWallMs: (atMs: SimTime) => this.#playsFrom + atMs / pace.speed,
        catchUp: () => this.#catchUp(pace.speed),
      }),
      tally: this.#ledger,
      marks: scenario.receiver?.marks ?? false,
      ports: {
        attempted: (attempt) => this.#guarded(() => this.#attempted(attempt)),
        accepted: (attempt) => this.#guarded(() => this.#accepted(attempt)),
        closed: () => undefined,
      },
    });
    this.#story = new Story({
      kernel: this.#kernel,
      streams,
      fakes,
      world: this.#world,
      gateway: this.#gateway,
      startsAtMs: cast.startsAtMs,
    });
    this.#expectations = new Expectations(scenario.story, this.#world);
  }

  /** Plays the scenario to its end, or until it is stopped or given up. Attempts in flight at the end are awaited. */
  async play(): Promise<Tallies> {
    const { scenario, pace, recording } = this.#options;
    this.#scheduleStory();
    this.#world.start();
    this.#gateway.start();
    this.#playsFrom = this.#wall();
    const driven: Driven = {
      kernel: this.#kernel,
      delivery: this.delivery,
      lastsMs: scenario.cast.lastsMs,
      wall: () => this.#wall(),
      isOver: () => this.#isStopped || this.#shouldGiveUp(),
      takeBarrier: () => this.#barriers.shift(),
      idle: () => this.#idle(),
    };
    // Looked at from outside the loop, which waits for answers that may never come.
    const watch = setInterval(() => {
      if (this.#shouldGiveUp()) this.delivery.nudge();
    }, 100);
    try {
      await drive(driven, pace);
    } finally {
      clearInterval(watch);
    }
    if (driven.isOver()) this.delivery.halt();
    const wasStopped = this.#isStopped && !this.#hasGivenUp;
    const reachedMs = wasStopped || this.#hasGivenUp ? this.#kernel.now : scenario.cast.lastsMs;
    await this.delivery.drain();
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#gateway.save();
    recording.flush();
    const ledger = this.#ledger.close(this.#census());
    return {
      reachedMs,
      digest: this.#digest.hex(),
      events: this.#events,
      replies: { valid: this.#validReplies, ignored: this.#ignoredReplies, reasons: this.#reasons },
      ledger,
      expectations: this.#expectations.results(reachedMs),
      wallMs:
        this.#firstEventAt === undefined ? 0 : Math.max(0, (this.#lastAnswerAt ?? this.#wall()) - this.#firstEventAt),
      hasGivenUp: this.#hasGivenUp,
      wasStopped,
      warnings: this.#warnings,
    };
  }

  /** Ends the run at the next step: `play` then waits for the attempts in flight and returns. */
  stop(): void {
    this.#isStopped = true;
    this.delivery.nudge();
  }

  progress(): Progress {
    const { counts } = this.delivery;
    const { pending, retry, unsynced } = this.#world.progress();
    return {
      atMs: this.#kernel.now,
      steps: this.#kernel.fired,
      lastsMs: this.#options.scenario.cast.lastsMs,
      events: this.#eventCount,
      accepted: counts.accepted,
      failures: counts.retried + counts.refused + counts.failed + counts.timeout + counts.connection,
      inFlight: this.delivery.inFlight,
      retrying: this.delivery.waiting,
      waitingOnPhones: pending + retry + unsynced,
    };
  }

  #channelSpecs(streams: Streams): ChannelSpec[] {
    return Array.from({ length: this.#world.handsetCount }, (_, index) => {
      const { channel, selector, phone, profile, receiver } = this.#world.handset(index + 1);
      return {
        id: channel,
        name: selector,
        uuid: streams.uuid(`channel/${selector}`),
        phone,
        url: this.#options.sender === undefined || receiver === "none" ? null : (receiver ?? this.#options.url),
        device: this.#world.deviceStatus(channel),
        deduplicates: profile.deduplicates,
      };
    });
  }

  /** What the service knows beforehand of the person with a number. */
  #entryOf(phone: string): { name: string | null; language: string | null } | undefined {
    const place = this.#world.personByPhone(phone);
    if (place === undefined) return undefined;
    const { name = null, language = null } = this.#world.person(place);
    return { name, language };
  }

  /** Story steps are scheduled before anything else, so at their instant they come first, in file order. */
  #scheduleStory(): void {
    this.#options.scenario.story.forEach(({ atMs, input }, index) => {
      if (input.to === "expect") return;
      this.#kernel.at(
        atMs,
        () => {
          if (input.to === "log") this.#note("note", input.text);
          else if (input.to === "receiver") this.#switchReceiver(input.input);
          else this.#story.perform(input, index);
        },
        undefined,
      );
    });
  }

  #switchReceiver(input: ReceiverInput): void {
    const { receiver } = this.#options;
    if (receiver === undefined) {
      const warning = "the story's receiver steps did nothing: the receiver is not the bundled one";
      if (this.#options.sender !== undefined && this.#warnings.length === 0) this.#warnings.push(warning);
      return;
    }
    this.#stopFor(() => receiver.answer(input));
    if (input.forMs === undefined) return;
    this.#kernel.in(input.forMs, () => this.#stopFor(() => receiver.answer({ answers: "ok" })), undefined);
  }

  /** Has something done outside virtual time, before the next step. */
  #stopFor(barrier: () => Promise<void>): void {
    this.#barriers.push(barrier);
    this.#kernel.pause();
  }

  #emitted(emission: Emission): void {
    this.#eventCount++;
    this.#events.set(emission.type, (this.#events.get(emission.type) ?? 0) + 1);
    this.#firstEventAt ??= this.#wall();
    this.#digest.add(emission);
    this.#expectations.emitted(emission);
    if (this.#options.sabotage?.(emission) === true) return;
    if (emission.url === null) this.#ledger.lost("events", "no-receiver");
    else this.delivery.post({ ...emission, url: emission.url });
  }

  /**
   * What fails here fails in the middle of a socket's callback (a full disk, above all): it is kept, ends the run at
   * the next step, and is thrown by `play`.
   */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#failure ??= { error };
      this.stop();
    }
  }

  /** An attempt is recorded before it takes effect. */
  #attempted(attempt: Attempt): void {
    this.#lastAnswerAt = this.#wall();
    const { posting, ...rest } = attempt;
    this.#options.recording.attempt({ channel: posting.channel, number: posting.number, ...rest });
  }

  #accepted(attempt: Attempt): void {
    if (attempt.body === null) return;
    const { posting } = attempt;
    const { replyToSender } = this.#options.scenario.service;
    const reading = readReply(attempt.body, { replyToSender, bodyBytes: attempt.bodyBytes });
    if (reading.kind === "none") return;
    const effect = reading.kind === "reply" ? this.#gateway.reply(posting, reading.reply, phoneIn(posting)) : reading;
    if (effect.kind === "ignored") {
      this.#ignoredReplies++;
      this.#reasons.set(effect.reason, (this.#reasons.get(effect.reason) ?? 0) + 1);
    } else this.#validReplies++;
    this.#options.recording.reply({
      atMs: attempt.effectAtMs,
      channel: posting.channel,
      number: posting.number,
      kind: effect.kind === "ignored" ? "ignored" : "valid",
      reason: effect.kind === "ignored" ? effect.reason : null,
      detail: effect.kind === "ignored" ? effect.detail : null,
    });
  }

  /** Counts what waits at each place. A message that is Q at the service and also on its phone is the phone's. */
  #census(): Census {
    const world = this.#world.census();
    const posted = this.delivery.census();
    let atService = 0;
    for (const { channel, message } of this.#gateway.queued()) if (!this.#world.holds(channel, message)) atService++;
    return { texts: world.texts + atService, calls: world.calls, events: posted.events, attempts: posted.attempts };
  }

  /** Paced: an answer takes effect at the virtual instant at which it came. */
  #catchUp(speed: number): void {
    const reachedMs = Math.floor((this.#wall() - this.#playsFrom) * speed);
    this.#kernel.advanceTo(Math.min(this.#kernel.nextAtMs, this.#options.scenario.cast.lastsMs, reachedMs));
  }

  #shouldGiveUp(): boolean {
    const since = this.delivery.silentSinceWallMs;
    if (since !== undefined && this.#wall() - since >= this.#options.giveUpAfterMs) this.#hasGivenUp = true;
    return this.#hasGivenUp;
  }

  #idle(): void {
    const now = this.#wall();
    if (now - this.#flushedAt < 250) return;
    this.#flushedAt = now;
    this.#options.recording.flush();
  }

  #note(kind: string, text: string): void {
    this.#options.recording.note({ atMs: this.#kernel.now, channel: 0, kind, text });
  }

  #wall(): number {
    return performance.now();
  }
}

/** The number that an event is about, for replies that name nobody. */
function phoneIn(posting: Posting): string | undefined {
  const { event } = decodeEvent(posting.body);
  return "phone" in event ? event.phone : undefined;
}
