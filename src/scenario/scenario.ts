import type { Tags } from "../measure/index.js";
import type { Distribution } from "../sim/index.js";
import type { CutPlace, ExitType, ServicePreset, StatusSet, TroubleKind } from "../wire/index.js";
import type { Cast, PeopleChoice, Selector, WorldInput } from "../world/index.js";

/** A checked scenario as plain data, from YAML or TypeScript. */
export interface Scenario {
  readonly name: string;
  readonly about?: string;
  readonly seed: number;
  /** True for `starts: now`: `cast.startsAtMs` is then the instant at which the scenario was read. */
  readonly startsNow: boolean;
  readonly lookaheadMs: number;
  /**
   * Maximum time after `lasts`, without traffic, in which queued work completes. Absent: the pace determines it.
   */
  readonly drainMs?: number;
  /** Account files and exports that the account begins with: paths from the folder of `source.file`. Absent: none. */
  readonly data?: readonly string[];
  /** Absent: the bundled receiver. */
  readonly receiver?: ReceiverSpec;
  readonly service: ServicePreset;
  readonly cast: Cast;
  /** Answers to HTTP calls of flows: the first that matches and is not used up applies. Absent: none. */
  readonly mocks?: readonly CallMock[];
  /** Troubles on the way to the receiver that the keys `delivery` describe. Absent: none. */
  readonly troubles?: readonly StandingTrouble[];
  /** Sorted by time; steps of one instant in file order. */
  readonly story: readonly Step[];
  readonly expect: readonly MetricExpectation[];
  /** Checks beside the story. Absent: none. */
  readonly checks?: readonly TimedCheck[];
  /** The failure of the field that it plays, and how a receiver is judged by it. Absent: it is no such scenario. */
  readonly field?: FieldFailure;
  /** The text that it was parsed from; for a built scenario the generated YAML. */
  readonly source: {
    readonly file: string;
    readonly text: string;
    /** `PATH=VALUE` arguments that were applied to it; absent: none. */
    readonly set?: readonly string[];
    /** The texts of the files that it names, by path; absent: none. */
    readonly files?: Readonly<Record<string, string>>;
  };
}

/** The key `field`. Its expectations are also in `story` and `expect` of the scenario. */
export interface FieldFailure {
  /** Sections of the reference: `docs/reference/handset.md#retry-ladder`. */
  readonly sources: readonly string[];
  /** The bug of the bundled receiver that breaks `right`. */
  readonly bug: string;
  /** The texts of the expectations that a right receiver meets. */
  readonly right: readonly string[];
  /** Absent: any receiver can be judged. */
  readonly control?: {
    /** The text of the expectation. If it is broken, `right` says nothing about the receiver. */
    readonly text: string;
    /** What it shows, as the end of `needs a receiver that …`. */
    readonly needs: string;
  };
}

export interface ReceiverSpec {
  /** Absolute http or https URL; or `none`: events are recorded and go nowhere; or `bundled`. */
  readonly url: string;
  /** How the bundled receiver answers from the start; absent: `ok`. */
  readonly answers?: ReceiverAnswers;
  /** Module of the bundled receiver's application: a path from the scenario's folder. */
  readonly application?: string;
  /** Wall milliseconds; overrides the preset's. */
  readonly timeoutMs?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM text of a private certificate authority. */
  readonly ca?: string;
  readonly connections: number;
  /** Adds the headers with event id, attempt and virtual time. */
  readonly marks: boolean;
}

/** A scripted answer to HTTP calls of flows, which are then not sent. */
export interface CallMock {
  /** Matches the whole URL, or a part of it. */
  readonly url: Pattern;
  /** Upper case; absent: any. */
  readonly method?: string;
  /** 0: no connection. */
  readonly status: number;
  /** In the order in which they are received. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Virtual milliseconds from the call to its answer. */
  readonly afterMs: number;
  /** How many calls it answers; absent: all. */
  readonly times?: number;
}

