import { LabError } from "../../base/index.js";
import { fakesOf, readHand } from "../../scenario/index.js";
import type { RecordedInput } from "../../store/index.js";
import type { LabOptions } from "../lab-options.js";
import { recordedAnswers } from "./recorded-answers.js";
import { reexecute } from "./reexecution.js";
import type { StoryAction } from "../story.js";
import type { Drain } from "../time/drain.js";
import type { LabParts } from "../wiring.js";
import type { WorldEnd } from "./world-end.js";

/** A `Lab`, to which recorded inputs are applied. */
export interface InputTarget {
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T;
  perform(input: StoryAction): void;
}

/**
 * Re-executes the recorded part of a run that was killed, up to the end of its recording, and switches to live.
 *
 * @param end - where the world of the killed run had ended
 */
export async function reexecuteRecording(
  target: InputTarget,
  { pace, recording, resumedFrom: recordedRun, scenario }: LabOptions,
  { kernel, position, pipeline, requests, story, clock }: LabParts,
  { drain, end }: { readonly drain: Drain; readonly end: WorldEnd | undefined },
): Promise<void> {
  if (recordedRun === undefined) return;
  const performRecorded = ({ kind, json }: RecordedInput): void => {
    if (kind === "clock") return applyClockChange(json);
    const { verb, args } = JSON.parse(json) as { verb: string; args: unknown };
    const { input } = readHand(verb, args, scenario.cast, fakesOf(scenario));
    if (input === undefined || input.to === "expect") {
      throw new LabError("recording-differs", `this version does not understand '${verb}' in the recording`);
    }
    target.write({ kind, json }, () => target.perform(input));
  };
  // Re-execution ignores the wall clock: a recorded speed applies from the switch to live on, a recorded pause never.
  const applyClockChange = (json: string): void => {
    const { speed } = JSON.parse(json) as { speed?: number };
    target.write({ kind: "clock", json }, () => undefined);
    if (speed !== undefined) clock?.setSpeed(speed);
  };
  await reexecute({
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
    isOver: () => pipeline.end.isStopped,
  });
  pipeline.switchToLive({ lastAnswerMs: recordedRun.lastAnswerWallMs(), tookMs: recordedRun.wallMs() });
  if (end === undefined) return;
  drain.resumeFrom(end.atMs);
  pipeline.end.restore(end);
}
