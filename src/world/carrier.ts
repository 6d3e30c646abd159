import { sampleWhole, type SimTime, type Stream, type Timer } from "../sim/index.js";
import type { InTransit } from "./in-transit.js";
import type { CarrierSpec } from "./cast/cast.js";
import type { Delay, DelayReason, ReportedFact } from "../wire/index.js";
import type { WorldContext } from "./world-context.js";

/** What a carrier delivers to a handset: a person's text, or a receipt of a text that reached a person's phone. */
export type Incoming =
  | {
      readonly kind: "text";
      readonly from: string;
      readonly text: string;
      /** Shared by both copies of a text that the carrier duplicates; else undefined. */
      readonly fact: ReportedFact | undefined;
      readonly sentAtMs: SimTime;
      held: Holding | undefined;
    }
  | { readonly kind: "delivered"; readonly id: number; readonly epoch: number; held: Holding | undefined };

/** The instant since which the carrier queues texts or calls for a handset, and the reason. */
interface Holding {
  readonly sinceMs: SimTime;
  readonly why: DelayReason;
}

/** The delay of a text or call that the carrier has held until now, as reports list it. */
export function delayOf(held: Holding | undefined, nowMs: SimTime): Delay[] | undefined {
  if (held === undefined) return undefined;
  return [{ kind: "held-by-carrier", why: held.why, fromMs: held.sinceMs, untilMs: nowMs, times: 1 }];
}

/** A person's text at a carrier: in transit, or held for an unreachable handset. */
export interface CarriedText {
  readonly channel: number;
  readonly from: string;
  readonly text: string;
  readonly sentAtMs: SimTime;
  /** When it arrives; null while it is held. */
  readonly arrivesAtMs: SimTime | null;
  /** Since when and why it is held; null while it is in transit. */
  readonly held: { readonly sinceMs: SimTime; readonly why: DelayReason } | null;
}

/** The handset's interface towards its carrier. */
export interface Subscriber {
  readonly channel: number;
  readonly stream: Stream;
  /** The handset is on and within coverage. */
  readonly isReachable: boolean;
  /** Why it is not reachable. */
  readonly unreachableBecause: DelayReason | undefined;
  /** The gap before the next text of a backlog, milliseconds. */
  heldGapMs(): number;
  /** Do not keep `incoming`: the carrier reuses the object. `isMoreComing`: more of the backlog follows. */
  receive(incoming: Incoming, options: { readonly isMoreComing: boolean }): void;
  /** The handset became unreachable within a backlog; the carrier keeps the rest. */
  backlogInterrupted(): void;
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
}

/** What a carrier can do to a text instead of carrying exactly one copy. */
export type CarrierFate = "loses" | "duplicates";

/** What a carrier does to the next texts of people to a handset, or to the next messages of a handset to people. */
interface PlannedFates {
  readonly fate: CarrierFate;
  readonly way: "texts" | "messages";
  readonly times: number;
}

/** Shows texts to people. */
export interface TextRecipients {
  showText(channel: number, outgoing: Outgoing): void;
}

/** Options of a text that is not part of a backlog. */
const alone = { isMoreComing: false };

/** A text on its way to a handset. */
interface TextInFlight {
  readonly kind: "text";
  readonly carrier: Carrier;
  to: Subscriber;
  from: string;
  text: string;
  fact: ReportedFact | undefined;
  sentAtMs: SimTime;
  held: Holding | undefined;
  timer: Timer | undefined;
}

/** A delivery receipt on its way to a handset. */
interface Receipt {
  readonly carrier: Carrier;
  readonly to: Subscriber;
  readonly incoming: Incoming;
}

/** Maximum size of the object pool. */
const POOLED_MAX = 4096;

/** A text on its way to a person. */
interface TextToPerson {
  readonly carrier: Carrier;
  readonly from: Subscriber;
  readonly outgoing: Outgoing;
  readonly isCopy: boolean;
}

/** Texts and receipts held for a handset that is unreachable. */
interface CarrierBacklog {
  readonly queue: Incoming[];
  isFlowing: boolean;
}

/**
 * A mobile network between people and handsets: it delays, loses and duplicates texts, holds those for unreachable
 * handsets, and may report delivery. `carryToHandset` → `#textArrived` → `#deliverOrHold`; `carryToPerson` →
 * `#shownToPerson`. It has no random stream: it draws from the sender's.
 */
export class Carrier {
  readonly #spec: CarrierSpec;
  readonly #context: WorldContext;
  readonly #people: TextRecipients;
  readonly #backlogs = new Map<number, CarrierBacklog>();
  /** By direction and channel. */
  readonly #planned = new Map<string, { readonly fate: CarrierFate; times: number }>();
  /** Object pool: texts that have been delivered, with their timers. */
  readonly #pool: TextInFlight[] = [];
  #textsUnderWay = 0;
  /**
   * Texts in transit to handsets; undefined unless `trackTexts` was called, because a set entry per text takes time.
   */
  #tracked: Set<TextInFlight> | undefined;
  #receiptsUnderWay = 0;

