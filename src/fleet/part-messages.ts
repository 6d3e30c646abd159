import type { LabErrorCode } from "../base/index.js";
import type { Progress } from "../lab/index.js";
import type { RunResult } from "../report/index.js";
import type { RunOptions } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import type { StoreError } from "../store/index.js";
import type { Part } from "../world/index.js";

/** The run options that can be sent to another process. */
export type PartOptions = Omit<
  RunOptions,
  | "signal"
  | "startWhenAllReady"
  | "onStart"
  | "onProgress"
  | "beforeStart"
  | "command"
  | "api"
  | "accounts"
  | "settleMs"
  | "shard"
>;

/** Messages from the parent to the process of a part. */
export type MessageToPart =
  | { readonly kind: "play"; readonly scenario: Scenario; readonly options: PartOptions & { readonly shard: Part } }
  /** All parts are ready: start the clock. */
  | { readonly kind: "go" }
  /** Stop and finish the recording. */
  | { readonly kind: "stop" };

/** Messages from the process of a part to the parent. */
export type MessageFromPart =
  | { readonly kind: "started"; readonly receiver: string; readonly isBundled: boolean }
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "done"; readonly result: RunResult; readonly exitCode: 0 | 1 | 3 }
  | { readonly kind: "failed"; readonly failure: PartFailure };

/** An error of a part, serialized for the parent. */
export type PartFailure =
  | {
      readonly kind: "lab";
      readonly code: LabErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  | { readonly kind: "store"; readonly code: StoreError["code"]; readonly path: string; readonly message: string }
  /** A defect of the lab. */
  | { readonly kind: "other"; readonly text: string };
