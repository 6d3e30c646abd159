import type * as z from "zod";
import { duration, formShape, filledText, pattern, statuses } from "../fields/fields.js";
import { scalar } from "../fields/values/scalar.js";
import { isConditionFault, parseJsonCondition } from "../checks/json-condition.js";
import type { CheckSpec, JsonCondition } from "../scenario.js";
import { field, type Field, keyed, keysOf } from "../sheet/field.js";
import { suggest } from "../sheet/nearest.js";
import { describeValue, keyConflict } from "../sheet/raw-value.js";
import { type StepContext, verb } from "./verb.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** How long a check may take, unless it says otherwise: wall milliseconds. */
const WITHIN_MS = 10_000;

const wantedRequest = "a method and a URL, such as GET http://127.0.0.1:8080/health";

/** A request: its method, and an absolute URL or a path at the receiver. */
type CheckRequest = Extract<CheckSpec["ask"], { kind: "http" }>;

const readRequest = scalar<CheckRequest>(wantedRequest, (text, report) => {
  const [, written, url] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(text) ?? [];
  const bad = (message: string, hint: string): undefined => {
    report({ code: "bad-url", message, hint });
    return undefined;
  };
  if (url === undefined) return bad(`must be ${wantedRequest}, got ${describeValue(text)}`, `write ${wantedRequest}`);
  const method = (written ?? "GET").toUpperCase();
  if (!methods.includes(method)) return bad(`has no method '${method}'`, suggest(method, methods));
  const isPath = url.startsWith("/") && !url.startsWith("//");
  if (isPath || (/^https?:\/\/[^/?#\s]/i.test(url) && URL.canParse(url))) return { kind: "http", method, url };
  const isBare = !url.includes("://") && URL.canParse(`http://${url}`);
  return bad(
    `must have an http or https URL, or a path at the receiver, got ${describeValue(url)}`,
    isBare ? `write ${method} http://${url}` : `write ${method} http://127.0.0.1:8080/health, or ${method} /health`,
  );
});

const readCondition = scalar<JsonCondition>("a condition such as .ok == true", (text, report) => {
  const read = parseJsonCondition(text);
  if (!isConditionFault(read)) return read;
  const { message, hint, from, to } = read;
  report({ code: "bad-expectation", message, hint, within: { from, to } });
  return undefined;
});

const request: Field<CheckRequest, string> = field(
  formShape(/^([A-Za-z]+\s+)?(https?:\/\/|\/)\S*$/, "GET http://127.0.0.1:8080/health", "GET /health"),
  readRequest,
  "The request that is made: a method, and a URL or a path at the receiver.",
);

const condition: Field<JsonCondition, string> = field(
  formShape(/^\./, ".ok == true", ".items.length >= 3", '.state == "ready"'),
  readCondition,
  "What a value of the answer, which is JSON, must be.",
);

/** The keys of a check, in a story and elsewhere. */
export const checkShape = {
  http: request.optional(),
  status: statuses("The status of the answer; default: 200..299.").optional(),
  json: condition.optional(),
  body: pattern("What the answer's body must contain or match.").optional(),
  command: filledText("A command for the shell; it holds if its exit code is 0.").optional(),
  within: duration("How long the answer or the command may take, in wall time; default: 10s.", { minMs: 1 }).optional(),
};

const args = keyed(checkShape).meta(keysOf("oneOf", ["http", "command"]));

export type CheckArgs = z.output<typeof args>;

/** What reading a check needs of its place. */
export type CheckContext = Pick<StepContext, "reportProblem" | "spellingOf">;

/** The keys, in the order in which reports show them. */
const order = Object.keys(checkShape) as readonly (keyof CheckArgs)[];

/** The check that arguments ask for. Reports keys that do not go together. */
export function checkOf(given: CheckArgs, context: CheckContext): CheckSpec {
  const { http, command } = given;
  if (http === undefined && command === undefined) {
    context.reportProblem([], {
      code: "missing-key",
      message: "needs 'http' or 'command'",
      on: "key",
      hint: "write { http: GET http://127.0.0.1:8080/health, status: 200 }",
    });
  }
  const ofAnswer = (["http", "status", "json", "body"] as const).find((key) => given[key] !== undefined);
  if (command !== undefined && ofAnswer !== undefined) {
    const message = `'${ofAnswer}' does not go with 'command', which holds if its exit code is 0`;
    context.reportProblem([ofAnswer], keyConflict(message, "make two checks of it"));
  }
  const written = order
    .filter((key) => given[key] !== undefined)
    .map((key) => `${key}: ${withoutUser(context.spellingOf(key))}`);
  return {
    text: `check { ${written.join(", ")} }`,
    ask: http ?? { kind: "command", command: command ?? "" },
    withinMs: given.within ?? WITHIN_MS,
    ...(given.status !== undefined && { status: given.status }),
    ...(given.json !== undefined && { json: given.json }),
    ...(given.body !== undefined && { body: given.body }),
  };
}

/** The verb `check`: asks the application, or runs a command. */
export const check = verb({
  name: "check",
  about:
    "Asks the receiver's side whether all is well: an HTTP request or a command of your own, whose answer must be right.",
  example: "{ at: 1h, check: { http: GET http://127.0.0.1:8080/health, status: 200, json: .ok == true } }",
  args,
  toInput: (given, step) => ({ to: "check", check: checkOf(given, step) }),
});

/** A URL in a text without user name and password. */
function withoutUser(text: string): string {
  return text.replace(/(\bhttps?:\/\/)[^/?#@\s"']+@/i, "$1");
}
