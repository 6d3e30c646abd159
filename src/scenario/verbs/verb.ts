import type * as z from "zod";
import type { PeopleChoice, PhoneOwner, Selector, WorldInput } from "../../world/index.js";
import type { TrafficName } from "../cast-names.js";
import type { EventFacts } from "../event-facts.js";
import { selection } from "../fields/fields.js";
import { span } from "../fields/varying-fields.js";
import type { Selection } from "../fields/values/selector.js";
import type { StoryInput } from "../scenario.js";
import type { Path, Problem } from "../sheet/raw-value.js";

/**
 * One verb of the story: its name, its arguments and the input that a step with it becomes. Each verb is one file in
 * `verbs/`. To add one, copy the file of a similar verb and list it in `verbs/index.ts`.
 */
export interface Verb<Args extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly about: string;
  /** A step, as YAML on one line. */
  readonly example: string;
  /** Phones reconnect after it, together and with their queues: a study calls such a step a reconnect storm. */
  readonly disconnects?: true;
  /** The schema also gives the typed builder's arguments. */
  readonly args: Args;
  toInput(args: z.output<Args>, step: StepContext): StoryInput;
}

/** What a verb may query about its step. Paths begin at the verb's arguments. */
export interface StepContext {
  /** Resolves a selector against the groups of handsets. */
  resolveHandsets(selection: Selection, ...path: Path): Selector;
  /** As `resolveHandsets`, and reports handsets without a `place`. */
  resolvePlaced(selection: Selection, ...path: Path): Selector;
  /** Resolves a selector against the groups of people. */
  resolvePeople(selection: Selection, ...path: Path): Selector;
  /** Resolves a selector against the groups of people; a phone number means its owner. */
  resolveChoice(choice: Selection | PhoneOwner, ...path: Path): PeopleChoice;
  /** As `resolveChoice`, and reports people who withhold their number. */
  resolveNumbered(choice: Selection | PhoneOwner, ...path: Path): PeopleChoice;
  /** The kind of a selection's groups; undefined for `all`, and when no group has that name. */
  kindOf(selection: Selection): "handsets" | "people" | undefined;
  /** The entries of `traffic`, in file order. */
  readonly traffic: readonly TrafficName[];
  /** The names of the carriers. */
  readonly carriers: readonly string[];
  /** What filters of events are checked against; undefined: not known, as by hand. */
  readonly events: EventFacts | undefined;
  /** Whether the step has the argument; else its default applies. */
  isWritten(...path: Path): boolean;
  /** Reports a problem with an argument. */
  reportProblem(path: Path, problem: Problem): void;
  /** An argument as JSON has it, for data that is passed on as it is. */
  plainValueOf(...path: Path): unknown;
  /** An argument in its original spelling, on one line. */
  spellingOf(...path: Path): string;
}

/** Defines a verb. */
export function verb<Args extends z.ZodType>(definition: Verb<Args>): Verb<Args> {
  return definition;
}

/** The argument `of` of verbs that act on handsets. */
export const ofHandsets = selection("The handsets.");

export { downTime, forTime } from "./varying-arguments.js";

/** The argument `claimed-again` of verbs after which phones register again. */
export const claimedAgain = span(
  "How long after it has registered again somebody claims each phone; without it, nobody does.",
).optional();

/** An input for the world. */
export function toWorld(input: WorldInput): StoryInput {
  return { to: "world", input };
}
