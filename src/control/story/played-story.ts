import { setTimeout as sleep } from "node:timers/promises";
import { type StoryJump, type StoryView, BEFORE_BEAT_MS, REPEAT_AFTER_MS } from "../../console/index.js";
import { type Happening, type Lab, type LiveClock, recordClockChange } from "../../lab/index.js";
import { beatsOf, durationLiteral, type Scenario, suggest, type TimedBeat } from "../../scenario/index.js";
import { refusal, refuseLabErrors } from "../refusal.js";
import type { Followers } from "../followers.js";
import { openingComment } from "./opening-comment.js";
import { readScenarioFile, type ScenarioFiles, type ListedScenario } from "./scenario-files.js";

/** The server's operations that a story needs. */
export interface StoryStage {
  readonly lab: () => Lab;
  /** The scenario with its original end, which the served one lacks. */
  readonly scenario: () => Scenario;
  readonly followers: Followers;
  readonly files: ScenarioFiles;
  /** The reason why no scenario can be started or restarted; undefined: `begin` works. */
  readonly refusal: () => string | undefined;
  /** Replaces the lab with one that plays a scenario from its start. `scenario` absent: the current one. */
  readonly begin: (to: {
    readonly scenario?: Scenario;
    readonly speed?: number;
    readonly isPaused: boolean;
  }) => Promise<void>;
  /** Restarts automatically after the end. */
  readonly isRepeating: boolean;
  /** The judged expectations of a finished run. Absent or undefined: the run is not over. */
  readonly results?: () => StoryView["expectations"] | undefined;
  /**
   * How long judgements are cached, in wall milliseconds; default 900. With the cache, many pages cost as much as one.
   */
  readonly judgedForMs?: number;
}

/** The target of a jump. */
export interface JumpTarget {
  /** The name; case does not matter. */
  readonly beat?: string;
  /** Virtual milliseconds from the start. */
  readonly atMs?: number;
}

/** A request to start a scenario. */
export interface ScenarioWish {
  /** See `ScenarioNote.file`. */
  readonly file?: string;
  /** The name; case does not matter. */
  readonly name?: string;
  /** Virtual seconds per wall second; default: the current speed. */
  readonly speed?: number;
  /** `now`, or an instant as in scenarios; default: the scenario's own. */
  readonly starts?: string;
}

/** Notes that are kept for the console. */
const NOTES_MAX = 200;
/** A jump checks for cancellation after each slice of this length. Virtual milliseconds. */
const SLICE_MS = 60_000;
/** A jump waits this many times, and this long each time, for a lab that does not play yet. Wall milliseconds. */
const WAITS_MAX = 100;
const WAIT_MS = 10;
/** Interval of the check whether a repeating scenario has ended. Wall milliseconds. */
const CHECK_MS = 250;
const JUDGED_MS = 900;

/**
 * The current scenario, for presenters: its beats, the provisional verdicts of its expectations, its notes, jumps in
 * virtual time, and starting or restarting scenarios.
 */
export class PlayedStory {
  readonly #stage: StoryStage;
  readonly #stopFollowing: () => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #notes: { readonly atMs: number; readonly text: string }[] = [];
  /** The lab of `#notes`. */
  #notesOf: Lab | undefined;
  #file: { readonly path: string; readonly id: string } | undefined;
  #isStopped = false;
  #jump: (StoryJump & { isCancelled: boolean }) | undefined;
  /** A start or restart is under way. */
  #isChanging = false;
  #endedWallMs: number | undefined;
  #judged:
    | { readonly wallMs: number; readonly nowMs: number; readonly lab: Lab; readonly list: StoryView["expectations"] }
    | undefined;

  constructor(stage: StoryStage) {
    this.#stage = stage;
    this.#stopFollowing = stage.followers.follow((happening) => this.#keepNote(happening));
    if (stage.isRepeating) {
      this.#timer = setInterval(() => this.#repeatIfOver(), CHECK_MS);
      this.#timer.unref();
    }
  }

