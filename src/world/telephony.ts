import { type Distribution, sample, sampleWhole, type Stream } from "../sim/index.js";
import { BodyCounts } from "./body-counts.js";
import type { Subscriber } from "./carrier/subscriber.js";
import type { TrafficSpec } from "./cast/cast.js";
import type { PlannedCall } from "./handset/calls.js";
import type { Handset, TextRouter } from "./handset/handset.js";
import type { TextToNumber } from "./handset/phone.js";
import type { Handsets } from "./handsets.js";
import type { WorldInput } from "./input.js";
import type { CallEnd } from "./phone-words.js";
import { People, type TextSender } from "./people.js";
import type { Population } from "./population.js";
import type { ArrivalHandler } from "./traffic/arrivals.js";
import type { WorldContext } from "./world-context.js";

/** A telephone call that is dialled now. */
interface Dialling {
  readonly by: "person" | "handset";
  readonly person: number;
  readonly channel: number;
  readonly rings: Distribution<number> | undefined;
  readonly talks: Distribution<number> | undefined;
  readonly ends: CallEnd | undefined;
}

/** Texts and telephone calls between people and handsets: from traffic, from story steps, and from people who reply. */
export class Telephony implements ArrivalHandler, TextSender, TextRouter {
  readonly people: People;
  readonly #context: WorldContext;
  readonly #population: Population;
  readonly #handsets: Handsets;
  readonly #counts = new BodyCounts();

