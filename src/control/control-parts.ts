import type { Minimiser } from "./bug/minimiser.js";
import type { Scenario } from "../scenario/index.js";
import type { Followers } from "./followers.js";
import type { ServedLab } from "./served-lab.js";
import type { StoryStage } from "./story/played-story.js";

/** What the control API needs to know. The functions are called at each request: the lab may be replaced. */
export interface ControlParts {
  readonly lab: () => ServedLab;
  /** Waits until the lab exists and no replacement is under way; default: `lab`. */
  readonly settled?: () => ServedLab | Promise<ServedLab>;
  readonly scenario: () => Scenario;
  readonly story: Omit<StoryStage, "lab" | "followers" | "files">;
  /** Folder whose scenarios can be started; default: the working directory of the process. */
  readonly folder?: string;
  readonly followers: Followers;
  /** Requests to the REST API per hour and scope; default: no limit. */
  readonly throttle?: number;
  readonly isStrict: boolean;
  /** The default delivery URL; null: none. */
  readonly receiver: () => string | null;
  readonly isAllowed: (url: string) => boolean;
  /** The current administrator token of the REST API. */
  readonly apiToken: () => string;
  /** Called after an account file was loaded. */
  readonly onLoaded?: () => void;
  /** Minimises what a chain shows; absent: in a terminal only. */
  readonly minimiser?: Minimiser | undefined;
  /** Absent: a run, whose account cannot be replaced. */
  readonly served?: ServedAccount;
}

/** Operations of a served account that a run does not have: a run's snapshots cannot be restored. */
export interface ServedAccount {
  /** Path of the database; undefined: in memory. */
  readonly database: string | undefined;
  /** The reason why a snapshot cannot be restored; undefined: it can. */
  readonly misfitOf: (bytes: Uint8Array) => string | undefined;
  /** Replaces the account with a snapshot's account. */
  readonly restore: (bytes: Uint8Array) => Promise<void>;
}
