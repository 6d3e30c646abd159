import type * as z from "zod";
import { decodeEvent, encodeForm, type FormPair } from "../../wire/index.js";
import { formatOnOneLine } from "../parts/read-verb.js";
import type { CheckSpec } from "../scenario.js";
import { checkTextSize } from "../size-bounds.js";
import { type Diagnostic, withoutMark } from "../sheet/diagnostic.js";
import { readYaml, sourceOf } from "../sheet/document.js";
import { DocumentReader } from "../sheet/document-reader.js";
import { Problems } from "../sheet/problems.js";
import { describeValue, isList, isMap, keyConflict, type Path } from "../sheet/raw-value.js";
import { checkOf } from "../verbs/check.js";
import {
  exactCheckSchema,
  exactKeys,
  exactLanguage,
  exactParts,
  expectationSchema,
  logExpectationSchema,
  requestSchema,
} from "./exact-language.js";
import { mostRequests } from "./seen.js";
import type { ExactExpectation, ExactInput, ExactLog, ExactRequest } from "./exact-request.js";

/** A bug file of exact requests, absent if it is not sound, and the diagnostics in the order of the file. */
export interface ParsedExact {
  readonly input?: ExactInput;
  readonly diagnostics: Diagnostic[];
}

/** Parses a bug file of exact requests. Never throws: problems are returned as diagnostics. */
export function parseExact(written: string, file: string): ParsedExact {
  const text = withoutMark(written);
  const problems = new Problems();
  const source = sourceOf(file, text);
  const tree = checkTextSize(source, "YAML", problems) ? readYaml(source, problems) : undefined;
  if (tree === undefined) return { diagnostics: problems.inFileOrder() };
  const reader = new DocumentReader(tree, problems, exactLanguage);
  const input = readInput(reader, { file, text });
  const diagnostics = problems.inFileOrder();
  return problems.hasErrors ? { diagnostics } : { input, diagnostics };
}

function readInput(reader: DocumentReader, source: ExactInput["source"]): ExactInput {
  const valid = [...Object.keys(exactKeys), ...exactParts];
  for (const key of reader.keys([])) if (!valid.includes(key)) reader.reportUnknownKey([key], valid);
  const top = readTop(reader);
  const requests = readRequests(reader);
  const expect = reader.items("expect");
  const isNeverTwice = (path: Path): boolean => reader.at(path) === "never-twice";
  const isLog = (path: Path): boolean => {
    const value = reader.at(path);
    return isMap(value) && "reconcile" in value;
  };
  const judged = expect.filter((path) => !isNeverTwice(path) && !isLog(path));
  return {
    name: top.name ?? (source.file.split(/[\\/]/).at(-1) ?? source.file).replace(/(\.bug)?\.ya?ml$/i, ""),
    about: top.about,
    receiver: top.receiver,
    requests,
    timeoutMs: top.timeout ?? 5000,
    expect: judged.flatMap((path) => readExpectation(reader, path, requests.length) ?? []),
    neverTwice: expect.some(isNeverTwice),
    logs: expect.filter(isLog).flatMap((path) => readLogAt(reader, path) ?? []),
    checks: reader.items("checks").flatMap((path) => readCheckAt(reader, path) ?? []),
    seen: withoutAbsent(top.seen),
    versions: top.versions ?? {},
    source,
  };
}

type Top = { [Key in keyof typeof exactKeys]?: z.output<(typeof exactKeys)[Key]> };

function readTop(reader: DocumentReader): Top {
  const values = Object.entries(exactKeys).map(([key, schema]: [string, z.ZodType]) => [
    key,
    reader.at([key]) === undefined ? undefined : reader.read(schema, [key]),
  ]);
  return Object.fromEntries(values) as Top;
}

