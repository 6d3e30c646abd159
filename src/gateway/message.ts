import type { SimTime } from "../sim/index.js";
import type { MessageStatus } from "./journal.js";

/** An outgoing message. */
export interface Message {
  readonly row: number;
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  status: MessageStatus;
  /** A sync has offered it to the phone, so it can no longer be withdrawn. */
  isOffered: boolean;
  /** Numbers of the first `mt_sent`, `mt_dlvd` and `mt_fail` events about it; 0: none yet. */
  sentEvent: number;
  deliveredEvent: number;
  failedEvent: number;
  /** Fault `withholds`: the first sync that did not offer it. */
  withheldFromMs?: SimTime | undefined;
  /** Fault `withholds`: the first sync that offered it after that. */
  withheldUntilMs?: SimTime | undefined;
  /** Fault `offersTo`: the id of its own channel, if it was offered to another one's phone. */
  home?: number;
  /** Fault `offersIncoming`: it is a text that came in. Reports about it change no row and make no event. */
  readonly isIncoming?: boolean;
}
