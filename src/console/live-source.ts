import type {
  ClockView,
  FleetColumn,
  FleetGroup,
  LabFacts,
  LogEntry,
  RunView,
  StoryView,
  Totals,
} from "./protocol/index.js";

/** The fleet's columns in memory: a handset's values are at the index channel - 1. */
export type FleetArrays = Readonly<Record<FleetColumn, Int32Array>>;

/** Counts of a lab. The stream adds the queues of phones from the fleet's columns. */
export type LabCounts = Omit<Totals, "waitingOnPhones">;

/**
 * Interface of a lab for the console. `H` is a happening of its live log: the stream keeps the newest ones of a frame
 * and formats only those that it sends.
 */
export interface LiveSource<H> {
  /** Resolves when the lab exists: a run's server listens before the run begins. */
  readonly ready: Promise<unknown>;
  /**
   * Identity of the lab. It changes when the lab is replaced, as by a restored snapshot; then the complete state is
   * sent again.
   */
  readonly generation: unknown;
  facts(): LabFacts;
  /** The groups of handsets, by channel. */
  groups(): readonly FleetGroup[];
  readonly handsetCount: number;
  /** Whether series and pictures are also kept without clients, so that a page that opens later shows what was before. */
  readonly keepsHistory: boolean;
  /** Whether pictures of the fleet are kept for the past; false: the past comes from a complete recording alone. */
  readonly keepsPictures: boolean;
  clock(): Omit<ClockView, "wallMs">;
  counts(): LabCounts;
  /** Writes the state of all handsets. */
  readFleet(arrays: FleetArrays): void;
  /** Begins to measure latencies. */
  measureLatency(): LatencyMeter;
  /** @returns stops the calls of `listener` */
  follow(listener: (happening: H) => void): () => void;
  /** @returns undefined: the console does not show it */
  entryOf(happening: H): LogEntry | undefined;
  /** The event of a text or message (`mo_sms`, `mt_sent`). It is called for every happening, so it allocates nothing. */
  trafficOf(happening: H): { readonly channel: number; readonly type: string } | undefined;
  /** Undefined: the lab has no story. */
  story(): StoryView | undefined;
  /** Undefined: the lab is not a run. */
  run(): RunView | undefined;
}

/** Latency of attempts from their due time. Wall milliseconds; null: none was answered. */
export interface LatencyMeter {
  /** Of the attempts answered since the last call. */
  read(): { readonly p50Ms: number | null; readonly p99Ms: number | null };
  close(): void;
}
