import { booleanType, optional } from "../../api/index.js";
import { span, speed } from "./kinds.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { clockSchema, clockOf } from "./shapes.js";

/** The lab's clock. */
export const clockRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/clock",
    about: "The virtual clock: its time, its speed, whether it stands.",
    answer: clockSchema,
    serve: ({ control }) => clockOf(control, control.clock()),
  }),
  writeRoute({
    method: "POST",
    path: "/clock",
    about: "Pauses the clock, lets it go on, steps it, or changes its speed.",
    fields: {
      paused: optional(booleanType, "true: it stands; false: it goes on"),
      speed: optional(speed, "Virtual seconds in each of the wall's"),
      step: optional(span, "Goes on by this span at once, and stands again"),
    },
    example: () => ({ paused: true, step: "10m" }),
    answer: clockSchema,
    async serve({ paused, speed: toSpeed, step }, { control }) {
      const change = {
        ...(paused !== undefined && { isPaused: paused }),
        ...(toSpeed !== undefined && { speed: toSpeed }),
        ...(step !== undefined && { stepMs: step }),
      };
      return clockOf(control, await control.changeClock(change));
    },
  }),
];
