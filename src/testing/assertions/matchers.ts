import type { HearsOptions, TextPattern } from "../lab/lab-face.js";
import { isPerson } from "../lab/person.js";
import { isTestLab, type TestLab } from "../lab/test-lab.js";
import { judgeHears } from "./assertions.js";
import { type BalanceWanted, judgeBalance } from "./balance.js";
import { type DeliveredWanted, judgeDelivered, type Verdict } from "./delivered.js";

/** What `expect.extend` of vitest and jest takes from a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers, as a test runner's `expect` has them. `R`: what a matcher returns. */
export interface LabMatchers<R = unknown> {
  /** A person hears a text: `await expect(person).toHear(/welcome/, { within: "5m" })`. Time passes. */
  toHear(pattern: TextPattern, options?: HearsOptions): Promise<R>;
  /** The receiver has accepted events of a type: `expect(lab).toHaveDelivered("mo_sms", { times: 1 })`. */
  toHaveDelivered(type: string, wanted?: DeliveredWanted): R;
  /** Everything has an end that the lab can name: `expect(lab).toBalance({ settled: true })`. */
  toBalance(wanted?: BalanceWanted): R;
}

/** Matchers for `expect.extend` of vitest and jest. */
export const matchers: {
  toHear(person: unknown, pattern: TextPattern, options?: HearsOptions): Promise<MatcherResult>;
  toHaveDelivered(lab: unknown, type: string, wanted?: DeliveredWanted): MatcherResult;
  toBalance(lab: unknown, wanted?: BalanceWanted): MatcherResult;
} = {
  async toHear(person, pattern, options) {
    if (!isPerson(person)) throw new TypeError("expect(…).toHear needs a person: lab.person('+250…')");
    return resultOf(await judgeHears(person, pattern, options));
  },
  toHaveDelivered: (lab, type, wanted) => resultOf(judgeDelivered(labIn(lab, "toHaveDelivered"), type, wanted)),
  toBalance: (lab, wanted) => resultOf(judgeBalance(labIn(lab, "toBalance"), wanted)),
};

function resultOf({ holds, message }: Verdict): MatcherResult {
  return { pass: holds, message: () => message };
}

function labIn(lab: unknown, matcher: string): TestLab {
  if (isTestLab(lab)) return lab;
  throw new TypeError(`expect(…).${matcher} needs a lab: what startLab() returns`);
}
