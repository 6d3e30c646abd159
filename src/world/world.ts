import type { Fakes, Kernel, Stream, Streams } from "../sim/index.js";
import type { DelayReason, DeviceStatus, EventType, PhoneRegistration, Tally } from "../wire/index.js";
import { type CarriedText, Carrier } from "./carrier/carrier.js";
import type { Cast, HandsetGroup } from "./cast/cast.js";
import type { Part, PartRange } from "./cast/parts.js";
import type { Selector } from "./cast/selector.js";
import type { PhoneColumns } from "./phone-columns.js";
import { conditionsOf, drawConditions } from "./handset/conditions.js";
import type { HandsetView } from "./handset/handset-view.js";
import { Handset } from "./handset/handset.js";
import type { Sim, SimSlot } from "./handset/sim.js";
import { Handsets } from "./handsets.js";
import type { InTransit } from "./in-transit.js";
import type { HandsetInput, WorldInput } from "./input.js";
import type { People, PlannedText, TextPlan } from "./people.js";
import { Population } from "./population.js";
import type { WorldPorts } from "./ports.js";
import type { Profile } from "./profiles/profile.js";
import { Sims } from "./sims.js";
import { survey, type Survey } from "./survey.js";
import { Telephony } from "./telephony.js";
import { Traffic, type TrafficStatus } from "./traffic/traffic.js";
import { streamOf, type WorldContext } from "./world-context.js";

/** The facts about a handset that other rooms use. */
export interface HandsetCard {
  /** Place in the list of all handsets, from 1. */
  readonly channel: number;
  /** `clinic/3`. */
  readonly selector: string;
  readonly phone: string;
  readonly profile: Profile;
  /** Own delivery URL, if any. */
  readonly receiver?: string;
  /** The types of events that the account forwards; absent: all. */
  readonly events?: readonly EventType[];
}

/** The facts about a person that other rooms use. */
export interface PersonCard {
  /** Place in the list of all people, from 0. */
  readonly person: number;
  /** `farmers/17`. */
  readonly selector: string;
  readonly phone: string;
  readonly name?: string;
  /** ISO 639-3. */
  readonly language?: string;
}

/** Totals of all phones, for a progress display. */
export interface WorldProgress {
  /** Messages that wait for their first try or the radio's answer. */
  readonly pending: number;
  /** Messages whose last try failed. */
  readonly retry: number;
  /** Unacknowledged reports, and texts and calls that the app has not read. */
  readonly unsynced: number;
  /** Handsets that are switched off or dead. */
  readonly off: number;
}

/**
 * Handsets, people and carriers. `Traffic` and `apply` (story steps and hands) make people text and call, through
 * `Telephony`; carriers bring the texts to handsets; handsets report them to the service through `ports.uplink`, whose
 * answer brings commands down. The same inputs at the same instants give the same outputs.
 */
export class World {
  readonly population: Population;
  readonly #context: WorldContext;
  readonly #carriers = new Map<string, Carrier>();
  readonly #handsets: Handsets;
  readonly #telephony: Telephony;
  readonly #people: People;
  readonly #traffic: Traffic;
  readonly #sims: Sims;

