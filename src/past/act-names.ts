import type { PeopleChoice, Selector } from "../world/index.js";

/** Display names of a lab's handsets, people and traffic. */
export interface ActNames {
  /** `clinic/3`, `clinic`, `4 phones of clinic`. */
  readonly handsets: (of: Selector) => string;
  /** `Amina Sorel`, `farmers`, `+12025550100`. */
  readonly people: (choice: PeopleChoice) => string;
  /** The name of the entry at an index of the cast's traffic. */
  readonly traffic: (place: number) => string;
}
