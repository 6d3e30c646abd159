import { type FailureCondition, FailureWatch, isAway, readFailureCondition } from "../../expect/index.js";
import { refusal } from "../refusal.js";
import type { AnsweredRequest } from "./chain-requests.js";

/** Conditions that a user can choose where nothing shows, of the type of the event. */
export function choicesOf(type: string): { readonly condition: string; readonly label: string }[] {
  const of = type === "" ? "" : ` of ${type}`;
  return [
    { condition: `no reply${of}`, label: "It should have been replied to" },
    { condition: `reply /PATTERN/${of}`, label: "The reply is wrong: it matches a pattern" },
    { condition: "hears-twice", label: "A person is answered twice about one event" },
    { condition: `status >= 400${of}`, label: "The status is an error" },
    { condition: `timeout${of}`, label: "No answer comes in time" },
  ];
}

/** What the recorded answers show to be wrong, as `--while` spells it; undefined: nothing. */
export function proposedCondition(answered: readonly AnsweredRequest[]): string | undefined {
  const wrong =
    answered.find(
      ({ status, error }) => (status ?? 0) >= 500 || (status === null && error !== null && !isAway(error)),
    ) ??
    (failingAt(answered, readCondition("hears-twice")) === undefined ? undefined : "hears-twice") ??
    answered.find(({ status }) => (status ?? 0) >= 400);
  if (wrong === undefined || wrong === "hears-twice") return wrong;
  const { status, error, request } = wrong;
  const of = request.type === "" ? "" : ` of ${request.type}`;
  return `${status === null ? (error === "ETIMEDOUT" ? "timeout" : "closed") : `status ${status}`}${of}`;
}

/** Reads a condition of the caller's. @throws ControlRefusal 400 */
export function readCondition(text: string): FailureCondition {
  const found = readFailureCondition([text]);
  if ("fault" in found) {
    const { column, message, hint } = found.fault;
    throw refusal("while", `column ${column}: ${message} (${hint})`);
  }
  if ("auto" in found) throw refusal("while", "Say what is wrong: status 500, no reply, reply /sorry/, hears-twice.");
  const { terms } = found.condition;
  if (terms.some(({ kind }) => kind === "broken" || kind === "reconcile")) {
    throw refusal("while", "These requests have no expectations: name a condition of an answer, or a check.");
  }
  return found.condition;
}

/** The place of the first request at which a condition was met, from 0; undefined: at none. */
export function failingAt(answered: readonly AnsweredRequest[], condition: FailureCondition): number | undefined {
  const watch = new FailureWatch(condition);
  const found = answered.findIndex(
    ({ request, status, error, body }) => watch.observe(request, { status, error, body }) !== undefined,
  );
  return found === -1 ? undefined : found;
}
