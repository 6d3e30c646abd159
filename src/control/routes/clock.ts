import { booleanType, optional } from "../../api/index.js";
import { type ClockStatus, recordClockChange } from "../../lab/index.js";
import type { Control } from "../control.js";
import { refusal, refuseLabErrors } from "../refusal.js";
import { span, speed } from "./kinds.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { clockOf } from "./shapes.js";

/** Routes of the lab's clock. */
export const clockRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/clock",
    about: "The virtual clock: its time, its speed, whether it is paused.",
    serve: ({ control }) => clockOf(control, control.clock()),
  }),
  writeRoute({
    path: "/clock",
    about: "Pauses, resumes or steps the clock, or changes its speed.",
    fields: {
      paused: optional(booleanType, "true: paused; false: running"),
      speed: optional(speed, "Virtual seconds per wall second"),
      step: optional(span, "Advances a paused clock by this span"),
    },
    example: () => ({ paused: true, step: "10m" }),
    async serve({ paused, speed: toSpeed, step }, { control }) {
      const change = {
        isPaused: paused,
        speed: toSpeed,
        stepMs: step,
      };
      return clockOf(control, await changeClock(control, change));
    },
  }),
];

async function changeClock(
  { served, story }: Control,
  { isPaused, speed: toSpeed, stepMs }: Parameters<typeof recordClockChange>[1],
): Promise<ClockStatus> {
  story.releaseClock();
  const { clock } = served.lab;
  if (clock === undefined) throw refusal("detail", "This run is not paced: its clock cannot be changed.");
  if (stepMs !== undefined && !(isPaused ?? clock.status.isPaused)) {
    throw refusal("step", "The clock runs: pause it first, then step it.");
  }
  recordClockChange(served.lab, { isPaused, speed: toSpeed, stepMs });
  if (toSpeed !== undefined) clock.setSpeed(toSpeed);
  if (isPaused === true) clock.pause();
  if (isPaused === false) clock.resume();
  if (stepMs !== undefined) {
    await refuseLabErrors(() => clock.step(stepMs));
    served.lab.recordReachedTime();
  }
  return clock.status;
}
