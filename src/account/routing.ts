import { phoneCountry, withoutDisplay } from "../wire/index.js";
import type { Channel, Channels } from "../gateway/index.js";
import { type ContactRow, type ContactTable, phoneOf } from "./tables/contact-table.js";

/** Number and channel that reach a contact. */
export interface ContactRoute {
  readonly phone: string;
  readonly channel: Channel;
}

/**
 * Selects the channel of a message to a contact, among the active ones: the requested one; else the channel of the
 * address's last text or call; else the channel with the most similar number.
 */
export class Routing {
  readonly #channels: Channels;
  readonly #contacts: ContactTable;
  /** Active channels by country and prefix of their numbers, and by prefix alone. `of`: the version of the channels. */
  #byPrefix: { readonly of: number; readonly channels: ReadonlyMap<string, readonly Channel[]> } | undefined;

  constructor(options: { channels: Channels; contacts: ContactTable }) {
    this.#channels = options.channels;
    this.#contacts = options.contacts;
  }

  /**
   * @param options - `urn`: the address to write to, if the contact still has it; `channel`: the requested one
   * @returns undefined when no handset can reach an address of the contact
   */
  routeTo(
    contact: ContactRow,
    options: { urn?: string | undefined; channel?: Channel | undefined } = {},
  ): ContactRoute | undefined {
    const { urn } = options;
    const address = urn === undefined ? undefined : withoutDisplay(urn);
    const own = contact.urns.find((one) => withoutDisplay(one) === address);
    const phone = phoneOf(own === undefined ? contact : { urns: [own] });
    if (phone === undefined) return undefined;
    const requested = options.channel?.isActive === true ? options.channel : undefined;
    const channel = requested ?? this.#lastChannel(phone) ?? this.#closestChannel(phone, contact.row);
    return channel && { phone, channel };
  }

  #lastChannel(phone: string): Channel | undefined {
    const channel = this.#contacts.ownerOf(`tel:${phone}`)?.channel ?? undefined;
    if (channel === undefined || !this.#channels.has(channel)) return undefined;
    const last = this.#channels.get(channel);
    return last.isActive ? last : undefined;
  }

  /**
   * The channel of the same country whose number shares the longest prefix with this one; if the country has no
   * channel, a channel of any country. Ties are decided by the contact's row.
   */
  #closestChannel(phone: string, row: number): Channel | undefined {
    const { version } = this.#channels;
    if (this.#byPrefix?.of !== version) this.#byPrefix = { of: version, channels: byPrefix(this.#channels.active()) };
    const { channels } = this.#byPrefix;
    for (const country of [phoneCountry(phone), anywhere]) {
      if (country === undefined) continue;
      for (let length = phone.length; length >= 0; length--) {
        const alike = channels.get(country + phone.slice(0, length));
        if (alike !== undefined) return alike[row % alike.length];
      }
    }
    return undefined;
  }
}

/** The key for all countries. */
const anywhere = "";

function byPrefix(all: readonly Channel[]): Map<string, Channel[]> {
  const channels = new Map<string, Channel[]>();
  for (const channel of all) {
    const { phone } = channel;
    for (const country of new Set([phoneCountry(phone) ?? anywhere, anywhere])) {
      for (let length = 0; length <= phone.length; length++) {
        const key = country + phone.slice(0, length);
        const alike = channels.get(key);
        if (alike === undefined) channels.set(key, [channel]);
        else alike.push(channel);
      }
    }
  }
  return channels;
}
