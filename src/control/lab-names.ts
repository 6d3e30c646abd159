import type { PersonName } from "../console/index.js";
import { selectMembers, selectPeople } from "../scenario/index.js";
import type { ControlParts } from "./control-parts.js";
import { type ControlRefusal, refusal } from "./refusal.js";
import type { PhoneLookup } from "./phones/phone-lookup.js";

/** The names of a lab's handsets and people, and the members of selectors. */
export class LabNames {
  readonly #parts: ControlParts;
  readonly #lookup: PhoneLookup;

  constructor(parts: ControlParts, lookup: PhoneLookup) {
    this.#parts = parts;
    this.#lookup = lookup;
  }

  /** `clinic/3`. */
  handset(channel: number): string {
    const { population } = this.#parts.lab().lab.world;
    return channel >= 1 && channel <= population.handsetCount
      ? population.nameOfHandset(channel)
      : `channel ${channel}`;
  }

  person(phone: string): PersonName {
    const { population } = this.#parts.lab().lab.world;
    const channel = population.channelByPhone(phone);
    if (channel !== undefined) return { selector: null, phone, name: population.nameOfHandset(channel) };
    const { name, person } = this.#lookup.nameOf(phone);
    return { selector: person === phone ? null : person, phone, name };
  }

  /** The current delivery URL of a channel; null: none. */
  deliveryUrl(channel: number): string | null {
    const { world, gateway } = this.#parts.lab().lab;
    return channel >= 1 && channel <= world.population.handsetCount ? gateway.channelState(channel).url : null;
  }

  /** Channels of the handsets with a selector or a phone number. @throws ControlRefusal */
  channelsOf(of: string): ReadonlySet<number> {
    const { population } = this.#parts.lab().lab.world;
    const byPhone = isPhone(of) ? population.channelByPhone(of) : undefined;
    if (byPhone !== undefined) return new Set([byPhone]);
    const selected = selectMembers(of, "handsets", this.#parts.scenario().cast);
    if ("message" in selected) throw refused("of", selected);
    return new Set(population.channelsOf(selected.selector));
  }

  /** Phone numbers of the people with a selector, or the number itself. @throws ControlRefusal */
  phonesOf(person: string): ReadonlySet<string> {
    if (isPhone(person)) return new Set([person]);
    const { population } = this.#parts.lab().lab.world;
    const selected = selectPeople(person, this.#parts.scenario().cast);
    if ("message" in selected) throw refused("person", selected);
    // Not `peopleOf`: that adds an unknown number to the lab.
    if ("phone" in selected.choice) return new Set([selected.choice.phone]);
    return new Set(population.peopleOf(selected.choice).map((place) => population.phoneOfPerson(place)));
  }
}

function isPhone(text: string): boolean {
  return /^\+?\d{3,}$/.test(text);
}

function refused(field: string, { message, hint }: { message: string; hint: string | undefined }): ControlRefusal {
  const sentence = `'${field}' ${message}${hint === undefined ? "" : ` (${hint})`}`;
  return refusal("detail", sentence);
}
