import type { ReplyEffect } from "../gateway/index.js";
import { parseUrn, type Reply } from "../wire/index.js";
import type { World } from "../world/index.js";

/**
 * Watches what replies ask for where only a part of a fleet is played: one that has to do with somebody of another part
 * could not be carried out as in the whole. That is known only when it comes.
 */
export class ReplyWatch {
  readonly #world: World;
  #count = 0;
  #first: string | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** A reply has been taken in. */
  look(event: { readonly channel: number; readonly number: number }, reply: Reply, effect: ReplyEffect): void {
    const why = this.#crosses(reply, effect);
    if (why === undefined) return;
    this.#count++;
    this.#first ??= `to event ${event.channel}/${event.number}, ${why}`;
  }

  /** What is wrong with the run because of them, in a sentence; undefined: nothing. */
  get problem(): string | undefined {
    if (this.#first === undefined) return undefined;
    const replies = this.#count === 1 ? "one reply" : `${this.#count} replies, the first`;
    return `${replies} ${this.#first}: the parts together are not what the whole would have been; play it whole`;
  }

  #crosses({ channel, urns }: Reply, effect: ReplyEffect): string | undefined {
    const world = this.#world;
    if (channel !== undefined && !world.hasChannel(channel) && channel >= 1 && channel <= world.handsetCount) {
      return `goes through channel ${channel}, which is in another part`;
    }
    for (const urn of urns) {
      const phone = parseUrn(urn)?.path;
      const person = phone === undefined ? undefined : world.personByPhone(phone);
      if (person !== undefined && !world.hasPerson(person)) return `writes to ${phone}, who is in another part`;
    }
    const isUnknown = effect.kind === "ignored" && effect.reason === "unknown-contact";
    return isUnknown ? "names a contact that is not known in this part" : undefined;
  }
}
