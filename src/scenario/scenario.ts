import type { Tags } from "../measure/index.js";
import type { Distribution } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Cast, PeopleChoice, Selector, WorldInput } from "../world/index.js";

/** A scenario, checked and in plain data: the same whether it was written in YAML or built in TypeScript. */
export interface Scenario {
  readonly name: string;
  readonly about?: string;
  readonly seed: number;
  /** True for `starts: now`: `cast.startsAtMs` is then the instant at which the scenario was read. */
  readonly startsNow: boolean;
  readonly lookaheadMs: number;
  /**
   * How long the world lives on after `lasts` at most, without traffic, while something waits. Absent: the pace
   * decides.
   */
  readonly drainMs?: number;
  /** Absent: the bundled receiver. */
  readonly receiver?: ReceiverSpec;
  readonly service: ServicePreset;
  readonly cast: Cast;
  /** In the order in which they happen; steps of one instant in file order. */
  readonly story: readonly Step[];
  readonly expect: readonly MetricExpectation[];
  /** The text that it was read from (for a built one: the YAML that says the same). */
  readonly source: {
    readonly file: string;
    readonly text: string;
    /** `PATH=VALUE` arguments that were applied to it; absent: none. */
    readonly set?: readonly string[];
    /** The texts of the files that it names, by the paths in it; absent: it names none. */
    readonly files?: Readonly<Record<string, string>>;
  };
}

export interface ReceiverSpec {
  /** Absolute http or https URL; or `none`: events are recorded and go nowhere; or `bundled`. */
  readonly url: string;
  /** Wall milliseconds; overrides the preset's. */
  readonly timeoutMs?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM text of an own certificate authority. */
  readonly ca?: string;
  readonly connections: number;
  /** Adds the headers with event id, attempt and virtual time. */
  readonly marks: boolean;
}

/** One step of the story. */
export interface Step {
  readonly atMs: number;
  /** 1-based line in the source; 0 for built scenarios. */
  readonly line: number;
  readonly input: StoryInput;
}

/** A step's effect, addressed to the room that carries it out. */
export type StoryInput =
  | { readonly to: "world"; readonly input: WorldInput }
  | { readonly to: "gateway"; readonly input: GatewayInput }
  | { readonly to: "receiver"; readonly input: ReceiverInput }
  | { readonly to: "log"; readonly text: string }
  | { readonly to: "expect"; readonly expectation: StoryExpectation };

export type GatewayInput =
  | { readonly verb: "send"; readonly via: Selector; readonly to: PeopleChoice; readonly body: Distribution<string> }
  | {
      readonly verb: "flow";
      readonly of: Selector;
      readonly person: PeopleChoice;
      readonly flow: number;
      readonly name: string;
      readonly language: string;
      /** UUID; absent: one that the seed determines. */
      readonly step?: string;
      readonly values: readonly FlowValueInput[];
    }
  | {
      readonly verb: "event";
      readonly of: Selector;
      readonly type: string;
      readonly fields: readonly (readonly [key: string, value: string])[];
    };

export interface FlowValueInput {
  readonly label: string;
  readonly category: string;
  readonly value: string;
  readonly text: string;
  /** Milliseconds since 1970; absent: the instant of the step. */
  readonly timeMs?: number;
}

/** Switches the bundled receiver. `status` goes with `answers: status`. */
export interface ReceiverInput {
  readonly answers: "ok" | "slow" | "close" | "hang" | "garbage" | "reply" | "status";
  readonly status?: number;
  readonly forMs?: number;
}

/** Something that the story promises will be heard or emitted. */
export type StoryExpectation = {
  /** As the file has it, for the report. */
  readonly text: string;
  /** Absent: at any time up to the step; else in [step, step + within]. */
  readonly withinMs?: number;
} & (
  | {
      readonly kind: "hears";
      readonly people: Selector;
      readonly pattern: Pattern;
      /** How often each of the people hears it; default: at least once. */
      readonly count?: ExpectedCount;
    }
  | {
      readonly kind: "event";
      readonly type: string;
      readonly of?: Selector;
      /** Event fields (names of the table spelling) and what each must match. */
      readonly where: readonly (readonly [field: string, pattern: Pattern])[];
      /** Default: at least one. */
      readonly count?: ExpectedCount;
    }
);

/** A bound on how often something happens. */
export interface ExpectedCount {
  readonly op: ComparisonOp;
  readonly value: number;
}

/** `/regular expression/flags`, or plain text that must be contained. */
export type Pattern =
  | { readonly kind: "contains"; readonly text: string }
  | { readonly kind: "regexp"; readonly source: string; readonly flags: string };

export type ComparisonOp = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * One entry of `expect:`: a metric (see `metricOf` in measure/) compared with a bound, in the metric's unit:
 * milliseconds, a count, a share 0..1, a rate per second, bytes.
 */
export interface MetricExpectation {
  readonly text: string;
  readonly metric: string;
  /** Of which events and handsets; absent: of all. */
  readonly tags?: Tags;
  readonly op: ComparisonOp;
  readonly value: number;
  /** It must hold in each window of this much wall time; absent: over the whole run. */
  readonly overMs?: number;
  /** Values before this wall time from the beginning do not count. */
  readonly fromMs?: number;
  /** The run is stopped when it is broken. */
  readonly abort?: boolean;
}
