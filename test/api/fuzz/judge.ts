import type { Operation } from "./document.js";
import type { Draft } from "./draft.js";
import type { Answer } from "./send.js";

/** The rule that an answer broke; the words are stable. */
export type Rule =
  | "server-error"
  | "undocumented-status"
  | "not-json"
  | "body-schema"
  | "error-shape"
  | "header"
  | "bad-token"
  | "wrong-method"
  | "leak"
  | "no-answer"
  | "state-changed";

export interface Complaint {
  readonly rule: Rule;
  readonly detail: string;
}

/** Statuses of checks before the method's (docs/reference/service-api.md#status-codes, which is about the REST API). */
const BEFORE_METHOD = [403, 406, 429, 431];

/** Checks an answer against the document and the conventions of docs/reference/service-api.md#conventions. */
export function judge(draft: Draft, answer: Answer): Complaint[] {
  const { status, headers, body } = answer;
  if (status >= 500) return [{ rule: "server-error", detail: `answered ${status}: ${excerpt(body)}` }];
  if (/root:x:0:0:|"name": ?"handset-lab"/.test(body.toString("latin1"))) {
    return [{ rule: "leak", detail: `answered with a file: ${excerpt(body)}` }];
  }
  const complaints: Complaint[] = [];
  const complain = (rule: Rule, detail: string): void => void complaints.push({ rule, detail });

  if (draft.manner === "bad-token" && status !== 403 && status !== 406 && status !== 431) {
    complain("bad-token", `a request without a good token was answered ${status}: ${excerpt(body)}`);
  }
  const refusals = [405, ...BEFORE_METHOD, ...(draft.operation.path.startsWith("/api/v2/") ? [] : [404])];
  if (draft.manner === "wrong-method" && draft.method !== "HEAD" && !refusals.includes(status)) {
    complain("wrong-method", `${draft.method} was answered ${status}: ${excerpt(body)}`);
  }
  if (status === 405 && headers.allow === undefined) complain("header", "405 without an Allow header");
  if (status === 429 && !/^\d+$/.test(headers["retry-after"] ?? ""))
    complain("header", "429 without a Retry-After header");

  // The document applies only to requests that reach the operation.
  const asksForIt = draft.method === draft.operation.method && draft.manner !== "tricky-path" && status !== 431;
  const response = draft.operation.response(status);
  if (asksForIt && response === undefined) {
    complain("undocumented-status", `${status} is not documented: ${excerpt(body)}`);
  }
  const hasBody = draft.method !== "HEAD" && status !== 204 && status !== 304;
  if (!hasBody) {
    if (body.length > 0) complain("body-schema", `${status} with a body: ${excerpt(body)}`);
    return complaints;
  }
  // A crafted path may lead to the explorer's files, which are not part of the API.
  const isPage = draft.manner === "tricky-path" && !/json/.test(headers["content-type"] ?? "");
  if (isPage && status < 400) return complaints;
  const value = jsonOf(answer);
  if (value === undefined) {
    complain("not-json", `${status} with a body that is not JSON in UTF-8: ${excerpt(body)}`);
    return complaints;
  }
  const shape = status >= 400 ? wrongShape(value) : undefined;
  if (shape !== undefined) complain("error-shape", `${status}: ${shape}: ${excerpt(body)}`);

  const fault = asksForIt && response !== undefined ? unlike(response, value) : undefined;
  if (fault !== undefined) complain("body-schema", `${status} ${fault}: ${excerpt(body)}`);
  return complaints;
}

/** The difference between a body and its documentation. */
function unlike({ validate }: NonNullable<ReturnType<Operation["response"]>>, value: unknown): string | undefined {
  if (validate === undefined) return "is documented without a JSON body";
  if (validate(value) === true) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`).join("; ");
}

/**
 * The fault in the body of an error; undefined when it has one of the three shapes of
 * docs/reference/service-api.md#error-bodies.
 */
function wrongShape(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "an error is an object";
  const entries = Object.entries(value);
  if (entries.length === 0) return "an error says something";
  const names = entries.map(([name]) => name);
  if (names.includes("detail")) {
    if (entries.length > 1) return "`detail` stands alone";
    return typeof (value as { detail: unknown }).detail === "string" ? undefined : "`detail` is text";
  }
  if (names.includes("non_field_errors") && entries.length > 1) return "`non_field_errors` stands alone";
  const areTexts = entries.every(
    ([, texts]) => Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === "string"),
  );
  return areTexts ? undefined : "errors of fields are lists of texts";
}

function jsonOf({ headers, body }: Answer): unknown {
  if (!/^application\/json\b/.test(headers["content-type"] ?? "")) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

function excerpt(body: Buffer): string {
  const text = body.toString("utf8");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
