import type { SimTime, Stream } from "../../sim/index.js";
import type { DelayReason, ReportedFact } from "../../wire/index.js";
import type { Holding } from "./holding.js";

/** What a carrier delivers to a handset: a person's text, or a receipt of a text that reached a person's phone. */
export type Incoming = IncomingText | IncomingReceipt;

/** A person's text to a handset. */
export interface IncomingText {
  readonly kind: "text";
  readonly from: string;
  readonly text: string;
  /** Shared by both copies of a text that the carrier duplicates; else undefined. */
  readonly fact: ReportedFact | undefined;
  readonly sentAtMs: SimTime;
  held: Holding | undefined;
}

/** The network's report to a handset that its message was delivered. */
export interface IncomingReceipt {
  readonly kind: "delivered";
  readonly id: number;
  readonly epoch: number;
  /** True for a report that follows the first one about the same message. */
  readonly isFurther: boolean;
  held: Holding | undefined;
}

/**
 * A text to a person: the service's message id, the handset's epoch, the recipient's place and number, and the text.
 */
export interface Outgoing {
  readonly id: number;
  readonly epoch: number;
  readonly person: number;
  readonly phone: string;
  readonly text: string;
  /** True for the segments of a failed text that went out before the failure; the network does not report them. */
  readonly isFragment: true | undefined;
  /** The places of the segments in the text, from 1, in the order in which a person sees them; absent: as sent. */
  readonly order?: readonly number[];
}

/** A handset's interface towards a carrier: one of its SIMs. */
export interface Subscriber {
  readonly channel: number;
  readonly stream: Stream;
  /** The handset is on and within coverage, and the SIM is in it. */
  readonly isReachable: boolean;
  readonly carrier: HomeCarrier;
  /** The SIM that has the number now: this one, or another to which it moved; undefined: no phone has the number. */
  readonly current: Subscriber | undefined;
  /** Whether it is the handset's SIM of the cast, whose number people know from the start. */
  readonly isKnown: boolean;
  /** Why it is not reachable. */
  readonly unreachableBecause: DelayReason | undefined;
  /** The gap before the next text of a backlog, milliseconds. */
  heldGapMs(): number;
  /** Do not keep `incoming`: the carrier reuses the object. `isMoreComing`: more of the backlog follows. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void;
  /** The handset became unreachable within a backlog; the carrier keeps the rest. */
  backlogInterrupted(): void;
}

/** The carrier of a number. */
export interface HomeCarrier {
  readonly backlogs: NumberHolder;
  /** Carries a text from a person to a handset. */
  carryToHandset(to: Subscriber, text: { readonly from: string; readonly text: string }, sender: Stream): void;
}

/** Delivers or queues texts and receipts for a carrier's numbers. */
export interface NumberHolder {
  /** Delivers, or queues while the handset is unreachable. @returns false when it is queued */
  deliverOrHold(to: Subscriber, incoming: Incoming): boolean;
  /** Queues, also for a reachable handset. */
  hold(to: Subscriber, incoming: Incoming): void;
}
