import { choiceType, clearable, integerType, optional, detailError, required, textType } from "../../api/index.js";
import { answers, type HandsetStatus } from "../../console/index.js";
import { anyObject, words } from "./kinds.js";
import { type HandEntry, handReference } from "../../scenario/index.js";
import type { CallEventType } from "../../wire/index.js";
import type { ServedLab } from "../served-lab.js";
import { type ControlRoute, readRoute, writeRoute } from "./route.js";
import { doneNow, selectorAbout } from "./shapes.js";

/** The types of call that can be logged. */
const callTypes = ["mo_call", "mo_miss", "mt_call", "mt_miss"] as const satisfies readonly CallEventType[];

/** One route for each verb, which performs the step immediately. */
export function verbRoutes(verbs: readonly HandEntry[]): ControlRoute[] {
  return verbs.map(({ name, about, args, example }) => ({
    method: "POST",
    path: `/do/${name}`,
    about,
    parameters: {},
    fields: "object",
    body: args,
    example: () => example,
    answer: answers.done,
    serve: ({ control, body }) => doneNow(control, control.perform(name, body)),
  }));
}

/** Routes for acts of the service by hand, and for lists of verbs and handsets. */
export const handRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/verbs",
    about: "The verbs, with their arguments.",
    serve: ({ control }) =>
      handReference(control.scenario.cast).map(({ name, about, args }) => ({ name, about, args })),
  }),
  writeRoute({
    path: "/alarms",
    about: "Raises an alarm for handsets: an alarm event with their last reported status.",
    fields: { of: required(words, selectorAbout) },
    example: ({ handset }) => ({ of: handset }),
    serve: ({ of }, { control }) => doneNow(control, control.channels.raiseAlarm(of)),
  }),
  writeRoute({
    path: "/calls",
    about: "Logs a call as if a handset had reported it: a call event and a channel event.",
    fields: {
      of: required(words, selectorAbout),
      phone: required(
        textType({ max: 64 }),
        "The caller or callee: a phone number (E.164), a short code, or people such as farmers/3",
      ),
      type: optional(choiceType(callTypes), "Default: mo_miss"),
      duration: optional(integerType({ min: 0, max: 86_400 }), "Seconds talked; default 0"),
    },
    example: ({ handset, phone }) => ({ of: handset, phone, type: "mo_miss" }),
    serve: ({ of, phone, type = "mo_miss", duration = 0 }, { control }) =>
      doneNow(control, control.channels.logCall({ of, phone, type, durationS: duration })),
  }),
  writeRoute({
    path: "/delivery-url",
    about: "Sets the delivery URL of channels; null: none.",
    fields: {
      of: required(words, selectorAbout),
      url: clearable(words, "An http or https address on an allowed host; null: events are recorded but not delivered"),
    },
    example: ({ handset }) => ({ of: handset, url: "http://127.0.0.1:8080/events" }),
    serve({ of, url }, { control }) {
      if (url === undefined) throw detailError(400, "Give the url, or null for none.");
      return doneNow(control, control.channels.setDeliveryUrl(of, url));
    },
  }),
  writeRoute({
    path: "/resthooks",
    about: "Emits an event of a resthook to its subscribers.",
    fields: {
      resthook: required(words, "Its slug"),
      data: required(anyObject, "The event's data"),
    },
    example: () => ({ resthook: "stock-low", data: { post: "Upper Mill", bednets: 3 } }),
    serve: ({ resthook, data }, { control }) => doneNow(control, control.emitResthook(resthook, data)),
  }),
  readRoute({
    path: "/handsets",
    about: "The handsets as the service knows them.",
    serve: ({ control }) => handsetsOf(control.served),
  }),
];

function handsetsOf({ lab: { world, gateway }, recording }: ServedLab): HandsetStatus[] {
  const { population } = world;
  const uuids = new Map([...recording.reader().channels()].map(({ id, uuid }) => [id, uuid]));
  return Array.from({ length: population.handsetCount }, (_, index) => {
    const channel = index + 1;
    const { url, device } = gateway.channelState(channel);
    return {
      channel,
      selector: population.nameOfHandset(channel),
      uuid: uuids.get(channel) ?? "",
      phone: population.phoneOfHandset(channel),
      delivery_url: url,
      power_level: device.powerLevel,
      power_status: device.powerStatus,
      power_source: device.powerSource,
      network_type: device.networkType,
      pending: device.pending.length,
      retry: device.retry.length,
    };
  });
}
