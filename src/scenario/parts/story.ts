import type { CastNames } from "../cast-names.js";
import { duration } from "../fields/fields.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { Step } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { durationLiteral } from "../fields/values/duration.js";
import { verbs } from "../verbs/index.js";
import { keyConflict, isList, isMap, type Path, describeValue, type RawValue } from "../sheet/raw-value.js";
import { readVerb, formatOnOneLine } from "./read-verb.js";

/** `at` and `after` of a step. */
export const stepTimes = {
  at: duration("When it happens, from the start."),
  after: duration("When it happens, from the step before (the first: from the start)."),
};

const timeKeys = ["at", "after"] as const;
const verbNames = Object.keys(verbs);

/** Reads `story`, sorted by time; steps of one instant in file order. */
export function readStory(reader: DocumentReader, names: CastNames, lastsMs: number | undefined): Step[] {
  const written = reader.at(["story"]);
  if (written === undefined || written === null) return [];
  if (!isList(written)) {
    reader.reportProblem(["story"], {
      code: "wrong-type",
      message: `must be a list of steps, got ${describeValue(written)}`,
      hint: "begin each step with '- '",
    });
    return [];
  }
  const steps: Step[] = [];
  const beats = new Set<string>();
  let lastMs: number | undefined = 0;
  written.forEach((item, place) => {
    const path = ["story", place];
    if (isTimeOnly(written[place - 1]) && isVerbOnly(item)) {
      const [key = "", time = ""] = Object.entries(written[place - 1] ?? {})[0] ?? [];
      reader.reportProblem(path, {
        code: "no-verb",
        message: "a new step begins here, but the one before says only when",
        whole: true,
        hint: `remove the '-', so that it belongs to '${key}: ${formatOnOneLine(time)}'`,
      });
      readStep(reader, path, { names, lastsMs, atMs: lastMs });
      return;
    }
    const atMs = readTime(reader, path, lastMs, lastsMs);
    lastMs = atMs;
    if (isTimeOnly(item) && isVerbOnly(written[place + 1])) return; // `readStep` reports it at the next item
    const step = readStep(reader, path, { names, lastsMs, atMs });
    checkBeatName(reader, [...path, "beat", "name"], step, beats);
    if (step !== undefined && atMs !== undefined) steps.push({ atMs, line: reader.line(path), input: step });
  });
  return steps.toSorted((a, b) => a.atMs - b.atMs);
}

/** Reports a beat whose name another beat has: a presenter could jump to one of them only. */
function checkBeatName(reader: DocumentReader, path: Path, step: Step["input"] | undefined, taken: Set<string>): void {
  const name = step?.to === "log" ? step.beat?.name.toLowerCase() : undefined;
  if (name === undefined) return;
  if (taken.has(name)) {
    reader.reportProblem(path, {
      code: "duplicate-name",
      message: `another beat is called '${name}'`,
      whole: true,
      hint: "give it another name",
    });
  }
  taken.add(name);
}

/** Whether an item has only a time: an extra dash has split a step in two. */
function isTimeOnly(item: RawValue | undefined): boolean {
  const keys = isMap(item) ? Object.keys(item) : [];
  return keys.length === 1 && timeKeys.some((key) => key === keys[0]);
}

function isVerbOnly(item: RawValue | undefined): boolean {
  const keys = isMap(item) ? Object.keys(item) : [];
  return keys.length === 1 && verbNames.includes(keys[0] ?? "");
}

