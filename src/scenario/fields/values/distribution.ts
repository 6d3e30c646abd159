import type { Distribution } from "../../../sim/index.js";
import { suggest } from "../../sheet/nearest.js";
import {
  isList,
  isMap,
  type Read,
  describeValue,
  type ReportProblem,
  type RawValue,
  type RawMap,
} from "../../sheet/raw-value.js";
import { readNumber } from "./number.js";
import { readPlainText } from "./scalar.js";

/** The kind of value that varies: the reader of a single value, and the forms that it allows. */
export interface Varying<T> {
  readonly read: Read<T>;
  /** A text allows `fake` and no ranges, a word neither; a number allows ranges, exp, normal and lognormal. */
  readonly of: "text" | "word" | "number";
  /** Numbers: may be negative, but a normal distribution only as the whole value; elsewhere it is cut at 0. */
  readonly signed?: boolean;
  /** For messages: `a duration`. */
  readonly noun: string;
}

const numberForms = ["exp", "normal", "lognormal"] as const;
type NumberForm = (typeof numberForms)[number];
const choiceForms = ["pick", "weighted"] as const;

/**
 * A value that may vary: a plain one, a range `5m..40m` with both ends included, a list (items are equally likely),
 * or a map with one of the forms. `expandCsv` has already replaced `csv` by `pick`.
 */
export function readDistribution<T>(varying: Varying<T>): Read<Distribution<T>> {
  const forms = varying.of === "number" ? numberForms : [];
  const inner = readOne(varying, varying.signed === true ? forms.filter((form) => form !== "normal") : forms);
  return readOne(varying, forms, inner);
}

/** @param within - reads the choices of lists and forms; default: like the whole value */
function readOne<T>(
  varying: Varying<T>,
  forms: readonly NumberForm[],
  within?: Read<Distribution<T>>,
): Read<Distribution<T>> {
  const read: Read<Distribution<T>> = (value, report) => {
    if (isList(value)) return pickOf(value, within ?? read, report);
    if (isMap(value)) return formOf(value, { varying, numeric: forms, read: within ?? read }, report);
    if (varying.of === "number" && typeof value === "string" && value.includes(".."))
      return rangeOf(value, varying, report);
    const one = varying.read(value, report);
    return one === undefined ? undefined : { kind: "fixed", value: one };
  };
  return read;
}

function rangeOf<T>(text: string, varying: Varying<T>, report: ReportProblem): Distribution<T> | undefined {
  const middle = text.indexOf("..");
  const ends = [
    { text: text.slice(0, middle), from: 0 },
    { text: text.slice(middle + 2), from: middle + 2 },
  ];
  const [min, max] = ends.map((end) =>
    varying.read(end.text, (problem) =>
      report({ ...problem, within: { from: end.from, to: end.from + Math.max(1, end.text.length) } }),
    ),
  );
  if (min === undefined || max === undefined) return undefined;
  if (Number(min) <= Number(max)) return { kind: "uniform", min: Number(min), max: Number(max), whole: true };
  report({
    code: "out-of-range",
    message: `must run from the smaller to the larger, got ${describeValue(text)}`,
    hint: `write ${ends[1]?.text.trim()}..${ends[0]?.text.trim()}`,
  });
  return undefined;
}

function pickOf<T>(
  items: readonly RawValue[],
  read: Read<Distribution<T>>,
  report: ReportProblem,
): Distribution<T> | undefined {
  if (items.length === 0) {
    report({ code: "bad-value", message: "must offer at least one value, got an empty list" });
    return undefined;
  }
  const of: Distribution<T>[] = [];
  let faults = 0;
  for (const [place, item] of items.entries()) {
    const one = read(item, inside(report, place));
    if (one !== undefined) of.push(one);
    else if (++faults === 3) break; // enough: a wrong column would fail in each row
  }
  return faults > 0 ? undefined : { kind: "pick", of };
}

