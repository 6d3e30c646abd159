import type { Pattern, StoryExpectation } from "../scenario/index.js";
import type { SimTime } from "../sim/index.js";
import type { AccountStateReader } from "./account-reader.js";
import { patternMatcher } from "./pattern-matcher.js";

/** An expectation on the state of the account. */
export type StateExpectation = Extract<StoryExpectation, { kind: "result" | "group" }>;

/** Whether an expectation is on the state of the account. */
export function isOnState(expectation: StoryExpectation): expectation is StateExpectation {
  return expectation.kind === "result" || expectation.kind === "group";
}

/** The state of one person, and whether it is the expected one. */
interface PersonState {
  readonly isMet: boolean;
  /** A clause, such as `result Age of farmers/3 is 'abc' (category Other)`. */
  readonly text: string;
}

/**
 * One `expect` step on the account's state. It is met by a person who is in the expected state at the step or, with
 * `within`, at any instant of the window. The caller checks all at both ends of the window, and a person at each change.
 */
export class StateWatch {
  readonly #expectation: StateExpectation;
  readonly #people: readonly number[];
  readonly #nameOf: (person: number) => string;
  readonly #matches: (value: string) => boolean;
  /** The people in whom it has not held yet. */
  readonly #open: Set<number>;
  readonly atMs: SimTime[] = [];
  #text: string | undefined;

  constructor(
    expectation: StateExpectation,
    { people, nameOf }: { readonly people: readonly number[]; readonly nameOf: (person: number) => string },
  ) {
    this.#expectation = expectation;
    this.#people = people;
    this.#nameOf = nameOf;
    this.#open = new Set(people);
    const value: Pattern | undefined = expectation.kind === "result" ? expectation.value : undefined;
    this.#matches = value === undefined ? () => true : patternMatcher(value, "equal");
  }

  get people(): number {
    return this.#people.length;
  }

  /** How many of them it has held for. */
  get met(): number {
    return this.#people.length - this.#open.size;
  }

  /** The state of the first person who fails the expectation, else of the last one who came to meet it. */
  get text(): string | undefined {
    return this.#text;
  }

  checkAll(account: AccountStateReader, nowMs: SimTime): void {
    for (const person of this.#open) this.check(person, account, nowMs);
    const [first] = this.#open;
    if (first !== undefined) this.#text = this.#stateOf(first, account).text;
  }

  /** Checks a person whose state may have changed. */
  check(person: number, account: AccountStateReader, nowMs: SimTime): void {
    if (!this.#open.has(person)) return;
    const state = this.#stateOf(person, account);
    if (!state.isMet) return;
    this.#open.delete(person);
    this.atMs.push(nowMs);
    this.#text = state.text;
  }

  #stateOf(person: number, account: AccountStateReader): PersonState {
    const name = this.#nameOf(person);
    const expected = this.#expectation;
    if (expected.kind === "group") {
      const { group, isMember } = expected;
      const reading = account.readMembership(person, group);
      const isMet = reading === (isMember ? "member" : "not-member") || (reading === "no-contact" && !isMember);
      return { isMet, text: membershipTexts[reading](name, group) };
    }
    const { result, category, flow } = expected;
    const reading = account.readResult(person, expected);
    switch (reading.kind) {
      case "saved": {
        const isMet =
          this.#matches(reading.value) &&
          (category === undefined || category.toLowerCase() === reading.category?.toLowerCase());
        const inCategory = reading.category === null ? "" : ` (category ${reading.category})`;
        return { isMet, text: `result ${result} of ${name} is '${reading.value}'${inCategory}` };
      }
      case "unanswered":
        return { isMet: false, text: `${name} never answered: there is no result ${result}` };
      case "no-run":
        return { isMet: false, text: `there is no flow run of ${name}${flow === undefined ? "" : ` in ${flow}`}` };
      case "no-flow":
        return { isMet: false, text: `there is no flow ${flow ?? ""}` };
      case "no-contact":
        return { isMet: false, text: `${name} is no contact` };
    }
  }
}

const membershipTexts = {
  member: (name, group) => `${name} is in ${group}`,
  "not-member": (name, group) => `${name} is not in ${group}`,
  "no-group": (_, group) => `there is no group ${group}`,
  "no-contact": (name) => `${name} is no contact`,
} as const satisfies Record<ReturnType<AccountStateReader["readMembership"]>, (name: string, group: string) => string>;
