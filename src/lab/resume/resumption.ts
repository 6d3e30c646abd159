import { LabError } from "../../base/index.js";
import { fakesOf, readHand } from "../../scenario/index.js";
import type { RecordedInput, RecordingReader } from "../../store/index.js";
import type { LabOptions } from "../lab-options.js";
import type { LabParts } from "../lab-parts.js";
import { RESEND, resentPosting } from "../resend.js";
import { recordedAnswers } from "./recorded-answers.js";
import { type ReexecutedRun, Reexecution } from "./reexecution.js";
import type { StoryAction } from "../story.js";
import type { Drain } from "../time/drain.js";
import type { WorldEnd } from "./world-end.js";

/** A `Lab`, to which recorded inputs are applied. */
export interface InputTarget {
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T;
  perform(input: StoryAction): void;
}

/**
 * Applies a recorded input of a kind that this room does not know.
 * @returns undefined when the kind is unknown there, too
 */
export type ApplyInput = (input: RecordedInput) => (() => void | Promise<void>) | undefined;

/**
 * Re-executes the recorded part of a run that was killed, up to the end of its recording, and switches to live.
 *
 * @param end - where the world of the killed run had ended
 */
export async function reexecuteRecording(
  target: InputTarget,
  options: LabOptions,
  parts: LabParts,
  { drain, end }: { readonly drain: Drain; readonly end: WorldEnd | undefined },
): Promise<void> {
  const recordedRun = options.resumed?.killedRun;
  if (recordedRun === undefined) return;
  const { pipeline } = parts;
  await reexecutionOf(target, options, parts, { drain, end, recordedRun }).advanceTo(Infinity);
  pipeline.switchToLive({ lastAnswerMs: recordedRun.lastAnswerWallMs(), tookMs: recordedRun.wallMs() });
  if (end === undefined) return;
  drain.resumeFrom(end.atMs);
  pipeline.end.restore(end);
}

/** Inputs of a re-execution besides the lab. */
export interface ReexecutionSource extends Pick<ReexecutedRun, "pause" | "finish"> {
  readonly drain: Drain;
  /** Where the recorded run's world ended, or its last committed position if it was cut off. */
  readonly end: Pick<WorldEnd, "turn" | "atMs"> | undefined;
  readonly recordedRun: Pick<RecordingReader, "attempts" | "flowCalls" | "resthookAttempts" | "inputs">;
  /** Absent: only hands and changes of the clock are applied. */
  readonly applyInput?: ApplyInput;
}

/** Prepares to re-execute a recording in a lab whose world has started. */
export function reexecutionOf(
  target: InputTarget,
  { pace, recording, scenario }: Pick<LabOptions, "pace" | "recording" | "scenario">,
  { kernel, position, pipeline, requests, story, clock }: LabParts,
  { drain, end, recordedRun, applyInput, pause, finish }: ReexecutionSource,
): Reexecution {
  const performRecorded = (input: RecordedInput): void | Promise<void> => {
    const { kind, json } = input;
    if (kind === "clock") return applyClockChange(json);
    if (kind === RESEND) {
      const posting = resentPosting(json);
      return target.write({ kind, json }, () => pipeline.resendByHand(posting, posting));
    }
    const other = applyInput?.(input);
    if (other !== undefined) return other();
    const { verb, args } = JSON.parse(json) as { verb: string; args: unknown };
    const { input: hand } = readHand(verb, args, scenario.cast, fakesOf(scenario));
    if (hand === undefined || hand.to === "expect" || hand.to === "check") {
      throw new LabError("recording-differs", `this version does not understand '${verb}' in the recording`);
    }
    target.write({ kind, json }, () => target.perform(hand));
  };
  // Re-execution ignores the wall clock: a recorded speed applies from the switch to live on, a recorded pause never.
  const applyClockChange = (json: string): void => {
    const { speed } = JSON.parse(json) as { speed?: number };
    target.write({ kind: "clock", json }, () => undefined);
    if (speed !== undefined) clock?.setSpeed(speed);
  };
  return new Reexecution({
    kernel,
    delivery: pipeline.delivery,
    requests,
    get lastsMs() {
      return drain.endsAtMs;
    },
    end,
    lookaheadMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
    attempts: recordedRun.attempts(),
    answers: recordedAnswers(recordedRun),
    inputs: recordedRun.inputs(),
    position: () => position.value,
    performInput: performRecorded,
    isReexecuting: () => recording.isReexecuting,
    dequeueBarrier: () => story.dequeueBarrier(),
    hasBarrier: () => story.hasBarrier,
    isOver: () => pipeline.end.isStopped,
    pause,
    finish,
  });
}
