import { Command } from "commander";
import { askAndPrint, doneIn, fieldsOf, type LabFlags, withLabOptions } from "../lab-request.js";
import { duration, speed } from "../options/values.js";
import type { Io } from "../terminal/io.js";

/** The commands of the scenario that a lab plays: jumps, and starting another one. */
export function storyCommands(io: Io): Command[] {
  return [jumpCommand(io), scenarioCommand(io)];
}

function jumpCommand(io: Io): Command {
  const command = new Command("jump")
    .summary("Play to a beat of the story, or to a time, as fast as the receiver answers")
    .description(
      "Without arguments the beats are listed. A jump to a past beat starts the scenario again. Ctrl-C does not end a jump; " +
        "--cancel in another terminal does.",
    )
    .argument("[beat]", "name of a beat, in any case")
    .option("--at <duration>", "time since the start of the scenario, instead of a beat: 8h30m", duration)
    .option("--cancel", "stop the current jump; the clock is then paused");
  type Flags = LabFlags & { at?: number; cancel?: true };
  return withLabOptions(command)
    .addHelpText("after", '\nExamples:\n  handset do jump\n  handset do jump "Power cut"\n  handset do jump --at 8h30m')
    .action(async (beat: string | undefined, { at, cancel, ...flags }: Flags) => {
      if (beat === undefined && at === undefined && cancel === undefined) {
        await askAndPrint({ method: "GET", path: "/story" }, flags, io, beatsIn);
        return;
      }
      const body = {
        beat,
        at: at === undefined ? undefined : `${at}ms`,
        cancel,
      };
      await askAndPrint({ method: "POST", path: "/story", body }, flags, io, doneIn);
    });
}

function beatsIn(answer: unknown): string | undefined {
  const { name, beats } = fieldsOf(answer);
  if (typeof name !== "string" || !Array.isArray(beats)) return undefined;
  const lines = beats.map((beat: unknown) => {
    const { name: called, at, about } = fieldsOf(beat);
    return `${String(at)}  ${String(called)}${typeof about === "string" ? `: ${about}` : ""}`;
  });
  return [lines.length === 0 ? `${name} has no beats` : `${name}:`, ...lines].join("\n");
}

function scenarioCommand(io: Io): Command {
  const command = new Command("scenario")
    .summary("Serve another scenario, start the current one again, or stop it")
    .description("Without arguments the scenarios that can be started are listed.")
    .argument("[file]", "file in the list, such as bundled/power-cut.yaml; or the scenario's name")
    .option("--again", "start the current scenario again")
    .option("--stop", "stop the scenario: the clock stops, and results can be read until the next start")
    .option("--speed <speed>", "virtual seconds per wall second, such as 60x (default: unchanged)", speed)
    .option("--starts <time>", "virtual time at its start: now, or a timestamp (default: its own)");
  type Flags = LabFlags & { again?: true; stop?: true; speed?: number; starts?: string };
  return withLabOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  handset do scenario\n  handset do scenario bundled/power-cut.yaml --speed 60x\n  handset do scenario --again",
    )
    .action(async (file: string | undefined, { again, stop, speed: toSpeed, starts, ...flags }: Flags) => {
      if (file === undefined && again === undefined && stop === undefined) {
        await askAndPrint({ method: "GET", path: "/scenarios" }, flags, io, scenariosIn);
        return;
      }
      const rest = {
        again,
        stop,
        speed: toSpeed,
        starts,
      };
      const named = file === undefined ? {} : /\.ya?ml$/i.test(file) ? { file } : { name: file };
      await askAndPrint({ method: "POST", path: "/scenario", body: { ...named, ...rest } }, flags, io, doneIn);
    });
}

function scenariosIn(answer: unknown): string | undefined {
  if (!Array.isArray(answer)) return undefined;
  const rows = answer.map(fieldsOf);
  const width = Math.max(0, ...rows.map(({ file }) => String(file).length));
  return rows
    .map(({ file, name, playing, problem }) => {
      const state = playing === true ? "  (plays)" : problem === null ? "" : "  (cannot be read)";
      return `${String(file).padEnd(width)}  ${String(name)}${state}`;
    })
    .join("\n");
}
