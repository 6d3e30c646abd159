import { sampleWhole, type SimTime, type Stream, type Timer } from "../../sim/index.js";
import { type DelayReason, type ReportedFact, partsOf } from "../../wire/index.js";
import type { CarrierSettings, CarrierSpec } from "../cast/cast.js";
import { ChangingValues } from "../changing-values.js";
import type { InTransit } from "../in-transit.js";
import type { WorldContext } from "../world-context.js";
import { Backlogs } from "./backlogs.js";
import { CarrierFates } from "./carrier-fates.js";
import { CarrierQueue } from "./carrier-queue.js";
import { DeliveryReports } from "./delivery-reports.js";
import type { Holding } from "./holding.js";
import type { HomeCarrier, Outgoing, Subscriber } from "./subscriber.js";
import { WaitingForPeople } from "./waiting-for-people.js";

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

/** Shows texts to people. */
export interface TextRecipients {
  /** Whether a person's phone is off, so that texts to it wait. */
  isUnreachable(person: number): boolean;
  showText(from: Subscriber, outgoing: Outgoing): void;
}

/** A text on its way to a handset. */
interface TextInFlight {
  readonly kind: "text";
  readonly carrier: Carrier;
  to: Subscriber;
  from: string;
  text: string;
  fact: ReportedFact | undefined;
  sentAtMs: SimTime;
  /** Time in transit to the handset, counted from the sender or, on a congested carrier, from the end of its queue. */
  delayMs: number;
  held: Holding | undefined;
  timer: Timer | undefined;
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
  /** The network reported its delivery when it was sent (`reportsEarly`), so it sends no other report. */
  readonly isReported: boolean;
  readonly sentAtMs: SimTime;
  readonly delayMs: number;
  held: Holding | undefined;
}

/**
 * A mobile network between people and handsets: it delays, loses and duplicates texts, queues those beyond its
 * capacity, holds those for unreachable phones, and may report delivery. `carryToHandset` → `#textArrived` →
 * `Backlogs.deliverOrHold`; `carryToPerson` → `#messageArrived` → `#showToPerson`. It has no random stream: it draws
 * from the sender's.
 */
