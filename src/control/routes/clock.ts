import { booleanType, optional } from "../../api/index.js";
import { span, speed } from "./kinds.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { clockSchema, clockOf } from "./shapes.js";

/** Routes of the lab's clock. */
export const clockRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/clock",
    about: "The virtual clock: its time, its speed, whether it is paused.",
    answer: clockSchema,
    serve: ({ control }) => clockOf(control, control.clock()),
  }),
  writeRoute({
    method: "POST",
    path: "/clock",
    about: "Pauses, resumes or steps the clock, or changes its speed.",
    fields: {
      paused: optional(booleanType, "true: paused; false: running"),
      speed: optional(speed, "Virtual seconds per wall second"),
      step: optional(span, "Advances a paused clock by this span"),
    },
    example: () => ({ paused: true, step: "10m" }),
    answer: clockSchema,
    async serve({ paused, speed: toSpeed, step }, { control }) {
      const change = {
        isPaused: paused,
        speed: toSpeed,
        stepMs: step,
      };
      return clockOf(control, await control.changeClock(change));
    },
  }),
];
