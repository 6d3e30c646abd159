import { LabError } from "../../base/index.js";
import type { Part } from "../../world/index.js";
import { COUNT_VARIABLE, type Engine, engines, type Environment, type TaskIds } from "./engines.js";

/** A part of a fleet, and how it was found. */
export interface FoundPart extends Part {
  /** The engine and its variables, for people: `Slurm array, SLURM_ARRAY_TASK_ID=3`. Absent: the user named the part. */
  readonly foundBy?: string;
}

/** What `auto/8` or `auto/0-7` says about all parts. */
export interface NamedWhole {
  readonly text: string;
  readonly count: number;
  /** Task ids of the whole array; present in `auto/0-7` and `auto/0-14:2`. */
  readonly ids?: TaskIds;
}

/** What one engine says about this process. */
interface Found {
  readonly engine: Engine;
  readonly index: number;
  /** Number of parts; undefined: neither the engine nor the user gives it. */
  readonly count: number | undefined;
}

/**
 * The part of this process by the variables that its engine sets.
 *
 * @param whole - from `--shard`; undefined: the engine must give the number of parts
 * @throws LabError `bad-options` if no engine is found, two disagree, or the number of parts is missing
 */
export function findPart(whole: NamedWhole | undefined, environment: Environment): FoundPart {
  const text = whole?.text ?? "auto";
  const present = engines.filter((engine) => isPresent(engine, environment));
  const [only] = present;
  if (only === undefined) {
    refuse(
      `--shard ${text} finds no cluster engine: none of ${engines.map(({ index }) => index).join(", ")} is set`,
      "name the part: --shard 2/8",
    );
  }
  // A step or array of one task, inside another engine's job, says nothing about the part.
  const several = present.filter((engine) => present.length === 1 || countIn(engine, environment) !== 1);
  const all = (several.length === 0 ? [only] : several).map((engine) => readEngine(engine, whole, environment));
  const [first] = all;
  if (first === undefined) throw new Error("no engine is left");
  const counts = new Set(all.flatMap(({ count }) => count ?? []));
  if (new Set(all.map(({ index }) => index)).size > 1 || counts.size > 1) {
    const said = all.map((found) => `${describe(found, environment)} (part ${found.index}${ofCount(found)})`);
    refuse(
      `--shard ${text} finds engines that disagree: ${said.join(" and ")}`,
      "name the part: --shard 2/8, with the variable of the engine that numbers the parts",
    );
  }
  const [count] = counts;
  if (count === undefined) {
    refuse(
      `--shard ${text} finds ${describe(first, environment)}, but ${first.engine.name} does not give the number of parts`,
      `give it: --shard auto/8, or ${COUNT_VARIABLE}=8`,
    );
  }
  return { index: first.index, count, foundBy: all.map((found) => describe(found, environment)).join("; ") };
}

function isPresent(engine: Engine, environment: Environment): boolean {
  const value = environment[engine.index] ?? "";
  if (value === "" || value === engine.none) return false;
  // Without the number of tasks this is the batch script, which srun has not started.
  return engine.name !== "Slurm step" || (environment[engine.count ?? ""] ?? "") !== "";
}

function readEngine(engine: Engine, whole: NamedWhole | undefined, environment: Environment): Found {
  const id = numberIn(engine, engine.index, environment);
  const count = countIn(engine, environment);
  if (engine.base === "chosen") return { engine, ...placeInArray(engine, id, { whole, count, environment }) };
  if (whole?.ids !== undefined && whole.ids.first !== engine.base) {
    refuse(`${engine.name} counts from ${engine.base}, not from ${whole.ids.first} as in ${whole.text}`);
  }
  if (whole !== undefined && count !== undefined && count !== whole.count) {
    refuse(
      `${engine.name} has ${count} tasks (${engine.count}), but ${whole.text} has ${whole.count} parts`,
      "leave the number out: --shard auto",
    );
  }
  const parts = whole?.count ?? count;
  const index = id - engine.base + 1;
  if (parts !== undefined && (index < 1 || index > parts)) {
    refuse(
      `${engine.index} is ${id}, which is outside ${engine.base}..${parts - 1 + engine.base}: the fleet has ${parts} parts`,
      "start as many tasks as there are parts",
    );
  }
  return { engine, index, count: parts };
}