export class Carrier implements HomeCarrier {
  readonly name: string;
  /** What it holds for unreachable handsets. */
  readonly backlogs: Backlogs;
  readonly fates: CarrierFates;
  readonly #reports: DeliveryReports;
  readonly #settings: ChangingValues<CarrierSettings>;
  readonly #handsetCount: number;
  readonly #queue: CarrierQueue<TextInFlight | TextToPerson>;
  readonly #waiting: WaitingForPeople<TextToPerson>;
  readonly #context: WorldContext;
  readonly #people: TextRecipients;
  /** Object pool: texts that have been delivered, with their timers. */
  readonly #pool: TextInFlight[] = [];
  #textsUnderWay = 0;
  /**
   * Texts in transit to handsets; undefined unless `trackTexts` was called, because a set entry per text takes time.
   */
  #tracked: Set<TextInFlight> | undefined;

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
    const { kernel } = context;
    this.name = spec.name;
    this.#context = context;
    this.#people = options.people;
    this.#handsetCount = options.handsetCount;
    this.#queue = new CarrierQueue(kernel, (one) => this.#leaveQueue(one));
    this.#settings = new ChangingValues<CarrierSettings>(spec, {
      kernel,
      onChange: () => this.#settingsChanged(),
    });
    const settings = this.#settings;
    this.fates = new CarrierFates(context, settings);
    this.backlogs = new Backlogs(context, settings);
    this.#waiting = new WaitingForPeople({ kernel, settings, onExpired: (message) => this.#expire(message) });
    this.#reports = new DeliveryReports({ kernel, settings, backlogs: this.backlogs });
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
    return this.#textsUnderWay + this.backlogs.textCount;
  }

  /** Makes `inTransit` list texts under way. Call it before the first text. */
  trackTexts(): void {
    this.#tracked = new Set();
  }

  /** The texts to handsets that are held, and those under way if they are tracked. */
  inTransit(): InTransit[] {
    const found: InTransit[] = [];
    for (const { to, from, text } of this.#tracked ?? []) found.push({ channel: to.channel, from, text });
    for (const [{ channel }, { from, text }] of this.backlogs.texts()) found.push({ channel, from, text });
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
    for (const [to, { from, text, sentAtMs, held }] of this.backlogs.texts()) {
      if (channel !== undefined && to.channel !== channel) continue;
      const since = held === undefined ? null : { ...held };
      found.push({ channel: to.channel, from, text, sentAtMs, arrivesAtMs: null, held: since });
    }
    return found;
  }

  /** Delivers a text now that was in transit when the database was closed. */
  restoreText(to: Subscriber, text: { readonly from: string; readonly text: string }): void {
    this.#scheduleText(to, { ...text, delayMs: 0, fact: undefined });
  }

  /** Whether a text or a receipt is under way or held. */
  get isBusy(): boolean {
    return this.#textsUnderWay > 0 || this.#reports.areUnderWay || !this.backlogs.isEmpty;
  }

  /** Carries a text from a person to a handset. */
  carryToHandset(
    to: Subscriber,
    { from, text }: { readonly from: string; readonly text: string },
    sender: Stream,
  ): void {
    const instances = this.fates.drawCopies("texts", to.channel, sender);
    if (instances === 0)
      return this.#context.tally.lost("texts", "carrier", [{ channel: to.channel, phone: from, text }]);
    const { delay, longTexts } = this.#settings.current;
    const fact = instances > 1 ? { event: 0 } : undefined;
    for (let instance = 0; instance < instances; instance++) {
      if (longTexts === "whole") this.#scheduleText(to, { from, text, delayMs: sampleWhole(delay, sender), fact });
      else this.#carryParts(to, { from, text, fact }, sender);
    }
  }

  /**
   * Carries a text of several segments. `parts`: each segment as a text of its own; `shuffled`: one text, its segments
   * in the order in which they arrive.
   */
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
    if (this.#queue.passOrQueue(to.channel, inbound)) this.#startText(inbound);
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
    const isReported = this.#reports.reportsEarly(from, outgoing);
    const instances = this.fates.drawCopies("messages", from.channel, from.stream);
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
      if (this.#queue.passOrQueue(from.channel, message)) this.#startMessage(message);
      else this.#holdInQueue(message);
    }
  }

  #startMessage(message: TextToPerson): void {
    this.#context.kernel.in(message.delayMs, Carrier.#messageArrived, message);
  }

  static #textArrived(this: void, inbound: TextInFlight): void {
    const { carrier } = inbound;
    carrier.#textsUnderWay--;
    carrier.#tracked?.delete(inbound);
    const isTaken = carrier.backlogs.deliverOrHold(inbound.to, inbound);
    if (isTaken && carrier.#pool.length < POOLED_MAX) carrier.#pool.push(inbound);
  }

  static #messageArrived(this: void, message: TextToPerson): void {
    const { carrier, outgoing } = message;
    if (carrier.#people.isUnreachable(outgoing.person)) carrier.#waiting.hold(message);
    else carrier.#showToPerson(message);
  }

  /** Delivers what was held for a person whose phone is on again. */
  deliverToPerson(person: number): void {
    for (const message of this.#waiting.release(person)) this.#showToPerson(message);
  }

  #showToPerson({ from, outgoing, isCopy, isReported, held }: TextToPerson): void {
    this.#textsUnderWay--;
    this.#context.tally.delivered("texts");
    this.#people.showText(from, outgoing);
    if (isCopy || isReported || outgoing.isFragment) return;
    this.#reports.reportDelivery(from, outgoing, held);
  }
}

/** A text with its segments in another order. @param stream - draws the order `any` */
function reorderParts(outgoing: Outgoing, order: "any" | "reversed", stream: Stream): Outgoing {
  const parts = partsOf(outgoing.text);
  if (parts.length === 1) return outgoing;
  const left = parts.map((_, part) => part + 1).toReversed();
  const places = order === "reversed" ? left : parts.flatMap(() => left.splice(stream.int(0, left.length - 1), 1));
  if (places.every((place, index) => place === index + 1)) return outgoing;
  return { ...outgoing, order: places, text: places.map((place) => parts[place - 1]).join("") };
}