  constructor(spec: CarrierSpec, context: WorldContext, people: TextRecipients) {
    this.#spec = spec;
    this.#context = context;
    this.#people = people;
  }

  /** Counts the texts that are under way or held. */
  get textCount(): number {
    let held = 0;
    for (const { queue } of this.#backlogs.values()) {
      for (const incoming of queue) if (incoming.kind === "text") held++;
    }
    return this.#textsUnderWay + held;
  }

  /** Makes `inTransit` list texts under way. Call it before the first text. */
  trackTexts(): void {
    this.#tracked = new Set();
  }

  /** The texts to handsets that are held, and those under way if they are tracked. */
  inTransit(): InTransit[] {
    const found: InTransit[] = [];
    for (const { to, from, text } of this.#tracked ?? []) found.push({ channel: to.channel, from, text });
    for (const [channel, { queue }] of this.#backlogs) {
      for (const one of queue) if (one.kind === "text") found.push({ channel, from: one.from, text: one.text });
    }
    return found;
  }

  /** The texts to a handset, or to all, that are held, and those under way if they are tracked. */
  carriedTexts(channel?: number): CarriedText[] {
    const found: CarriedText[] = [];
    for (const { to, from, text, sentAtMs, timer } of this.#tracked ?? []) {
      if (channel !== undefined && to.channel !== channel) continue;
      found.push({ channel: to.channel, from, text, sentAtMs, arrivesAtMs: timer?.atMs ?? null, held: null });
    }
    for (const [place, { queue }] of this.#backlogs) {
      if (channel !== undefined && place !== channel) continue;
      for (const one of queue) {
        if (one.kind !== "text") continue;
        const { from, text, sentAtMs, held } = one;
        found.push({
          channel: place,
          from,
          text,
          sentAtMs,
          arrivesAtMs: null,
          held: held === undefined ? null : { ...held },
        });
      }
    }
    return found;
  }

  /** Delivers a text now that was in transit when the database was closed. */
  restoreText(to: Subscriber, text: { readonly from: string; readonly text: string }): void {
    this.#scheduleText(to, { ...text, delayMs: 0, fact: undefined });
  }

  /** Whether a text or a receipt is under way or held. */
  get isBusy(): boolean {
    return this.#textsUnderWay > 0 || this.#receiptsUnderWay > 0 || this.#backlogs.size > 0;
  }

  /** Carries a text from a person to a handset. */
  carryToHandset(
    to: Subscriber,
    { from, text }: { readonly from: string; readonly text: string },
    sender: Stream,
  ): void {
    const instances = this.#drawInstances(sender, this.#takePlanned("texts", to.channel));
    if (instances === 0)
      return this.#context.tally.lost("texts", "carrier", [{ channel: to.channel, phone: from, text }]);
    const fact = instances > 1 ? { event: 0 } : undefined;
    for (let instance = 0; instance < instances; instance++) {
      this.#scheduleText(to, { from, text, delayMs: sampleWhole(this.#spec.delay, sender), fact });
    }
  }

  #scheduleText(
    to: Subscriber,
    one: {
      readonly from: string;
      readonly text: string;
      readonly delayMs: number;
      readonly fact: TextInFlight["fact"];
    },
  ): void {
    const { kernel } = this.#context;
    this.#textsUnderWay++;
    const inbound = this.#pool.pop() ?? this.#newText(to, one.from, one.text);
    inbound.to = to;
    inbound.from = one.from;
    inbound.text = one.text;
    inbound.fact = one.fact;
    inbound.sentAtMs = kernel.now;
    this.#tracked?.add(inbound);
    if (inbound.timer === undefined) inbound.timer = kernel.in(one.delayMs, Carrier.#textArrived, inbound);
    else kernel.reschedule(inbound.timer, one.delayMs, Carrier.#textArrived);
  }

  #newText(to: Subscriber, from: string, text: string): TextInFlight {
    return {
      kind: "text",
      carrier: this,
      to,
      from,
      text,
      fact: undefined,
      sentAtMs: 0,
      held: undefined,
      timer: undefined,
    };
  }

  /** Carries a text from a handset to a person. */
  carryToPerson(from: Subscriber, outgoing: Outgoing): void {
    const instances = this.#drawInstances(from.stream, this.#takePlanned("messages", from.channel));
    if (instances === 0) {
      const { id: message, phone, text } = outgoing;
      return this.#context.tally.lost("texts", "carrier", [{ channel: from.channel, phone, text, message }]);
    }
    for (let instance = 0; instance < instances; instance++) {
      this.#textsUnderWay++;
      const delayMs = sampleWhole(this.#spec.delay, from.stream);
      this.#context.kernel.in(delayMs, Carrier.#shownToPerson, { carrier: this, from, outgoing, isCopy: instance > 0 });
    }
  }

  /** Draws how many copies of a text arrive: 0, 1 or 2. @param planned - what happens to it without a draw */
  #drawInstances(sender: Stream, planned: CarrierFate | undefined): number {
    const { loses, duplicates } = this.#spec;
    if (planned === "loses" || (planned === undefined && loses > 0 && sender.chance(loses))) return 0;
    const isDoubled = planned === "duplicates" || (duplicates > 0 && sender.chance(duplicates));
    if (!isDoubled) return 1;
    this.#context.tally.copy("texts", "carrier");
    return 2;
  }

  /** Sets the fate of the next `times` texts to a handset, or messages from it; 0 clears it. */
  planFates(channel: number, { fate, way, times }: PlannedFates): void {
    const key = `${way} ${channel}`;
    if (times > 0) this.#planned.set(key, { fate, times });
    else this.#planned.delete(key);
  }

  #takePlanned(way: PlannedFates["way"], channel: number): CarrierFate | undefined {
    if (this.#planned.size === 0) return undefined;
    const key = `${way} ${channel}`;
    const planned = this.#planned.get(key);
    if (planned !== undefined && --planned.times === 0) this.#planned.delete(key);
    return planned?.fate;
  }

  static #textArrived(this: void, inbound: TextInFlight): void {
    const { carrier } = inbound;
    carrier.#textsUnderWay--;
    carrier.#tracked?.delete(inbound);
    const isTaken = carrier.#deliverOrHold(inbound.to, inbound);
    if (isTaken && carrier.#pool.length < POOLED_MAX) carrier.#pool.push(inbound);
  }

  static #receiptArrived(this: void, { carrier, to, incoming }: Receipt): void {
    carrier.#receiptsUnderWay--;
    carrier.#deliverOrHold(to, incoming);
  }

