import type { CastNames } from "../cast-names.js";
import type { StoryClock } from "../fields/values/moment.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { Step, StepDelay, StepWait, StoryInput } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { durationLiteral } from "../fields/values/duration.js";
import { verbs } from "../verbs/index.js";
import { isList, isMap, type Path, describeValue, type RawValue } from "../sheet/raw-value.js";
import { membersOf } from "../step-members.js";
import { readCondition } from "./condition.js";
import { readVerb, formatOnOneLine } from "./read-verb.js";
import { stepKeys, stepTimes, StepTimesReader, timeKeys } from "./step-times.js";

const verbNames = Object.keys(verbs);

/** The facts about the scenario that a story depends on. */
export interface StoryContext {
  readonly names: CastNames;
  readonly clock: StoryClock;
  readonly lastsMs: number | undefined;
}

/** Reads `story`, sorted by time, within an instant in file order. A recurring step becomes one for each occurrence. */
export function readStory(reader: DocumentReader, { names, clock, lastsMs }: StoryContext): Step[] {
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
  const times = new StepTimesReader(reader, { clock, lastsMs });
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
      readStep(reader, path, { names, lastsMs, atMs: times.last.instants[0] });
      return;
    }
    const { instants, isRecurring, follows } = times.read(path, place, (key) => isArgument(reader, path, key));
    const [atMs] = instants;
    if (isTimeOnly(item) && isVerbOnly(written[place + 1])) return; // `readStep` reports it at the next item
    const input = readStep(reader, path, { names, lastsMs, atMs });
    const waits = readWait(reader, path, names);
    if (input === undefined) return;
    checkConditional(reader, path, input, follows !== undefined || waits !== undefined);
    const delays = checkDelays(reader, path, { input, place, times });
    for (const [occurrence, stepMs] of instants.entries()) {
      const step = occurrence === 0 ? input : repeated(input, occurrence);
      checkBeatName(reader, [...path, "beat", "name"], step, beats);
      steps.push({
        atMs: stepMs,
        line: reader.line(path),
        input: step,
        place,
        ...(isRecurring && { occurrence }),
        ...(delays.length > 0 && { delays }),
        ...(waits !== undefined && { waits }),
        ...(follows !== undefined && { follows }),
      });
    }
  });
  return withDraws(steps).toSorted((a, b) => a.atMs - b.atMs);
}

/** The steps with `drawsAs` where checks stand before them: a check moves no draw of the others. */
function withDraws(steps: readonly Step[]): readonly Step[] {
  const checks = [...new Set(steps.filter(({ input }) => input.to === "check").map(({ place }) => place))];
  if (checks.length === 0) return steps;
  const drawsAs = (place: number): number => place - checks.filter((check) => check < place).length;
  return steps.map((step) => ({
    ...step,
    drawsAs: drawsAs(step.place),
    ...(step.delays !== undefined && {
      delays: step.delays.map((delay) => ({ ...delay, drawsAs: drawsAs(delay.place) })),
    }),
  }));
}

/**
 * The delays of a step's instant. A step that acts on no handsets or people draws its instant once. Beats and
 * expectations whose instant varies are reported: it must be known from the start.
 */
function checkDelays(
  reader: DocumentReader,
  path: Path,
  { input, place, times }: { readonly input: StoryInput; readonly place: number; readonly times: StepTimesReader },
): readonly StepDelay[] {
  const isFixed = input.to === "expect" || (input.to === "log" && input.beat !== undefined);
  const key = reader.keys(path).find((one) => one === "at" || one === "after") ?? "at";
  if (isFixed && times.last.delays.length > 0) {
    const what = input.to === "expect" ? "an expectation" : "a beat";
    reader.reportProblem([...path, key], {
      code: "not-together",
      message: `the time of ${what} cannot vary`,
      whole: true,
      hint: input.to === "expect" ? "write the earliest moment, and 'within'" : "write one moment",
    });
  } else if (membersOf(input) === undefined) {
    if (times.last.delays.some((delay) => delay.place !== place && delay.isShared !== true)) {
      reader.reportProblem([...path, key], {
        code: "not-together",
        message: "the step before happens to each of its phones or people at a different moment",
        whole: true,
        hint: "write at: …",
      });
    }
    times.shareDelay(place);
  }
  return times.last.delays;
}