  constructor(options: {
    readonly context: WorldContext;
    readonly population: Population;
    readonly handsets: Handsets;
  }) {
    this.#context = options.context;
    this.#population = options.population;
    this.#handsets = options.handsets;
    this.people = new People({ roster: this.#population.people, context: this.#context, sender: this });
  }

  /**
   * Handles one arrival of traffic.
   *
   * @param sender - the place of a person or of a handset
   */
  handleArrival(spec: TrafficSpec, sender: number, stream: Stream): void {
    const { ports } = this.#context;
    const population = this.#population;
    const isFromPeople = spec.kind === "texts" || (spec.kind === "calls" && spec.from === "people");
    if (isFromPeople && this.people.isUnreachable(sender)) return;
    switch (spec.kind) {
      case "texts": {
        const channel = population.channelFor(sender, spec.handsets, stream);
        this.sendText(sender, channel, this.#bodyOf(spec, sender, stream), stream);
        return;
      }
      case "sends": {
        const person = population.personFor(sender + 1, spec.people, stream);
        if (person === undefined) return;
        ports.send(sender + 1, population.phoneOfPerson(person), this.#bodyOf(spec, sender, stream));
        return;
      }
      case "calls": {
        const { rings, talks, ends } = spec;
        if (spec.from === "people") {
          const channel = population.channelFor(sender, spec.handsets, stream);
          this.#dial({ by: "person", person: sender, channel, rings, talks, ends }, stream);
        } else {
          const channel = sender + 1;
          const person = population.personFor(channel, spec.people, stream);
          if (person !== undefined) this.#dial({ by: "handset", person, channel, rings, talks, ends }, stream);
        }
        return;
      }
      default:
        spec.kind satisfies never;
    }
  }

  /** Applies a story step or a hand: the selected people send a text. */
  applyText(input: Extract<WorldInput, { verb: "text" }>): void {
    for (const person of this.#population.peopleOf(input.from)) {
      const stream = this.people.streamOf(person);
      const text = this.#counts.fill(sample(input.body, stream, this.#context.fakes), input.body, person);
      const channel = this.#population.channelFor(person, input.to, stream);
      if (this.people.isUnreachable(person))
        this.people.planText({ person, channel, text, afterMs: 0, isAwaited: true });
      else this.sendText(person, channel, text, stream);
    }
  }

  /**
   * Applies a story step or a hand: switches phones of people off or on, also those of people of other parts, because
   * handsets of any part may write to them.
   */
  applyUnreachable({ people, state, forMs }: Extract<WorldInput, { verb: "unreachable" }>): void {
    for (const person of this.#population.peopleOfAllParts(people)) {
      this.people.switchPhone(person, state !== "off", forMs);
    }
  }

  /** Applies a story step or a hand: the selected people or handsets call. */
  applyCall({ by, people, handsets, rings, talks, ends }: Extract<WorldInput, { verb: "call" }>): void {
    const population = this.#population;
    if (by === "person") {
      for (const person of population.peopleOf(people)) {
        const stream = this.people.streamOf(person);
        const channel = population.channelFor(person, handsets, stream);
        this.#dial({ by, person, channel, rings, talks, ends }, stream);
      }
    } else {
      const guest = "phone" in people ? population.personWith(people.phone) : undefined;
      for (const channel of population.channelsOf(handsets)) {
        const { stream } = this.#handsets.at(channel);
        const person = "phone" in people ? guest : population.personFor(channel, people, stream);
        if (person !== undefined) this.#dial({ by, person, channel, rings, talks, ends }, stream);
      }
    }
  }

  /** A person texts a handset. */
  sendText(person: number, channel: number, text: string, stream: Stream): void {
    const handset = this.#handsets.at(channel);
    const sim = this.people.numberFor(person, channel) ?? handset.castSim;
    this.#context.tally.in("texts");
    sim.carrier.carryToHandset(sim, { from: this.#population.phoneOfPerson(person), text }, stream);
  }

  /** A handset texts a number. */
  routeText(handset: Handset, { id, epoch, to, text, isFragment }: TextToNumber): void {
    const person = this.#population.personByPhone(to);
    const sim = handset.sendingSim ?? handset.castSim;
    if (person !== undefined) return sim.carrier.carryToPerson(sim, { id, epoch, person, phone: to, text, isFragment });
    this.#context.tally.lost("texts", "no-such-person", [{ channel: handset.channel, phone: to, text, message: id }]);
  }

  #bodyOf({ body }: TrafficSpec, sender: number, stream: Stream): string {
    return body === undefined ? "" : this.#counts.fill(sample(body, stream, this.#context.fakes), body, sender);
  }

  #dial({ by, person, channel, rings, talks, ends }: Dialling, stream: Stream): void {
    const population = this.#population;
    const handset = this.#handsets.at(channel);
    const picksUp = by === "person" ? handset.group.picksUp : (population.groupOfPerson(person)?.picksUp ?? 0);
    const isOff = this.people.isUnreachable(person);
    if (isOff && by === "person") {
      this.#context.tally.in("calls");
      const lost = { channel, phone: population.phoneOfPerson(person) };
      return this.#context.tally.lost("calls", "caller-off", [lost]);
    }
    const isAnswered =
      !isOff && (talks !== undefined || (rings === undefined && ends === undefined && stream.chance(picksUp)));
    const span = isAnswered ? (talks ?? handset.profile.talks) : (rings ?? handset.profile.rings);
    const phone = population.phoneOfPerson(person);
    // A blocked call does not ring.
    const lastsMs = ends === "blocked" && rings === undefined ? 0 : sampleWhole(span, stream);
    const call = { phone, by, isAnswered, isUnknown: ends !== undefined, lastsMs };
    if (by === "handset") return handset.call(call);
    this.#callNumber(this.people.numberFor(person, channel) ?? handset.castSim, call);
  }

  /** A person calls a number, which another phone may have by now. */
  #callNumber(number: Subscriber, call: PlannedCall): void {
    const sim = number.current;
    if (sim?.isReachable === true) return this.#handsets.at(sim.channel).call(call);
    const { tally } = this.#context;
    tally.in("calls");
    const cause = sim === undefined ? "sim-swapped" : "unreachable";
    tally.lost("calls", cause, [{ channel: number.channel, phone: call.phone }]);
  }
}
