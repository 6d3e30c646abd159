import { setFile } from "./diagnostic.js";
import { readYaml, type Tree } from "./document.js";
import { plainMaps } from "./csv.js";
import { nearest } from "./nearest.js";
import type { Problems } from "./problems.js";
import {
  isList,
  isMap,
  type Place,
  type Problem,
  shown,
  type Source,
  type Spot,
  type Written,
  type WrittenMap,
} from "./written.js";

/**
 * Applies `PATH=VALUE` arguments to a scenario as written: `handsets.clinic.count=4000`, `traffic.0.rate=5/s`. Maps and
 * lists that are missing on the way are made. Everything else keeps its place in the file; what was set has its place in the argument.
 */
export function applySets(tree: Tree, set: readonly string[], problems: Problems): Tree {
  const after = set.reduce((current, argument, index) => applyOne(current, argument, index, problems), tree);
  for (const key of ["handsets", "people", "carriers"]) checkNewNames(after, key, problems);
  return after;
}

/** A name that only `--set` knows, spelled nearly as one of the file, and too little to be a group: it was meant to be that one. */
function checkNewNames({ value, place }: Tree, key: string, problems: Problems): void {
  const groups = isMap(value) ? value[key] : undefined;
  const places = place.inner.get(key)?.inner;
  if (!isMap(groups) || places === undefined || !isMap(value)) return;
  const isNew = (name: string): boolean => places.get(name)?.key?.source.file === setFile;
  const names = Object.keys(groups);
  for (const name of names.filter(isNew)) {
    const group = groups[name];
    const close = nearest(
      name,
      names.filter((one) => !isNew(one)),
    );
    const spot = places.get(name)?.key;
    if (close === undefined || spot === undefined || !isMap(group) || isWhole(key, name, group, value)) continue;
    problems.add(spot, { code: "bad-set", message: `'${key}' has no '${name}'`, hint: `did you mean '${close}'?` });
    problems.meant([key, name]);
    Reflect.deleteProperty(groups, name);
  }
}

/** Whether it is something of its own: a group has numbers, a carrier is somebody's. */
function isWhole(key: string, name: string, group: WrittenMap, scenario: WrittenMap): boolean {
  if (key !== "carriers") return ["phone", "sender"].some((one) => group[one] !== undefined);
  const handsets = scenario["handsets"];
  return isMap(handsets) && Object.values(handsets).some((one) => isMap(one) && one["carrier"] === name);
}

function applyOne(tree: Tree, argument: string, index: number, problems: Problems): Tree {
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
  return put(tree, steps, value, (step, problem) => {
    tell(step.spot.start, step.spot.end, problem);
  });
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

/** The words that may stand for a map, and the key that they stand for. */
const shorthands: Readonly<Record<string, string>> = { receiver: "url", service: "preset", profile: "preset" };

function put(tree: Tree, steps: readonly Step[], value: Tree, tell: TellStep, above = ""): Tree {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (isList(tree.value)) return putInList(tree, step, rest, value, tell);
  // No name begins with a digit or is a plus, so these lead into a list.
  if (tree.value === null && /^(-?\d+|\+)$/.test(step.key) && !plainMaps.has(above)) {
    return putInList({ ...tree, value: [] }, step, rest, value, tell);
  }
  const { value: old, place } = unfoldShorthand(tree, above);
  if (typeof old === "string") {
    tell(step, { message: `'${above}' is ${shown(old)} and has no '${step.key}' in it`, hint: "set the value itself" });
    return tree;
  }
  const existing = isMap(old) ? old[step.key] : undefined;
  const before: Tree = {
    value: existing ?? null,
    place: place.inner.get(step.key) ?? { spot: step.spot, key: step.spot, inner: new Map() },
  };
  const next = put(before, rest, value, tell, step.key);
  const map: Record<string, Written> = Object.assign(
    Object.create(null) as Record<string, Written>,
    isMap(old) ? old : {},
  );
  map[step.key] = next.value;
  const key = rest.length === 0 ? step.spot : (before.place.key ?? step.spot);
  return { value: map, place: { ...place, inner: new Map(place.inner).set(step.key, { ...next.place, key }) } };
}

function putInList(tree: Tree, step: Step, rest: readonly Step[], value: Tree, tell: TellStep): Tree {
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
  const next = put({ value: items[index] ?? null, place }, rest, value, tell, step.key);
  const inner = new Map(tree.place.inner).set(String(index), next.place);
  return { value: items.toSpliced(index, 1, next.value), place: { ...tree.place, inner } };
}

function unfoldShorthand(tree: Tree, above: string): Tree {
  const key = shorthands[above];
  if (key === undefined || typeof tree.value !== "string") return tree;
  const map = Object.create(null) as Record<string, Written>;
  map[key] = tree.value;
  return { value: map, place: { ...tree.place, inner: new Map([[key, { spot: tree.place.spot, inner: new Map() }]]) } };
}