  /**
   * @param options - `part`: makes only this part of the cast, whose members behave as in the whole; `guests`: numbers
   *   of people beyond the cast who are known from the start
   * @throws RangeError when a handset names a carrier, or a selector a group, that the cast does not have
   */
  constructor(options: {
    readonly kernel: Kernel;
    readonly streams: Streams;
    readonly cast: Cast;
    readonly fakes: Fakes;
    readonly tally: Tally;
    readonly ports: WorldPorts;
    readonly part?: Part | undefined;
    readonly guests?: readonly string[] | undefined;
  }) {
    const { cast, kernel, streams, fakes, tally, ports, part = { index: 1, count: 1 }, guests = [] } = options;
    this.#context = { kernel, streams, fakes, tally, ports, startsAtMs: cast.startsAtMs, continuedFromMs: kernel.now };
    this.population = new Population({ cast, streams, part, guests });
    const { population } = this;
    this.#handsets = new Handsets(population.handsetCount);
    this.#telephony = new Telephony({ context: this.#context, population, handsets: this.#handsets });
    this.#people = this.#telephony.people;
    this.#people.onReachable = (person) => {
      for (const carrier of this.#carriers.values()) carrier.deliverToPerson(person);
    };
    for (const spec of cast.carriers) {
      const handsetCount = cast.handsets.reduce((sum, one) => sum + simsOf(one, spec.name), 0);
      const options = { context: this.#context, people: this.#people, handsetCount };
      this.#carriers.set(spec.name, new Carrier(spec, options));
    }
    this.#sims = new Sims({ population, handsets: this.#handsets, carriers: this.#carriers });
    for (const range of population.ranges) this.#addHandsets(range);
    this.#traffic = new Traffic({ cast, context: this.#context, population, handler: this.#telephony });
  }

  #addHandsets({ group, firstMember, firstPlace, count }: PartRange): void {
    const carrier = this.#carriers.get(group.carrier);
    if (carrier === undefined) throw new RangeError(`no carrier is named '${group.carrier}'`);
    const context = this.#context;
    const router = this.#telephony;
    const usual = conditionsOf(group);
    for (let index = 0; index < count; index++) {
      const name = `handset/${group.name}/${firstMember + index}`;
      const stream = streamOf(context, name);
      const conditions =
        group.varies === undefined ? usual : drawConditions(group, usual, context.streams.get(`${name}/start`));
      const channel = firstPlace + index + 1;
      const member = firstMember + index;
      const handset = new Handset({ channel, group, member, conditions, context, stream, carrier, router });
      this.#handsets.add(handset);
      if (group.secondSim !== undefined) this.#sims.addSecond(handset, group.secondSim);
    }
  }

