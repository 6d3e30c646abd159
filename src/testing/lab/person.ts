import type { VerbArgs } from "../../scenario/index.js";
import { callersStack } from "../messages/callers-stack.js";
import type { Heard } from "./log.js";
import type { Handset } from "./handset.js";
import type { HearsOptions, LabFace, TextPattern } from "./lab-face.js";

/** Marks people, also where a test file has loaded this package twice. */
const IS_PERSON = Symbol.for("handset-lab/testing/person");

/** Somebody with a phone of their own, who texts and calls handsets. */
export class Person {
  readonly [IS_PERSON] = true;
  readonly #lab: LabFace;
  /** Phone number in E.164, or the selector of one person such as `farmers/3`. */
  readonly who: string;

  /** Use `lab.person`. */
  constructor(lab: LabFace, who: string) {
    this.#lab = lab;
    this.who = who;
  }

  /** The lab in which this person lives. */
  get lab(): LabFace {
    return this.#lab;
  }

  /** The person's phone number. */
  get phone(): string {
    return this.#lab.phoneOf(this.who);
  }

  /** Texts a handset now. The text arrives while time passes (`advance`, `hears`). */
  texts(handset: Handset | string, body: VerbArgs["text"]["body"]): void {
    this.#lab.do("text", { from: this.who, to: selectorOf(handset), body });
  }

  /** Calls a handset now. @param how - `{ rings: "25s" }`: nobody picks up; `{ talks: "3m" }` */
  calls(handset: Handset | string, how: Omit<VerbArgs["call"], "from" | "to"> = {}): void {
    this.#lab.do("call", { from: this.who, to: selectorOf(handset), ...how });
  }

  /** Every text that this person's phone has shown, oldest first. */
  get heard(): readonly Heard[] {
    return this.#lab.heardBy(this.who);
  }

  /** As `lab.hears`. */
  hears(pattern: TextPattern, options?: HearsOptions): Promise<Heard> {
    // eslint-disable-next-line typescript/unbound-method -- it only says where the stack of the caller begins
    return this.#lab.hearsOr(callersStack(this.hears), this.who, pattern, options);
  }

  toString(): string {
    return this.who;
  }
}

/** The selector of a handset, or of handsets. */
export function selectorOf(handset: Handset | string): string {
  return typeof handset === "string" ? handset : handset.selector;
}

/** Whether a value is a person of a lab. */
export function isPerson(value: unknown): value is Person {
  return typeof value === "object" && value !== null && IS_PERSON in value;
}