function formOf<T>(
  map: RawMap,
  { varying, numeric, read }: { varying: Varying<T>; numeric: readonly NumberForm[]; read: Read<Distribution<T>> },
  report: ReportProblem,
): Distribution<T> | undefined {
  const forms: string[] = [...numeric, ...choiceForms, ...(varying.of === "text" ? ["fake"] : []), "csv"];
  const keys = Object.keys(map);
  const known = keys.filter((key) => forms.includes(key));
  const companions = known.includes("fake") ? ["locale"] : known.includes("csv") ? ["column"] : [];
  for (const key of keys.filter((one) => !known.includes(one) && !companions.includes(one))) {
    report({
      code: "unknown-key",
      message: `'${key}' is no way to give ${varying.noun}`,
      whole: true,
      on: "key",
      path: [key],
      hint: suggest(key, known.length === 0 ? forms : companions),
    });
  }
  const [form, second] = known;
  if (second !== undefined) {
    report({ code: "not-together", message: `has both '${form}' and '${second}'`, hint: "keep one of the two" });
    return undefined;
  }
  if (form === undefined) {
    if (keys.length === 0) {
      report({ code: "missing-key", message: "has nothing in it", hint: `one of: ${forms.join(", ")}` });
    }
    return undefined;
  }
  if (keys.some((key) => key !== form && !companions.includes(key))) return undefined;
  const value = map[form] ?? null;
  const reportInside = inside(report, form);
  if (form === "pick") {
    if (isList(value)) return pickOf(value, read, reportInside);
    reportInside({ code: "wrong-type", message: `must be a list, got ${describeValue(value)}`, hint: "write [a, b]" });
    return undefined;
  }
  if (form === "weighted") return weightedOf(value, read, reportInside);
  if (form === "fake") return fakeOf(map, report);
  if (form === "csv") {
    // `expandCsv` has replaced files that can be read and has reported the others.
    if (readPlainText(value, reportInside, "the name of a file") === undefined) return undefined;
    return { kind: "pick", of: [] };
  }
  return momentsOf(form as NumberForm, value, varying, reportInside);
}

function weightedOf<T>(
  value: RawValue,
  read: Read<Distribution<T>>,
  report: ReportProblem,
): Distribution<T> | undefined {
  if (!isMap(value) || Object.keys(value).length === 0) {
    report({ code: "wrong-type", message: "must be a map of values and weights", hint: "write { a: 3, b: 1 }" });
    return undefined;
  }
  const weight = readNumber({ min: 0, max: 1e9 });
  const choices = Object.entries(value).map(([key, written]) => ({
    weight: weight(written, inside(report, key)),
    value: read(key, (problem) => report({ ...problem, on: "key", path: [key] })),
  }));
  const of = choices.flatMap(({ weight: share, value: choice }) =>
    share === undefined || choice === undefined ? [] : [{ weight: share, value: choice }],
  );
  if (of.length < choices.length) return undefined;
  if (of.some((choice) => choice.weight > 0)) return { kind: "weighted", of };
  report({ code: "out-of-range", message: "must have a weight above 0" });
  return undefined;
}

/** How the path of a faker method is spelled. */
export const fakePath: RegExp = /^[a-z][A-Za-z]*\.[a-z][A-Za-z0-9]*$/;
/** How a locale of faker is spelled. */
export const fakeLocale: RegExp = /^[a-z]{2,3}(_[A-Za-z]+)*$/;

/** Checks only the spelling; `checkFakes` checks whether faker has the method and the locale. */
function fakeOf<T>(map: RawMap, report: ReportProblem): Distribution<T> | undefined {
  const path = readPlainText(map["fake"], inside(report, "fake"), "a method of faker such as lorem.sentence");
  const locale = readPlainText(map["locale"] ?? "en", inside(report, "locale"), "a locale such as fr");
  if (path === undefined || locale === undefined) return undefined;
  if (!fakePath.test(path)) {
    inside(
      report,
      "fake",
    )({
      code: "bad-value",
      message: `must be a method of faker, got ${describeValue(path)}`,
      hint: "write module.method, such as lorem.sentence or person.firstName",
    });
    return undefined;
  }
  if (!fakeLocale.test(locale)) {
    inside(
      report,
      "locale",
    )({
      code: "bad-value",
      message: `must be a locale of faker, got ${describeValue(locale)}`,
      hint: "write it as fr, ar or pt_BR",
    });
    return undefined;
  }
  return { kind: "fake", path, locale };
}

function momentsOf<T>(
  form: NumberForm,
  value: RawValue,
  varying: Varying<T>,
  report: ReportProblem,
): Distribution<T> | undefined {
  if (form === "exp") {
    const mean = varying.read(value, report);
    return mean === undefined ? undefined : positive(Number(mean), report, { kind: "exp", mean: Number(mean) });
  }
  if (!isList(value) || value.length !== 2) {
    report({ code: "wrong-type", message: "must be [mean, deviation]", hint: `write ${form}: [5m, 1m]` });
    return undefined;
  }
  const [mean, deviation] = value.map((item, place) => varying.read(item, inside(report, place)));
  if (mean === undefined || deviation === undefined) return undefined;
  const distribution = { kind: form, mean: Number(mean), deviation: Number(deviation) };
  return form === "normal" ? distribution : positive(Number(mean), report, distribution);
}

function positive<T>(mean: number, report: ReportProblem, distribution: Distribution<T>): Distribution<T> | undefined {
  if (mean > 0) return distribution;
  report({ code: "out-of-range", message: "must have a mean above 0" });
  return undefined;
}

function inside(report: ReportProblem, key: string | number): ReportProblem {
  return (problem) => report({ ...problem, path: [key, ...(problem.path ?? [])] });
}
