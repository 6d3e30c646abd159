import { sampleWhole, type SimTime, type Stream, type Timer } from "../sim/index.js";
import { CarrierQueue } from "./carrier-queue.js";
import { ChangingValues } from "./changing-values.js";
import { partsOf, segmentsOf } from "./handset/segments.js";
import type { InTransit } from "./in-transit.js";
import type { CarrierSettings, CarrierSpec } from "./cast/cast.js";
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
  | {
      readonly kind: "delivered";
      readonly id: number;
      readonly epoch: number;
      /** True for a report that follows the first one about the same message. */
      readonly isFurther: boolean;
      held: Holding | undefined;
    };

/** The instant since which the carrier holds a text or a receipt, and the reason. */
interface Holding {
  readonly sinceMs: SimTime;
  /** Absent: it is held now. */
  readonly untilMs?: SimTime;
  readonly why: DelayReason;
  /** It was held before, for another reason. */
  readonly before?: Holding | undefined;
}

/** The delays of a text or a receipt that the carrier has held until now, as reports list them. */
export function delayOf(held: Holding | undefined, nowMs: SimTime): Delay[] | undefined {
  if (held === undefined) return undefined;
  const { why, sinceMs, untilMs = nowMs, before } = held;
  return [...(delayOf(before, nowMs) ?? []), { kind: "held-by-carrier", why, fromMs: sinceMs, untilMs, times: 1 }];
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

/** A handset's interface towards a carrier: one of its SIMs. */
export interface Subscriber {
  readonly channel: number;
  readonly stream: Stream;
  /** The handset is on and within coverage, and the SIM is in it. */
  readonly isReachable: boolean;
  readonly carrier: Carrier;
  /** What has the number now, if it has moved; undefined: its SIM was swapped for another. */
  readonly current: Subscriber | undefined;
  /** Whether it is the SIM of the handset in the cast, whose number people know. */
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

/**
 * A text to a person: the service's message id, the handset's epoch, the recipient's place and number, and the text.
 */
export interface Outgoing {
  readonly id: number;
  readonly epoch: number;
  readonly person: number;
  readonly phone: string;
  readonly text: string;
  /** True for the first segments of a text that failed, for which no delivery is reported. */
  readonly isFragment: true | undefined;
  /** The places, from 1, of the segments in the order in which they are shown; absent: as sent. */
  readonly order?: readonly number[];
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
  /** Whether a person's phone is off, so that texts to it wait. */
  isUnreachable(person: number): boolean;
  showText(from: Subscriber, outgoing: Outgoing): void;
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
  /** From the congested carrier's queue, or from the sender, to the handset. */
  delayMs: number;
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
  readonly kind: "message";
  readonly carrier: Carrier;
  readonly from: Subscriber;
  readonly outgoing: Outgoing;
  readonly isCopy: boolean;
  /** The network has reported its delivery already. */
  readonly isReported: boolean;
  readonly sentAtMs: SimTime;
  readonly delayMs: number;
  held: Holding | undefined;
}

/** Texts and receipts held for a handset that is unreachable. */
interface CarrierBacklog {
  readonly queue: Incoming[];
  isFlowing: boolean;
}

/**
 * A mobile network between people and handsets: it delays, loses and duplicates texts, queues those beyond its
 * capacity, holds those for unreachable phones, and may report delivery. `carryToHandset` → `#textArrived` →
 * `#deliverOrHold`; `carryToPerson` → `#messageArrived` → `#showToPerson`. It has no random stream: it draws from the
 * sender's.
 */
export class Carrier {
  readonly name: string;
  readonly #settings: ChangingValues<CarrierSettings>;
  readonly #handsetCount: number;
  readonly #queue: CarrierQueue<TextInFlight | TextToPerson>;
  /** Messages to people whose phones are off, by person. */
  readonly #forPeople = new Map<number, TextToPerson[]>();
  readonly #context: WorldContext;
  readonly #people: TextRecipients;
  readonly #backlogs = new Map<Subscriber, CarrierBacklog>();
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

  /** @param options - `handsetCount`: SIMs of this carrier at the start, in all parts of the fleet */
  constructor(
    spec: CarrierSpec,
    options: {
      readonly context: WorldContext;
      readonly people: TextRecipients;
      readonly handsetCount: number;
    },
  ) {
    const { context } = options;
    this.name = spec.name;
    this.#context = context;
    this.#people = options.people;
    this.#handsetCount = options.handsetCount;
    this.#queue = new CarrierQueue(context.kernel, (one) => this.#leaveQueue(one));
    this.#settings = new ChangingValues<CarrierSettings>(spec, {
      kernel: context.kernel,
      onChange: () => this.#settingsChanged(),
    });
    this.#settingsChanged();
  }

  /** Changes the network, for good or for a time. */
  change(changes: Partial<CarrierSettings>, forMs: number | undefined): void {
    this.#settings.change(changes, forMs);
  }

  #settingsChanged(): void {
    const { carriesPerMs } = this.#settings.current;
    this.#queue.setGap(carriesPerMs === Infinity ? undefined : this.#handsetCount / carriesPerMs);
  }

  /** Share of segments from handsets that the network refuses. */
  get refusesSends(): number {
    return this.#settings.current.refuses ?? 0;
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
    for (const [{ channel }, { queue }] of this.#backlogs) {
      for (const one of queue) if (one.kind === "text") found.push({ channel, from: one.from, text: one.text });
    }
    return found;
  }

  /** The texts to a handset, or to all, that are held, and those under way if they are tracked. */
  carriedTexts(channel?: number): CarriedText[] {
    const found: CarriedText[] = [];
    for (const { to, from, text, sentAtMs, timer, held } of this.#tracked ?? []) {
      if (channel !== undefined && to.channel !== channel) continue;
      const isHeld = held !== undefined && held.untilMs === undefined;
      const arrivesAtMs = isHeld ? null : (timer?.atMs ?? null);
      found.push({ channel: to.channel, from, text, sentAtMs, arrivesAtMs, held: isHeld ? { ...held } : null });
    }
    for (const [{ channel: place }, { queue }] of this.#backlogs) {
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
    const { delay, longTexts } = this.#settings.current;
    const fact = instances > 1 ? { event: 0 } : undefined;
    for (let instance = 0; instance < instances; instance++) {
      if (longTexts === "whole") this.#scheduleText(to, { from, text, delayMs: sampleWhole(delay, sender), fact });
      else this.#carryParts(to, { from, text, fact }, sender);
    }
  }

  /** Carries a text as one for each of its segments, or as one with its segments in any order. */
  #carryParts(to: Subscriber, one: Pick<TextInFlight, "from" | "text" | "fact">, sender: Stream): void {
    const { delay, longTexts } = this.#settings.current;
    const parts = partsOf(one.text);
    const delays = parts.map(() => sampleWhole(delay, sender));
    if (longTexts === "shuffled") {
      const order = parts.map((_, part) => part).sort((a, b) => (delays[a] ?? 0) - (delays[b] ?? 0));
      const text = order.map((part) => parts[part]).join("");
      return this.#scheduleText(to, { ...one, text, delayMs: Math.max(...delays) });
    }
    for (const [part, text] of parts.entries()) {
      if (part > 0) this.#context.tally.copy("texts", "parts");
      this.#scheduleText(to, { ...one, text, delayMs: delays[part] ?? 0 });
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
    this.#textsUnderWay++;
    const inbound = this.#pool.pop() ?? this.#newText(to, one.from, one.text);
    inbound.to = to;
    inbound.from = one.from;
    inbound.text = one.text;
    inbound.fact = one.fact;
    inbound.sentAtMs = this.#context.kernel.now;
    inbound.delayMs = one.delayMs;
    inbound.held = undefined;
    this.#tracked?.add(inbound);
    if (this.#queue.passes(to.channel, inbound)) this.#startText(inbound);
    else this.#holdInQueue(inbound);
  }

  #startText(inbound: TextInFlight): void {
    const { kernel } = this.#context;
    if (inbound.timer === undefined) inbound.timer = kernel.in(inbound.delayMs, Carrier.#textArrived, inbound);
    else kernel.reschedule(inbound.timer, inbound.delayMs, Carrier.#textArrived);
  }

  #holdInQueue(one: TextInFlight | TextToPerson): void {
    one.held = { sinceMs: this.#context.kernel.now, why: "congestion" };
  }

  /** Called when the congested carrier's queue releases a text. */
  #leaveQueue(one: TextInFlight | TextToPerson): void {
    const { now } = this.#context.kernel;
    if (this.#isExpired(one.sentAtMs)) return this.#expire(one);
    if (one.held !== undefined) one.held = { ...one.held, untilMs: now };
    if (one.kind === "text") this.#startText(one);
    else this.#startMessage(one);
  }

  #isExpired(sentAtMs: SimTime): boolean {
    return this.#context.kernel.now - sentAtMs >= this.#settings.current.expiresAfterMs;
  }

  /** Drops a text that has waited too long. */
  #expire(one: TextInFlight | TextToPerson): void {
    const { tally } = this.#context;
    this.#textsUnderWay--;
    if (one.kind === "text") {
      this.#tracked?.delete(one);
      tally.lost("texts", "expired", [{ channel: one.to.channel, phone: one.from, text: one.text }]);
    } else {
      const { id: message, phone, text } = one.outgoing;
      tally.lost("texts", "expired", [{ channel: one.from.channel, phone, text, message }]);
    }
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
      delayMs: 0,
      held: undefined,
      timer: undefined,
    };
  }

  /** Carries a text from a handset to a person. */
  carryToPerson(from: Subscriber, sent: Outgoing): void {
    const { partsOrder = "as-sent" } = this.#settings.current;
    const outgoing = partsOrder === "as-sent" ? sent : reorderParts(sent, partsOrder, from.stream);
    const isReported = this.#reportsEarly(from, outgoing);
    const instances = this.#drawInstances(from.stream, this.#takePlanned("messages", from.channel));
    if (instances === 0) {
      const { id: message, phone, text } = outgoing;
      return this.#context.tally.lost("texts", "carrier", [{ channel: from.channel, phone, text, message }]);
    }
    for (let instance = 0; instance < instances; instance++) {
      this.#textsUnderWay++;
      const message: TextToPerson = {
        kind: "message",
        carrier: this,
        from,
        outgoing,
        isCopy: instance > 0,
        isReported,
        sentAtMs: this.#context.kernel.now,
        delayMs: sampleWhole(this.#settings.current.delay, from.stream),
        held: undefined,
      };
      if (this.#queue.passes(from.channel, message)) this.#startMessage(message);
      else this.#holdInQueue(message);
    }
  }

  /** Draws whether the network reports a message as delivered as soon as it has it, and then does. */
  #reportsEarly(from: Subscriber, { id, epoch, isFragment }: Outgoing): boolean {
    const { reportsEarly = 0 } = this.#settings.current;
    if (reportsEarly === 0 || isFragment === true || !from.stream.chance(reportsEarly)) return false;
    this.#report(from, { kind: "delivered", id, epoch, isFurther: false, held: undefined }, 0);
    return true;
  }

  #report(to: Subscriber, incoming: Incoming, delayMs: number): void {
    this.#receiptsUnderWay++;
    this.#context.kernel.in(delayMs, Carrier.#receiptArrived, { carrier: this, to, incoming });
  }

  #startMessage(message: TextToPerson): void {
    this.#context.kernel.in(message.delayMs, Carrier.#messageArrived, message);
  }

  /** Draws how many copies of a text arrive: 0, 1 or 2. @param planned - what happens to it without a draw */
  #drawInstances(sender: Stream, planned: CarrierFate | undefined): number {
    const { loses, duplicates } = this.#settings.current;
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
    const held = this.#backlogs.size === 0 ? undefined : this.#backlogs.get(to);
    if (to.isReachable && held === undefined) {
      to.receive(incoming, alone);
      return true;
    }
    const { current } = to;
    if (current === undefined) return this.#loseWithNumber(to, incoming);
    if (current !== to) return current.carrier.#followNumber(current, incoming);
    this.#hold(to, incoming);
    return false;
  }

  #hold(to: Subscriber, incoming: Incoming): void {
    const { now } = this.#context.kernel;
    incoming.held = { sinceMs: now, why: to.unreachableBecause ?? "backlog", before: incoming.held };
    const held = this.#backlogs.get(to);
    if (held !== undefined) held.queue.push(incoming);
    else this.#backlogs.set(to, { queue: [incoming], isFlowing: false });
    if (incoming.kind === "text") this.#scheduleExpiry(incoming.sentAtMs, () => this.#expireHeld(to, incoming));
  }

  /** A receipt does not follow a number: the phone that waited for it has lost it. @returns as `#deliverOrHold` */
  #followNumber(to: Subscriber, incoming: Incoming): boolean {
    return incoming.kind === "delivered" || this.#deliverOrHold(to, incoming);
  }

  /** The SIM was swapped for another: nobody gets what is sent to its number. @returns true: it is over */
  #loseWithNumber(to: Subscriber, incoming: Incoming): boolean {
    if (incoming.kind === "text") {
      const { from, text } = incoming;
      this.#context.tally.lost("texts", "sim-swapped", [{ channel: to.channel, phone: from, text }]);
    }
    return true;
  }

  /** Call it when a number is no longer in its phone: what is held for it follows it, or is lost. */
  moveBacklog(from: Subscriber): void {
    const held = this.#backlogs.get(from);
    if (held === undefined) return;
    this.#backlogs.delete(from);
    const { current } = from;
    for (const incoming of held.queue.splice(0)) {
      if (incoming.held !== undefined) incoming.held = { ...incoming.held, untilMs: this.#context.kernel.now };
      if (current === undefined) this.#loseWithNumber(from, incoming);
      else if (incoming.kind === "text") current.carrier.#hold(current, incoming);
    }
  }

  #scheduleExpiry(sentAtMs: SimTime, expire: () => void): void {
    const { expiresAfterMs } = this.#settings.current;
    if (expiresAfterMs === Infinity) return;
    const { kernel } = this.#context;
    kernel.at(Math.max(kernel.now, sentAtMs + expiresAfterMs), expire, undefined);
  }

  #expireHeld(to: Subscriber, incoming: Extract<Incoming, { kind: "text" }>): void {
    const held = this.#backlogs.get(to);
    if (held === undefined || !takeOut(held.queue, incoming)) return;
    if (held.queue.length === 0 && !held.isFlowing) this.#backlogs.delete(to);
    const { from, text } = incoming;
    this.#context.tally.lost("texts", "expired", [{ channel: to.channel, phone: from, text }]);
  }

  static #messageArrived(this: void, message: TextToPerson): void {
    const { carrier, outgoing } = message;
    if (carrier.#people.isUnreachable(outgoing.person)) carrier.#holdForPerson(message);
    else carrier.#showToPerson(message);
  }

  #holdForPerson(message: TextToPerson): void {
    const { person } = message.outgoing;
    message.held = { sinceMs: this.#context.kernel.now, why: "recipient-off", before: message.held };
    const waiting = this.#forPeople.get(person);
    if (waiting === undefined) this.#forPeople.set(person, [message]);
    else waiting.push(message);
    this.#scheduleExpiry(message.sentAtMs, () => {
      const queue = this.#forPeople.get(person);
      if (queue === undefined || !takeOut(queue, message)) return;
      if (queue.length === 0) this.#forPeople.delete(person);
      this.#expire(message);
    });
  }

  /** Delivers what was held for a person whose phone is on again. */
  deliverToPerson(person: number): void {
    const waiting = this.#forPeople.get(person);
    if (waiting === undefined) return;
    this.#forPeople.delete(person);
    const { now } = this.#context.kernel;
    for (const message of waiting) {
      if (message.held !== undefined) message.held = { ...message.held, untilMs: now };
      this.#showToPerson(message);
    }
  }

  #showToPerson({ from, outgoing, isCopy, isReported, held }: TextToPerson): void {
    const { tally } = this.#context;
    const { reportsDelivery, reportsAfter, reportsParts } = this.#settings.current;
    this.#textsUnderWay--;
    tally.delivered("texts");
    this.#people.showText(from, outgoing);
    if (isCopy || isReported || outgoing.isFragment || reportsDelivery === 0 || !from.stream.chance(reportsDelivery))
      return;
    const { id, epoch } = outgoing;
    const delayMs = sampleWhole(reportsAfter, from.stream);
    if (reportsParts !== true) {
      return this.#report(from, { kind: "delivered", id, epoch, isFurther: false, held }, delayMs);
    }
    const others = segmentsOf(outgoing.text).count - 1;
    const delays = [delayMs, ...Array.from({ length: others }, () => sampleWhole(reportsAfter, from.stream))];
    for (const [nth, afterMs] of delays.sort((a, b) => a - b).entries()) {
      this.#report(from, { kind: "delivered", id, epoch, isFurther: nth > 0, held }, afterMs);
    }
  }

  /**
   * Delivers what was held for a handset, in order of arrival, with small gaps. Call it when the handset is reachable.
   */
  deliverBacklog(to: Subscriber): void {
    const held = this.#backlogs.get(to);
    if (held === undefined || held.isFlowing || !to.isReachable) return;
    held.isFlowing = true;
    this.#deliverNext(to, held);
  }

  #deliverNext(to: Subscriber, held: CarrierBacklog): void {
    const incoming = held.queue.shift();
    const isMoreComing = held.queue.length > 0;
    if (!isMoreComing && this.#backlogs.get(to) === held) this.#backlogs.delete(to);
    if (incoming === undefined) to.backlogInterrupted();
    else to.receive(incoming, { isMoreComing });
    if (isMoreComing) this.#context.kernel.in(to.heldGapMs(), Carrier.#nextDue, { carrier: this, to, held });
  }

  static #nextDue(
    this: void,
    step: { readonly carrier: Carrier; readonly to: Subscriber; readonly held: CarrierBacklog },
  ): void {
    const { carrier, to, held } = step;
    if (to.isReachable || held.queue.length === 0) carrier.#deliverNext(to, held);
    else {
      held.isFlowing = false;
      to.backlogInterrupted();
    }
  }
}

/** A text with its segments in another order. */
function reorderParts(outgoing: Outgoing, order: "any" | "reversed", stream: Stream): Outgoing {
  const parts = partsOf(outgoing.text);
  if (parts.length === 1) return outgoing;
  const left = parts.map((_, part) => part + 1).toReversed();
  const places = order === "reversed" ? left : parts.flatMap(() => left.splice(stream.int(0, left.length - 1), 1));
  if (places.every((place, index) => place === index + 1)) return outgoing;
  return { ...outgoing, order: places, text: places.map((place) => parts[place - 1]).join("") };
}

/** Removes an item from a list. @returns whether it was there */
function takeOut<T>(list: T[], one: T): boolean {
  const index = list.indexOf(one);
  if (index === -1) return false;
  list.splice(index, 1);
  return true;
}