  close(): void {
    this.#stopFollowing();
    clearInterval(this.#timer);
    this.#cancel();
  }

  view(): StoryView {
    const scenario = this.#stage.scenario();
    const { lastsMs } = scenario.cast;
    const jump = this.#jump;
    return {
      name: scenario.name,
      file: this.#fileOf(scenario.source.file),
      about: scenario.about ?? openingComment(scenario.source.text).about,
      lastsMs: lastsMs === Infinity ? null : lastsMs,
      state: this.#isStopped ? "stopped" : this.#isOver ? "over" : "playing",
      isRepeating: this.#stage.isRepeating,
      refusal: this.#stage.refusal() ?? null,
      jump: jump === undefined ? null : { beat: jump.beat, fromMs: jump.fromMs, toMs: jump.toMs },
      beats: this.#beats.map(({ name, about = null, atMs }) => ({ name, about, atMs })),
      expectations: this.#stage.results?.() ?? this.#expectations(),
      notes: this.#notesOf === this.#stage.lab() ? this.#notes : [],
    };
  }

  /** The scenarios that can be started. */
  scenarios(): ListedScenario[] {
    const { files, scenario } = this.#stage;
    const playing = files.idOf(scenario().source.file);
    return files.notes().map((note) => ({ ...note, isPlaying: note.file === playing }));
  }

  /** Starts another scenario in place of the one that is served. @returns a sentence. @throws ControlRefusal */
  async start(wish: ScenarioWish): Promise<string> {
    this.#refuseIfFixed();
    const file = this.#stage.files.find(wish);
    if (file === undefined) {
      const asked = wish.file ?? wish.name ?? "";
      const names = this.#stage.files.list().map(({ id }) => id);
      throw refusal(
        "detail",
        `There is no scenario '${asked.slice(0, 200)}' here; ${suggest(asked, names) ?? "none is offered"}`,
        404,
      );
    }
    const read = await readScenarioFile(file.path, wish.starts);
    if ("problem" in read) throw refusal("detail", read.problem);
    await this.#begin({
      scenario: read.scenario,
      isPaused: false,
      speed: wish.speed,
    });
    return `${read.scenario.name} has begun`;
  }

  /** Restarts the scenario. @returns a sentence. @throws ControlRefusal */
  async again(): Promise<string> {
    await this.#begin({ isPaused: false });
    return `${this.#stage.scenario().name} has begun again`;
  }

  /** Ends the scenario: the clock stops, and expectations are judged. @returns a sentence. @throws ControlRefusal */
  stop(): string {
    this.#refuseIfFixed();
    this.#cancel();
    const lab = this.#stage.lab();
    recordClockChange(lab, { isPaused: true });
    lab.clock?.pause();
    lab.judgeBounds();
    this.#isStopped = true;
    this.#judged = undefined;
    return `${this.#stage.scenario().name} is stopped: its clock is stopped, and its results stay until another scenario begins`;
  }

  /**
   * Plays to a beat or an instant; for an earlier one the scenario restarts. @returns a sentence. @throws
   * ControlRefusal
   */
  async jump(target: JumpTarget): Promise<string> {
    const { toMs, beat } = this.#targetOf(target);
    if (this.#jump !== undefined) throw refusal("detail", "A jump is under way: cancel it first.", 409);
    const isPaused = this.#clock.status.isPaused && !this.#isStopped;
    const goesBack = toMs < this.#clock.nowMs || this.#isStopped;
    const name = beat?.name ?? durationLiteral(toMs);
    if (goesBack) await this.#begin({ isPaused: true });
    const isThere = await this.#playTo(toMs, beat?.name ?? null);
    // The client that cancelled the jump or changed the clock decides whether the clock runs.
    if (!isThere) return `the jump to ${name} was cancelled`;
    if (!isPaused) this.#resume();
    return `at ${name}`;
  }

  /** Ends a jump at the current instant. @returns a sentence */
  cancelJump(): string {
    if (this.#jump === undefined) return "no jump is under way";
    this.#cancel();
    return "the jump is cancelled: the clock is paused";
  }

  /**
   * Ends a jump. Call it before a client's change of the clock. @throws ControlRefusal when the scenario was stopped
   */
  releaseClock(): void {
    if (this.#isStopped)
      throw refusal("detail", "The scenario was stopped: begin it again, or start another one.", 409);
    this.#cancel();
  }

  /** The id of an offered file, else its path. */
  #fileOf(path: string): string {
    if (this.#file?.path !== path) this.#file = { path, id: this.#stage.files.idOf(path) ?? path };
    return this.#file.id;
  }

  get #isOver(): boolean {
    const { lab, scenario, results } = this.#stage;
    return lab().nowMs >= scenario().cast.lastsMs || results?.() !== undefined;
  }

  get #beats(): readonly TimedBeat[] {
    return beatsOf(this.#stage.scenario().story);
  }

  get #clock(): LiveClock {
    const { clock } = this.#stage.lab();
    if (clock === undefined) throw refusal("detail", "This run is not paced: there is no clock to jump with.");
    return clock;
  }

  #targetOf({ beat: wanted, atMs }: JumpTarget): { readonly toMs: number; readonly beat?: TimedBeat } {
    const { lastsMs } = this.#stage.scenario().cast;
    if (wanted === undefined) {
      const toMs = atMs ?? 0;
      if (toMs > lastsMs) throw refusal("detail", `The scenario lasts ${durationLiteral(lastsMs)}.`);
      return { toMs };
    }
    const names = this.#beats.map(({ name }) => name);
    const beat = this.#beats.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (beat === undefined) {
      const hint = names.length === 0 ? "it has none" : suggest(wanted, names);
      throw refusal("detail", `The scenario has no beat '${wanted.slice(0, 100)}': ${hint ?? names.join(", ")}`, 404);
    }
    return { toMs: Math.max(0, beat.atMs - BEFORE_BEAT_MS), beat };
  }

  /** Pauses the clock and advances to an instant, as fast as the receiver answers. @returns false: it was cancelled */
  async #playTo(toMs: number, beat: string | null): Promise<boolean> {
    const lab = this.#stage.lab();
    const clock = this.#clock;
    const jump = { beat, fromMs: clock.nowMs, toMs, isCancelled: false };
    this.#jump = jump;
    let waits = 0;
    try {
      recordClockChange(lab, { isPaused: true });
      clock.pause();
      while (clock.nowMs < toMs && !jump.isCancelled && this.#isCurrent(lab)) {
        const fromMs = clock.nowMs;
        const stepMs = Math.min(SLICE_MS, toMs - fromMs);
        recordClockChange(lab, { stepMs });
        await clock.step(stepMs);
        if (!clock.status.isPaused) break;
        if (clock.nowMs > fromMs) continue;
        // A lab that has just been made does not play yet; one that has ended never will.
        if (++waits > WAITS_MAX) break;
        await sleep(WAIT_MS);
      }
      return !jump.isCancelled && clock.nowMs >= toMs;
    } finally {
      if (this.#jump === jump) this.#jump = undefined;
    }
  }

  #isCurrent(lab: Lab): boolean {
    return this.#stage.lab() === lab;
  }

  #resume(): void {
    recordClockChange(this.#stage.lab(), { isPaused: false });
    this.#clock.resume();
  }

  #cancel(): void {
    if (this.#jump !== undefined) this.#jump.isCancelled = true;
  }

  async #begin(to: Parameters<StoryStage["begin"]>[0]): Promise<void> {
    this.#refuseIfFixed();
    if (this.#isChanging) throw refusal("detail", "A scenario is being started: wait for it.", 409);
    this.#isChanging = true;
    this.#cancel();
    try {
      await refuseLabErrors(() => this.#stage.begin(to));
      this.#isStopped = false;
      this.#endedWallMs = undefined;
      this.#judged = undefined;
    } finally {
      this.#isChanging = false;
    }
  }

  #refuseIfFixed(): void {
    const why = this.#stage.refusal();
    if (why !== undefined) throw refusal("detail", why, 409);
  }

  #expectations(): StoryView["expectations"] {
    const lab = this.#stage.lab();
    const wallMs = performance.now();
    const kept = this.#judged;
    const { clock, nowMs } = lab;
    // A step of a paused clock invalidates the cache immediately.
    const isPassed = clock?.status.isPaused === true && kept?.nowMs !== nowMs;
    if (kept?.lab === lab && !isPassed && wallMs - kept.wallMs < (this.#stage.judgedForMs ?? JUDGED_MS))
      return kept.list;
    const list = lab.judgements().map((one) =>
      // A stopped scenario has no further events, so an open expectation has failed.
      this.#isStopped && one.state === "waiting"
        ? {
            ...one,
            state: "failed" as const,
            seen: one.seen === null ? "the scenario was stopped before" : `${one.seen}, when the scenario was stopped`,
          }
        : one,
    );
    this.#judged = { wallMs, nowMs, lab, list };
    return list;
  }

  #keepNote(happening: Happening): void {
    if (happening.kind !== "note" || happening.channel !== 0 || happening.word !== "note") return;
    if (this.#notesOf !== this.#stage.lab()) {
      this.#notesOf = this.#stage.lab();
      this.#notes = [];
    }
    this.#notes = [...this.#notes.slice(1 - NOTES_MAX), { atMs: happening.atMs, text: happening.text }];
  }

  #repeatIfOver(): void {
    const lab = this.#stage.lab();
    if (!this.#isOver || this.#isStopped || this.#isChanging || this.#jump !== undefined) return;
    if (lab.clock?.status.isPaused === true) {
      // After a resume the wait for the repetition starts again.
      this.#endedWallMs = undefined;
      return;
    }
    const wallMs = performance.now();
    this.#endedWallMs ??= wallMs;
    if (wallMs - this.#endedWallMs < REPEAT_AFTER_MS) return;
    this.#begin({ isPaused: false }).catch((error: unknown) => {
      // The lab host reports a lab that cannot be created. Other refusals may be temporary, so the restart is retried.
      this.#notes = [...this.#notes, { atMs: lab.nowMs, text: `The scenario could not begin again: ${String(error)}` }];
      this.#endedWallMs = undefined;
    });
  }
}