function readRequests(reader: DocumentReader): ExactRequest[] {
  if (reader.at(["requests"]) === undefined) reader.reportMissing(["requests"]);
  const paths = reader.items("requests");
  if (isList(reader.at(["requests"])) && paths.length === 0) {
    reader.reportProblem(["requests"], { code: "missing-key", message: "must hold at least one request", on: "key" });
  }
  const [tooMany] = paths.slice(mostRequests, mostRequests + 1);
  if (tooMany !== undefined) {
    reader.reportProblem(tooMany, {
      code: "too-large",
      message: `is one too many: a bug file has at most ${mostRequests}`,
    });
    return [];
  }
  let beforeMs = 0;
  return paths.flatMap((path, index): ExactRequest[] => {
    const given = reader.read(requestSchema, path);
    if (given === undefined) return [];
    const { fields, body: written } = given;
    if (fields !== undefined && written !== undefined) {
      reader.reportProblem([...path, "body"], keyConflict("'body' does not go with 'fields'", "keep one of them"));
      return [];
    }
    if (fields === undefined && written === undefined) {
      reader.reportProblem(path, {
        code: "missing-key",
        message: "needs 'fields' or 'body'",
        hint: 'write fields: { event: mo_sms, phone: "+250788000001", text: hello }',
      });
      return [];
    }
    if (given.with !== undefined && index === 0) {
      reader.reportProblem([...path, "with"], { code: "bad-value", message: "has no request before it" });
    }
    if (given.at < beforeMs) {
      reader.reportProblem([...path, "at"], {
        code: "out-of-range",
        message: "is earlier than the request before",
        hint: "write the requests in the order in which they are sent",
      });
    }
    beforeMs = given.at;
    const body = written ?? encodeForm(Object.entries(fields ?? {}).map(([key, value]): FormPair => [key, value]));
    return [
      {
        atMs: given.at,
        type: decodeEvent(body).event.event,
        body,
        ...(given.path !== undefined && { path: given.path }),
        ...(given["content-type"] !== undefined && { contentType: given["content-type"] }),
        ...(given.with !== undefined && { with: given.with }),
      },
    ];
  });
}

function readExpectation(reader: DocumentReader, path: Path, requests: number): ExactExpectation | undefined {
  if (!isMap(reader.at(path))) {
    reader.reportProblem(path, {
      code: "bad-expectation",
      message: `must be never-twice or a map, got ${describeValue(reader.at(path) ?? null)}`,
      hint: "write { request: 2, status: 200..299 }, or { reconcile: received.csv }",
    });
    return undefined;
  }
  const given = reader.read(expectationSchema, path);
  if (given === undefined) return undefined;
  if (given.request > requests) {
    reader.reportProblem([...path, "request"], {
      code: "out-of-range",
      message: `is ${given.request}, but there ${requests === 1 ? "is one request" : `are ${requests} requests`}`,
    });
  }
  if (Object.values(given).filter((value) => value !== undefined).length === 1) {
    reader.reportProblem(path, {
      code: "missing-key",
      message: "says nothing about the answer",
      hint: `write { request: ${given.request}, status: 200..299 }`,
    });
  }
  return {
    request: given.request,
    ...(given.status !== undefined && { status: given.status }),
    ...(given["answers-within"] !== undefined && { answersWithinMs: given["answers-within"] }),
    ...(given.replies !== undefined && { replies: given.replies }),
    ...(given.reply !== undefined && { reply: given.reply }),
    ...(given["not-reply"] !== undefined && { notReply: given["not-reply"] }),
    text: formatOnOneLine(reader.at(path) ?? ""),
  };
}

function readLogAt(reader: DocumentReader, path: Path): ExactLog | undefined {
  const given = reader.read(logExpectationSchema, path);
  return (
    given && {
      file: given.reconcile,
      ...(given.query !== undefined && { query: given.query }),
      ...(given.columns !== undefined && { columns: given.columns }),
      ...(given.types !== undefined && { types: given.types.split(",").map((type) => type.trim()) }),
      text: formatOnOneLine(reader.at(path) ?? ""),
    }
  );
}

function readCheckAt(reader: DocumentReader, path: Path): CheckSpec | undefined {
  const given = reader.read(exactCheckSchema, path);
  return (
    given &&
    checkOf(given, {
      reportProblem: (inner, problem) => reader.reportProblem([...path, ...inner], problem),
      spellingOf: (...inner) => formatOnOneLine(reader.at([...path, ...inner]) ?? ""),
    })
  );
}

function withoutAbsent<T extends object>(
  map: T | undefined,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } | undefined {
  return map && (Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as never);
}
