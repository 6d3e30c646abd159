import type { Account } from "../account/index.js";
import type { ServiceRequests } from "../delivery/index.js";
import type { Expectations } from "../expect/index.js";
import type { Emission, Gateway } from "../gateway/index.js";
import type { Ledger } from "../ledger/index.js";
import type { Kernel } from "../sim/index.js";
import type { World } from "../world/index.js";
import type { AccountState } from "./account/account-state.js";
import type { CallMocks } from "./call-mocks.js";
import type { RunChecks } from "./checks/run-checks.js";
import type { Pipeline } from "./pipeline.js";
import type { Replies } from "./replies/replies.js";
import type { CrossPartReplies } from "./replies/cross-part-replies.js";
import type { RunLog } from "./run-log.js";
import type { RunPosition } from "./resume/run-position.js";
import type { StoryInputs } from "./story.js";
import type { LiveClock } from "./time/clock.js";
import type { ApiIdleness } from "./time/api-idleness.js";

/** Everything that one run consists of. */
export interface LabParts {
  readonly kernel: Kernel;
  readonly clock: LiveClock | undefined;
  readonly ledger: Ledger;
  readonly position: RunPosition;
  readonly world: World;
  readonly gateway: Gateway;
  readonly account: Account;
  /** The account's data about people of the world. */
  readonly accountState: AccountState;
  readonly pipeline: Pipeline<Emission>;
  /** Resthooks and calls of flows. */
  readonly requests: ServiceRequests;
  readonly mocks: CallMocks;
  readonly replies: Replies;
  /** Parts of a fleet only. */
  readonly crossPartReplies: CrossPartReplies | undefined;
  readonly expectations: Expectations;
  readonly story: StoryInputs;
  readonly checks: RunChecks;
  readonly apiIdleness: ApiIdleness;
  readonly log: RunLog;
}
