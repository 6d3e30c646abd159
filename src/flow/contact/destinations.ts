import type { SessionContact } from "../contact-state.js";
import type { Assets, ChannelAsset } from "../host.js";
import { channelOf, countryOfPhone, splitUrn } from "./contact-urn.js";

/** An address that can be sent to, with the channel that sends. */
export interface Destination {
  /** As stored, with its preferred channel. */
  readonly urn: string;
  readonly channel: ChannelAsset;
}

/** Addresses of a contact that some channel can send to, by priority (docs/reference/flows.md#urn-choice). */
export function destinationsOf(contact: SessionContact, assets: Assets): readonly Destination[] {
  return contact.urns.flatMap((urn) => {
    const channel = channelFor(urn, assets);
    return channel === undefined ? [] : [{ urn, channel }];
  });
}

/** The address and channel for a message to a contact; undefined when no channel can send to any of its addresses. */
export function preferredDestination(contact: SessionContact, assets: Assets): Destination | undefined {
  for (const urn of contact.urns) {
    const channel = channelFor(urn, assets);
    if (channel !== undefined) return { urn, channel };
  }
  return undefined;
}

/** Country of a contact: its preferred channel's, else its phone number's. Two letters. */
export function countryOfContact(contact: SessionContact, assets: Assets): string | undefined {
  const country = preferredDestination(contact, assets)?.channel.country;
  if (country !== undefined && country !== "") return country;
  for (const urn of contact.urns) {
    const { scheme, path } = splitUrn(urn);
    const found = scheme === "tel" ? countryOfPhone(path) : "";
    if (found !== "") return found;
  }
  return undefined;
}

/** Whether a channel can send messages. */
export function canSend(channel: ChannelAsset): boolean {
  return channel.roles.includes("send");
}

function channelFor(urn: string, assets: Assets): ChannelAsset | undefined {
  const own = channelOf(urn);
  const affine = own === undefined ? undefined : assets.channel(own);
  if (affine !== undefined && canSend(affine)) return affine;
  const { scheme, path } = splitUrn(urn);
  const able = assets.channels().filter((channel) => channel.schemes.includes(scheme) && canSend(channel));
  if (scheme !== "tel") return able[0];
  const country = countryOfPhone(path);
  const candidates = able.filter(
    (channel) =>
      (channel.country ?? "") === "" ||
      country === "" ||
      channel.country === country ||
      channel.allowsInternational === true,
  );
  return bestByPrefix(path.replace(/^\+/, ""), candidates);
}

/** The channel whose number, or one of whose prefixes, shares most leading digits with the number; else the first. */
function bestByPrefix(digits: string, candidates: readonly ChannelAsset[]): ChannelAsset | undefined {
  let best: ChannelAsset | undefined;
  let longest = 0;
  for (const channel of candidates) {
    const prefixes = channel.matchPrefixes?.length ? channel.matchPrefixes : [channel.address.replace(/^\+/, "")];
    for (const prefix of prefixes) {
      const overlap = sharedLength(prefix, digits);
      if (overlap > longest) {
        longest = overlap;
        best = channel;
      }
    }
  }
  return best ?? candidates[0];
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
