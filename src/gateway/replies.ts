import { parseUrn, type Reply, type ReplyRefusal, type ServicePreset } from "../wire/index.js";
import type { Channel, Channels } from "./channels.js";
import type { ContactBook } from "./contacts.js";

/** A reply resolved to numbers and a channel, or refused. */
export type ReplyPlan =
  | { readonly ok: true; readonly channel: Channel; readonly phones: readonly string[]; readonly text: string }
  | { readonly ok: false; readonly reason: ReplyRefusal; readonly detail: string };

/**
 * Resolves the recipients and the channel of a reply (docs/reference/webhook.md#json-replies). One recipient that
 * cannot be reached refuses the whole reply.
 *
 * @param options - `about`: the number that the answered event was about, for `replyToSender`
 */
export function planReply(
  reply: Reply,
  options: {
    answered: Channel;
    lastSeen: Channel;
    about: string | undefined;
    preset: ServicePreset;
    contacts: ContactBook;
    channels: Channels;
  },
): ReplyPlan {
  const phones = new Set<string>();
  for (const text of reply.urns) {
    const urn = parseUrn(text);
    if (urn?.scheme !== "tel") return refuse("bad-urn", `a handset reaches tel URNs only, not '${text}'`);
    phones.add(urn.path);
  }
  for (const uuid of reply.contacts) {
    const phone = options.contacts.phoneOf(uuid);
    if (phone === undefined) return refuse("unknown-contact", `there is no contact ${uuid} with a phone`);
    phones.add(phone);
  }
  if (phones.size === 0) {
    if (!options.preset.replyToSender || options.about === undefined) {
      return refuse("no-recipient", "neither urn nor contact names a recipient");
    }
    phones.add(options.about);
  }
  for (const phone of phones) {
    if (options.contacts.findByPhone(phone)?.getsNothing !== true) continue;
    return refuse("contact-gets-nothing", `the contact with ${phone} is blocked or has opted out`);
  }
  let channel = options.preset.replyThrough === "last-seen" ? options.lastSeen : options.answered;
  if (reply.channel !== undefined) {
    const named = options.channels.withRelayer(reply.channel);
    if (named === undefined) return refuse("unknown-channel", `there is no channel ${reply.channel}`);
    channel = named;
    if (channel.relayer !== reply.channel) return refuse("released-channel", releasedText(reply.channel, channel));
  }
  if (!channel.isActive) return refuse("released-channel", releasedText(channel.relayer, channel));
  return { ok: true, channel, phones: [...phones], text: reply.text };
}

function releasedText(id: number, { spec, relayer, isActive, isElsewhere }: Channel): string {
  if (isElsewhere && id === relayer) return `channel ${id} of ${spec.name} belongs to another organisation`;
  const now = isActive ? `; ${spec.name} is channel ${relayer} now` : "";
  return `channel ${id} of ${spec.name} is not in use${now}`;
}

function refuse(reason: ReplyRefusal, detail: string): ReplyPlan {
  return { ok: false, reason, detail };
}
