import type { HandsetDetails } from "../../console/index.js";
import type { Lab } from "../../lab/index.js";
import { handsetState, type Instant } from "./handset-state.js";

/** The state of a handset at the lab's present, as the control API shows it. @param at - writes a virtual instant */
export function handsetDetails(lab: Lab, channel: number, at: Instant): HandsetDetails {
  const card = lab.world.handset(channel);
  const view = lab.world.inspectHandset(channel);
  const known = lab.gateway.inspectChannel(channel);
  return {
    selector: card.selector,
    channel,
    phone: card.phone,
    uuid: known.uuid,
    profile: card.profile.name,
    carrier: lab.world.carrierOf(channel),
    delivery_url: lab.gateway.channelState(channel).url,
    at: at(lab.nowMs),
    ...handsetState(view, { channel: known, carried: lab.world.carriedTexts(channel), at }),
    // The kernel's time is that of its last timer; the clock is later.
    clock: at(lab.nowMs + view.skewMs),
  };
}
