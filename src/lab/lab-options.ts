import type { HttpSender } from "../http/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Fakes, SimTime } from "../sim/index.js";
import type { RecordedRoundTrip, Recording, RecordingReader, UndeliveredEvent } from "../store/index.js";
import type { InTransit, Part } from "../world/index.js";
import type { Happening } from "./happening.js";
import type { AskCheck } from "./checks/run-checks.js";
import type { ReceiverSwitch } from "./receiver-switch.js";
import type { Pace } from "./time/pace.js";
import type { StepGate } from "./time/step-gate.js";

/** A text that a person's phone has shown. */
export interface Hearing {
  /** The person's place in the population. */
  readonly person: number;
  readonly text: string;
  readonly channel: number;
  readonly atMs: SimTime;
  /** The service's id of the message. */
  readonly message: number;
}

/** A database that a lab continues: its messages, contacts, channels, and the work in flight. */
export interface Continuation {
  /** Start of virtual time. Story and traffic before it are not played. */
  readonly fromMs: SimTime;
  /**
   * Delivery URLs by channel that replace the scenario's (null: the channel's events are not sent); undefined when
   * none does.
   */
  readonly urls: ReadonlyMap<number, string | null> | undefined;
  /** Phone numbers of people who are not in the cast, from `readGuests`. */
  readonly guests: readonly string[];
  /** Texts and calls that were on their way to the service, from `readInTransit`. */
  readonly inTransit: readonly InTransit[];
  /** Events that were neither delivered nor failed; they are sent again at the start. */
  readonly undelivered: readonly UndeliveredEvent[];
}

/** A lab that offers the REST API. */
export interface ServedMode {
  /** Served from a file: commits at each dispatch instead of every 250 ms, and records texts and calls in transit. */
  readonly isDurable?: boolean;
  /** Paced: virtual time when the clock starts, if that is later than the start of virtual time. */
  readonly startsAt?: (() => SimTime) | undefined;
  /** Labs that do not end: the scenario's own `lasts`, at which its bounds are judged. Virtual milliseconds. */
  readonly judgesAtMs?: SimTime | undefined;
}

/** A lab that plays a recorded run again. */
export interface Resumption {
  /** The recording of a killed run, which is re-executed before anything is sent. Absent: the caller re-executes. */
  readonly killedRun?: RecordingReader;
  readonly roundTrips: Iterable<RecordedRoundTrip>;
}

/** The parts of a `Lab`, and how it plays. */
export interface LabOptions {
  readonly scenario: Scenario;
  readonly recording: Recording;
  /** Delivery URL of channels without their own; null: their events are not sent. */
  readonly url: string | null;
  /** Absent: no event is sent, whatever the channels' URLs. */
  readonly sender?: HttpSender;
  readonly pace: Pace;
  /** Paced: how far the world plays ahead of the wall clock, in wall milliseconds (see `LiveClock`); default 0. */
  readonly playAheadMs?: number;
  readonly fakes: Fakes;
  /** The bundled receiver's switch, for the story's `receiver` steps. */
  readonly receiver?: ReceiverSwitch;
  /** Asks the scenario's checks; absent: they are not asked, and count as far as the recording has their answers. */
  readonly askCheck?: AskCheck;
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** Paced: the clock starts paused. */
  readonly isPaused?: boolean;
  /**
   * Lockstep: wall milliseconds that the API must be idle after each window. Absent: the run does not wait for clients.
   */
  readonly settleMs?: number;
  /** Whether a resthook's subscriber at a URL may be posted to; absent: none may. */
  readonly isAllowed?: (url: string) => boolean;
  /** Absent: the lab begins at virtual time 0. */
  readonly continues?: Continuation | undefined;
  /** Absent: the REST API is not offered. */
  readonly served?: ServedMode | undefined;
  /** Absent: nothing is re-executed. */
  readonly resumed?: Resumption | undefined;
  /** An account was loaded: its flows read when each contact was last seen. */
  readonly hasAccount?: boolean;
  /** Plays only this part of the fleet. */
  readonly part?: Part;
  /** Process ids of all parts of the fleet that this machine plays. */
  readonly fleet?: readonly number[] | undefined;
  /** True when the load of other programs is not measured, so that seconds with a high load are judged, too. */
  readonly judgeBusy?: boolean | undefined;
  /** Awaited when everything is ready, before time begins to pass. */
  readonly beforeStart?: () => Promise<void>;
  /** Limit of the drain in virtual milliseconds; default 0: no drain. */
  readonly drainMs?: number;
  /** Awaited after the last answer has taken effect, before the ledger is closed: closes the API. */
  readonly beforeClose?: () => Promise<void>;
  /** Lockstep: the caller lets time pass in steps. Absent: it passes to the end. */
  readonly gate?: StepGate;
  /** Called when a person's phone has shown a text. */
  readonly onHeard?: (hearing: Hearing) => void;
  /** Called for each entry of the live log. */
  readonly onHappening?: (happening: Happening) => void;
}
