import { onTestFinished } from "vitest";
import { Delivery, type DeliveryPorts, type Posting } from "../../src/delivery/index.js";
import { HttpClient } from "../../src/http/index.js";
import { LiveClock } from "../../src/lab/time/clock.js";
import type { Simulation } from "../../src/lab/time/simulation.js";
import { playToEnd, type Pace } from "../../src/lab/time/pace.js";
import { Ledger } from "../../src/ledger/index.js";
import { Measurements } from "../../src/measure/index.js";
import { Kernel, type SimTime } from "../../src/sim/index.js";
import { preset } from "../delivery/rig.js";

/** A kernel, a clock and a Delivery that the lab's time loops step: a lab without phones. */
export class LoopRig {
  readonly kernel: Kernel;
  readonly clock: LiveClock;
  readonly delivery: Delivery;
  readonly ledger: Ledger = new Ledger();
  readonly measured: Measurements = new Measurements({ isPaced: true });
  /** What happened, with its virtual instant. */
  readonly happened: [what: string, atMs: SimTime][] = [];
  /** How often the loop dispatched. */
  dispatchCount = 0;
  waitUntilApiIdle: (() => Promise<void>) | undefined;
  readonly #pace: Pace;
  readonly #lastsMs: SimTime;
  readonly #url: string | undefined;
  readonly #wall: () => number;
  #isOver = false;
  #playing: Promise<void> | undefined;

  constructor(
    options: {
      readonly url?: string;
      readonly pace?: Pace;
      readonly playAheadMs?: number;
      readonly fromMs?: SimTime;
      readonly lastsMs?: SimTime;
      readonly isPaused?: boolean;
      /** Timeout of an attempt; default: the preset's. */
      readonly timeoutMs?: number;
      readonly wall?: () => number;
      /** Called for each accepted attempt. */
      readonly accepted?: DeliveryPorts["attempted"];
    } = {},
  ) {
    const { url, pace = { kind: "paced", speed: 1 }, fromMs = 0, lastsMs = Infinity } = options;
    this.#pace = pace;
    this.#lastsMs = lastsMs;
    this.#url = url;
    this.#wall = options.wall ?? ((): number => performance.now());
    this.kernel = new Kernel(fromMs);
    const { kernel } = this;
    const speed = pace.kind === "paced" ? pace.speed : 1;
    const { isPaused = false, playAheadMs = 0 } = options;
    this.clock = new LiveClock({ kernel, wall: this.#wall, speed, playAheadMs, lastsMs, isPaused });
    const sender =
      url === undefined ? undefined : new HttpClient({ connections: 20, redirects: false, wall: this.#wall });
    if (sender !== undefined) onTestFinished(() => sender.close());
    this.delivery = new Delivery({
      kernel,
      sender,
      preset: preset("documented", options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      answersAfterMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
      wall: this.#wall,
      ...(pace.kind === "paced" && {
        dueWallMs: (atMs: SimTime) => this.clock.dueWallMs(atMs),
        catchUp: () => this.clock.catchUp(),
      }),
      tally: this.ledger,
      marks: true,
      ports: {
        attempted: (attempt) => {
          this.measured.recordAttempt(attempt, 0);
          if (attempt.outcome !== "accepted") return;
          this.note(`answer ${attempt.posting.number}`);
          options.accepted?.(attempt);
        },
        failed: (error) => {
          throw error;
        },
      },
    });
  }

  note(what: string): void {
    this.happened.push([what, this.kernel.now]);
  }

  /** Schedules and notes something at an instant. */
  at(atMs: SimTime, what: string, then: () => void = () => undefined): void {
    this.kernel.at(
      atMs,
      () => {
        this.note(what);
        then();
      },
      undefined,
    );
  }

  /** Posts an event now. */
  post(number: number, options: { try?: number } = {}): void {
    if (this.#url === undefined) throw new Error("nowhere to post to");
    const posting: Posting = {
      channel: 1,
      number,
      type: "mo_sms",
      atMs: this.kernel.now,
      url: this.#url,
      body: `event=mo_sms&sms=${number}`,
    };
    this.ledger.in("events");
    this.delivery.postEvent(posting, options);
  }

  /** Starts the loop; it ends with the test at the latest. */
  play(): Promise<void> {
    const simulation: Simulation = {
      kernel: this.kernel,
      outstanding: this.delivery,
      lastsMs: this.#lastsMs,
      wall: this.#wall,
      isOver: () => this.#isOver,
      dequeueBarrier: () => undefined,
      hasBarrier: () => false,
      dispatch: () => this.dispatchCount++,
      ...(this.waitUntilApiIdle !== undefined && { waitUntilApiIdle: this.waitUntilApiIdle }),
    };
    this.#playing = playToEnd(simulation, this.#pace, this.#pace.kind === "paced" ? this.clock : undefined);
    onTestFinished(() => this.stop());
    return this.#playing;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.clock.wake();
    this.delivery.wakeProgress();
    await this.#playing;
  }
}
