import { Command, InvalidArgumentError, Option } from "commander";
import { allowHost, repeatable, setValue } from "../options/repeatable.js";
import { filesBeside } from "../../lab/index.js";
import {
  DEFAULT_PASS,
  type FieldUnits,
  type Study,
  type StudyAction,
  studyCapacity,
  type StudyListener,
  type StudyPlan,
} from "../../study/index.js";
import { COMMAND_RECEIVER } from "../../run/index.js";
import { UsageError } from "../failures.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { type Live, liveOn } from "../terminal/live-lines.js";
import { duration, wholeNumber } from "../options/values.js";
import { paint, writePainted } from "../terminal/paint.js";
import { loadScenario, readText } from "../scenario-file.js";
import { actionText, planText, studyText, trialLine } from "../printing/study-lines.js";

interface Flags {
  readonly receiver?: string;
  readonly vary: readonly string[];
  readonly pass: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly trials: number;
  readonly precision: number;
  readonly late?: number;
  readonly warmup?: number;
  readonly coolDown: number;
  readonly recover: number;
  readonly timeLimit?: number;
  readonly pace: number;
  readonly connections?: number;
  readonly set: readonly string[];
  readonly seed?: number;
  readonly allowHost: readonly string[];
  readonly wait?: number;
  readonly judgeBusy?: true;
  readonly keep?: string;
  readonly json?: true;
  readonly quiet?: true;
}

/** Interval between redraws of the live line. Wall milliseconds. */
const REDRAW_MS = 200;

export function capacityCommand(io: Io, end: (code: ExitCode) => void): Command {
  const span = (flags: string, about: string, ms: number, spelled: string): Option =>
    new Option(flags, about).argParser(duration).default(ms, spelled);
  return new Command("capacity")
    .description(
      "Finds the capacity of a receiver: plays a scenario with rising values of a setting until the receiver fails a " +
        "condition, then searches the highest value that passes. Events are sent when they are due, even if the " +
        "receiver is slow (open model); delivery time counts from the due time.",
    )
    .argument("<file>", "the scenario (YAML)")
    .argument("[command...]", "after --: starts your receiver; it is ended after the search")
    .option("-r, --receiver <url>", `your receiver (default: the scenario's; with a command ${COMMAND_RECEIVER})`)
    .addOption(repeatable("--vary <path>", "the setting that rises, such as traffic/0.rate; repeatable"))
    .option("--pass <condition>", "condition that a passed trial meets: comparisons joined by `and`", DEFAULT_PASS)
    .addOption(repeatable("--from <value>", "lowest value to try; one per --vary", "the scenario's"))
    .addOption(repeatable("--to <value>", "highest value to try; one per --vary"))
    .option("--trials <n>", "trials per value, until a majority agrees; odd", odd, 1)
    .addOption(
      new Option("--precision <share>", "precision of the result, above and below")
        .argParser(share)
        .default(0.1, "10%"),
    )
    .option(
      "--late <duration>",
      "do not count a failed trial if the generator is later than this at p99 (default: a tenth of the bound)",
      duration,
    )
    .option(
      "--warmup <duration>",
      "time at the start of a trial that is not measured (default: 5s, none before short trials)",
      duration,
    )
    .addOption(span("--cool-down <duration>", "shortest pause between trials", 500, "500ms"))
    .addOption(span("--recover <duration>", "how long the receiver may take to recover from a trial", 60_000, "1m"))
    .option(
      "--time-limit <duration>",
      "longest duration of the search (default: 2m per --vary; none if each trial plays the whole scenario)",
      duration,
    )
    .addOption(new Option("--pace <speed>", "speed of virtual time: 1x, 60x").argParser(openPace).default(1, "1x"))
    .option("--connections <n>", "connections open at most", wholeNumber)
    .addOption(setValue())
    .option("--seed <n>", "seed to use instead of the scenario's", wholeNumber)
    .addOption(allowHost())
    .option("--wait <duration>", "wait for the receiver to come up (default: 30s with a command)", duration)
    .option("--judge-busy", "judge the receiver's speed also while other programs keep this machine busy")
    .option("--keep <folder>", "keep the recording of each trial in this folder")
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no progress and no table")
    .addHelpText("after", examples)
    .action(async (file: string, command: readonly string[], flags: Flags) => {
      end(await study(file, command, flags, io));
    });
}

