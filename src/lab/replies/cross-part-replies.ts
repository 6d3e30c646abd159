import type { ReplyEffect } from "../../gateway/index.js";
import { parseUrn, type Reply } from "../../wire/index.js";
import type { World } from "../../world/index.js";

/**
 * Counts replies, in a run of one part of a fleet, that name a person or channel of another part. Such a reply has
 * another effect than in a run of the whole fleet. It cannot be predicted, so each reply is checked when it is applied.
 */
export class CrossPartReplies {
  readonly #world: World;
  #count = 0;
  #first: string | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Checks a reply that was applied. */
  checkReply(event: { readonly channel: number; readonly number: number }, reply: Reply, effect: ReplyEffect): void {
    const why = this.#crosses(reply, effect);
    if (why === undefined) return;
    this.#count++;
    this.#first ??= `to event ${event.channel}/${event.number}, ${why}`;
  }

  /** A sentence about the first such reply and its consequence; undefined: there was none. */
  get problem(): string | undefined {
    if (this.#first === undefined) return undefined;
    const replies = this.#count === 1 ? "one reply" : `${this.#count} replies, the first`;
    return `${replies} ${this.#first}: the parts together are not what the whole would have been; play it whole`;
  }

  #crosses({ channel, urns }: Reply, effect: ReplyEffect): string | undefined {
    const world = this.#world;
    if (
      channel !== undefined &&
      !world.population.hasChannel(channel) &&
      channel >= 1 &&
      channel <= world.population.handsetCount
    ) {
      return `goes through channel ${channel}, which is in another part`;
    }
    for (const urn of urns) {
      const phone = parseUrn(urn)?.path;
      const person = phone === undefined ? undefined : world.population.personByPhone(phone);
      if (person !== undefined && !world.population.hasPerson(person))
        return `writes to ${phone}, who is in another part`;
    }
    const isUnknown = effect.kind === "ignored" && effect.reason === "unknown-contact";
    return isUnknown ? "names a contact that is not known in this part" : undefined;
  }
}
