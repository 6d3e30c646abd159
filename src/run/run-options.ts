import type { Progress, RunHands } from "../lab/index.js";
import type { AccountSource, ApiAddress, MetricsAddress } from "../serve/index.js";
import type { Part } from "../world/index.js";

/** How a scenario is to be played; everything has a default. Spans are wall milliseconds. */
export interface RunOptions {
  /** A URL, `bundled`, or `none`: overrides the scenario's receiver. */
  readonly receiver?: string;
  /** File of the recording; default: a new one under `recordings/`. `:memory:` keeps it in memory, `none` keeps nothing, or with an API or account files what they read, in memory. */
  readonly recording?: string;
  /** Goes on with a run that was cut off: `recording` is its file, and the scenario and options are its own (`resumable`). */
  readonly isResumed?: boolean;
  /** Bytes that the recording may take on disk, at least 128 MiB; a run that comes near ends. Default 16 GiB. */
  readonly recordingBytesMax?: number;
  /**
   * Whether the recording keeps passwords in addresses and the values of headers such as `Authorization`. Default: it does
   * not; sending its events again then takes them from the scenario's file.
   */
  readonly keepSecrets?: boolean;
  /** Replaces a recording that is already there. */
  readonly overwrite?: boolean;
  /** `lockstep` (default), `max`, or a speed: `60x` or 60 virtual milliseconds in each of the wall's. */
  readonly pace?: "lockstep" | "max" | `${number}x` | number;
  /** Open connections at most; overrides the scenario's. */
  readonly connections?: number;
  /** Hosts beside loopback that may be sent to: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Without any answer for so long the run ends with exit 3. Default 60,000. */
  readonly giveUpAfterMs?: number;
  /** Waits for the receiver to come up. Default 0, and 30,000 with a command. */
  readonly waitMs?: number;
  /** Starts the receiver, and ends it after the run. */
  readonly command?: readonly string[];
  /** Offers the REST API of the emulated service to the receiver, and the control API, while the run lasts. */
  readonly api?: ApiAddress;
  /** Lockstep with an API: after each window of answers the clock waits until the API was idle for so long. Default 100. */
  readonly settleMs?: number;
  /** Offers metrics to Prometheus while the run lasts. */
  readonly metrics?: MetricsAddress;
  /** All expectations that can be judged before the end stop the run when they are broken. */
  readonly abort?: boolean;
  /** What the account holds at first: account files, exports. */
  readonly accounts?: readonly AccountSource[];
  /** Plays only a part of the fleet, such as `{ index: 2, count: 8 }`, exactly as it is in the whole. */
  readonly shard?: Part;
  /** The wall instant at which virtual time begins to pass, milliseconds since 1970; also what `starts: now` means. */
  readonly startAtMs?: number;
  /** Awaited when everything is ready, before time begins to pass. */
  readonly beforeStart?: () => Promise<void>;
  /** Stops the run cleanly: attempts in flight are awaited, the summary covers what was played. */
  readonly signal?: AbortSignal;
  /** Called once, before the world starts. */
  readonly onStart?: (start: RunStart) => void;
}

/** What is known when the world starts. */
export interface RunStart {
  /** Where events go: a URL, or `none`. */
  readonly receiver: string;
  readonly isBundled: boolean;
  readonly recording: string;
  /**
   * Where the REST API is (`/api/v2/`), and the token of an administrator; the control API is there, too (`/lab/`), with a
   * token of its own. Absent: they are not offered.
   */
  readonly api?: { readonly url: string; readonly token: string; readonly labToken: string };
  /** Where the metrics are; absent: they are not offered. */
  readonly metrics?: string;
  /** Where the run stands, whenever it is asked. */
  progress(): Progress;
  /** What can be done to it while it goes on. Absent: it is played by several processes. */
  readonly hands?: RunHands;
}
