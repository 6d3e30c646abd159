import { setFile } from "./diagnostic.js";
import { readYaml, type Tree } from "./document.js";
import type { Language } from "./language.js";
import type { Problems } from "./problems.js";
import { isList, isMap, type Place, type Problem, shown, type Source, type Spot, type Written } from "./written.js";

/**
 * Applies `PATH=VALUE` arguments to a scenario as written: `handsets.clinic.count=4000`, `traffic.0.rate=5/s`. Maps and
 * lists that are missing on the way are made. Everything else keeps its place in the file; what was set has its place in the argument.
 */
export function applySets(tree: Tree, set: readonly string[], context: SetContext): Tree {
  return set.reduce((current, argument, index) => applyOne(current, argument, index, context), tree);
}

/** Where problems with the arguments go, and the language of the file that they change. */
export interface SetContext {
  readonly problems: Problems;
  readonly language: Language;
}

function applyOne(tree: Tree, argument: string, index: number, { problems, language }: SetContext): Tree {
  const source: Source = {
    file: setFile,
    text: argument,
    positionAt: (offset) => ({ line: index + 1, column: Math.min(offset, argument.length) + 1 }),
  };
  const tell = (start: number, end: number, problem: Pick<Problem, "message" | "hint">): Tree => {
    problems.add({ source, start, end }, { code: "bad-set", ...problem });
    return tree;
  };
  const equals = argument.indexOf("=");
  if (equals < 0) {
    return tell(0, argument.length, {
      message: `'${argument}' has no '='`,
      hint: "write PATH=VALUE, such as handsets.clinic.count=40",
    });
  }
  const steps = stepsOf(argument.slice(0, equals), source);
  const empty = steps.find((step) => step.key === "");
  if (empty !== undefined) {
    return tell(empty.spot.start, empty.spot.end, {
      message: "the path has an empty step",
      hint: "write it as handsets.clinic.count",
    });
  }
  const given = readYaml(source, problems, equals + 1);
  if (given === undefined) return tree;
  const value: Tree = {
    value: given.value,
    place: respot(given.place, { source, start: equals + 1, end: argument.length }),
  };
  const tellStep: TellStep = (step, problem) => {
    tell(step.spot.start, step.spot.end, problem);
  };
  return put(tree, steps, value, { language, tell: tellStep });
}

interface Step {
  readonly key: string;
  readonly spot: Spot;
}

function stepsOf(path: string, source: Source): Step[] {
  let start = 0;
  return path.split(".").map((key) => {
    const step = { key: key.trim(), spot: { source, start, end: start + key.length } };
    start += key.length + 1;
    return step;
  });
}

/** The value that was left out (`seed=`) is underlined as the whole right side. */
function respot(place: Place, spot: Spot): Place {
  return place.spot.end > place.spot.start ? place : { ...place, spot };
}

type TellStep = (step: Step, problem: Pick<Problem, "message" | "hint">) => void;

interface PutContext {
  readonly language: Language;
  readonly tell: TellStep;
}

function put(tree: Tree, steps: readonly Step[], value: Tree, context: PutContext, above = ""): Tree {
  const { language, tell } = context;
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (isList(tree.value)) return putInList(tree, step, rest, value, context);
  // No name begins with a digit or is a plus, so these lead into a list.
  if (tree.value === null && /^(-?\d+|\+)$/.test(step.key) && !language.dataMaps.has(above)) {
    return putInList({ ...tree, value: [] }, step, rest, value, context);
  }
  const { value: old, place } = unfoldShorthand(tree, language.shorthands[above]);
  if (typeof old === "string") {
    tell(step, { message: `'${above}' is ${shown(old)} and has no '${step.key}' in it`, hint: "set the value itself" });
    return tree;
  }
  const existing = isMap(old) ? old[step.key] : undefined;
  const before: Tree = {
    value: existing ?? null,
    place: place.inner.get(step.key) ?? { spot: step.spot, key: step.spot, inner: new Map() },
  };
  const next = put(before, rest, value, context, step.key);
  const map: Record<string, Written> = Object.assign(
    Object.create(null) as Record<string, Written>,
    isMap(old) ? old : {},
  );
  map[step.key] = next.value;
  const key = rest.length === 0 ? step.spot : (before.place.key ?? step.spot);
  return { value: map, place: { ...place, inner: new Map(place.inner).set(step.key, { ...next.place, key }) } };
}

function putInList(tree: Tree, step: Step, rest: readonly Step[], value: Tree, context: PutContext): Tree {
  const { tell } = context;
  const items = tree.value as readonly Written[];
  const index = step.key === "+" ? items.length : /^\d+$/.test(step.key) ? Number(step.key) : -1;
  if (index < 0 || index > items.length) {
    tell(step, {
      message: `'${step.key}' is no place in a list of ${items.length}`,
      hint:
        items.length === 0
          ? "write 0 to add the first"
          : `its places are 0..${items.length - 1}; ${items.length} or + adds one`,
    });
    return tree;
  }
  const place = tree.place.inner.get(String(index)) ?? { spot: step.spot, inner: new Map<string, Place>() };
  const next = put({ value: items[index] ?? null, place }, rest, value, context, step.key);
  const inner = new Map(tree.place.inner).set(String(index), next.place);
  return { value: items.toSpliced(index, 1, next.value), place: { ...tree.place, inner } };
}

function unfoldShorthand(tree: Tree, key: string | undefined): Tree {
  if (key === undefined || typeof tree.value !== "string") return tree;
  const map = Object.create(null) as Record<string, Written>;
  map[key] = tree.value;
  return { value: map, place: { ...tree.place, inner: new Map([[key, { spot: tree.place.spot, inner: new Map() }]]) } };
}
