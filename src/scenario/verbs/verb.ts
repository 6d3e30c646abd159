import type * as z from "zod";
import type { PeopleChoice, PhoneOwner, Selector } from "../../world/index.js";
import type { TrafficName } from "../cast-names.js";
import type { StoryInput } from "../scenario.js";
import type { Selection } from "../fields/values/selector.js";
import type { Path, Problem } from "../sheet/written.js";

/**
 * One verb of the story: its name, its arguments and what it becomes. Each verb is one file in `verbs/`; to add one, copy
 * the file of a verb that is like it and list it in `verbs/index.ts`.
 *
 * `Input` is what the typed builder takes; the compiler holds it against the schema of the arguments.
 */
export interface Verb<Input> {
  readonly name: string;
  /** One sentence for people. */
  readonly about: string;
  /** A step, as YAML on one line. */
  readonly example: string;
  readonly args: z.ZodType<unknown, Input>;
  /** @param args - what `args` has read */
  readonly toInput: (args: unknown, step: StepPlace) => StoryInput;
  /** Never called: it makes two verbs of different input types different to the compiler. */
  readonly takes?: (input: Input) => void;
}

/** The step that a verb stands in. A path counts from the verb's arguments. */
export interface StepPlace {
  /** Holds a selector against the groups of handsets. */
  handsets(selection: Selection, ...path: Path): Selector;
  /** Holds a selector against the groups of people. */
  people(selection: Selection, ...path: Path): Selector;
  /** Holds a selector against the groups of people; a phone number means whoever has it. */
  choice(choice: Selection | PhoneOwner, ...path: Path): PeopleChoice;
  /** What kind of group this is; undefined when there is none of that name. */
  kindOf(selection: Selection): "handsets" | "people" | undefined;
  /** The entries of `traffic`, in file order. */
  readonly traffic: readonly TrafficName[];
  /** Takes down a problem with an argument. */
  tell(path: Path, problem: Problem): void;
  /** An argument as it is spelled, on one line. */
  spelled(...path: Path): string;
}

/** Defines a verb. `toInput` gets the arguments as the schema gives them. */
export function verb<Args extends z.ZodType>(definition: {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  readonly args: Args;
  readonly toInput: (args: z.output<Args>, step: StepPlace) => StoryInput;
}): Verb<z.input<Args>> {
  // The table of verbs forgets the type of the arguments; the story hands back what this very schema has read.
  return definition as unknown as Verb<z.input<Args>>;
}
