import type { Lab } from "../lab/index.js";
import { selectPeople } from "../scenario/index.js";
import type { CallEventType } from "../wire/index.js";
import type { PeopleChoice } from "../world/index.js";
import { refusal } from "./refusal.js";
import type { ControlParts } from "./control-parts.js";
import type { PhoneLookup } from "./phones/phone-lookup.js";

/** Acts of the service on the channels of selected handsets, started by hand. Each act is one recorded input. */
export class ChannelHands {
  readonly #parts: ControlParts;
  readonly #lookup: PhoneLookup;

  constructor(parts: ControlParts, lookup: PhoneLookup) {
    this.#parts = parts;
    this.#lookup = lookup;
  }

  /** Sets the delivery URL of these channels; null: none. @throws ControlRefusal */
  setDeliveryUrl(of: string, url: string | null): string {
    if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
      throw refusal("url", `'${url}' is not an http or https address`);
    }
    if (url !== null && !this.#parts.isAllowed(url)) {
      const { hostname } = new URL(url);
      throw refusal("url", `${hostname} is not this machine: start the server with --allow-host ${hostname}`);
    }
    return this.#forChannels(of, "delivery-url", { url }, (channel, gateway) => gateway.setDeliveryUrl(channel, url));
  }

  /** Raises an alarm as if the service had found a cause. @throws ControlRefusal */
  raiseAlarm(of: string): string {
    return this.#forChannels(of, "alarm", {}, (channel, gateway) => gateway.raiseAlarm(channel));
  }

  /** Logs a call as if a handset had reported it. @throws ControlRefusal */
  logCall(call: { of: string; phone: string; type: CallEventType; durationS: number; timeMs?: number }): string {
    const { of, phone: from, type, durationS } = call;
    const { lab } = this.#parts.lab();
    const { timeMs = this.#parts.scenario().cast.startsAtMs + lab.nowMs } = call;
    const callers = this.#callersOf(from);
    return this.#forChannels(of, "call", { phone: from, type, durationS, timeMs }, (channel, gateway) => {
      const phones =
        "number" in callers
          ? [callers.number]
          : lab.world.population.peopleOf(callers).map((one) => lab.world.population.phoneOfPerson(one));
      for (const phone of phones) gateway.logCall(channel, { type, phone, timeMs, durationS });
    });
  }

  /** The people of a logged call, or a short code or sender name that belongs to no phone. */
  #callersOf(from: string): PeopleChoice | { readonly number: string } {
    const selected = selectPeople(from, this.#parts.scenario().cast);
    if ("choice" in selected) return selected.choice;
    if (/^[\w ]{1,11}$/.test(from)) return { number: from };
    throw refusal("phone", `'phone' ${selected.message}`);
  }

  /** Applies `act` to the channels of the selected handsets, recorded as one input. @returns a sentence */
  #forChannels(
    of: string,
    kind: string,
    args: Readonly<Record<string, unknown>>,
    act: (channel: number, gateway: Lab["gateway"]) => void,
  ): string {
    const { lab } = this.#parts.lab();
    const channels = this.#lookup.channelsOf(of);
    lab.write({ kind, json: JSON.stringify({ of, ...args }) }, () => {
      for (const channel of channels) act(channel, lab.gateway);
    });
    return `${kind}: ${channels.length === 1 ? "1 channel" : `${channels.length} channels`}`;
  }
}
