import type { MetricUnit } from "./metric.js";
import type { Tags } from "./tags.js";

/** The drain after a run, in virtual milliseconds. What still waits after it is `queued` in the ledger. */
export interface DrainResult {
  readonly limitMs: number;
  readonly tookMs: number;
  /** The drain ended before its limit, because nothing waited any more. */
  readonly isEmpty: boolean;
}

/** A person to whom two messages tell of one event. */
export interface TwiceResult {
  /** `3/17`: the event, or the person's last text; null: not known. */
  readonly event: string | null;
  readonly person: string;
  /** Both messages. `event`: the one that it answers, the event or its copy; null: it came by the API. */
  readonly messages: readonly { readonly event: string | null; readonly text: string; readonly atMs: number }[];
}

/** One time that a check was asked. */
export interface CheckResult {
  /** Virtual time; null: after the run. */
  readonly atMs: number | null;
  readonly held: boolean;
  /** What came, as a clause. */
  readonly seen: string;
  /** How long the answer took: wall milliseconds. */
  readonly ms: number;
}

/** One expectation of the scenario, and whether it held. */
export interface ExpectationResult {
  /** As the scenario writes it. */
  readonly text: string;
  readonly held: boolean;
  /** What was seen, with its unit. */
  readonly seen: string;
  /** Checks only: how often it was asked, and what came. */
  readonly check?: {
    readonly asked: number;
    readonly held: number;
    /** In order of time; at most 100, failures before others. */
    readonly results: readonly CheckResult[];
  };
  /** `never-twice` only: the first people to whom two messages tell of one event. */
  readonly twice?: readonly TwiceResult[];
  /** The parsed expectation; absent for expectations of the story. */
  readonly metric?: {
    /** `delivery.p99` */
    readonly name: string;
    readonly tags?: Tags;
    readonly op: string;
    /** The bound, in the metric's unit: milliseconds, a count, a share 0..1, a rate per second, bytes. */
    readonly value: number;
    readonly unit: MetricUnit;
    /** The measured value, in the same unit; with a window, that of the worst window; null: nothing was measured. */
    readonly seen: number | null;
    /** Length of the window, in wall milliseconds; absent: the whole run. */
    readonly overMs?: number;
    readonly fromMs?: number;
    /** When the worst window ended, or the bound was broken for good: wall milliseconds after the run began. */
    readonly atMs?: number;
    /** This expectation stopped the run. */
    readonly hasStopped?: boolean;
    /**
     * Broken bounds on durations, if other programs kept this machine busy: without those seconds, what was measured
     * (null: nothing, or the bound is over a window), and whether the bound holds.
     */
    readonly clear?: { readonly seen: number | null; readonly held: boolean };
  };
}
