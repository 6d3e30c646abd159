import type { OnProgress } from "../base/index.js";
import type { Progress, RunHands } from "../lab/index.js";
import type { AccountSource } from "../control/index.js";
import type { ApiAddress, MetricsAddress } from "../serve/index.js";
import type { FoundPart } from "./part/found-part.js";
import type { RunOutcome } from "./run-outcome.js";

/** Options of a run; all have defaults. Spans are wall milliseconds. */
export interface RunOptions {
  /** A URL, `bundled`, or `none`: overrides the scenario's receiver. */
  readonly receiver?: string;
  /**
   * File of the recording; default: a new one under `recordings/`. `:memory:` keeps it in memory. `none` keeps nothing,
   * except with an API or account files, which need it in memory.
   */
  readonly recording?: string;
  /** Resumes the killed run in `recording`; the scenario and the other options are from `resumable`. */
  readonly isResumed?: boolean;
  /** Upper bound of the recording on disk, at least 128 MiB; the run ends before it. Default 16 GiB. */
  readonly recordingBytesMax?: number;
  /**
   * Whether the recording keeps passwords in URLs and the values of headers such as `Authorization`. Default false: a
   * replay or resume then reads them from the scenario's file.
   */
  readonly keepSecrets?: boolean;
  /** Replaces an existing recording. */
  readonly overwrite?: boolean;
  /** `lockstep` (default), `max`, or a speed: `60x` or 60, virtual milliseconds in each wall millisecond. */
  readonly pace?: "lockstep" | "max" | `${number}x` | number;
  /** Upper bound of open connections; overrides the scenario's. */
  readonly connections?: number;
  /** Hosts, in addition to loopback, that events may be sent to: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Time without an answer after which the run ends with exit 3. Default 60,000. */
  readonly giveUpAfterMs?: number;
  /** How long to wait until the receiver listens. Default 0, and 30,000 with a command. */
  readonly waitMs?: number;
  /** The receiver's command: started before the run, and stopped after it. */
  readonly command?: readonly string[];
  /** Offers the emulated service's REST API and the control API during the run. */
  readonly api?: ApiAddress;
  /**
   * Shows the run in the console, on the server of `api`. After the run the console is served until `whenOver`
   * resolves.
   */
  readonly console?: {
    /** Awaited when the run is over and recorded. @param showReport - links the page to the run's report, a file */
    readonly whenOver: (outcome: RunOutcome, showReport: (file: string) => void) => Promise<void>;
  };
  /** Lockstep with an API: idle time of the API for which the clock waits after each window of answers. Default 100. */
  readonly settleMs?: number;
  /** Offers metrics to Prometheus during the run. */
  readonly metrics?: MetricsAddress;
  /** Stops the run when a bound that can be judged before the end is broken. */
  readonly abort?: boolean;
  /**
   * Judges the receiver's speed also by seconds in which other programs keep this machine busy, as on a build server
   * that always is. Default false: findings leave those seconds out.
   */
  readonly judgeBusy?: boolean;
  /** Account files and exports to load before the run, after those of the scenario. */
  readonly accounts?: readonly AccountSource[];
  /** Plays only a part of the fleet, such as `{ index: 2, count: 8 }`, exactly as in the whole. */
  readonly shard?: FoundPart;
  /**
   * Process ids of all parts that this machine plays simultaneously: their work does not count as the work of other
   * programs.
   */
  readonly fleet?: readonly number[];
  /** Wall time at which the clock starts, milliseconds since 1970; also the instant of `starts: now`. */
  readonly startAtMs?: number;
  /** Parts of a fleet only: begins when all parts are ready, at one instant. */
  readonly startWhenAllReady?: AllReadyOptions;
  /** Awaited when everything is ready, before time begins to pass. */
  readonly beforeStart?: () => Promise<void>;
  /** Stops the run cleanly: it awaits the attempts in flight, and the result covers what was played. */
  readonly signal?: AbortSignal;
  /** Called once, before the world starts. */
  readonly onStart?: (start: RunStart) => void;
  /** Gets the progress of what follows the run's end, such as indexing its recording. */
  readonly onProgress?: OnProgress;
}

/** How `--start-when-all-ready` waits. */
export interface AllReadyOptions {
  /** A folder that all parts share; it is created if it does not exist. */
  readonly folder: string;
  /** Longest wait for the other parts. Wall milliseconds, default 600,000. */
  readonly limitMs?: number;
  /** Gets whom the part waits for, in a sentence, when that changes. */
  readonly onWait?: (text: string) => void;
}

/** What is known before the world starts. */
export interface RunStart {
  /** Where events go: a URL, or `none`. */
  readonly receiver: string;
  readonly isBundled: boolean;
  readonly recording: string;
  /**
   * URL of the REST API (`/api/v2/`) with an administrator's token, and of the control API (`/lab/`) with `labToken`.
   * Absent: they are not offered.
   */
  readonly api?: { readonly url: string; readonly token: string; readonly labToken: string };
  /** URL of the metrics; absent: they are not offered. */
  readonly metrics?: string;
  progress(): Progress;
  /** Changes the run while it plays. Absent: several processes play it. */
  readonly hands?: RunHands;
}
