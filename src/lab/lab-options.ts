import type { HttpSender } from "../http/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Fakes, SimTime } from "../sim/index.js";
import type { Recording, RecordingReader, UndeliveredEvent } from "../store/index.js";
import type { InTransit, Part } from "../world/index.js";
import type { Happening } from "./happening.js";
import type { ReceiverSwitch } from "./target.js";
import type { Pace } from "./time/pace.js";

/** What a `Lab` is made of, and how it is to play. */
export interface LabOptions {
  readonly scenario: Scenario;
  readonly recording: Recording;
  /** Delivery URL of channels that have none of their own; null: their events go nowhere. */
  readonly url: string | null;
  /** Absent: nothing is posted at all, whatever the channels' URLs. */
  readonly sender?: HttpSender;
  readonly pace: Pace;
  /** Paced: the world is played so many wall milliseconds ahead, as of `LiveClock`; default 0. */
  readonly leadMs?: number;
  readonly fakes: Fakes;
  /** The bundled receiver's switch, for the story's `receiver` steps. */
  readonly receiver?: ReceiverSwitch;
  /** Wall milliseconds without any answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** Where virtual time begins; default 0. Story and traffic up to a later instant have been. */
  readonly fromMs?: SimTime;
  /** Paced: virtual time when the clock starts, where that is later than `fromMs`. */
  readonly startsAt?: (() => SimTime) | undefined;
  /** Paced: the clock begins paused. */
  readonly isPaused?: boolean;
  /** Lockstep: so many wall milliseconds the API must be idle after each window, see `idle`. Absent: it is not waited for. */
  readonly settleMs?: number;
  /** Whether subscribers of resthooks may be posted to at an address; absent: none may. */
  readonly isAllowed?: (url: string) => boolean;
  /** The recording holds messages already, which are gone on with. */
  readonly resumes?: boolean;
  /** Delivery URLs by channel that replace what the scenario says; null: events go nowhere. */
  readonly urls?: ReadonlyMap<number, string | null>;
  /** Whether the REST API is offered beside the run. */
  readonly isServed?: boolean;
  /** Events that were recorded before and have not come to their end: they are posted again when it begins. */
  readonly undelivered?: readonly UndeliveredEvent[];
  /** Nothing goes out, and nothing is waited for, before what led to it is committed. */
  readonly isDurable?: boolean;
  /** Texts and calls that were on their way when it was cut off, as `inTransitIn` gives them. */
  readonly inTransit?: readonly InTransit[];
  /** A run that was cut off is gone on with: its recording is gone through again before anything is sent. */
  readonly past?: RecordingReader;
  /** Only this part of the fleet is brought to life. */
  readonly part?: Part;
  /** Numbers of people beyond the cast who are there from the beginning. */
  readonly guests?: readonly string[];
  /** Awaited when everything is ready, before time begins to pass. */
  readonly begins?: () => Promise<void>;
  /** Virtual milliseconds that the world lives on after its end at most, while something waits; default 0. */
  readonly drainMs?: number;
  /** Awaited when the last answer has taken effect, before the books are closed: whoever may still write is to stop. */
  readonly closes?: () => Promise<void>;
  /** Told of everything that happens, as it happens: the live log. */
  readonly happened?: (happening: Happening) => void;
}
