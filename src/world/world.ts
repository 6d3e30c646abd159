import type { InTransit } from "./in-transit.js";
import {
  type Distribution,
  type Fakes,
  type Kernel,
  sample,
  sampleWhole,
  type Stream,
  type Streams,
} from "../sim/index.js";
import type { DeviceStatus, EventType, Tally } from "../wire/index.js";
import { Carrier } from "./carrier.js";
import type { Cast, HandsetGroup, PeopleGroup, TrafficSpec } from "./cast/cast.js";
import { conditionsOf, Handset } from "./handset/handset.js";
import type { WorldInput } from "./input.js";
import { People } from "./people.js";
import type { WorldPorts } from "./ports.js";
import type { Profile } from "./profiles/profile.js";
import { type Part, Parts, type PartRange } from "./cast/parts.js";
import { type Homes, placesOf, type Roster, type Selection } from "./cast/roster.js";
import type { PeopleChoice, Selector } from "./cast/selector.js";
import { streamOf, type WorldContext } from "./world-context.js";
import { Traffic, type TrafficStatus } from "./traffic/traffic.js";
import { survey, type Survey } from "./survey.js";

/** What those outside the world need to know of a handset. */
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

/** What those outside the world need to know of a person. */
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

/** What waits on all phones together, for a progress display. */
export interface WorldProgress {
  /** Messages that wait for their first try or the radio's answer. */
  readonly pending: number;
  /** Messages whose last try failed. */
  readonly retry: number;
  /** Reports that the service has not acknowledged to the phone. */
  readonly unsynced: number;
  /** Handsets that are switched off or dead. */
  readonly off: number;
}

/** A call that somebody makes. */
interface Dialling {
  readonly by: "person" | "handset";
  readonly person: number;
  readonly channel: number;
  readonly rings: Distribution<number> | undefined;
  readonly talks: Distribution<number> | undefined;
}

/**
 * Handsets, people and carriers, and what happens between them. Traffic, story steps and hands (`apply`) make people text
 * and call; carriers bring the texts to handsets; handsets report them to the service through `ports.uplink`, whose answer
 * brings commands down. The same inputs at the same instants give the same outputs.
 */
export class World {
  readonly #cast: Cast;
  readonly #context: WorldContext;
  readonly #handsetRoster: Roster<HandsetGroup>;
  readonly #peopleRoster: Roster<PeopleGroup>;
  readonly #homes: Homes;
  readonly #people: People;
  readonly #carriers = new Map<string, Carrier>();
  readonly #parts: Parts;
  readonly #part: Part;
  /** Those that live here, in the order of their channels. */
  readonly #handsets: Handset[] = [];
  /** The same by channel - 1; of a part of a fleet most are not here. */
  readonly #byPlace: (Handset | undefined)[] = [];
  readonly #traffic: Traffic;

