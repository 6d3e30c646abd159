import { AssertionError } from "node:assert";
import { callersStack } from "../messages/callers-stack.js";
import { missedText } from "../messages/heard-nothing.js";
import { patternText, quoted } from "../messages/words.js";
import type { Heard } from "../lab/log.js";
import type { HearsOptions, TextPattern } from "../lab/lab-face.js";
import type { Person } from "../lab/person.js";
import type { TestLab } from "../lab/test-lab.js";
import { type BalanceWanted, judgeBalance } from "./balance.js";
import { type DeliveredWanted, judgeDelivered, type Verdict } from "./delivered.js";

/**
 * Asserts that a person hears a text, as `person.hears`.
 *
 * @throws AssertionError
 */
export function assertHears(person: Person, pattern: TextPattern, options?: HearsOptions): Promise<Heard> {
  return person.lab.hearsOr(callersStack(assertHears), person.who, pattern, options);
}

/**
 * Asserts that a person does not hear a text: lets `within` (default 5m) pass.
 *
 * @throws AssertionError
 */
export async function assertHearsNot(person: Person, pattern: TextPattern, options?: HearsOptions): Promise<void> {
  const { holds, message } = await judgeHears(person, pattern, options);
  if (holds) throw new AssertionError({ message, stackStartFn: assertHearsNot });
}

/**
 * Asserts that the receiver has accepted events of a type.
 *
 * @throws AssertionError that shows what the receiver got and answered
 */
export function assertDelivered(lab: TestLab, type: string, wanted?: DeliveredWanted): void {
  assertVerdict(judgeDelivered(lab, type, wanted), assertDelivered);
}

/**
 * Asserts that the accounts of texts, calls, events and attempts close.
 *
 * @throws AssertionError that shows the accounts
 */
export function assertBalance(lab: TestLab, wanted?: BalanceWanted): void {
  assertVerdict(judgeBalance(lab, wanted), assertBalance);
}

/** Judges whether a person hears a text; time passes. */
export async function judgeHears(person: Person, pattern: TextPattern, options: HearsOptions = {}): Promise<Verdict> {
  const { lab, who } = person;
  const heard = await lab.findHeard(who, pattern, options);
  const { within = "5m" } = options;
  if (heard === undefined) return { holds: false, message: missedText(lab, { who, pattern, within }) };
  return {
    holds: true,
    message: `${who} heard ${quoted(heard.text)} at ${heard.at}, which ${patternText(pattern)} matches`,
  };
}

function assertVerdict({ holds, message }: Verdict, caller: (...args: never[]) => unknown): void {
  if (!holds) throw new AssertionError({ message, stackStartFn: caller as (...args: unknown[]) => unknown });
}
