import { Document, isMap, isScalar, Scalar, visit, type YAMLMap } from "yaml";
import { encodeForm, parseForm } from "../../wire/index.js";
import { durationLiteral } from "../fields/values/duration.js";
import type { ExactRequest, SeenFailure } from "./exact-request.js";
import { commentOf } from "./story-comment.js";

/** What a bug file of exact requests has. */
export interface WrittenExact {
  /** Its story: the comment at the head of the file. Empty lines part paragraphs. */
  readonly story: string;
  readonly about: string;
  readonly seed?: number | undefined;
  readonly requests: readonly ExactRequest[];
  /** What is right, in the spelling of the file: `{ request: 2, status: "200..299" }`, `never-twice`. */
  readonly expect: readonly (string | Readonly<Record<string, string | number | boolean>>)[];
  /** Checks in their spelling: `{ http: GET /health, status: 200 }`. */
  readonly checks?: readonly Readonly<Record<string, string | number>>[] | undefined;
  readonly seen: SeenFailure;
  readonly versions: Readonly<Record<string, string>>;
}

/** Writes a bug file of exact requests. An event is written as its fields if these give its body byte for byte. */
export function writeExact(bug: WrittenExact): string {
  const document = new Document({
    about: bug.about,
    ...(bug.seed !== undefined && { seed: bug.seed }),
    requests: bug.requests.map(writtenRequest),
    ...(bug.expect.length > 0 && { expect: bug.expect }),
    ...(bug.checks !== undefined && bug.checks.length > 0 && { checks: bug.checks }),
    seen: bug.seen,
    versions: bug.versions,
  });
  visit(document, {
    Scalar(_, scalar) {
      // What YAML would not print, and what a reader of the file may take for something else.
      if (typeof scalar.value === "string" && isUnsafe(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
    Pair(_, pair) {
      const name = isScalar(pair.key) ? pair.key.value : undefined;
      if (isMap(pair.value) && (name === "fields" || name === "versions")) pair.value.flow = true;
    },
    Seq(_, list) {
      for (const item of list.items) if (isMap(item) && isSmall(item)) item.flow = true;
    },
  });
  return `${commentOf(bug.story)}\n${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

function writtenRequest({ atMs, body, path, contentType, with: together }: ExactRequest): object {
  const pairs = parseForm(body);
  const isPlain =
    pairs.length > 0 &&
    new Set(pairs.map(([key]) => key)).size === pairs.length &&
    pairs.every(([key, value]) => key !== "" && (key + value).isWellFormed()) &&
    encodeForm(pairs) === body;
  return {
    at: durationLiteral(atMs),
    ...(together !== undefined && { with: together }),
    ...(path !== undefined && { path }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(isPlain ? { fields: Object.fromEntries(pairs) } : { body }),
  };
}

/** Control characters, blanks at an end, direction marks and other invisible characters. */
function isUnsafe(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\u00A0\uFFFD]|^\s|\s$/u.test(text);
}

/** Whether a map of a list fits on one line: an expectation or a check, not a request. */
function isSmall(map: YAMLMap): boolean {
  return map.items.every(({ key, value }) => isScalar(value) && isScalar(key) && key.value !== "body");
}