  /**
   * @param options - `part`: brings only this part of the cast to life; everybody in it is as they would be in the whole;
   *   `guests`: numbers of people beyond the cast who are there from the beginning
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
    const { cast, kernel, streams, fakes, tally, ports, part = { index: 1, count: 1 } } = options;
    this.#cast = cast;
    this.#context = { kernel, streams, fakes, tally, ports, startsAtMs: cast.startsAtMs, continuedFromMs: kernel.now };
    this.#part = part;
    this.#parts = new Parts({ cast, count: part.count, streams });
    this.#handsetRoster = this.#parts.handsets;
    this.#peopleRoster = this.#parts.people;
    this.#homes = this.#parts.homes;
    for (const phone of options.guests ?? []) this.#personWith(phone);
    this.#people = new People(this.#peopleRoster, this.#context, this.#text.bind(this));
    for (const spec of cast.carriers) {
      this.#carriers.set(spec.name, new Carrier(spec, this.#context, this.#people.showText.bind(this.#people)));
    }
    this.#byPlace.length = this.#handsetRoster.count;
    for (const stretch of this.#parts.rangesOf(part.index)) this.#add(stretch);
    this.#traffic = this.#makeTraffic();
  }

  #add({ group, firstMember, firstPlace, count }: PartRange): void {
    const carrier = this.#carriers.get(group.carrier);
    if (carrier === undefined) throw new RangeError(`no carrier is named '${group.carrier}'`);
    const onAir = this.#onAir.bind(this);
    const conditions = conditionsOf(group);
    for (let index = 0; index < count; index++) {
      const stream = streamOf(this.#context, `handset/${group.name}/${firstMember + index}`);
      const channel = firstPlace + index + 1;
      const handset = new Handset({ channel, group, conditions, context: this.#context, stream, carrier, onAir });
      this.#handsets.push(handset);
      this.#byPlace[firstPlace + index] = handset;
    }
  }

  /** Whether a handset lives here, by its place in the list of all. */
  #hasHandset(place: number): boolean {
    return this.#byPlace[place] !== undefined;
  }

  /** Whether a person lives here. */
  hasPerson(person: number): boolean {
    if (this.#part.count === 1) return true;
    return !this.#peopleRoster.isGuest(person) && this.#hasHandset(this.#homes.homeOf(person));
  }

  /** Whether the handset of a channel lives here. */
  hasChannel(channel: number): boolean {
    return this.#hasHandset(channel - 1);
  }

  /**
   * Begins the day at the kernel's now, which is that of the world's making: first polls are set, traffic begins. Later
   * than 0 the phones are as the cast has them, and traffic goes on from there: what was due up to now has been.
   */
  start(): void {
    for (const handset of this.#handsets) handset.start();
    this.#traffic.start();
  }

  #makeTraffic(): Traffic {
    return new Traffic(this.#cast, this.#context, {
      sendersOf: (spec) => {
        const isFromHandsets = spec.kind === "sends" || spec.from === "handsets";
        const roster = isFromHandsets ? this.#handsetRoster : this.#peopleRoster;
        return {
          selection: roster.select(isFromHandsets ? spec.handsets : spec.people),
          nameOf: (place) => `${isFromHandsets ? "handset" : "person"}/${roster.nameAt(place)}`,
          select: (selector) => roster.select(selector),
          isHere: (place) => (isFromHandsets ? this.#hasHandset(place) : this.hasPerson(place)),
        };
      },
      act: this.#act.bind(this),
    });
  }

  /** Does something to the world now: a story step, or a hand. */
  apply(input: WorldInput): void {
    switch (input.verb) {
      case "text":
        for (const person of this.peopleOf(input.from)) {
          const stream = this.#people.streamOf(person);
          const body = sample(input.body, stream, this.#context.fakes);
          this.#text(person, this.route(person, input.to), body, stream);
        }
        return;
      case "call":
        return this.#applyCall(input);
      case "traffic":
        return this.#traffic.change(input.change, input);
      default:
        for (const channel of this.channelsOf(input.of)) applyTo(this.#at(channel), input);
    }
  }

  #applyCall({ by, people, handsets, rings, talks }: Extract<WorldInput, { verb: "call" }>): void {
    if (by === "person") {
      for (const person of this.peopleOf(people)) {
        const channel = this.route(person, handsets);
        this.#dial({ by, person, channel, rings, talks }, this.#people.streamOf(person));
      }
    } else {
      const callee = "phone" in people ? this.#personWith(people.phone) : this.#peopleRoster.select(people);
      for (const channel of this.channelsOf(handsets)) {
        const { stream } = this.#at(channel);
        const person = typeof callee === "number" ? callee : this.#personFor(channel, callee, stream);
        if (person !== undefined) this.#dial({ by, person, channel, rings, talks }, stream);
      }
    }
  }

  /** The service wakes a phone by a push message. */
  push(channel: number): void {
    this.#at(channel).sync.sendPush();
  }

  /** Texts and calls that still wait somewhere in the world, counted at the places where they wait. */
  census(): { readonly texts: number; readonly calls: number } {
    let texts = 0;
    let calls = 0;
    for (const carrier of this.#carriers.values()) texts += carrier.textCount;
    for (const handset of this.#handsets) {
      const waiting = handset.census();
      texts += waiting.texts;
      calls += waiting.calls;
    }
    return { texts, calls };
  }

  /** From now on `inTransit` knows the texts in the air, too. To be called before the world starts. */
  trackTexts(): void {
    for (const carrier of this.#carriers.values()) carrier.trackTexts();
  }

  /** The texts and calls that are on their way to the service, in the air (`track`) and on phones. */
  inTransit(): InTransit[] {
    return [
      ...[...this.#carriers.values()].flatMap((carrier) => carrier.inTransit()),
      ...this.#handsets.flatMap((handset) => (handset.isBusy ? handset.inTransit() : [])),
    ];
  }

  /** Brings texts and calls back that were on their way when the world was cut off; of channels that are here. */
  restoreInTransit(all: readonly InTransit[]): void {
    for (const one of all) if (this.hasChannel(one.channel)) this.#at(one.channel).restoreInTransit(one);
  }

  /** Whether anything may still happen by itself: texts, calls, reports, and what people are going to answer. */
  get isBusy(): boolean {
    if (this.#people.repliesUnderWay > 0) return true;
    for (const carrier of this.#carriers.values()) if (carrier.isBusy) return true;
    return this.#handsets.some((handset) => handset.isBusy);
  }

  progress(): WorldProgress {
    let pending = 0;
    let retry = 0;
    let unsynced = 0;
    let off = 0;
    for (const handset of this.#handsets) {
      pending += handset.pendingCount;
      retry += handset.retryCount;
      unsynced += handset.unsyncedCount;
      if (!handset.isOn) off++;
    }
    return { pending, retry, unsynced, off };
  }

  /** How all traffic together stands. */
  get traffic(): TrafficStatus {
    return this.#traffic.status;
  }

  /** How the handsets of each group stand that live here; of a group with more than `most` it looks at so many. */
  surveys(most: number): { readonly name: string; readonly handsets: number; readonly survey: Survey }[] {
    let first = 0;
    return this.#parts.rangesOf(this.#part.index).map(({ group, count }) => {
      const range = { first, count, most };
      first += count;
      return { name: group.name, handsets: count, survey: survey(this.#handsets, range) };
    });
  }

  /**
   * Whether a message that the service still has as queued is the phone's already: it waits there, or its text has
   * had its fate and only the report is missing. Such a message is not the service's to count.
   */
  holds(channel: number, messageId: number): boolean {
    return this.#at(channel).holds(messageId);
  }

  /** What a phone would report of itself now. */
  deviceStatus(channel: number): DeviceStatus {
    return this.#at(channel).status();
  }

  /** The channels of the handsets that live here, ascending. */
  channels(): number[] {
    return this.#handsets.map(({ channel }) => channel);
  }

  /** How many handsets the cast has, wherever they live. */
  get handsetCount(): number {
    return this.#handsetRoster.count;
  }

  get personCount(): number {
    return this.#peopleRoster.count;
  }

  handset(channel: number): HandsetCard {
    const { group } = this.#at(channel);
    return {
      channel,
      selector: this.nameOfHandset(channel),
      phone: this.phoneOfHandset(channel),
      profile: group.profile,
      ...(group.receiver === undefined ? {} : { receiver: group.receiver }),
      ...(group.events === undefined ? {} : { events: group.events }),
    };
  }

  /** `clinic/3`. */
  nameOfHandset(channel: number): string {
    return this.#handsetRoster.nameAt(channel - 1);
  }

  phoneOfHandset(channel: number): string {
    return this.#handsetRoster.phoneAt(channel - 1);
  }

  /** The channel of the handset with this number. */
  channelByPhone(phone: string): number | undefined {
    const place = this.#handsetRoster.placeOf(phone);
    return place === undefined ? undefined : place + 1;
  }

  /** The channels of the selected handsets that live here, ascending. */
  channelsOf(selector: Selector): number[] {
    const channels = placesOf(this.#handsetRoster.select(selector)).map((place) => place + 1);
    return this.#part.count === 1 ? channels : channels.filter((channel) => this.hasChannel(channel));
  }

  person(person: number): PersonCard {
    const language = this.#groupOf(person)?.language;
    const name = this.#people.displayNameOf(person);
    return {
      person,
      selector: this.nameOfPerson(person),
      phone: this.phoneOfPerson(person),
      ...(name === undefined ? {} : { name }),
      ...(language === undefined ? {} : { language }),
    };
  }

  /** `farmers/17`. */
  nameOfPerson(person: number): string {
    return this.#peopleRoster.nameAt(person);
  }

  phoneOfPerson(person: number): string {
    return this.#peopleRoster.phoneAt(person);
  }

  /** The person with this number; of several with one short code the first. */
  personByPhone(phone: string): number | undefined {
    return this.#peopleRoster.placeOf(phone);
  }

  /** The group of a person of the cast. */
  #groupOf(person: number): PeopleGroup | undefined {
    return this.#peopleRoster.isGuest(person) ? undefined : this.#peopleRoster.memberAt(person).group;
  }

  /** The person with a number, who comes into being where nobody has it. */
  #personWith(phone: string): number {
    return this.personByPhone(phone) ?? this.#peopleRoster.addGuest(phone);
  }

  /** Numbers of the people who are not in the cast, the first who came first; their places follow those of the cast. */
  get guests(): readonly string[] {
    return this.#peopleRoster.guests;
  }

  /** The places in the list of all of the people meant who live here, ascending. The owner of a number comes into being. */
  peopleOf(choice: PeopleChoice): number[] {
    if ("phone" in choice) return [this.#personWith(choice.phone)];
    const people = placesOf(this.#peopleRoster.select(choice));
    return this.#part.count === 1 ? people : people.filter((person) => this.hasPerson(person));
  }

  /** The channel that a person writes to: the home handset where it is selected, else one drawn by the person's stream. A guest has no home. */
  route(person: number, to: Selector): number {
    return this.#route(person, to, undefined);
  }

  #route(person: number, to: Selector, stream: Stream | undefined): number {
    const selection = this.#handsetRoster.select(to);
    const home = this.#peopleRoster.isGuest(person) ? -1 : this.#homes.homeOf(person);
    if (selection.indexOf(home) !== -1) return home + 1;
    return selection.at((stream ?? this.#people.streamOf(person)).int(0, selection.count - 1)) + 1;
  }

  /** Whom a handset writes to or calls: one of the selected who is at home there, else any of them. */
  #personFor(channel: number, selection: Selection, stream: Stream): number | undefined {
    if (selection.count === 0) return undefined;
    const residents = this.#homes.residentsOf(channel - 1, selection);
    return residents.length > 0 ? stream.pick(residents) : selection.at(stream.int(0, selection.count - 1));
  }

  #at(channel: number): Handset {
    const handset = this.#byPlace[channel - 1];
    if (handset === undefined) throw new RangeError(`channel must be 1..${this.handsetCount}, got ${channel}`);
    return handset;
  }

  /** One arrival of traffic. */
  #act(spec: TrafficSpec, sender: number, stream: Stream): void {
    const { ports, fakes } = this.#context;
    switch (spec.kind) {
      case "texts": {
        const channel = this.#route(sender, spec.handsets, stream);
        this.#text(sender, channel, bodyOf(spec, stream, fakes), stream);
        return;
      }
      case "sends": {
        const person = this.#personFor(sender + 1, this.#peopleRoster.select(spec.people), stream);
        if (person !== undefined) ports.send(sender + 1, this.phoneOfPerson(person), bodyOf(spec, stream, fakes));
        return;
      }
      case "calls": {
        const { rings, talks } = spec;
        if (spec.from === "people") {
          const channel = this.#route(sender, spec.handsets, stream);
          this.#dial({ by: "person", person: sender, channel, rings, talks }, stream);
        } else {
          const channel = sender + 1;
          const person = this.#personFor(channel, this.#peopleRoster.select(spec.people), stream);
          if (person !== undefined) this.#dial({ by: "handset", person, channel, rings, talks }, stream);
        }
        return;
      }
      default:
        spec.kind satisfies never;
    }
  }

  /** A person texts a handset. */
  #text(person: number, channel: number, text: string, stream: Stream): void {
    const handset = this.#at(channel);
    this.#context.tally.in("texts");
    handset.carrier.carryToHandset(handset, { from: this.phoneOfPerson(person), text }, stream);
  }

  /** A handset's text to a number goes on air. */
  #onAir(
    handset: Handset,
    {
      id,
      epoch,
      to,
      text,
    }: { readonly id: number; readonly epoch: number; readonly to: string; readonly text: string },
  ): void {
    const person = this.personByPhone(to);
    if (person === undefined) this.#context.tally.lost("texts", "no-such-person");
    else handset.carrier.carryToPerson(handset, { id, epoch, person, text });
  }

  #dial({ by, person, channel, rings, talks }: Dialling, stream: Stream): void {
    const handset = this.#at(channel);
    const picksUp = by === "person" ? handset.group.picksUp : (this.#groupOf(person)?.picksUp ?? 0);
    const isAnswered = talks !== undefined || (rings === undefined && stream.chance(picksUp));
    const span = isAnswered ? (talks ?? handset.profile.talks) : (rings ?? handset.profile.rings);
    const phone = this.phoneOfPerson(person);
    handset.call({ phone, by, isAnswered, lastsMs: sampleWhole(span, stream) });
  }
}

function bodyOf({ body }: TrafficSpec, stream: Stream, fakes: Fakes): string {
  return body === undefined ? "" : sample(body, stream, fakes);
}

/** Does to one handset what a step says. */
function applyTo(handset: Handset, input: Exclude<WorldInput, { verb: "text" | "call" | "traffic" }>): void {
  switch (input.verb) {
    case "power":
      return handset.change("mains", input.mains, input.forMs);
    case "battery":
      return handset.setBattery(input.level);
    case "network":
      if (input.latency !== undefined) handset.change("latency", input.latency, input.forMs);
      if (input.loses !== undefined) handset.change("loses", input.loses, input.forMs);
      if (input.type !== undefined) handset.change("network", input.type, input.forMs);
      return;
    case "coverage":
      return handset.change("coverage", input.state, input.forMs);
    case "sms-service":
      return handset.change("smsService", input.state, input.forMs);
    case "sync":
      if ("now" in input) handset.open();
      else handset.sync.loseExchanges(input.loses, input.times);
      return;
    case "clock":
      return handset.setSkew(input.skewMs);
    case "airplane":
      return handset.change("airplane", true, input.forMs);
    case "pause":
      return handset.change("paused", true, input.forMs);
    case "reboot":
      return handset.restart(input.downMs);
    case "reset":
      return handset.reset(input.downMs);
    default:
      input satisfies never;
  }
}