/** The place of a task in an array whose ids the user has chosen, and the number of parts. */
function placeInArray(
  engine: Engine,
  id: number,
  given: {
    readonly whole: NamedWhole | undefined;
    readonly count: number | undefined;
    readonly environment: Environment;
  },
): { readonly index: number; readonly count: number } {
  const { whole, count, environment } = given;
  const ids = whole === undefined ? wholeArray(engine, count, environment) : idsOf(whole);
  const place = (id - ids.first) / ids.step;
  if (id < ids.first || id > ids.last || !Number.isInteger(place)) {
    const other = whole?.ids === undefined && whole !== undefined ? `auto/0-${whole.count - 1}` : "auto/0-7";
    refuse(
      `${engine.index} is ${id}, which is not among the tasks ${idsText(ids)} of ${whole?.text ?? "the array"}`,
      `name the ids of the whole array as it was submitted first: --shard ${other}`,
    );
  }
  const array = arrayOf(engine, environment);
  // A resubmitted array of some tasks lies inside the whole; another one has other ids.
  if (array !== undefined && (array.first < ids.first || array.last > ids.last)) {
    refuse(
      `the array has tasks ${idsText(array)}, but ${whole?.text ?? "auto"} means ${idsText(ids)}`,
      `name the ids of the whole array: --shard auto/${idsText(array)}`,
    );
  }
  return { index: place + 1, count: (ids.last - ids.first) / ids.step + 1 };
}

/** `auto/8` means the tasks 1..8 of an array. */
function idsOf({ count, ids }: NamedWhole): TaskIds {
  return ids ?? { first: 1, last: count, step: 1 };
}

/** The ids of this array. @throws LabError if it may be only some tasks of a larger array */
function wholeArray(engine: Engine, count: number | undefined, environment: Environment): TaskIds {
  const array = arrayOf(engine, environment);
  const how = "name the whole array as it was submitted first: --shard auto/8 for tasks 1-8, --shard auto/0-7 for 0-7";
  if (array === undefined) refuse(`${engine.name} does not give its first and last task`, how);
  const places = (array.last - array.first) / array.step + 1;
  const size = count ?? places;
  if (size === 1) refuse(`the array has only task ${array.first}: it may be one of a larger whole`, how);
  if (array.first > 1) refuse(`the array begins at ${array.first}, so it may be a part of a larger whole`, how);
  if (places !== size) refuse(`the array has ${size} tasks among ${idsText(array)}, so it is not the whole`, how);
  return array;
}

function arrayOf(engine: Engine, environment: Environment): TaskIds | undefined {
  const { ids } = engine;
  if (ids === undefined) return undefined;
  if ((environment[ids.first] ?? "") === "" || (environment[ids.last] ?? "") === "") return undefined;
  const step = (environment[ids.step] ?? "") === "" ? 1 : numberIn(engine, ids.step, environment);
  return {
    first: numberIn(engine, ids.first, environment),
    last: numberIn(engine, ids.last, environment),
    step: Math.max(1, step),
  };
}

function countIn(engine: Engine, environment: Environment): number | undefined {
  if (engine.count === undefined || (environment[engine.count] ?? "") === "") return undefined;
  return numberIn(engine, engine.count, environment);
}

function numberIn(engine: Engine, variable: string, environment: Environment): number {
  const value = environment[variable] ?? "";
  if (!/^\d{1,9}$/.test(value)) {
    refuse(`${engine.name}: ${variable} must be a whole number, got '${value}'`, `see ${engine.docs}`);
  }
  return Number(value);
}

function idsText({ first, last, step }: TaskIds): string {
  return `${first}-${last}${step === 1 ? "" : `:${step}`}`;
}

function describe({ engine }: Found, environment: Environment): string {
  const variables = [engine.index, ...(engine.count === undefined ? [] : [engine.count])];
  return `${engine.name}, ${variables.map((name) => `${name}=${environment[name] ?? ""}`).join(", ")}`;
}

function ofCount({ count }: Found): string {
  return count === undefined ? "" : ` of ${count}`;
}

function refuse(message: string, hint?: string): never {
  throw new LabError("bad-options", message, hint === undefined ? {} : { hint });
}
