import type { CallEntry } from "../../console/index.js";
import { type Scenario, selectMembers, selectPeople } from "../../scenario/index.js";
import type { StoredCall, StoredText } from "../../store/index.js";
import { formatTimestampZoned, telUrn } from "../../wire/index.js";
import { groupsOf, type PersonCard, type Selector } from "../../world/index.js";
import { refusal } from "../refusal.js";
import type { ControlParts } from "../control-parts.js";
import type { ServedLab } from "../served-lab.js";
import { suggestedTexts } from "./suggested-texts.js";
import type { Ends } from "./text-entries.js";

/** A page of a list: `behind` is `next` of the previous page. */
export interface PageAsked {
  readonly behind?: string | undefined;
  readonly limit: number;
}

/** A person, or a phone number without a person. */
interface Found {
  readonly phone: string;
  readonly card: PersonCard | undefined;
}

/** Resolves selectors and phone numbers, and reads texts and calls between a handset and a person. */
export class PhoneLookup {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** The current lab; restoring a snapshot replaces it. */
  get served(): ServedLab {
    return this.#parts.lab();
  }

  get #scenario(): Scenario {
    return this.#parts.scenario();
  }

  /** A virtual instant as the API writes it. */
  readonly at = (atMs: number): string => formatTimestampZoned(this.#scenario.cast.startsAtMs + atMs);

  /** What a person of the scenario would text. @param home - their handset */
  suggestedTexts(who: string, home: string | undefined): ReturnType<typeof suggestedTexts> {
    return suggestedTexts(this.#scenario, who, home);
  }

  /** The channels of selected handsets. @throws ControlRefusal */
  channelsOf(of: string): number[] {
    return this.served.lab.world.population.channelsOf(this.#select(of));
  }

  /** @throws ControlRefusal when it is not a selector of one handset */
  channelOf(of: string): number {
    const channels = this.channelsOf(of);
    const [channel] = channels;
    if (channel !== undefined && channels.length === 1) return channel;
    const [first] = groupsOf(this.#select(of));
    throw refusal("of", `'of' must be one handset, such as ${first?.group}/0; '${of}' is ${channels.length}`);
  }

  #select(of: string): Selector {
    const selected = selectMembers(of, "handsets", this.#scenario.cast);
    if ("message" in selected) throw refusal("of", `'of' ${selected.message}`);
    return selected.selector;
  }

  /** @throws ControlRefusal when it is neither a number nor a selector of one person */
  find(who: string): Found {
    const selected = selectPeople(who, this.#scenario.cast);
    if ("message" in selected) throw refusal("who", `'who' ${selected.message}`);
    const { choice } = selected;
    const { world } = this.served.lab;
    if ("phone" in choice) {
      // Not `personWith`: a read must not create a person.
      const person = world.population.personByPhone(choice.phone);
      return { phone: choice.phone, card: person === undefined ? undefined : world.person(person) };
    }
    const people = world.population.peopleOf(choice);
    const [person] = people;
    if (person === undefined || people.length > 1) {
      throw refusal(
        "who",
        `'who' must be one person, such as ${groupsOf(choice)[0]?.group}/0; '${who}' is ${people.length}`,
      );
    }
    const card = world.person(person);
    return { phone: card.phone, card };
  }

  /** The person with exactly this selector or number; undefined: there is none. */
  personNamed(selector: string, number: string): PersonCard | undefined {
    const { world } = this.served.lab;
    const byNumber = world.population.personByPhone(number);
    if (byNumber !== undefined) return world.person(byNumber);
    if (!/\/\d+$/.test(selector)) return undefined;
    const selected = selectPeople(selector, this.#scenario.cast);
    if ("message" in selected || "phone" in selected.choice) return undefined;
    const [person] = world.population.peopleOf(selected.choice);
    return person === undefined ? undefined : world.person(person);
  }

  /** The current state of a handset, with its messages by id. */
  viewOf(channel: number): Pick<Ends, "view" | "outbox"> {
    const view = this.served.lab.world.inspectHandset(channel);
    return { view, outbox: new Map(view.outbox.messages.map((message) => [message.id, message])) };
  }

  /** A page of the texts between a handset and a person that the service has, newest first. */
  between(
    { channel, phone }: Ends,
    { behind, limit }: PageAsked,
  ): { rows: readonly StoredText[]; next: number | null } {
    const { conversations } = this.served;
    const contact = conversations.contactWith(telUrn(phone));
    if (contact === undefined) return { rows: [], next: null };
    return conversations.between({ contact: contact.row, channel, phone }, { behindId: idOf(behind), size: limit });
  }

  /** Converts calls that handsets have reported. */
  callEntries(rows: readonly StoredCall[]): CallEntry[] {
    return rows.map(({ id, phone, type, durationS, createdAtMs, beganAtMs }) => ({
      id,
      phone,
      name: this.nameOf(phone).name,
      type,
      at: this.at(beganAtMs ?? createdAtMs),
      duration_s: durationS,
      state: "reported" as const,
      cause: null,
    }));
  }

  /**
   * Name and selector of the person with a number. The contact's name at the service is preferred, because clients may
   * change it.
   */
  nameOf(phone: string): { readonly name: string | null; readonly person: string | null } {
    const { world } = this.served.lab;
    const place = world.population.personByPhone(phone);
    const card = place === undefined ? undefined : world.person(place);
    return { name: this.nameOn(card ?? { phone }), person: card?.selector ?? null };
  }

  /** As `nameOf`, for a person who is already looked up, or for a number without a person. */
  nameOn({ phone, name }: Pick<PersonCard, "phone" | "name">): string | null {
    return this.served.conversations.contactWith(telUrn(phone))?.name ?? name ?? null;
  }
}

/**
 * The row after which a page begins; undefined: the first page.
 *
 * @throws ControlRefusal when it is not `next` of a page
 */
export function idOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const id = Number(cursor);
  if (!/^\d{1,16}$/.test(cursor) || !Number.isSafeInteger(id))
    throw refusal("behind", "'behind' must be 'next' of the page before");
  return id;
}
