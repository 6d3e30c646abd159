import * as fc from "fast-check";
import type { ApiDocument, Operation, Schema } from "./document.js";
import { validValue } from "./from-schema.js";
import {
  hostileBytes,
  hostileCursor,
  hostileJson,
  hostileQuery,
  hostileText,
  RawJson,
  type RawQuery,
  TRICKY_PATHS,
} from "./hostile.js";
import { Live } from "./live.js";

/** The manner in which a request is valid or invalid. */
export type Manner =
  | "valid"
  | "nearly"
  | "hostile-values"
  | "hostile-body"
  | "other-type"
  | "wrong-method"
  | "tricky-path"
  | "bad-token"
  | "odd-accept";

export type Body =
  | { readonly form: "json" | "urlencoded" | "multipart"; readonly value: unknown }
  | { readonly form: "bytes"; readonly bytes: Buffer };

/** A request with placeholders for existing values. */
export interface Draft {
  readonly manner: Manner;
  readonly operation: Operation;
  readonly method: string;
  /** A template: path parameters in braces, their values in `inPath`. */
  readonly path: string;
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [string, unknown] | RawQuery)[];
  readonly body: Body | undefined;
  /** `undefined` removes the default header. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const MANNERS: readonly { weight: number; manner: Manner }[] = [
  { weight: 40, manner: "valid" },
  { weight: 22, manner: "nearly" },
  { weight: 16, manner: "hostile-values" },
  { weight: 6, manner: "hostile-body" },
  { weight: 5, manner: "other-type" },
  { weight: 3, manner: "wrong-method" },
  { weight: 3, manner: "tricky-path" },
  { weight: 3, manner: "bad-token" },
  { weight: 2, manner: "odd-accept" },
];

/** Requests for all operations of a document, in all manners. */
export function drafts(document: ApiDocument, operations: readonly Operation[]): fc.Arbitrary<Draft> {
  return fc.oneof(
    ...operations.map((operation) => {
      const valid = validDraft(document, operation);
      return fc.oneof(
        ...MANNERS.map(({ weight, manner }) => ({ weight, arbitrary: inManner(manner, valid, document) })),
      );
    }),
  );
}

/** The resource of an operation: `contacts` of `/api/v2/contacts.json`. */
export function resourceOf(path: string): string {
  return /([^/]+?)(?:\.json)?$/.exec(path)?.[1] ?? "";
}

function validDraft(document: ApiDocument, operation: Operation): fc.Arbitrary<Draft> {
  const resource = resourceOf(operation.path);
  const parameter = ({ name, schema }: { name: string; schema: Schema }): fc.Arbitrary<unknown> =>
    validValue(schema, { resource, name, in: "query" }, document.resolve);
  const query = operation.parameters
    .filter(({ place }) => place === "query")
    .map((each) => {
      const pair = parameter(each).map((value): readonly [string, unknown][] =>
        Array.isArray(value) ? value.map((item) => [each.name, item]) : [[each.name, value]],
      );
      return each.isRequired
        ? pair
        : fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: pair });
    });
  const inPath = operation.parameters
    .filter(({ place }) => place === "path")
    .map((each) => parameter(each).map((value): [string, unknown] => [each.name, value]));
  return fc.record({
    manner: fc.constant<Manner>("valid"),
    operation: fc.constant(operation),
    method: fc.constant(operation.method),
    path: fc.constant(operation.path),
    inPath: fc.tuple(...inPath).map((pairs) => Object.fromEntries(pairs)),
    query: fc.tuple(...query).map((pairs) => pairs.flat()),
    body: validBody(document, operation, resource),
    headers: fc.constant({}),
  });
}

const FORMS: Readonly<Record<string, "json" | "urlencoded" | "multipart">> = {
  "application/json": "json",
  "application/x-www-form-urlencoded": "urlencoded",
  "multipart/form-data": "multipart",
};

function validBody(document: ApiDocument, operation: Operation, resource: string): fc.Arbitrary<Body | undefined> {
  const bodies = [...operation.bodies].flatMap(([type, schema]) => {
    const form = FORMS[type];
    if (form === undefined) return [];
    const arbitrary = validValue(schema, { resource, name: "", in: "body" }, document.resolve).map((value): Body => ({
      form,
      value,
    }));
    return [{ weight: form === "json" ? 8 : 1, arbitrary }];
  });
  return bodies.length === 0 ? fc.constant(undefined) : fc.oneof(...bodies);
}

