import { LabError } from "../base/index.js";

/** An option of `handset run` that excludes or needs another one; `command` is the receiver's command after `--`. */
type OptionName =
  | "api"
  | "check"
  | "command"
  | "console"
  | "data"
  | "expect"
  | "lookahead"
  | "metrics"
  | "processes"
  | "resume"
  | "seed"
  | "set"
  | "settle"
  | "shard"
  | "start-when-all-ready";

/** The given options of a run; undefined, false and an empty list count as not given. */
export type GivenOptions = Readonly<Partial<Record<OptionName, unknown>>>;

interface Conflict {
  readonly option: OptionName;
  readonly excludes: OptionName;
  readonly why: string;
  readonly hint?: string;
}

const playWhole = "play the scenario in one process, without --shard and --processes";
const keepsScenario = "a resumed run keeps its scenario and its seed";
const dropOrReplay = "leave it out, or play the scenario again without --resume";

const conflicts: readonly Conflict[] = [
  { option: "shard", excludes: "processes", why: "each process plays a part already", hint: "leave --shard out" },
  { option: "api", excludes: "processes", why: "a process sees only its share of the account", hint: playWhole },
  { option: "console", excludes: "processes", why: "it shows the phones of one process", hint: playWhole },
  { option: "metrics", excludes: "processes", why: "each process measures only its part", hint: playWhole },
  { option: "data", excludes: "processes", why: "the account spans all parts", hint: playWhole },
  {
    option: "command",
    excludes: "processes",
    why: "every process would start it",
    hint: "start the receiver yourself and name it with --receiver",
  },
  { option: "api", excludes: "shard", why: "a part sees only its own share of the account", hint: playWhole },
  { option: "console", excludes: "shard", why: "it offers the API, and a part sees only its share", hint: playWhole },
  { option: "data", excludes: "shard", why: "the account spans all parts", hint: playWhole },
  {
    option: "start-when-all-ready",
    excludes: "processes",
    why: "the processes begin together already",
    hint: "leave it out",
  },
  { option: "start-when-all-ready", excludes: "resume", why: "the other parts have begun", hint: "leave it out" },
  { option: "processes", excludes: "resume", why: "--resume continues one recording" },
  { option: "shard", excludes: "resume", why: "the recording knows its part" },
  { option: "set", excludes: "resume", why: keepsScenario, hint: dropOrReplay },
  { option: "expect", excludes: "resume", why: keepsScenario, hint: dropOrReplay },
  { option: "check", excludes: "resume", why: keepsScenario, hint: dropOrReplay },
  { option: "seed", excludes: "resume", why: keepsScenario, hint: dropOrReplay },
  { option: "lookahead", excludes: "resume", why: keepsScenario, hint: dropOrReplay },
];

/**
 * Rejects options of a run that exclude each other.
 *
 * @throws LabError `bad-options`; its message names both options and the reason
 */
export function refuseConflicts(given: GivenOptions): void {
  for (const { option, excludes, why, hint } of conflicts) {
    if (!isGiven(given[option]) || !isGiven(given[excludes])) continue;
    const message = `${spelled(option)} does not work with ${spelled(excludes)}: ${why}`;
    throw new LabError("bad-options", message, hint === undefined ? {} : { hint });
  }
  if (isGiven(given.settle) && !isGiven(given.api) && !isGiven(given.console)) {
    throw new LabError("bad-options", "--settle waits until the API is idle: add --api PORT");
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function spelled(option: OptionName): string {
  return option === "command" ? "a command" : `--${option}`;
}