  /** Delivers to a reachable handset without a backlog, else queues. @returns whether the handset has received it */
  #deliverOrHold(to: Subscriber, incoming: Incoming): boolean {
    const held = this.#backlogs.size === 0 ? undefined : this.#backlogs.get(to.channel);
    if (to.isReachable && held === undefined) {
      to.receive(incoming, alone);
      return true;
    }
    incoming.held = { sinceMs: this.#context.kernel.now, why: to.unreachableBecause ?? "backlog" };
    if (held !== undefined) held.queue.push(incoming);
    else this.#backlogs.set(to.channel, { queue: [incoming], isFlowing: false });
    return false;
  }

  static #shownToPerson(this: void, { carrier, from, outgoing, isCopy }: TextToPerson): void {
    const { tally } = carrier.#context;
    const { reportsDelivery, reportsAfter } = carrier.#spec;
    carrier.#textsUnderWay--;
    tally.delivered("texts");
    carrier.#people.showText(from.channel, outgoing);
    if (isCopy || reportsDelivery === 0 || !from.stream.chance(reportsDelivery)) return;
    const { id, epoch } = outgoing;
    const incoming: Incoming = { kind: "delivered", id, epoch, held: undefined };
    const delayMs = sampleWhole(reportsAfter, from.stream);
    carrier.#receiptsUnderWay++;
    carrier.#context.kernel.in(delayMs, Carrier.#receiptArrived, { carrier, to: from, incoming });
  }

  /**
   * Delivers what was held for a handset, in order of arrival, with small gaps. Call it when the handset is reachable.
   */
  deliverBacklog(to: Subscriber): void {
    const held = this.#backlogs.get(to.channel);
    if (held === undefined || held.isFlowing || !to.isReachable) return;
    held.isFlowing = true;
    this.#deliverNext(to, held);
  }

  #deliverNext(to: Subscriber, held: CarrierBacklog): void {
    const incoming = held.queue.shift();
    const isMoreComing = held.queue.length > 0;
    if (!isMoreComing) this.#backlogs.delete(to.channel);
    if (incoming !== undefined) to.receive(incoming, { isMoreComing });
    if (isMoreComing) this.#context.kernel.in(to.heldGapMs(), Carrier.#nextDue, { carrier: this, to, held });
  }

  static #nextDue(
    this: void,
    step: { readonly carrier: Carrier; readonly to: Subscriber; readonly held: CarrierBacklog },
  ): void {
    const { carrier, to, held } = step;
    if (to.isReachable) carrier.#deliverNext(to, held);
    else {
      held.isFlowing = false;
      to.backlogInterrupted();
    }
  }
}
