import { booleanType, detailError, optional } from "../../api/index.js";
import type { Story, StoryView } from "../../console/index.js";
import { span, speed, words } from "./kinds.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { doneNow, instantOf } from "./shapes.js";

/** Routes of the current scenario, and of those that can be started. */
export const storyRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/story",
    about: "The current scenario: its beats, the provisional verdicts of its expectations, and its notes.",
    serve: ({ control }) => storyOf(control, control.story.view()),
  }),
  writeRoute({
    path: "/story",
    about:
      "Jumps to a beat or an instant of the scenario: the lab plays up to it as fast as the receiver answers, and then answers the request. For an earlier instant the scenario first restarts.",
    fields: {
      beat: optional(words, "The name of a beat; case does not matter"),
      at: optional(span, "An instant, from the start of the scenario"),
      cancel: optional(booleanType, "true: ends a jump at the current instant; the clock is paused"),
    },
    example: () => ({ at: "2h" }),
    async serve({ beat, at, cancel }, { control }) {
      if ([beat, at, cancel].filter((one) => one !== undefined).length !== 1 || cancel === false) {
        throw detailError(400, "Give one of these: a beat, a target time, or cancel: true.");
      }
      const { story } = control;
      if (cancel === true) return doneNow(control, story.cancelJump());
      return doneNow(control, await story.jump(beat === undefined ? { atMs: at ?? 0 } : { beat }));
    },
  }),
  readRoute({
    path: "/scenarios",
    about: "The scenarios that can be started: the bundled ones, and those in the server's working directory.",
    serve: ({ control }) =>
      control.story.scenarios().map(({ lastsMs, isPlaying, ...note }) => ({
        ...note,
        lasts_s: lastsMs === null ? null : Math.round(lastsMs / 1000),
        playing: isPlaying,
      })),
  }),
  writeRoute({
    path: "/scenario",
    about:
      "Starts another scenario, restarts the current one, or stops it. Tokens and addresses stay; the account is the new scenario's. A lab with a database, or a run, refuses.",
    fields: {
      file: optional(words, "The scenario's file, from the list of scenarios"),
      name: optional(words, "The scenario's name, instead of its file"),
      speed: optional(speed, "Virtual seconds per wall second; default: the current speed"),
      starts: optional(words, "Virtual time at its start: now, or a timestamp; default: the scenario's own"),
      again: optional(booleanType, "true: restarts the current scenario"),
      stop: optional(
        booleanType,
        "true: ends the current scenario. The clock stops, the phones and the account stay unchanged, and open expectations fail",
      ),
    },
    example: () => ({ again: true }),
    async serve({ file, name, again, stop, speed: toSpeed, starts }, { control }) {
      const wishes = [file ?? name, again, stop].filter((one) => one !== undefined && one !== false);
      if (wishes.length !== 1) throw detailError(400, "Give one of these: a file or name, again: true, or stop: true.");
      const { story } = control;
      if (stop === true) return doneNow(control, story.stop());
      if (again === true) return doneNow(control, await story.again());
      const wish = {
        file,
        name,
        speed: toSpeed,
        starts,
      };
      return doneNow(control, await story.start(wish));
    },
  }),
];

function storyOf(control: Control, view: StoryView): Story {
  const at = (ms: number): string => instantOf(control, ms);
  const { name, file, about, state, lastsMs, isRepeating, refusal, jump, beats, expectations, notes } = view;
  return {
    name,
    file,
    about,
    state,
    ends: lastsMs === null ? null : at(lastsMs),
    repeats: isRepeating,
    refusal,
    jump: jump && { beat: jump.beat, from: at(jump.fromMs), to: at(jump.toMs) },
    beats: beats.map((beat) => ({ name: beat.name, about: beat.about, at: at(beat.atMs) })),
    expectations: expectations.map(({ untilMs, ...one }) => ({ ...one, until: untilMs === null ? null : at(untilMs) })),
    notes: notes.map((note) => ({ at: at(note.atMs), text: note.text })),
  };
}