/** One step of the story. */
export interface Step {
  /** The instant; if it varies, the earliest one. */
  readonly atMs: number;
  /** 1-based line in the source; 0 for built scenarios. */
  readonly line: number;
  readonly input: StoryInput;
  /** Index in the list of the file, the same for all occurrences of a recurring step. */
  readonly place: number;
  /** Number of the occurrence of a recurring step, from 0. Absent: it does not recur. */
  readonly occurrence?: number;
  /** Index among the steps that are no checks: it names streams, so that checks move no draw. Absent: `place`. */
  readonly drawsAs?: number;
  /** Drawn delays, all added to `atMs`; absent: none. See `delayMsOf`. */
  readonly delays?: readonly StepDelay[];
  /** The step happens when this condition is met, which is watched from `atMs` on. Absent: it happens at `atMs`. */
  readonly waits?: StepWait;
  /**
   * The step happens `afterMs` after the condition of the step at `place` is met; `atMs` is the earliest possible
   * instant. Absent: it counts from no condition.
   */
  readonly follows?: { readonly place: number; readonly afterMs: number };
}

/** Whether a step's moment depends on what happens: it, or a step that it counts from, waits for a condition. */
export function isConditional({ waits, follows }: Step): boolean {
  return waits !== undefined || follows !== undefined;
}

/** What a step waits for. A condition on several phones or people is met as soon as one of them meets it. */
export interface StepWait {
  readonly condition: StoryCondition;
  /** It must be met within this time after the watch begins. Absent: if it is never met, the step does not happen. */
  readonly withinMs?: number;
  /** The spelling in the file, for messages. */
  readonly text: string;
}

/** A condition of the story. */
export type StoryCondition =
  | Extract<StoryExpectation, { readonly kind: "hears" | "event" }>
  | {
      /** One of the people begins a flow of the account, or ends it. */
      readonly kind: "flow";
      /** Name or UUID. */
      readonly flow: string;
      readonly people: PeopleChoice;
      /** How the run ends; absent: it begins. */
      readonly ends?: ExitType;
    }
  /** The account sends a broadcast whose text, in its base language, matches. */
  | { readonly kind: "broadcast"; readonly pattern: Pattern }
  | {
      /** A phone's number of waiting texts and reports, or the level of its battery in percent. */
      readonly kind: "queue" | "battery";
      readonly of: Selector;
      readonly op: ComparisonOp;
      readonly value: number;
    };

/** A drawn part of the time between a step's earliest instant and its instant. */
export interface StepDelay {
  /** `place` of the step for which it is drawn. Steps that count from that one by `after` have the same delay. */
  readonly place: number;
  /** See `Step.drawsAs`. */
  readonly drawsAs?: number;
  /** Drawn once for the step, which acts on no handsets or people; absent: drawn for each member. */
  readonly isShared?: true;
  /** Milliseconds. */
  readonly values: Distribution<number>;
}

/** The input that a step becomes; `to` names the part of the lab that handles it. */
export type StoryInput =
  | { readonly to: "world"; readonly input: WorldInput; readonly varies?: Variations }
  | { readonly to: "gateway"; readonly input: GatewayInput; readonly varies?: Variations }
  | { readonly to: "account"; readonly input: FlowStartInput }
  | { readonly to: "receiver"; readonly input: ReceiverInput; readonly varies?: Variations }
  | { readonly to: "delivery"; readonly input: DeliveryInput; readonly varies?: Variations }
  | { readonly to: "log"; readonly text: string; readonly beat?: Beat }
  | { readonly to: "expect"; readonly expectation: StoryExpectation }
  | { readonly to: "check"; readonly check: CheckSpec };

/** The properties of an input that are drawn when it is performed: for each member, or once when it has no members. */
export type Variations = Readonly<Record<string, Variation>>;