async function study(file: string, command: readonly string[], flags: Flags, io: Io): Promise<ExitCode> {
  if (flags.vary.length === 0) {
    throw new UsageError("--vary is missing: which setting rises?", "--vary handsets.clinic.count");
  }
  const base = { set: flags.set, seed: flags.seed };
  if ((await loadScenario(file, io, base)) === undefined) return 2;
  const shown = flags.quiet === true ? undefined : new LiveStudy(io, await liveOn(io.stderr));
  const { signal, stopListening } = listenForInterrupt(io);
  let result: Study;
  try {
    result = await studyCapacity({
      source: {
        text: readText(file),
        file,
        nowMs: Date.now(),
        readFile: filesBeside(file),
        ...base,
      },
      vary: flags.vary.map((path, index) => {
        const [from, to] = [flags.from[index], flags.to[index]];
        return { path, from, to };
      }),
      pass: flags.pass,
      trials: flags.trials,
      precision: flags.precision,
      coolDownMs: flags.coolDown,
      recoverMs: flags.recover,
      command,
      speed: flags.pace,
      allowHosts: flags.allowHost,
      signal,
      receiver: flags.receiver,
      warmUpMs: flags.warmup,
      lateMs: flags.late,
      timeLimitMs: flags.timeLimit,
      connections: flags.connections,
      waitMs: flags.wait,
      ...(flags.judgeBusy === true && { judgeBusy: true }),
      keep: flags.keep,
      listener: shown,
    });
  } finally {
    shown?.end();
    stopListening();
  }
  if (flags.json === true) io.stdout.write(`${JSON.stringify(result, without)}\n`);
  const output = flags.json === true ? io.stderr : io.stdout;
  if (flags.quiet !== true) writePainted(output, studyText(result, { paint: paint(output), width: output.columns }));
  return codeOf(result);
}

/** JSON replacer that omits `units`, which holds only functions. */
function without(key: string, value: unknown): unknown {
  return key === "units" ? undefined : value;
}

/** 3: this machine was too slow. 1: the easiest value failed, it was stopped, or the receiver is gone. */
function codeOf({ results, problem }: Study): ExitCode {
  if (problem !== undefined) return 1;
  if (results.some(({ kind, limitedBy }) => kind === "below" || limitedBy === "stopped")) return 1;
  return results.some(({ kind }) => kind === "unknown") ? 3 : 0;
}

/** Shows the progress of a study: a line for each ended trial, and on a terminal a live line. */
class LiveStudy implements StudyListener {
  readonly #io: Io;
  readonly #live: Live | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #action: StudyAction | undefined;
  #units: FieldUnits | undefined;

  constructor(io: Io, live: Live | undefined) {
    this.#io = io;
    this.#live = live;
    if (live === undefined) return;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    this.#timer.unref();
  }

  onValueBegin(plan: StudyPlan): void {
    this.#units = plan.units;
    this.#say(planText(plan, { nowMs: Date.now(), width: this.#io.stderr.columns }));
  }

  onAction(action: StudyAction): void {
    this.#action = action;
  }

  onTrialEnd(trial: Parameters<StudyListener["onTrialEnd"]>[0]): void {
    const { stderr } = this.#io;
    const amount = this.#units?.amount(trial.value) ?? String(trial.value);
    this.#say(trialLine(trial, amount, { paint: paint(stderr), width: stderr.columns }));
  }

  /** Removes the live line; may be called twice. */
  end(): void {
    clearInterval(this.#timer);
    this.#action = undefined;
    this.#live?.clear();
  }

  #say(text: string): void {
    this.#live?.clear();
    writePainted(this.#io.stderr, text);
  }

  #draw(): void {
    if (this.#action !== undefined) this.#live?.(actionText(this.#action, this.#io.stderr.columns));
  }
}

function odd(text: string): number {
  const number = wholeNumber(text);
  if (number % 2 === 1) return number;
  throw new InvalidArgumentError(`it must be an odd number, so that there is a majority, got ${text}.`);
}

function share(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (percent >= 0.5 && percent <= 50) return percent / 100;
  throw new InvalidArgumentError(`it must be a share from 0.5% to 50%, got '${text}'.`);
}

/** Accepts only a speed: at other paces a slow receiver slows down the load (closed model). */
function openPace(text: string): number {
  const number = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1]);
  if (number > 0) return number;
  const why =
    text === "max" || text === "lockstep"
      ? `at '${text}' the load waits for the receiver (closed model), so no overload would ever show`
      : `got '${text}'`;
  throw new InvalidArgumentError(`it must be a speed such as 1x or 60x: ${why}.`);
}

const examples = `
Examples:
  handset capacity my-day.yaml -r http://127.0.0.1:8080/ --vary traffic/0.rate
  handset capacity my-day.yaml -r http://127.0.0.1:8080/ --vary handsets.clinic.count \\
    --from 100 --to 20000 --pass "delivery.p99 < 500ms and failures < 1%" --time-limit 5m
  handset capacity storm.yaml -r http://127.0.0.1:8080/ --vary story/0.network.of --pace 10x --json

Exit codes: 0 found, or the highest value to try passed; 1 not even the easiest
value passed, or the receiver died; 2 wrong usage or scenario; 3 the environment
(no receiver, or this machine cannot generate the load); 70 a defect.`;
