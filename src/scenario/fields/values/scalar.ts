import { isList, isMap, type Read, describeValue, type ReportProblem, type RawValue } from "../../sheet/raw-value.js";

/** The text of a scalar; reports a problem for a map, a list or a missing value. */
export function readPlainText(value: RawValue | undefined, report: ReportProblem, wanted: string): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined) report({ code: "missing-key", message: "must be given", hint: `write ${wanted}` });
  else if (value === null) {
    report({ code: "bad-value", message: "has no value", hint: `write ${wanted}` });
  } else report({ code: "wrong-type", message: `must be ${wanted}, got ${isMap(value) ? "a map" : "a list"}` });
  return undefined;
}

/** A reader of scalars. `parse` reports a problem before it returns undefined. */
export function scalar<T>(wanted: string, parse: (text: string, report: ReportProblem) => T | undefined): Read<T> {
  return (value, report) => {
    const text = readPlainText(value, report, wanted);
    return text === undefined ? undefined : parse(text.trim(), report);
  };
}

/** A list of values of one kind; a single one may stand for a list of one. */
export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, report) => {
    if (!isList(value)) {
      const only = read(value, report);
      return only === undefined ? undefined : [only];
    }
    const all: T[] = [];
    let sound = true;
    value.forEach((item, place) => {
      const one = read(item, (problem) => report({ ...problem, path: [place, ...(problem.path ?? [])] }));
      if (one === undefined) sound = false;
      else all.push(one);
    });
    return sound ? all : undefined;
  };
}

/** A list of different values, at least one. @param hintEmpty - what to do instead of an empty list */
export function distinctListOf<T>(read: Read<T>, hintEmpty: string): Read<readonly T[]> {
  const readAll = listOf(read);
  return (value, report) => {
    const all = readAll(value, report);
    if (all === undefined) return undefined;
    if (all.length === 0) {
      report({ code: "bad-value", message: "must not be an empty list", hint: hintEmpty });
      return undefined;
    }
    const repeated = all.findIndex((one, place) => all.indexOf(one) < place);
    if (repeated < 0) return all;
    report({
      code: "bad-value",
      message: `repeats '${String(all[repeated])}'`,
      hint: "remove it: once is enough",
      path: [repeated],
    });
    return undefined;
  };
}

/** Any text, numbers and `yes` as they are spelled. */
export function readText(wanted: string): Read<string> {
  return (value, report) => {
    if (value === null) {
      report({ code: "bad-value", message: "has no value", hint: `write ${wanted}; an empty text is ""` });
      return undefined;
    }
    return readPlainText(value, report, wanted);
  };
}

/** Text with at least one character that is not white space. */
export function readFilledText(wanted: string): Read<string> {
  return (value, report) => {
    const text = readText(wanted)(value, report);
    if (text === undefined || text.trim() !== "") return text;
    report({ code: "bad-value", message: "must not be empty", hint: `write ${wanted}` });
    return undefined;
  };
}

/** Reports an invalid value in the standard words: what is wanted, and the value. */
export function reportBadValue(wanted: string, text: string, report: ReportProblem, hint?: string): undefined {
  report({
    code: "bad-value",
    message: `must be ${wanted}, got ${describeValue(text)}`,
    hint,
  });
  return undefined;
}