function inManner(manner: Manner, valid: fc.Arbitrary<Draft>, document: ApiDocument): fc.Arbitrary<Draft> {
  switch (manner) {
    case "valid":
      return valid;
    case "nearly":
      return change(manner, valid, nearly);
    case "hostile-values":
      return change(
        manner,
        valid,
        fc.oneof({ weight: 3, arbitrary: hostileJson }, { weight: 1, arbitrary: hostileText }),
      );
    case "hostile-body":
      return fc.tuple(valid, hostileBytes).map(([draft, bytes]) => ({
        ...draft,
        manner,
        // A GET with a body does not test the service's parsers.
        ...(draft.method === "GET" ? {} : { body: { form: "bytes", bytes } as const }),
      }));
    case "other-type":
      return fc
        .tuple(valid, otherTypes)
        .map(([draft, type]) => ({ ...draft, manner, headers: { "content-type": type } }));
    case "wrong-method":
      return fc
        .tuple(valid, fc.constantFrom("PUT", "PATCH", "OPTIONS", "HEAD", "GET", "POST", "DELETE"))
        .map(([draft, method]) => {
          const isWrong = !document.methods(draft.operation.path).has(method);
          return isWrong ? { ...draft, manner, method } : draft;
        });
    case "tricky-path":
      return fc
        .tuple(valid, fc.constantFrom(...TRICKY_PATHS))
        .map(([draft, path]) => ({ ...draft, manner, path: path.replace("{path}", draft.path) }));
    case "bad-token":
      return fc
        .tuple(valid, badTokens)
        .map(([draft, authorization]) => ({ ...draft, manner, headers: { authorization } }));
    case "odd-accept":
      return fc.tuple(valid, oddAccepts).map(([draft, accept]) => ({ ...draft, manner, headers: { accept } }));
  }
}

const otherTypes = fc.constantFrom(
  undefined,
  "text/plain",
  "application/xml",
  "text/json",
  "application/json; charset=utf-16",
  "application/json;charset=latin1",
  "APPLICATION/JSON",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/vnd.api+json",
  "nonsense",
  "",
  ";",
  "application/json, text/plain",
);

const badTokens = fc.constantFrom(
  undefined,
  "",
  "Token",
  "Token ",
  "Token a b",
  "Token null",
  "Token 0000000000000000000000000000000000000000",
  "Bearer 0000000000000000000000000000000000000000",
  "Basic YTpi",
  "token __proto__",
  "Token constructor",
  "Token ' OR '1'='1",
  "Token %00",
  "Token \u00ff\u00fe",
  `Token ${"f".repeat(5000)}`,
);

const oddAccepts = fc.constantFrom(
  undefined,
  "",
  "*/*",
  "application/*",
  "text/html",
  "text/html, */*;q=0.1",
  "application/json;q=0",
  "application/xml",
  "application/json; indent=4",
  "garbage",
  ",,,",
  ";q=",
  "a/b;".repeat(500),
);

/** Nearly valid values: mistakes that people and programs make. */
const nearly: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "  ",
    true,
    0,
    -1,
    24,
    1.5,
    "7",
    "7.0",
    "True",
    "INBOX",
    "Add",
    [],
    {},
    [[]],
    [null],
    [""],
    "eng,swa",
    "2018-03-05",
    "2018-03-05 07:41",
    "tel:0711000222",
    "+254711000222",
    { base: "" },
    { xxxx: "long key" },
    { eng: 7 },
    "x".repeat(65),
    "x".repeat(256),
    "x".repeat(641),
    Array<number>(101).fill(1),
  ),
  fc.nat(5000).map((index) => ({ uuid: new Live("contacts.uuid", index) })),
  fc.nat(5000).map((index) => [new Live("groups.uuid", index), new Live("groups.uuid", index)]),
  fc.nat(5000).map((index) => new Live("contacts.uuid", index)),
  fc.nat(5000).map((index) => new Live("flows.name", index)),
);

/** Valid requests with one thing changed: a field or parameter dropped, added, repeated or given another value. */
function change(manner: Manner, valid: fc.Arbitrary<Draft>, values: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> {
  const where = fc.record({
    inBody: fc.boolean(),
    pick: fc.nat(1000),
    how: fc.constantFrom("replace", "replace", "replace", "drop", "repeat", "add"),
    value: values,
    extra: fc.oneof(
      { weight: 2, arbitrary: hostileQuery },
      { weight: 1, arbitrary: hostileCursor.map((cursor): readonly [string, unknown] => ["cursor", cursor]) },
    ),
  });
  return fc.tuple(valid, where).map(([draft, { inBody, pick, how, value, extra }]): Draft => {
    const { body } = draft;
    if (inBody && body !== undefined && body.form !== "bytes" && isPlain(body.value)) {
      return { ...draft, manner, body: { ...body, value: changedObject(body.value, { pick, how, value }) } };
    }
    const { query } = draft;
    const index = pick % Math.max(1, query.length);
    const chosen = query[index];
    const rest = query.filter((_, each) => each !== index);
    if (chosen === undefined || how === "add") {
      // Arbitrary query parameters make a request hostile even if the rest is a simple mistake.
      const addition = manner === "nearly" ? ([`surplus${pick}`, value] as const) : extra;
      return { ...draft, manner, query: [...query, addition] };
    }
    if (how === "drop") return { ...draft, manner, query: rest };
    const name = Array.isArray(chosen) ? String(chosen[0]) : "uuid";
    const changed: readonly [string, unknown] = [name, value];
    return { ...draft, manner, query: how === "repeat" ? [...query, changed] : [...rest, changed] };
  });
}

function changedObject(
  object: Readonly<Record<string, unknown>>,
  { pick, how, value }: { pick: number; how: string; value: unknown },
): unknown {
  const keys = Object.keys(object);
  const key = keys[pick % Math.max(1, keys.length)];
  if (key === undefined || how === "add") return { ...object, [`surplus${pick}`]: value };
  if (how === "drop") return Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));
  const old = object[key];
  if (how === "repeat" && Array.isArray(old)) return { ...object, [key]: [...(old as unknown[]), ...old, value] };
  return { ...object, [key]: value };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RawJson);
}
