import type { LabErrorCode } from "../base/index.js";
import type { Progress } from "../lab/index.js";
import type { RunResult } from "../report/index.js";
import type { RunOptions } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import type { StoreError } from "../store/index.js";
import type { Part } from "../world/index.js";

/** What of a run's options can be said to another process. */
export type PartOptions = Omit<
  RunOptions,
  "signal" | "onStart" | "begins" | "command" | "api" | "accounts" | "settleMs" | "shard"
>;

/** What a process that plays a part is told. */
export type ToPart =
  | { readonly kind: "play"; readonly scenario: Scenario; readonly options: PartOptions & { readonly shard: Part } }
  /** All parts are ready: time begins to pass. */
  | { readonly kind: "go" }
  /** End cleanly. */
  | { readonly kind: "stop" };

/** What it tells. */
export type FromPart =
  | { readonly kind: "started"; readonly receiver: string; readonly isBundled: boolean }
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "done"; readonly result: RunResult; readonly exitCode: 0 | 1 | 3 }
  | { readonly kind: "failed"; readonly failure: PartFailure };

/** An error on its way to the process that asked for the part. */
export type PartFailure =
  | {
      readonly kind: "lab";
      readonly code: LabErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  | { readonly kind: "store"; readonly code: StoreError["code"]; readonly path: string; readonly message: string }
  /** A defect of ours. */
  | { readonly kind: "other"; readonly text: string };
