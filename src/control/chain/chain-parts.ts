import type { Scenario } from "../../scenario/index.js";
import type { ServedLab } from "../served-lab.js";

/** What `LabChains` needs of a run or of a served account. */
export interface ChainParts {
  readonly lab: () => ServedLab;
  readonly scenario: () => Scenario;
  /** Where events go by default; null: nowhere. */
  readonly receiver: () => string | null;
  readonly isAllowed: (url: string) => boolean;
}