/** A number that varies. The input itself has the least value. */
export interface Variation {
  readonly values: Distribution<number>;
  /** Durations are rounded to whole milliseconds; `signed-ms` may be negative. */
  readonly unit: "ms" | "signed-ms" | "percent";
  /** The argument of the verb. */
  readonly argument: string;
  /** The spelling in the file. */
  readonly text: string;
}

export type GatewayInput =
  | RegistrationInput
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
    }
  | ServiceFaultInput;

/** Faults of the service towards phones, see `ServiceFault` of the gateway; or the end of all faults: `state`. */
export interface ServiceFaultInput {
  readonly verb: "service";
  readonly of: Selector;
  readonly failsAfter?: number;
  readonly poison?: Pattern;
  readonly poisonsNext?: boolean;
  readonly withholds?: boolean;
  readonly offersTo?: Selector;
  readonly doubles?: boolean;
  readonly offersIncoming?: boolean;
  readonly state?: "ok";
  readonly forMs?: number;
}

/** Changes the registration of handsets at the service. */
export type RegistrationInput =
  | {
      /** `register`: the app is installed again. `release`: the service releases the channel. */
      readonly verb: "register" | "release";
      readonly of: Selector;
      /** Milliseconds from the phone's next registration to its claim; absent: nobody claims it. */
      readonly claimedAgain?: Distribution<number>;
    }
  | {
      readonly verb: "reset";
      readonly of: Selector;
      readonly downMs: number;
      readonly claimedAgain?: Distribution<number>;
    }
  | {
      readonly verb: "claim";
      readonly of: Selector;
      /** Empty: the channel has no number. Absent: the phone's last one. */
      readonly phone?: string;
      /** Id of the organisation that claims it; absent: this one. */
      readonly org?: number;
    };

/** Starts a flow of the account for people. */
export interface FlowStartInput {
  readonly verb: "flow";
  readonly person: PeopleChoice;
  /** The handsets through whose channels it writes to them; absent: the service chooses. */
  readonly of?: Selector;
  /** Name or UUID. */
  readonly flow: string;
  /** `@trigger.params`: plain JSON. */
  readonly extra?: unknown;
}

export interface FlowValueInput {
  readonly label: string;
  readonly category: string;
  readonly value: string;
  readonly text: string;
  /** Milliseconds since 1970; absent: the instant of the step. */
  readonly timeMs?: number;
}

/** A named moment of the story. */
export interface Beat {
  /** Unique in its story, whatever its case. */
  readonly name: string;
  readonly about?: string;
}

/** A beat and its instant. */
export interface TimedBeat extends Beat {
  readonly atMs: number;
}

/** How the bundled receiver answers. `status` goes with `answers: status`. */
export interface ReceiverAnswers {
  readonly answers: "ok" | "slow" | "close" | "hang" | "garbage" | "reply" | "status";
  readonly status?: number;
}

/** Switches the bundled receiver. */
export interface ReceiverInput extends ReceiverAnswers {
  readonly forMs?: number;
}

/** Trouble between the service and the receiver, or its end: `state`. */
export interface DeliveryInput {
  readonly of: Selector;
  /** Event types; absent: all. */
  readonly types?: readonly string[];
  /** Whom the events are about; absent: all events. */
  readonly person?: PeopleChoice;
  readonly troubles: readonly TroubleSpec[];
  /** How many attempts meet each of them, over all handsets of the step; absent: no bound. */
  readonly times?: number;
  readonly state?: "ok";
  readonly forMs?: number;
}

/** Trouble that is not of the story: of all handsets, of a group, or of an entry of traffic. */
export interface StandingTrouble {
  readonly fromMs: number;
  /** Absent: it stays. */
  readonly untilMs?: number;
  readonly input: DeliveryInput;
}

