import { isList, isMap, type Read, shown, type Tell, type Written } from "../../sheet/written.js";

/** The plain text of a value; tells a problem for maps, lists and values left out. */
export function plainText(value: Written | undefined, tell: Tell, wanted: string): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined) tell({ code: "missing-key", message: "must be given", hint: `write ${wanted}` });
  else if (value === null) {
    tell({ code: "bad-value", message: "has no value", hint: `write ${wanted}` });
  } else tell({ code: "wrong-type", message: `must be ${wanted}, got ${isMap(value) ? "a map" : "a list"}` });
  return undefined;
}

/** A plain value that `parse` understands; what it returns undefined for must tell its problem itself. */
export function scalar<T>(wanted: string, parse: (text: string, tell: Tell) => T | undefined): Read<T> {
  return (value, tell) => {
    const text = plainText(value, tell, wanted);
    return text === undefined ? undefined : parse(text.trim(), tell);
  };
}

/** A list of values of one kind; a single one may stand for a list of one. */
export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, tell) => {
    if (!isList(value)) {
      const only = read(value, tell);
      return only === undefined ? undefined : [only];
    }
    const all: T[] = [];
    let sound = true;
    value.forEach((item, place) => {
      const one = read(item, (problem) => tell({ ...problem, path: [place, ...(problem.path ?? [])] }));
      if (one === undefined) sound = false;
      else all.push(one);
    });
    return sound ? all : undefined;
  };
}

/** A list of different values, at least one. @param hintEmpty - what to do instead of an empty list */
export function distinctListOf<T>(read: Read<T>, hintEmpty: string): Read<readonly T[]> {
  const readAll = listOf(read);
  return (value, tell) => {
    const all = readAll(value, tell);
    if (all === undefined) return undefined;
    if (all.length === 0) {
      tell({ code: "bad-value", message: "must not be an empty list", hint: hintEmpty });
      return undefined;
    }
    const repeated = all.findIndex((one, place) => all.indexOf(one) < place);
    if (repeated < 0) return all;
    tell({
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
  return (value, tell) => {
    if (value === null) {
      tell({ code: "bad-value", message: "has no value", hint: `write ${wanted}; an empty text is ""` });
      return undefined;
    }
    return plainText(value, tell, wanted);
  };
}

/** Text that says something. */
export function readFilledText(wanted: string): Read<string> {
  return (value, tell) => {
    const text = readText(wanted)(value, tell);
    if (text === undefined || text.trim() !== "") return text;
    tell({ code: "bad-value", message: "must not be empty", hint: `write ${wanted}` });
    return undefined;
  };
}

/** Why a value is not what it should be: the usual words. */
export function badValue(wanted: string, text: string, tell: Tell, hint?: string): undefined {
  tell({
    code: "bad-value",
    message: `must be ${wanted}, got ${shown(text)}`,
    hint,
  });
  return undefined;
}
