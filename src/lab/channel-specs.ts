import type { ChannelSpec } from "../gateway/index.js";
import type { Streams } from "../sim/index.js";
import type { World } from "../world/index.js";
import type { LabOptions } from "./lab-options.js";

/** The world's handsets as channels of the service, each with its delivery URL. */
export function channelSpecs(
  world: World,
  streams: Streams,
  { sender, url, continues }: Pick<LabOptions, "sender" | "url" | "continues">,
): ChannelSpec[] {
  const urls = continues?.urls;
  const urlOf = (own: string | undefined): string | null =>
    sender === undefined || own === "none" ? null : (own ?? url);
  return world.channels().map((one) => {
    const { channel, selector, phone, receiver, events } = world.handset(one);
    const isKnown = urls?.has(channel) === true;
    return {
      id: channel,
      name: selector,
      uuid: streams.uuid(`channel/${selector}`),
      phone,
      url: isKnown ? (urls.get(channel) ?? null) : urlOf(receiver),
      device: world.deviceStatus(channel),
      forwards: events,
    };
  });
}