/** One trouble of a step. `share`: of the attempts, 0 to 1. */
export type TroubleSpec = { readonly share: number } & (
  | { readonly kind: Extract<TroubleKind, "answers-lost" | "requests-lost" | "refused"> }
  /** Virtual milliseconds, events, requests, or bytes in a second of wall time. */
  | {
      readonly kind: Extract<TroubleKind, "delay" | "overtaken-by" | "copies" | "slow">;
      readonly amount: Distribution<number>;
    }
  | { readonly kind: "cut"; readonly place: CutPlace }
);

/** A question to the receiver's side, and the answer that it must have. */
export interface CheckSpec {
  /** `check { http: GET http://127.0.0.1:8080/health, status: 200 }`, without user name and password. */
  readonly text: string;
  readonly ask:
    | {
        readonly kind: "http";
        readonly method: string;
        /** Absolute, or a path at the receiver's address. */
        readonly url: string;
      }
    /** A command line of the shell. It holds if its exit code is 0. */
    | { readonly kind: "command"; readonly command: string };
  /** Wall milliseconds. */
  readonly withinMs: number;
  /** Default: 200..299. */
  readonly status?: StatusSet;
  readonly json?: JsonCondition;
  readonly body?: Pattern;
}

/** What a value in a JSON text must be. Neither `op` nor `pattern`: it is there, and neither `false` nor `null`. */
export interface JsonCondition {
  /** As it is written. */
  readonly text: string;
  /** Keys and indexes from the top; an index below 0 counts from the end. */
  readonly path: readonly (string | number)[];
  /** With `value`: how the value compares with it. With `pattern`: `==` it matches, `!=` it does not. */
  readonly op?: ComparisonOp;
  /** Plain JSON. */
  readonly value?: unknown;
  readonly pattern?: Pattern;
}

/** A check beside the story. */
export interface TimedCheck {
  readonly check: CheckSpec;
  /** When it is first asked; absent: once, after the drain. */
  readonly atMs?: number;
  /** The distance of further times, until `lasts`; absent: it is asked once. */
  readonly everyMs?: number | undefined;
}

/** An expectation of the story: people receive texts, events are emitted, or the account has a result or a member. */
export type StoryExpectation = {
  /** The spelling in the file, for the report. */
  readonly text: string;
  /** Absent: at any time up to the step; else in [step, step + within]. */
  readonly withinMs?: number;
} & (
  | {
      readonly kind: "hears";
      readonly people: PeopleChoice;
      readonly pattern: Pattern;
      /** Only texts by which the receiver replied to an mo_sms whose text matches this. */
      readonly answers?: Pattern;
      /** How many times each of the people receives it; default: at least once. */
      readonly count?: ExpectedCount;
    }
  | {
      readonly kind: "event";
      readonly type: string;
      readonly of?: Selector;
      /** Event fields (names of the table spelling) with the patterns that they must match. */
      readonly where: readonly (readonly [field: string, pattern: Pattern])[];
      /** Default: at least one. */
      readonly count?: ExpectedCount;
    }
  | {
      /** Each of the people has a result of a flow. */
      readonly kind: "result";
      readonly people: PeopleChoice;
      /** Name of the result; case, and what a slug replaces, do not matter. */
      readonly result: string;
      /** What its value matches, or is equal to; absent: any value. */
      readonly value?: Pattern;
      /** Absent: any category. */
      readonly category?: string;
      /** Name or UUID of the flow; absent: the latest run that has the result. */
      readonly flow?: string;
    }
  | {
      /** Each of the people is a member of a group, or is not. */
      readonly kind: "group";
      readonly people: PeopleChoice;
      /** Name or UUID. */
      readonly group: string;
      readonly isMember: boolean;
    }
);

/** A bound on a count. */
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
  /** Selects events and handsets; absent: all. */
  readonly tags?: Tags;
  readonly op: ComparisonOp;
  readonly value: number;
  /** It must hold in each window of this length, in wall time; absent: over the whole run. */
  readonly overMs?: number;
  /** Values before this wall time from the beginning do not count. */
  readonly fromMs?: number;
  /** If it is broken, the run stops. */
  readonly abort?: boolean;
}
