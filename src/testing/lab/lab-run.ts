import { version } from "../../base/index.js";
import { allowedHosts, type HttpClient } from "../../http/index.js";
import { type Hearing, Lab, type prepareScenarioFakes, senderFor, StepGate } from "../../lab/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { SimTime } from "../../sim/index.js";
import { Recording } from "../../store/index.js";
import { WatchedSender } from "../receiver/exchanges.js";
import type { ReceiverFront } from "../receiver/front.js";

/** What every world of a test lab has in common. */
export interface LabRunOptions {
  readonly scenario: Scenario;
  readonly fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>;
  /** Undefined: events are posted nowhere. */
  readonly front: ReceiverFront | undefined;
  readonly allowHosts: readonly string[];
}

/**
 * Recordings of ended runs, whose tables the next runs use again: to create them takes ten times as long, and their memory
 * is never freed (`Connection`). At most one for each lab that was open at the same time.
 */
const spare: Recording[] = [];

/** One world of a test lab, from its start until a reset or the end: a `Lab` whose time is passed by calls. */
export class LabRun {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly sender: WatchedSender | undefined;
  /** In the order in which people heard them. */
  readonly hearings: Hearing[] = [];
  readonly #gate = new StepGate();
  readonly #client: HttpClient | undefined;
  #played: Promise<unknown> = Promise.resolve();
  #onHeard: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor({ scenario, fakes, front, allowHosts }: LabRunOptions) {
    this.recording = recordingFor(scenario, front?.url ?? "none");
    const url = front?.url ?? null;
    this.#client = front && senderFor(scenario, { url, allowHosts });
    this.sender = this.#client && new WatchedSender(this.#client, () => this.lab.nowMs);
    this.lab = new Lab({
      scenario,
      recording: this.recording,
      url,
      ...(this.sender !== undefined && { sender: this.sender }),
      pace: { kind: "lockstep", lookaheadMs: scenario.lookaheadMs },
      fakes,
      receiver: front?.answerSwitch,
      giveUpAfterMs: Infinity,
      judgeBusy: true,
      hasAccount: scenario.data !== undefined,
      isAllowed: allowedHosts(allowHosts),
      gate: this.#gate,
      onHeard: (hearing) => {
        this.hearings.push(hearing);
        this.#onHeard?.();
      },
    });
  }

  /** Starts a world; its clock stands at its first instant, at which everything due has happened. */
  static async start(options: LabRunOptions): Promise<LabRun> {
    const run = new LabRun(options);
    const { scenario } = options;
    if (scenario.data !== undefined) {
      // Loaded when it is needed: it takes half of the time that the import of this package takes.
      const { accountsOf, loadSources } = await import("../../control/index.js");
      await loadSources(accountsOf(scenario), () => run.lab);
    }
    // Messages of failures say where texts are.
    run.lab.world.trackTexts();
    run.#played = run.lab.play();
    // A failure reaches the caller of `advance`.
    run.#played.catch(() => undefined);
    await run.advance(() => 0);
    return run;
  }

  get nowMs(): SimTime {
    return this.lab.nowMs;
  }

  /**
   * Lets virtual time pass to an instant, or until `isHeard` is true after a text was heard. Calls wait for each other.
   *
   * @param until - the instant, from the time at which the earlier calls have ended
   * @returns whether `isHeard` became true
   */
  advance(until: (nowMs: SimTime) => SimTime, isHeard?: () => boolean): Promise<boolean> {
    const turn = this.#turn.then(() => this.#advanceTo(until(this.nowMs), isHeard));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #advanceTo(untilMs: SimTime, isHeard: (() => boolean) | undefined): Promise<boolean> {
    let found = isHeard?.() ?? false;
    if (found) return true;
    this.#onHeard = () => {
      if (found || isHeard?.() !== true) return;
      found = true;
      this.#gate.hold();
      this.lab.pauseKernel();
    };
    try {
      await Promise.race([this.#gate.advance(untilMs), this.#played]);
      if (this.#isClosed) throw new Error("the lab was closed or reset while its time passed");
    } finally {
      this.#onHeard = undefined;
    }
    return found;
  }

  /** Ends the world; requests that have no answer are dropped. The recording must not be read afterwards. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.lab.stop();
    this.lab.abortAttempts();
    await this.#played.catch(() => undefined);
    this.#client?.close();
    spare.push(this.recording);
  }
}

function recordingFor({ name, seed, source, cast, service }: Scenario, receiver: string): Recording {
  const meta = {
    name,
    seed,
    version,
    scenario: source,
    startsAtMs: cast.startsAtMs,
    // A lab has no end of its own.
    lastsMs: 0,
    preset: service,
    startedWallMs: 0,
    options: { pace: "lockstep", receiver },
  };
  const earlier = spare.pop();
  return earlier === undefined ? Recording.create(":memory:", meta) : Recording.recreate(earlier, meta);
}
