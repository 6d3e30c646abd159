import { setFile } from "./diagnostic.js";
import { readYaml, type ValueTree } from "./document.js";
import type { Language } from "./language.js";
import type { Problems } from "./problems.js";
import {
  isList,
  isMap,
  type Location,
  type Problem,
  describeValue,
  type Source,
  type Span,
  type RawValue,
} from "./raw-value.js";

/**
 * Applies `PATH=VALUE` arguments to a scenario as written: `handsets.clinic.count=4000`, `traffic.0.rate=5/s`. Missing
 * maps and lists along the path are created. The location of a set value is in its argument.
 */
export function applySets(tree: ValueTree, set: readonly string[], context: SetContext): ValueTree {
  return set.reduce((current, argument, index) => applyOne(current, argument, index, context), tree);
}

/** The collector of problems with the arguments, and the language of the file that they change. */
export interface SetContext {
  readonly problems: Problems;
  readonly language: Language;
}

function applyOne(tree: ValueTree, argument: string, index: number, { problems, language }: SetContext): ValueTree {
  const source: Source = {
    file: setFile,
    text: argument,
    positionAt: (offset) => ({ line: index + 1, column: Math.min(offset, argument.length) + 1 }),
  };
  const report = (start: number, end: number, problem: Pick<Problem, "message" | "hint">): ValueTree => {
    problems.add({ source, start, end }, { code: "bad-set", ...problem });
    return tree;
  };
  const equals = argument.indexOf("=");
  if (equals < 0) {
    return report(0, argument.length, {
      message: `'${argument}' has no '='`,
      hint: "write PATH=VALUE, such as handsets.clinic.count=40",
    });
  }
  const steps = stepsOf(argument.slice(0, equals), source);
  const empty = steps.find((step) => step.key === "");
  if (empty !== undefined) {
    return report(empty.span.start, empty.span.end, {
      message: "the path has an empty step",
      hint: "write it as handsets.clinic.count",
    });
  }
  const given = readYaml(source, problems, equals + 1);
  if (given === undefined) return tree;
  const value: ValueTree = {
    value: given.value,
    location: locateEmpty(given.location, { source, start: equals + 1, end: argument.length }),
  };
  const reportStep: ReportStep = (step, problem) => {
    report(step.span.start, step.span.end, problem);
  };
  return setAtPath(tree, steps, value, { language, report: reportStep });
}

interface Step {
  readonly key: string;
  readonly span: Span;
}

function stepsOf(path: string, source: Source): Step[] {
  let start = 0;
  return path.split(".").map((key) => {
    const step = { key: key.trim(), span: { source, start, end: start + key.length } };
    start += key.length + 1;
    return step;
  });
}

/** Locates an empty value (`seed=`) at the whole right side of the argument. */
function locateEmpty(location: Location, span: Span): Location {
  return location.span.end > location.span.start ? location : { ...location, span };
}

type ReportStep = (step: Step, problem: Pick<Problem, "message" | "hint">) => void;

interface PathContext {
  readonly language: Language;
  readonly report: ReportStep;
}

function setAtPath(
  tree: ValueTree,
  steps: readonly Step[],
  value: ValueTree,
  context: PathContext,
  above = "",
): ValueTree {
  const { language, report } = context;
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (isList(tree.value)) return setInList(tree, step, rest, value, context);
  // No name begins with a digit or is a plus, so this step is a list index.
  if (tree.value === null && /^(-?\d+|\+)$/.test(step.key) && !language.dataMaps.has(above)) {
    return setInList({ ...tree, value: [] }, step, rest, value, context);
  }
  const { value: old, location } = unfoldShorthand(tree, language.shorthands[above]);
  if (typeof old === "string") {
    report(step, {
      message: `'${above}' is ${describeValue(old)} and has no '${step.key}' in it`,
      hint: "set the value itself",
    });
    return tree;
  }
  const existing = isMap(old) ? old[step.key] : undefined;
  const before: ValueTree = {
    value: existing ?? null,
    location: location.inner.get(step.key) ?? { span: step.span, key: step.span, inner: new Map() },
  };
  const next = setAtPath(before, rest, value, context, step.key);
  const map: Record<string, RawValue> = Object.assign(
    Object.create(null) as Record<string, RawValue>,
    isMap(old) ? old : {},
  );
  map[step.key] = next.value;
  const key = rest.length === 0 ? step.span : (before.location.key ?? step.span);
  return {
    value: map,
    location: { ...location, inner: new Map(location.inner).set(step.key, { ...next.location, key }) },
  };
}

function setInList(
  tree: ValueTree,
  step: Step,
  rest: readonly Step[],
  value: ValueTree,
  context: PathContext,
): ValueTree {
  const { report } = context;
  const items = tree.value as readonly RawValue[];
  const index = step.key === "+" ? items.length : /^\d+$/.test(step.key) ? Number(step.key) : -1;
  if (index < 0 || index > items.length) {
    report(step, {
      message: `'${step.key}' is no location in a list of ${items.length}`,
      hint:
        items.length === 0
          ? "write 0 to add the first"
          : `its places are 0..${items.length - 1}; ${items.length} or + adds one`,
    });
    return tree;
  }
  const location = tree.location.inner.get(String(index)) ?? { span: step.span, inner: new Map<string, Location>() };
  const next = setAtPath({ value: items[index] ?? null, location }, rest, value, context, step.key);
  const inner = new Map(tree.location.inner).set(String(index), next.location);
  return { value: items.toSpliced(index, 1, next.value), location: { ...tree.location, inner } };
}

function unfoldShorthand(tree: ValueTree, key: string | undefined): ValueTree {
  if (key === undefined || typeof tree.value !== "string") return tree;
  const map = Object.create(null) as Record<string, RawValue>;
  map[key] = tree.value;
  return {
    value: map,
    location: { ...tree.location, inner: new Map([[key, { span: tree.location.span, inner: new Map() }]]) },
  };
}