  /** Starts polls and traffic at the kernel's now. In a continued world, traffic due up to now is skipped. */
  start(): void {
    for (const handset of this.#handsets.list) handset.start();
    this.#traffic.start();
  }

  /** Applies a story step or a hand now. */
  apply(input: WorldInput): void {
    switch (input.verb) {
      case "text":
        return this.#telephony.applyText(input);
      case "call":
        return this.#telephony.applyCall(input);
      case "traffic":
        return this.#traffic.change(input.change, input);
      case "carrier-settings":
        return this.#carriers.get(input.carrier)?.change(input.changes, input.forMs);
      case "unreachable":
        return this.#telephony.applyUnreachable(input);
      default:
        for (const channel of this.population.channelsOf(input.of)) this.applyToHandset(channel, input);
    }
  }

  /** Applies a story step or a hand to one handset now. */
  applyToHandset(channel: number, input: HandsetInput): void {
    const handset = this.#handsets.at(channel);
    if (input.verb === "sim") this.#sims.apply(handset, input);
    else applyTo(handset, input);
  }

  /** The random stream of a person, from which only the person's own decisions are drawn. */
  streamOfPerson(person: number): Stream {
    return this.#people.streamOf(person);
  }

  /** Makes a person send a text later. */
  planText(plan: TextPlan): PlannedText {
    return this.#people.planText(plan);
  }

  /** Sets what a phone knows of its registration when a database is continued. */
  restoreRegistration(channel: number, registration: PhoneRegistration): void {
    this.#handsets.at(channel).app.registration = registration;
  }

  /** Called when the service has failed a queued message, see `GatewayPorts.disown`. */
  disown(channel: number, message: number): boolean {
    return this.#handsets.at(channel).app.disown(message);
  }

  /** The service wakes a phone by a push message. */
  push(channel: number): void {
    this.#handsets.at(channel).app.sync.sendPush();
  }

  /** Counts the texts and calls that wait at carriers and on handsets. */
  census(): { readonly texts: number; readonly calls: number } {
    let texts = 0;
    let calls = 0;
    for (const carrier of this.#carriers.values()) texts += carrier.textCount;
    for (const handset of this.#handsets.list) {
      const waiting = handset.app.census();
      texts += waiting.texts;
      calls += waiting.calls;
    }
    return { texts, calls };
  }

  /**
   * The phones that cannot relay, each with its reason and the number of texts and calls that wait on it. For the end
   * of a run only: it reads all phones.
   */
  *blocked(): Iterable<{
    readonly channel: number;
    readonly selector: string;
    readonly why: DelayReason;
    readonly waiting: number;
  }> {
    for (const handset of this.#handsets.list) {
      const { channel, blockedBy: why } = handset;
      if (why === undefined) continue;
      const { texts, calls } = handset.app.census();
      yield { channel, selector: this.handset(channel).selector, why, waiting: texts + calls };
    }
  }

  /** Makes `inTransit` include texts under way at carriers. Call it before `start`. */
  trackTexts(): void {
    for (const carrier of this.#carriers.values()) carrier.trackTexts();
  }

  /** The texts and calls on their way to the service: at carriers (see `trackTexts`) and on handsets. */
  inTransit(): InTransit[] {
    return [
      ...[...this.#carriers.values()].flatMap((carrier) => carrier.inTransit()),
      ...this.#handsets.list.flatMap((handset) => (handset.app.isBusy ? handset.app.inTransit() : [])),
    ];
  }

  /** The current state of a phone. @throws RangeError when the channel is not in this part */
  inspectHandset(channel: number): HandsetView {
    return this.#handsets.at(channel).inspect();
  }

  /**
   * A value that conditions of the story compare.
   *
   * @returns `queue`: messages and reports that wait on the phone; `battery`: percent
   */
  readGauge(channel: number, gauge: "queue" | "battery"): number {
    const { app, batteryLevel } = this.#handsets.at(channel);
    return gauge === "battery" ? batteryLevel : app.pendingCount + app.retryCount + app.unsyncedCount;
  }

  /** Name of the carrier of a handset's SIM for texts. */
  carrierOf(channel: number): string {
    const handset = this.#handsets.at(channel);
    return (handset.sendingSim ?? handset.castSim).carrier.name;
  }

  /** Texts that carriers queue for a handset, or for all handsets. Texts in transit are included only after `trackTexts`. */
  carriedTexts(channel?: number): CarriedText[] {
    return [...this.#carriers.values()].flatMap((carrier) => carrier.carriedTexts(channel));
  }

  /** Restores texts and calls that were in transit when the database was closed; ignores channels of other parts. */
  restoreInTransit(all: readonly InTransit[]): void {
    for (const one of all) {
      if (this.population.hasChannel(one.channel)) this.#handsets.at(one.channel).restoreInTransit(one);
    }
  }

  /** Whether texts, calls, reports or replies of people are still under way. */
  get isBusy(): boolean {
    if (this.#people.repliesUnderWay > 0) return true;
    for (const carrier of this.#carriers.values()) if (carrier.isBusy) return true;
    return this.#handsets.list.some(({ app }) => app.isBusy);
  }

  progress(): WorldProgress {
    let pending = 0;
    let retry = 0;
    let unsynced = 0;
    let off = 0;
    for (const handset of this.#handsets.list) {
      pending += handset.app.pendingCount;
      retry += handset.app.retryCount;
      unsynced += handset.app.unsyncedCount;
      if (!handset.isOn) off++;
    }
    return { pending, retry, unsynced, off };
  }

  /** Writes the state of all handsets into columns of at least `population.handsetCount` values. */
  readFleet(columns: PhoneColumns): void {
    for (const handset of this.#handsets.list) handset.writeColumns(columns);
  }

  /** The state of all traffic together. */
  get traffic(): TrafficStatus {
    return this.#traffic.status;
  }

  /** Surveys the handsets of each group in this part; of a larger group, a sample of `most`. */
  surveys(most: number): { readonly name: string; readonly handsets: number; readonly survey: Survey }[] {
    let first = 0;
    return this.population.ranges.map(({ group, count }) => {
      const range = { first, count, most };
      first += count;
      return { name: group.name, handsets: count, survey: survey(this.#handsets.list, range) };
    });
  }

  /**
   * Whether a phone has, or had, a message that the service may still have as queued: it is in the outbox, or was there
   * and is forgotten. The ledger does not count such a message at the service.
   */
  holds(channel: number, messageId: number): boolean {
    return this.#handsets.at(channel).app.holds(messageId);
  }

  /** The status that a phone would report now. */
  deviceStatus(channel: number): DeviceStatus {
    return this.#handsets.at(channel).status();
  }

  /** The channels of the handsets in this part, ascending. */
  channels(): number[] {
    return this.#handsets.list.map(({ channel }) => channel);
  }

  handset(channel: number): HandsetCard {
    const { group } = this.#handsets.at(channel);
    return {
      channel,
      selector: this.population.nameOfHandset(channel),
      phone: this.population.phoneOfHandset(channel),
      profile: group.profile,
      receiver: group.receiver,
      events: group.events,
    };
  }

  person(person: number): PersonCard {
    const language = this.population.groupOfPerson(person)?.language;
    const name = this.#people.displayNameOf(person);
    return {
      person,
      selector: this.population.nameOfPerson(person),
      phone: this.population.phoneOfPerson(person),
      name,
      language,
    };
  }

  /** The channel that a person writes to, drawn from the person's stream where the home handset is not selected. */
  channelFor(person: number, to: Selector): number {
    return this.population.channelFor(person, to, this.#people.streamOf(person));
  }
}

/** The SIM of a slot; without a slot, the one for texts. */
function simOf(handset: Handset, slot: SimSlot | undefined): Sim | undefined {
  return slot === undefined ? (handset.sendingSim ?? handset.castSim) : handset.simAt(slot);
}

/** Number of SIMs of a carrier in a group at the start. */
function simsOf({ count, carrier, secondSim }: HandsetGroup, name: string): number {
  const second = secondSim === undefined ? undefined : (secondSim.carrier ?? carrier);
  return count * ((carrier === name ? 1 : 0) + (second === name ? 1 : 0));
}

/** Applies a story step to one handset. */
function applyTo(handset: Handset, input: Exclude<HandsetInput, { readonly verb: "sim" }>): void {
  switch (input.verb) {
    case "power":
      if (input.plug !== undefined) handset.change("plug", input.plug, input.forMs);
      return handset.change("mains", input.mains, input.forMs);
    case "solar":
      if (input.clouds !== undefined) handset.change("clouds", input.clouds, input.forMs);
      if (input.perHour !== undefined) handset.change("solar", input.perHour, input.forMs);
      return;
    case "power-cut":
      return handset.change("powerCut", input.state !== "off", input.forMs);
    case "mast":
      return handset.change("mastDown", input.state !== "off", input.downMs);
    case "battery":
      if (input.reports !== undefined) handset.change("batteryReports", input.reports, input.forMs);
      if (input.level !== undefined) handset.setBattery(input.level);
      return;
    case "network":
      if (input.latency !== undefined) handset.change("latency", input.latency, input.forMs);
      if (input.loses !== undefined) handset.change("loses", input.loses, input.forMs);
      if (input.portal !== undefined) handset.change("portal", input.portal, input.forMs);
      if (input.second !== undefined) handset.change("second", input.second, input.forMs);
      if (input.type !== undefined) handset.change("network", input.type, input.forMs);
      return;
    case "coverage":
      return handset.change("coverage", input.state, input.forMs);
    case "sms-service":
      if (input.state !== undefined) handset.change("smsService", input.state, input.forMs);
      if (input.failsWith !== undefined) handset.change("smsFailsWith", input.failsWith, input.forMs);
      if (input.fails !== undefined) handset.change("smsFails", input.fails, input.forMs);
      return;
    case "sync":
      if ("now" in input) handset.open();
      else handset.app.sync.loseExchanges(input.loses, input.times);
      return;
    case "carrier":
      return (handset.sendingSim ?? handset.castSim).carrier.fates.plan(handset.channel, input);
    case "call-log":
      return handset.app.useCallLog(input.state);
    case "credit":
      return simOf(handset, input.slot)?.changeCredit(input);
    case "clock":
      return handset.setSkew(input.skewMs, input.forMs);
    case "airplane":
      return handset.change("airplane", input.state !== "off", input.forMs);
    case "pause":
      return handset.change("paused", input.state !== "off", input.forMs);
    case "reboot":
      return handset.restart(input.downMs);
    case "kill":
      return handset.stopApp(input.forMs === undefined ? undefined : { afterMs: input.forMs, by: "user" });
    case "crash":
    case "upgrade":
      return handset.stopApp(input.downMs === undefined ? undefined : { afterMs: input.downMs, by: "system" });
    case "open":
      return handset.open();
    case "doze":
      return handset.change("dozing", input.state !== "off", input.forMs);
    case "permission":
      return handset.change(input.what === "sms" ? "smsPermission" : "callPermission", input.isGranted, input.forMs);
    case "reset":
      return handset.reset(input);
    case "register":
      return handset.reinstall();
    default:
      input satisfies never;
  }
}
