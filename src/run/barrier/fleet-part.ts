import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { LabError } from "../../base/index.js";
import type { Lab } from "../../lab/index.js";
import type { CommonStart } from "../../report/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { Recording } from "../../store/index.js";
import type { Part } from "../../world/index.js";
import { recordingPath } from "../recording-path.js";
import type { RunOptions } from "../run-options.js";
import type { RunOutcome } from "../run-outcome.js";
import { markBesideRecording, newMarker, refuseBegunPart } from "./begun-marker.js";
import { loadReader } from "./part-load.js";
import { identityOf, type RunIdentity } from "./run-identity.js";
import { StartBarrier } from "./start-barrier.js";

/** Key under which a part's recording keeps its `CommonStart`. */
export const START_KEY = "start";

/** A start that is later than this gets a warning. Wall milliseconds. */
const LATE_MS = 100;

/**
 * A part among the other parts of its fleet: it begins with them, at most once, and shows them its status. Without a
 * shared folder it only begins at most once.
 */
export class FleetPart {
  readonly #part: Part;
  readonly #identity: RunIdentity;
  readonly #barrier: StartBarrier | undefined;
  readonly #recording: string | null;
  readonly #isResumed: boolean;
  /** A process of `--processes`, which has no life of its own. */
  readonly #isOwnProcess: boolean;
  #hasCreated = false;

  private constructor(given: {
    readonly part: Part;
    readonly identity: RunIdentity;
    readonly barrier: StartBarrier | undefined;
    readonly recording: string | null;
    readonly isResumed: boolean;
    readonly isOwnProcess: boolean;
  }) {
    this.#part = given.part;
    this.#identity = given.identity;
    this.#barrier = given.barrier;
    this.#recording = given.recording;
    this.#isResumed = given.isResumed;
    this.#isOwnProcess = given.isOwnProcess;
  }

  /**
   * Joins the other parts.
   *
   * @returns the part, and the scenario with the instant that `starts: now` means for all parts
   * @throws LabError `not-resumable` if the part has begun before, `bad-options`, `part-taken`, `parts-missing`,
   * `not-started`
   */
  static async open(
    scenario: Scenario,
    part: Part,
    options: RunOptions,
  ): Promise<{ readonly part: FleetPart; readonly scenario: Scenario }> {
    const {
      isResumed = false,
      startWhenAllReady: wait,
      overwrite = false,
      signal = new AbortController().signal,
    } = options;
    const recording = fileOf(recordingPath(scenario, options.recording));
    const identity = identityOf(scenario, options, part.count);
    // Processes of this machine overwrite the recordings of their last run.
    const isOwnProcess = options.fleet !== undefined;
    const given = { part, identity, recording, isResumed, isOwnProcess };
    if (isResumed) {
      const folder = recording === null ? undefined : wait?.folder;
      const barrier =
        folder === undefined ? undefined : StartBarrier.rejoin({ ...given, recording: recording ?? "", folder });
      await barrier?.takePart(signal);
      return { part: new FleetPart({ ...given, barrier }), scenario };
    }
    const barrier = wait && StartBarrier.join({ ...given, options: wait });
    if (!isOwnProcess) refuseBegunPart(part, { recording, folder: barrier?.folder, identity, overwrite });
    if (barrier === undefined) return { part: new FleetPart({ ...given, barrier }), scenario };
    if (recording !== null && !overwrite && existsSync(recording))
      return { part: new FleetPart({ ...given, barrier: undefined }), scenario };
    await barrier.takePart(signal);
    const opened = new FleetPart({ ...given, barrier });
    if (!scenario.startsNow) return { part: opened, scenario };
    const handsets = scenario.cast.handsets.reduce((sum, { count }) => sum + count, 0);
    const startsAtMs = await barrier.commonNow(Math.ceil(handsets / part.count), signal);
    return { part: opened, scenario: { ...scenario, startsNow: false, cast: { ...scenario.cast, startsAtMs } } };
  }

  /**
   * Waits for the other parts, and records on disk that this part begins. Call it when the world is ready.
   *
   * @param run - `isSending`: events go to a receiver that outlives this process
   */
  async begin(
    lab: Lab,
    run: { readonly recording: Recording; readonly isSending: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    this.#hasCreated = !this.#isResumed;
    if (!this.#isResumed) {
      const start = await this.#barrier?.whenAllReady(run.signal);
      if (start !== undefined) {
        run.recording.keep(START_KEY, JSON.stringify(start));
        if (start.lateMs > LATE_MS) lab.warn(lateText(start));
      }
      if (this.#recording !== null && run.isSending) {
        markBesideRecording(this.#recording, newMarker(this.#part, this.#identity, this.#recording));
      }
      this.#barrier?.markBegun();
    }
    this.#hasCreated = false;
    this.#barrier?.status.play(loadReader(lab));
  }

  /** The part has played; its result is computed next. */
  async endPlay(): Promise<void> {
    await this.#barrier?.status.endPlay();
  }

  /** The result is in the recording, which is closed. */
  end({ result, exitCode }: RunOutcome): void {
    this.#barrier?.status.end({ exitCode, digest: result.digest });
  }

  /**
   * The error with which Ctrl-C or SIGTERM ends this part, so that its recording is that of a killed part. Cluster
   * engines send SIGTERM when they preempt a task, and a finished recording could not be resumed.
   *
   * @returns undefined if it cannot be resumed: it stops with a result, as a run that is not divided
   */
  get stopError(): LabError | undefined {
    if (this.#recording === null || this.#isOwnProcess) return undefined;
    const { index, count } = this.#part;
    return new LabError("part-stopped", `part ${index} of ${count} was stopped before its end`, {
      hint: `resume it: handset run --resume ${resolve(this.#recording)} (it sends again what has no answer yet)`,
    });
  }

  /**
   * The part did not play to its end. If it never began, its empty recording is removed, so that another try may begin.
   */
  async fail(error: unknown): Promise<void> {
    const code = error instanceof LabError ? error.code : undefined;
    const isGone = code === "not-started" || code === "parts-missing";
    if (!isGone) {
      const text = error instanceof Error ? error.message : String(error);
      await this.#barrier?.status.fail(text, code === "part-stopped" ? "stopped" : "failed").catch(() => undefined);
    }
    if (isGone && this.#hasCreated && this.#recording !== null) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#recording + suffix, { force: true });
    }
  }
}

/** The start that a recording keeps; undefined: the part did not wait for others. */
export function keptStart(json: string | undefined): CommonStart | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as CommonStart);
}

function fileOf(recording: string): string | null {
  return recording === ":memory:" || recording === "none" ? null : recording;
}

function lateText({ lateMs }: CommonStart): string {
  return (
    `the part began ${(lateMs / 1000).toFixed(1)} s after the common start: all its events are that much later than ` +
    "those of the other parts"
  );
}
