import type { Stream } from "../../sim/index.js";
import type { DelayReason } from "../../wire/index.js";
import type { Carrier } from "../carrier/carrier.js";
import type { Incoming, Subscriber } from "../carrier/subscriber.js";

/** The numbers of a phone's SIM slots. */
export const simSlots = [1, 2] as const;
/** One of `simSlots`. */
export type SimSlot = (typeof simSlots)[number];

/** The interface of a phone for its SIMs. */
export interface SimHolder {
  readonly channel: number;
  readonly stream: Stream;
  /** The number of the phone's first SIM, as the cast has it. */
  readonly castNumber: string;
  /** Whether the carrier reaches the phone on this SIM. */
  reachesOn(sim: Sim): boolean;
  /** Why the carrier does not reach it; undefined: it does. */
  unreachableOn(sim: Sim): DelayReason | undefined;
  /** Whether the SIM has a slot of the phone, even while it is taken out. */
  holds(sim: Sim): boolean;
  heldGapMs(): number;
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void;
  backlogInterrupted(): void;
}

/**
 * A SIM in a phone: a carrier's number, with credit. The carrier delivers texts to it. When its number moves to another
 * phone, slot or carrier, a new `Sim` with the number succeeds this one.
 */
export class Sim implements Subscriber {
  readonly holder: SimHolder;
  readonly carrier: Carrier;
  /** Undefined: the phone's number in the cast. */
  readonly #number: string | undefined;
  /** Units; each segment that is sent takes one. Undefined: no limit. */
  #credit: number | undefined;
  /** The next SIM with this number; it may have a successor too. */
  #successor: Sim | undefined;

  /** @param options - `number`: undefined for the first SIM in the cast; `credit`: units; undefined: no limit */
  constructor(options: {
    readonly holder: SimHolder;
    readonly carrier: Carrier;
    readonly number: string | undefined;
    readonly credit: number | undefined;
  }) {
    this.holder = options.holder;
    this.carrier = options.carrier;
    this.#number = options.number;
    this.#credit = options.credit;
  }

  get number(): string {
    return this.#number ?? this.holder.castNumber;
  }

  get isKnown(): boolean {
    return this.#number === undefined;
  }

  get credit(): number | undefined {
    return this.#credit;
  }

  /** Pays a segment. @returns false when no credit is left */
  paySegment(): boolean {
    if (this.#credit === undefined) return true;
    if (this.#credit === 0) return false;
    this.#credit--;
    return true;
  }

  /** Sets the credit, or adds to it. A SIM without a limit has 0 units before its first change. */
  changeCredit({ units, adds }: { readonly units?: number | undefined; readonly adds?: number | undefined }): void {
    this.#credit = units ?? (this.#credit ?? 0) + (adds ?? 0);
  }

  /** The SIM that has the number now; undefined: no phone has it, because its SIM was swapped for another. */
  get current(): Sim | undefined {
    if (this.holder.holds(this)) return this;
    return this.#successor?.current;
  }

  /** Notes the SIM to which the number moves: texts under way follow it. */
  succeedBy(successor: Sim): void {
    this.#successor = successor;
  }

  get channel(): number {
    return this.holder.channel;
  }

  get stream(): Stream {
    return this.holder.stream;
  }

  get isReachable(): boolean {
    return this.holder.reachesOn(this);
  }

  get unreachableBecause(): DelayReason | undefined {
    return this.holder.unreachableOn(this);
  }

  heldGapMs(): number {
    return this.holder.heldGapMs();
  }

  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void {
    this.holder.receive(incoming, options);
  }

  backlogInterrupted(): void {
    this.holder.backlogInterrupted();
  }
}
