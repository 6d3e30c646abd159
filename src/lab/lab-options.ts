import type { HttpSender } from "../http/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Fakes, SimTime } from "../sim/index.js";
import type { RecordedRoundTrip, Recording, RecordingReader, UndeliveredEvent } from "../store/index.js";
import type { InTransit, Part } from "../world/index.js";
import type { Happening } from "./happening.js";
import type { ReceiverSwitch } from "./receiver-switch.js";
import type { Pace } from "./time/pace.js";

/** What a `Lab` is made of, and how it plays. */
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
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** Start of virtual time; default 0. Story and traffic before it are not played. */
  readonly fromMs?: SimTime;
  /** Paced: virtual time when the clock starts, if that is later than `fromMs`. */
  readonly startsAt?: (() => SimTime) | undefined;
  /** Paced: the clock starts paused. */
  readonly isPaused?: boolean;
  /**
   * Lockstep: wall milliseconds that the API must be idle after each window. Absent: the run does not wait for clients.
   */
  readonly settleMs?: number;
  /** Whether a resthook's subscriber at a URL may be posted to; absent: none may. */
  readonly isAllowed?: (url: string) => boolean;
  /** A served database is opened again: its messages, contacts and channels continue. */
  readonly continuesDatabase?: boolean;
  /** Delivery URLs by channel that replace the scenario's; null: the channel's events are not sent. */
  readonly urls?: ReadonlyMap<number, string | null>;
  /** Whether the REST API is offered during the run. */
  readonly isServed?: boolean;
  /** An account was loaded: its flows read when contacts were last seen. */
  readonly hasAccount?: boolean;
  /** Continued databases: events that were neither delivered nor failed; they are sent again at the start. */
  readonly undelivered?: readonly UndeliveredEvent[];
  /** Served from a file: commits at each dispatch instead of every 250 ms, and records texts and calls in transit. */
  readonly isDurable?: boolean;
  /** Continued databases: texts and calls that were on their way to the service, from `readInTransit`. */
  readonly inTransit?: readonly InTransit[];
  /** Resumes a killed run: its recording is re-executed before anything is sent. */
  readonly resumedFrom?: RecordingReader;
  /** The recorded round trips of a run that is played again; default: those of `resumedFrom`. */
  readonly recordedRoundTrips?: Iterable<RecordedRoundTrip>;
  /** Plays only this part of the fleet. */
  readonly part?: Part;
  /** Process ids of all parts of the fleet that this machine plays. */
  readonly fleet?: readonly number[] | undefined;
  /** The load of other programs on this machine is not measured: seconds in which it is high are judged, too. */
  readonly judgeBusy?: boolean | undefined;
  /** Continued databases: phone numbers of people who are not in the cast, from `readGuests`. */
  readonly guests?: readonly string[];
  /** Awaited when everything is ready, before time begins to pass. */
  readonly beforeStart?: () => Promise<void>;
  /** Limit of the drain in virtual milliseconds; default 0: no drain. */
  readonly drainMs?: number;
  /** Awaited after the last answer has taken effect, before the ledger is closed: closes the API. */
  readonly beforeClose?: () => Promise<void>;
  /** Served labs, which do not end: the scenario's own `lasts`, at which its bounds are judged. Virtual milliseconds. */
  readonly judgesAtMs?: SimTime;
  /** Called for each entry of the live log. */
  readonly onHappening?: (happening: Happening) => void;
}