/** Reads `when` and `within`; undefined: the step waits for nothing, or for an invalid condition. */
function readWait(reader: DocumentReader, path: Path, names: CastNames): StepWait | undefined {
  const written = reader.at(path);
  if (!isMap(written) || isMisplaced(reader, path, "within")) return undefined;
  const withinMs = written["within"] === undefined ? undefined : reader.read(stepTimes.within, [...path, "within"]);
  if (written["when"] !== undefined) {
    const condition = readCondition(reader, [...path, "when"], names);
    return condition && { ...condition, ...(withinMs !== undefined && { withinMs }) };
  }
  if (written["within"] !== undefined) {
    const message = "'within' belongs to 'when', which the step does not have";
    const hint = "write when: { event: alarm, of: clinic/3 }";
    reader.reportProblem([...path, "within"], { code: "missing-key", message, whole: true, on: "key", hint });
  }
  return undefined;
}

/** Reports a beat or an expectation whose moment is not known from the start. */
function checkConditional(reader: DocumentReader, path: Path, input: StoryInput, isUnknown: boolean): void {
  const isBeat = input.to === "log" && input.beat !== undefined;
  if (!isUnknown || (input.to !== "expect" && !isBeat)) return;
  reader.reportProblem(path, {
    code: "not-together",
    message: `${isBeat ? "a beat" : "an expectation"} cannot wait for a condition`,
    whole: true,
    on: "key",
    hint: isBeat ? "write a note" : "give it a time of its own, or write 'within' beside 'when'",
  });
}

/** The input of a later occurrence of a recurring step. A beat's name gets a number, because names must differ. */
function repeated(input: StoryInput, occurrence: number): StoryInput {
  if (input.to !== "log" || input.beat === undefined) return input;
  const name = `${input.beat.name} (${occurrence + 1})`;
  return { ...input, text: input.text.replace(input.beat.name, () => name), beat: { ...input.beat, name } };
}

/** Whether a key of a step is an argument of its verb. */
function isArgument(reader: DocumentReader, path: Path, key: string): boolean {
  const verb = reader.keys(path).find((one) => verbNames.includes(one));
  return verb !== undefined && schemaKeys(verbs[verb as keyof typeof verbs].args).includes(key);
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
  const isForeign = (key: string): boolean =>
    !verbNames.includes(key) && (!stepKeys.includes(key) || isMisplaced(reader, path, key));
  const foreign = keys.filter(isForeign);
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
    outer: stepKeys,
    onArgs: (args) => checkEnd(reader, verbPath, args, context),
  });
}

/**
 * Whether a key is beside the step's verb although it is an argument of it. `until`, `times` and `within` are also keys
 * of a step, the first two with `every`, the last one with `when`.
 */
function isMisplaced(reader: DocumentReader, path: Path, key: string): boolean {
  const keys = reader.keys(path);
  const isOfStep = key === "within" ? keys.includes("when") : keys.includes("every");
  return ["until", "times", "within"].includes(key) && !isOfStep && isArgument(reader, path, key);
}

/** Reports a key that is neither a time nor a verb: an argument outside its verb, or a misspelling. */
function reportForeignKey(reader: DocumentReader, path: Path, given: string | undefined): void {
  const key = String(path.at(-1));
  const step = path.slice(0, -1);
  const written = reader.keys(step);
  const hasTime = written.some((one) => timeKeys.some((time) => time === one));
  const isFree = (one: string): boolean =>
    !written.includes(one) && !(hasTime && timeKeys.some((time) => time === one));
  const words = [...stepKeys.filter(isFree), ...(given === undefined ? verbNames : [])];
  const isTime = !hasTime && stepTimes.at.safeParse(reader.at(path)).success;
  const close = nearest(key, words) ?? (isTime ? "at" : undefined);
  if ([...timeKeys, "when"].some((time) => time === close)) reader.excuseMissing([...step, "at"]);
  if (given === undefined) {
    const hint = close === undefined ? suggest(key, verbNames) : `did you mean '${close}'?`;
    const isKey = isTime || (close !== undefined && stepKeys.includes(close));
    const message = isKey ? `'${key}' is not a key of a step` : `'${key}' is no verb`;
    reader.reportProblem(path, {
      code: isKey ? "unknown-key" : "unknown-verb",
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
      ? `one of: ${stepKeys.join(", ")}`
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
