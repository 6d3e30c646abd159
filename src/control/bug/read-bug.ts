import type { BugFile, BugRequest } from "../../console/index.js";
import {
  type Diagnostic,
  type ExactInput,
  type ExactRequest,
  kindOfFile,
  parseExact,
  parseScenario,
  writtenTree,
} from "../../scenario/index.js";
import { formField } from "../../wire/index.js";
import { refusal } from "../refusal.js";
import { openingComment } from "../story/opening-comment.js";
import { rightOf, rightOfScenario } from "./right-words.js";

/** Requests of the longest file that the page shows. */
const SHOWN_MAX = 1000;

/** A bug file with what its reader needs. */
export interface ReadBug {
  readonly file: BugFile;
  /** Absent: a scenario, or a file with errors. */
  readonly input?: ExactInput;
}

/**
 * Reads a bug file that somebody gave to the console.
 *
 * @param place - where it is played here, or why not
 * @throws ControlRefusal if it is no bug file
 */
export function readBug(
  text: string,
  name: string,
  place: { readonly receiver: string | null; readonly notHere: string | null },
): ReadBug {
  const kind = kindOfFile(text);
  if (kind === "exact") {
    const { input, diagnostics } = parseExact(text, name);
    const right = input === undefined ? [] : rightOf(input);
    const isLong = (input?.requests.length ?? 0) > SHOWN_MAX;
    const notHere =
      input === undefined
        ? "The file has errors."
        : isLong
          ? `The file has more than ${SHOWN_MAX} requests. In a terminal: handset run ${name} -r URL`
          : place.notHere;
    const file = {
      ...commonOf({ text, name, about: input?.about, diagnostics, seen: input?.seen, versions: input?.versions }),
      kind,
      requests: (input?.requests ?? []).slice(0, SHOWN_MAX).map(requestOf),
      right,
      receiver: notHere === null ? place.receiver : null,
      not_here: notHere,
    };
    return { file, ...(input !== undefined && { input }) };
  }
  if (kind !== "scenario") {
    throw refusal("detail", `${name} is no bug file: it has neither 'requests' nor the keys of a scenario.`);
  }
  const { scenario, diagnostics } = parseScenario(text, { file: name, nowMs: Date.now() });
  const file = {
    ...commonOf({
      text,
      name,
      about: scenario?.about,
      diagnostics,
      ...(scenario === undefined ? { seen: undefined, versions: undefined } : notesOf(text)),
    }),
    kind,
    requests: [],
    right: scenario === undefined ? [] : rightOfScenario(scenario),
    receiver: null,
    not_here: `This bug file is a scenario: it needs phones and a clock of its own. In a terminal: handset run ${name} -r URL`,
  };
  return { file };
}

function commonOf({
  text,
  name,
  about,
  diagnostics,
  seen,
  versions = {},
}: {
  readonly text: string;
  readonly name: string;
  readonly about: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly seen: object | undefined;
  readonly versions: Readonly<Record<string, string>> | undefined;
}): Pick<BugFile, "name" | "title" | "story" | "seen" | "versions" | "problems"> {
  const comment = openingComment(text);
  const title = about ?? comment.title ?? name;
  const paragraphs = [comment.title ?? "", ...(comment.about ?? "").split("\n")];
  return {
    name,
    title,
    story: paragraphs.filter((paragraph) => paragraph !== "" && withoutStop(paragraph) !== withoutStop(title)),
    seen:
      seen === undefined ? null : Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, String(value)])),
    versions,
    problems: diagnostics.map(({ line, column, severity, message, hint }) => ({
      line,
      column,
      is_error: severity === "error",
      message,
      hint: hint ?? null,
    })),
  };
}

/** What a scenario says of its failure; a sound file has maps of plain values there. */
function notesOf(text: string): { readonly seen: object | undefined; readonly versions: Record<string, string> } {
  const tree = writtenTree(text) ?? {};
  const mapAt = (key: string): object | undefined => {
    const value: unknown = tree[key];
    return typeof value === "object" && value !== null ? value : undefined;
  };
  const versions = Object.entries(mapAt("versions") ?? {}).map(([name, value]) => [name, String(value)]);
  return { seen: mapAt("seen"), versions: Object.fromEntries(versions) as Record<string, string> };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function requestOf(request: ExactRequest, index: number, all: readonly ExactRequest[]): BugRequest {
  const { atMs, type, body, path, with: together } = request;
  const before = all[index - 1];
  const isTogether = together !== undefined;
  return {
    after_ms: before === undefined || isTogether ? null : atMs - before.atMs,
    with_previous: isTogether,
    type,
    person: formField(body, "phone") ?? null,
    text: formField(body, "text") ?? null,
    body,
    path: path ?? null,
  };
}