/** The instant of a step; undefined: unknown. */
function readTime(
  reader: DocumentReader,
  path: Path,
  lastMs: number | undefined,
  lastsMs: number | undefined,
): number | undefined {
  const given = timeKeys.filter((key) => reader.keys(path).includes(key));
  const [key, second] = given;
  if (key === undefined) {
    if (isMap(reader.at(path))) {
      reader.reportProblem([...path, "at"], {
        code: "missing-key",
        message: "a step needs 'at' or 'after'",
        whole: true,
        hint: "write at: 1h, or after: 5m",
      });
    }
    return undefined;
  }
  if (second !== undefined) {
    reader.reportProblem(
      [...path, second],
      keyConflict("'at' (from the start) and 'after' (from the step before) cannot both be", "keep one of the two"),
    );
  }
  const ms = reader.read(stepTimes[key], [...path, key]);
  const atMs =
    ms === undefined || (key === "after" && lastMs === undefined) ? undefined : key === "at" ? ms : ms + (lastMs ?? 0);
  if (atMs !== undefined && lastsMs !== undefined && atMs > lastsMs) {
    reader.reportProblem([...path, key], {
      code: "after-end",
      message: `the step happens at ${durationLiteral(atMs)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
      whole: true,
      hint: `write it before ${durationLiteral(lastsMs)}, or let the scenario last longer`,
    });
  }
  return atMs;
}

interface StoryStepContext {
  readonly names: CastNames;
  readonly lastsMs: number | undefined;
  readonly atMs: number | undefined;
}

function readStep(reader: DocumentReader, path: Path, context: StoryStepContext): Step["input"] | undefined {
  const written = reader.at(path);
  if (!isMap(written)) {
    reader.reportProblem(path, {
      code: "wrong-type",
      message: `must be a step, got ${describeValue(written)}`,
      hint: "write { at: 1h, note: … }",
    });
    return undefined;
  }
  const keys = Object.keys(written);
  const given = keys.filter((key) => verbNames.includes(key));
  const foreign = keys.filter((key) => !verbNames.includes(key) && !timeKeys.some((time) => time === key));
  for (const key of foreign) reportForeignKey(reader, [...path, key], given[0]);
  const [name, second] = given;
  if (second !== undefined) {
    reader.reportProblem([...path, second], {
      code: "two-verbs",
      message: `a step does one thing, but this has '${name}' and '${second}'`,
      whole: true,
      on: "key",
      hint: "begin a new step with '- at: …'",
    });
    return undefined;
  }
  if (name === undefined) {
    if (foreign.length === 0) {
      reader.reportProblem(path, {
        code: "no-verb",
        message: "the step says when, but not what",
        whole: true,
        hint: suggest("", verbNames),
      });
    }
    return undefined;
  }
  const verbPath = [...path, name];
  return readVerb(reader, verbPath, {
    verb: verbs[name as keyof typeof verbs],
    names: context.names,
    outer: timeKeys,
    onArgs: (args) => checkEnd(reader, verbPath, args, context),
  });
}

/** Reports a key that is neither a time nor a verb: an argument outside its verb, or a misspelling. */
function reportForeignKey(reader: DocumentReader, path: Path, given: string | undefined): void {
  const key = String(path.at(-1));
  const step = path.slice(0, -1);
  const hasTime = reader.keys(step).some((one) => timeKeys.some((time) => time === one));
  const words = [...(hasTime ? [] : timeKeys), ...(given === undefined ? verbNames : [])];
  const isTime = !hasTime && stepTimes.at.safeParse(reader.at(path)).success;
  const close = nearest(key, words) ?? (isTime ? "at" : undefined);
  if (timeKeys.some((time) => time === close)) reader.excuseMissing([...step, "at"]);
  if (given === undefined) {
    const hint = close === undefined ? suggest(key, verbNames) : `did you mean '${close}'?`;
    const message = isTime ? `'${key}' is not a key of a step` : `'${key}' is no verb`;
    reader.reportProblem(path, {
      code: isTime ? "unknown-key" : "unknown-verb",
      message,
      whole: true,
      on: "key",
      hint,
    });
    return;
  }
  const isArgument = schemaKeys(verbs[given as keyof typeof verbs].args).includes(key);
  if (isArgument) reader.excuseMissing([...step, given]);
  const hint = isArgument
    ? `indent it under '${given}', or write ${given}: { …, ${key}: … }`
    : close === undefined
      ? suggest(key, timeKeys)
      : `did you mean '${close}'?`;
  reader.reportProblem(path, {
    code: "unknown-key",
    message: `'${key}' is not a key of a step`,
    whole: true,
    on: "key",
    hint,
  });
}

function schemaKeys(schema: unknown): string[] {
  const shape = (schema as { readonly shape?: object }).shape;
  return shape === undefined ? [] : Object.keys(shape);
}

/** Warns about durations of effects and waits (`for`, `within`) beyond the end of the scenario. */
function checkEnd(reader: DocumentReader, path: Path, args: unknown, { atMs, lastsMs }: StoryStepContext): void {
  if (typeof args !== "object" || args === null || atMs === undefined || lastsMs === undefined || atMs > lastsMs)
    return;
  for (const key of ["for", "within"]) {
    const ms = (args as Readonly<Record<string, unknown>>)[key];
    if (typeof ms !== "number" || atMs + ms <= lastsMs) continue;
    reader.reportProblem([...path, key], {
      code: "past-end",
      message: `continues to ${durationLiteral(atMs + ms)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
      severity: "warning",
      hint: key === "for" ? "leave 'for' out if it is to stay so" : "the end of the scenario ends the wait",
    });
  }
}
