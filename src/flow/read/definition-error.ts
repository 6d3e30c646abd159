/** One reason why a definition cannot be loaded. */
export interface DefinitionProblem {
  /** Such as `flow "Intake", node 3f2a…, action 1`. */
  readonly place: string;
  /** What is wrong: a property, a type, or a uuid. */
  readonly name: string;
  readonly text: string;
}

/** A definition breaks rules of loading (docs/reference/flows.md#native-definitions). The message has all problems. */
export class DefinitionError extends Error {
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super(problems.map(({ place, text }) => `${place}: ${text}`).join("; "));
    this.name = "DefinitionError";
    this.problems = problems;
  }
}
