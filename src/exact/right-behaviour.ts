import { parse } from "yaml";
import type { FailureCondition, FailureTerm } from "../expect/index.js";
import { durationLiteral } from "../scenario/index.js";
import { onOneLine } from "../wire/index.js";

/** What is right where a condition describes what is wrong. */
export interface RightBehaviour {
  /** Expectations on the failing request of a bug file of exact requests, without its number. */
  readonly ofRequest?: Readonly<Record<string, string | boolean>>;
  /** Lines of `expect`, in a scenario, too. */
  readonly bounds: readonly string[];
  readonly checks: readonly Readonly<Record<string, string>>[];
  /** Expectations of a bug file of exact requests that are about no single request. */
  readonly ofPlay?: readonly Readonly<Record<string, string>>[];
  /** In words, a clause: `a status of 200 to 499`. */
  readonly words: string;
}

/** The terms of a condition by how much they say of what is wrong: where all must hold, the first one is the fault. */
const byWeight: readonly FailureTerm["kind"][] = [
  ...(["check", "broken", "reconcile", "hears-twice", "reply", "no-reply", "timeout", "closed", "status"] as const),
];

/**
 * What is right about an input that fails by a condition: the opposite of its term that says most. A condition of
 * several terms fails only where all hold, so that the opposite of each would ask for too much.
 *
 * @param timeoutMs - what the receiver had for an answer
 */
export function rightBehaviour({ terms }: FailureCondition, timeoutMs: number): RightBehaviour {
  const [term] = terms.toSorted((a, b) => byWeight.indexOf(a.kind) - byWeight.indexOf(b.kind));
  const none = { bounds: [], checks: [] };
  switch (term?.kind) {
    case undefined:
      return { ...none, words: "no failure" };
    case "status": {
      const status = rightStatuses(term);
      return {
        ...none,
        ofRequest: { status },
        bounds: ["failures == 0"],
        words: `a status of ${status.replace("..", " to ")}`,
      };
    }
    case "timeout":
    case "closed": {
      const within = durationLiteral(timeoutMs);
      return {
        ...none,
        ofRequest: { "answers-within": within },
        bounds: ["failures == 0"],
        words: `a whole answer within ${within}`,
      };
    }
    case "reply": {
      const pattern = patternText(term.pattern);
      return {
        ...none,
        ofRequest: { "not-reply": pattern },
        words: `an answer that does not match ${onOneLine(pattern)}`,
      };
    }
    case "no-reply":
      return { ...none, ofRequest: { replies: true }, words: "a reply" };
    case "hears-twice":
      return { ...none, bounds: ["never-twice"], words: "one reply to one event" };
    case "check":
      return { ...none, checks: [checkMap(term.check.text)], words: `${term.check.text} holds` };
    case "broken":
      return { ...none, words: `${term.expectation} holds` };
    case "reconcile":
      return { ...none, ...logOf(term), words: `${term.file} has each accepted event once` };
    default:
      return term satisfies never;
  }
}

/** Statuses that a condition does not call wrong. A receiver that fixes a 5xx may refuse the event with a 4xx. */
function rightStatuses({ op, status }: Extract<FailureTerm, { kind: "status" }>): string {
  switch (op) {
    case "==":
      return status >= 500 ? "200..499" : "200..299";
    case "!=":
      return String(status);
    case ">=":
      return status > 200 ? `200..${status - 1}` : "200..299";
    case ">":
      return status >= 200 ? `200..${status}` : "200..299";
    case "<=":
      return `${status + 1}..599`;
    case "<":
      return `${status}..599`;
    default:
      return op satisfies never;
  }
}

/**
 * The receiver's log: an expectation of a bug file of exact requests; in a scenario a check that compares the recording.
 */
function logOf({
  file,
  query,
  columns,
  types,
}: Extract<FailureTerm, { kind: "reconcile" }>): Pick<RightBehaviour, "ofPlay" | "checks"> {
  const isUsual = types === undefined || types.join() === "mo_sms";
  const expected = {
    reconcile: file,
    ...(query !== undefined && { query }),
    ...(columns !== undefined && { columns }),
    ...(!isUsual && { types: types.join(",") }),
  };
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const words = ["handset reconcile", '"$HANDSET_RECORDING"', quoted(file)];
  if (query !== undefined) words.push("--query", quoted(query));
  return { ofPlay: [expected], checks: [{ command: words.join(" ") }] };
}

function patternText(pattern: Extract<FailureTerm, { kind: "reply" }>["pattern"]): string {
  return pattern.kind === "regexp" ? `/${pattern.source}/${pattern.flags}` : pattern.text;
}

/** The mapping in the text of a check: `check { http: GET /health, status: 200 }`. */
function checkMap(text: string): Readonly<Record<string, string>> {
  return parse(text.replace(/^check /, ""), { schema: "failsafe" }) as Readonly<Record<string, string>>;
}
