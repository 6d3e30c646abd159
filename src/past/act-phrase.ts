import { formatCount, readableDuration } from "../report/index.js";
import type { GatewayInput, ReceiverInput, ServiceFaultInput, StoryInput, Variations } from "../scenario/index.js";
import type { Distribution } from "../sim/index.js";
import { OWN_ORG } from "../wire/index.js";
import type { HandsetInput, Plug, SendFailShare, WorldInput } from "../world/index.js";
import type { ActNames } from "./act-names.js";
import { deliveryPhrase } from "./delivery-phrase.js";

/**
 * An act on the lab as a phrase for readers who do not know the language of scenarios: `Clock of clinic/3 10 min
 * ahead`.
 */
export function actPhrase(act: StoryInput, names: ActNames): string {
  switch (act.to) {
    case "world":
      return worldPhrase(act.input, names, act.varies);
    case "gateway":
      return gatewayPhrase(act.input, names, act.varies);
    case "account":
      return `Flow “${act.input.flow}” started for ${names.people(act.input.person)}`;
    case "receiver":
      return receiverPhrase(act.input, act.varies);
    case "delivery":
      return `${deliveryPhrase(act.input, names)}${forSpan(act.input.forMs, act.varies)}`;
    case "log":
      return act.text;
    case "expect":
      return "Expectation";
    case "check":
      return act.check.text;
    default:
      return act satisfies never;
  }
}

function worldPhrase(input: WorldInput, names: ActNames, varies: Variations | undefined): string {
  switch (input.verb) {
    case "text":
      return `${names.people(input.from)} texted ${names.handsets(input.to)}${quoted(input.body)}`;
    case "call":
      return callPhrase(input, names);
    case "carrier-settings":
      return `Carrier ${input.carrier}: ${settingsPhrase(input.changes)}${forSpan(input.forMs, varies)}`;
    case "unreachable":
      return `Phone of ${names.people(input.people)} ${input.state === "off" ? "on again" : "off"}${forSpan(input.forMs, varies)}`;
    case "traffic":
      return `${trafficPhrase(input, names)}${forSpan(input.forMs, varies)}`;
    default: {
      const of = names.handsets(input.of);
      return `${handsetPhrase(input, of, varies)}${"forMs" in input ? forSpan(input.forMs, varies) : ""}`;
    }
  }
}

/** @param of - the names of the handsets */
function handsetPhrase(input: HandsetInput, of: string, varies: Variations = {}): string {
  switch (input.verb) {
    case "power":
      return `Mains of ${of} ${input.mains ? "on" : "off"}${input.plug === undefined ? "" : `, by ${plugWords[input.plug]}`}`;
    case "power-cut":
      return `${input.state === "off" ? "End of power cut" : "Power cut"} at ${of}`;
    case "mast":
      return `${input.state === "off" ? "Mast back" : "Mast down"} at ${of}${forSpan(input.downMs, varies, "downMs")}`;
    case "solar": {
      const { perHour, clouds } = input;
      const rate = varies["perHour"]?.text ?? `${perHour}%`;
      const panel = perHour === undefined ? undefined : perHour === 0 ? "off" : `${rate} an hour under a high sun`;
      const sky = clouds === undefined ? undefined : `clouds ${percentsText(clouds)}`;
      return `Solar panel of ${of}: ${[panel, sky].filter((part) => part !== undefined).join(", ")}`;
    }
    case "battery":
      return batteryPhrase(input, of, varies);
    case "network":
      return networkPhrase(input, of);
    case "coverage":
      return `${input.state === "none" ? "No coverage" : "Coverage back"} at ${of}`;
    case "sms-service":
      return smsServicePhrase(input, of);
    case "sync":
      if ("now" in input) return `Sync of ${of} at once`;
      return input.times === 1
        ? `Next sync ${input.loses} of ${of} lost`
        : `Next ${formatCount(input.times)} sync ${input.loses}s of ${of} lost`;
    case "carrier": {
      const what =
        input.times === 1 ? `Next ${input.way.slice(0, -1)}` : `Next ${formatCount(input.times)} ${input.way}`;
      return `${what} ${input.way === "texts" ? "to" : "from"} ${of} ${input.fate === "loses" ? "lost" : "twice"}`;
    }
    case "call-log":
      return `Call log of ${of} ${input.state} by its owner`;
    case "sim":
      return simPhrase(input, of);
    case "credit":
      if (input.units !== undefined) return `Credit of ${of} at ${formatCount(input.units)} units`;
      return `Credit of ${of} topped up by ${formatCount(input.adds ?? 0)} units`;
    case "clock":
      if (varies["skewMs"] !== undefined) return `Clock of ${of} off by ${varies["skewMs"].text}`;
      if (input.skewMs === 0) return `Clock of ${of} right again`;
      return `Clock of ${of} ${readableDuration(Math.abs(input.skewMs))} ${input.skewMs > 0 ? "ahead" : "behind"}`;
    case "airplane":
      return `Airplane mode of ${of} ${input.state ?? "on"}`;
    case "pause":
      return `${input.state === "off" ? "End of pause" : "Pause"} of ${of}`;
    case "reboot":
      return `Reboot of ${of}, down for ${varies["downMs"]?.text ?? readableDuration(input.downMs)}`;
    case "kill":
      return `App of ${of} killed`;
    case "crash": {
      const { downMs } = input;
      const down = varies["downMs"]?.text ?? (downMs === undefined ? undefined : readableDuration(downMs));
      return `App of ${of} crashed${down === undefined ? "" : `, down for ${down}`}`;
    }
    case "upgrade":
      return `App of ${of} upgraded, down for ${varies["downMs"]?.text ?? readableDuration(input.downMs)}`;
    case "open":
      return `App of ${of} opened`;
    case "doze":
      return `${input.state === "off" ? "End of Doze" : "Doze"} of ${of}`;
    case "permission":
      return `Permission for ${input.what === "sms" ? "texts" : "calls"} of ${of} ${input.isGranted ? "granted" : "lost"}`;
    case "reset":
      return `App data of ${of} cleared, down for ${varies["downMs"]?.text ?? readableDuration(input.downMs)}`;
    case "register":
      return `App of ${of} installed again`;
    default:
      return input satisfies never;
  }
}

function simPhrase(
  { slot = 1, phone, carrier, credit, state, sendsWith }: Extract<WorldInput, { verb: "sim" }>,
  of: string,
): string {
  const which = slot === 1 ? "SIM" : "Second SIM";
  const number = phone && `${phone.prefix}${phone.digits === 0 ? "" : "…"}${phone.suffix}`;
  const facts = [
    number === undefined ? [] : [`swapped for ${number}`],
    carrier === undefined ? [] : [`of ${carrier}`],
    credit === undefined ? [] : [`with ${formatCount(credit)} units`],
    state === undefined ? [] : [state === "none" ? "taken out" : "back"],
    sendsWith === undefined ? [] : [`texts go out from SIM ${sendsWith}`],
  ].flat();
  return `${which} of ${of}: ${facts.join(", ")}`;
}

/** `70%`, `20% to 90%`, `varying` */
function percentsText(values: Distribution<number>): string {
  if (values.kind === "fixed") return `${values.value}%`;
  return values.kind === "uniform" ? `${values.min}% to ${values.max}%` : "varying";
}

function settingsPhrase({
  delay,
  loses,
  duplicates,
  refuses,
  reportsDelivery,
  reportsAfter,
  reportsEarly,
  reportsParts,
  expiresAfterMs,
  carriesPerMs,
  longTexts,
  partsOrder,
}: Extract<WorldInput, { verb: "carrier-settings" }>["changes"]): string {
  const facts = [
    delay && spanPhrase("delay", delay),
    loses !== undefined && `${percent(loses)} lost`,
    duplicates !== undefined && `${percent(duplicates)} twice`,
    refuses !== undefined && `${percent(refuses)} of segments refused`,
    reportsDelivery !== undefined && `${percent(reportsDelivery)} of deliveries reported`,
    reportsAfter && spanPhrase("reports after", reportsAfter),
    reportsEarly !== undefined && `${percent(reportsEarly)} of deliveries reported before the text arrives`,
    reportsParts !== undefined && (reportsParts ? "each part reported" : "one report for all parts"),
    expiresAfterMs !== undefined &&
      (expiresAfterMs === Infinity ? "texts never expire" : `texts expire after ${readableDuration(expiresAfterMs)}`),
    carriesPerMs !== undefined && (carriesPerMs === Infinity ? "no limit" : `${hourly(carriesPerMs)} texts an hour`),
    longTexts !== undefined && `long texts ${longTexts === "parts" ? "as parts" : longTexts}`,
    partsOrder !== undefined && `parts of long texts to people ${partsOrderWords[partsOrder]}`,
  ];
  return facts.filter((fact) => typeof fact === "string").join(", ");
}

const partsOrderWords = { "as-sent": "as sent", any: "in any order", reversed: "reversed" } as const;

function spanPhrase(what: string, span: Distribution<number>): string {
  return span.kind === "fixed" ? `${what} ${readableDuration(span.value)}` : `other ${what}`;
}

function smsServicePhrase(
  { state, fails, failsWith }: Extract<WorldInput, { verb: "sms-service" }>,
  of: string,
): string {
  const facts = [
    state === undefined ? [] : [state === "ok" ? "back" : state.replaceAll("-", " ")],
    fails === undefined ? [] : [`${failsPhrase(fails)} of segments fail`],
    failsWith === undefined ? [] : [failsWith.replaceAll("-", " ")],
  ].flat();
  return `SMS service of ${of}: ${facts.join(", ")}`;
}

function failsPhrase(fails: SendFailShare): string {
  if (typeof fails === "number") return percent(fails);
  return Object.entries(fails)
    .map(([link, share]) => `${percent(share)} on ${link}`)
    .join(", ");
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

const plugWords: Readonly<Record<Plug, string>> = { ac: "a charger", usb: "USB", wireless: "a wireless charger" };

const batteryWords = { ok: "known again", unknown: "with an unknown status", none: "not seen yet" } as const;

function batteryPhrase(
  { level, reports }: Extract<WorldInput, { verb: "battery" }>,
  of: string,
  varies: Variations,
): string {
  const facts = [
    ...(level === undefined ? [] : [`at ${varies["level"]?.text ?? `${level} %`}`]),
    ...(reports === undefined ? [] : [batteryWords[reports]]),
  ];
  return `Battery of ${of} ${facts.join(", ")}`;
}

function networkPhrase(
  { type, latency, loses, portal, second }: Extract<WorldInput, { verb: "network" }>,
  of: string,
): string {
  if (type === "none" && portal === undefined && second === undefined) return `No data network at ${of}`;
  const facts = [
    type === undefined ? [] : [type === "none" ? "no data" : type],
    latency === undefined ? [] : [latency.kind === "fixed" ? `${readableDuration(latency.value)} slow` : "slow"],
    loses === undefined ? [] : [`${percent(loses)} of syncs lost`],
    portal === undefined ? [] : [portal ? "a captive portal" : "no captive portal"],
    second === undefined ? [] : [second === "none" ? "no second link" : `second link ${second}`],
  ].flat();
  return `Network of ${of}: ${facts.join(", ")}`;
}

function callPhrase(
  { by, people, handsets, rings, talks, ends }: Extract<WorldInput, { verb: "call" }>,
  names: ActNames,
): string {
  const sides = [names.people(people), names.handsets(handsets)];
  const [from, to] = by === "person" ? sides : sides.toReversed();
  if (ends !== undefined) return `${from} called ${to}, ${ends.replaceAll("-", " ")}`;
  return `${from} called ${to}${rings !== undefined ? ", no answer" : talks !== undefined ? ", answered" : ""}`;
}

function trafficPhrase({ entries, change }: Extract<WorldInput, { verb: "traffic" }>, names: ActNames): string {
  const what = entries === undefined ? "All traffic" : `Traffic “${entries.map(names.traffic).join("”, “")}”`;
  if ("state" in change) return `${what} ${change.state}`;
  if ("times" in change) return `${what} ${change.times} times as much`;
  return `${what} at ${hourly(change.perMs)} an hour`;
}

function hourly(perMs: number): string {
  return formatCount(Number((3_600_000 * perMs).toPrecision(3)));
}

function gatewayPhrase(input: GatewayInput, names: ActNames, varies: Variations | undefined): string {
  switch (input.verb) {
    case "send":
      return `${names.handsets(input.via)} wrote to ${names.people(input.to)}${quoted(input.body)}`;
    case "flow":
      return `Flow result “${input.name}” of ${names.people(input.person)}`;
    case "event":
      return `Event ${input.type} of ${names.handsets(input.of)}`;
    case "service":
      return `${servicePhrase(input, names)}${forSpan(input.forMs, varies)}`;
    case "register":
      return `App of ${names.handsets(input.of)} installed again${claimPhrase(input)}`;
    case "release":
      return `Channel of ${names.handsets(input.of)} released${claimPhrase(input)}`;
    case "reset":
      return `App data of ${names.handsets(input.of)} cleared, channel released${claimPhrase(input)}`;
    case "claim":
      if ((input.org ?? OWN_ORG) !== OWN_ORG) return `${names.handsets(input.of)} moved to organisation ${input.org}`;
      if (input.phone === undefined) return `${names.handsets(input.of)} claimed`;
      return `${names.handsets(input.of)} claimed ${input.phone === "" ? "without a number" : `with ${input.phone}`}`;
    default:
      return input satisfies never;
  }
}

function servicePhrase(input: ServiceFaultInput, { handsets }: ActNames): string {
  const { failsAfter, poison, poisonsNext, withholds, offersTo, doubles, offersIncoming } = input;
  const of = handsets(input.of);
  if (input.state === "ok") return `Service works again for ${of}`;
  const facts = [
    failsAfter === undefined ? [] : [`fails after ${failsAfter === 1 ? "1 report" : `${failsAfter} reports`}`],
    poison === undefined ? [] : ["fails at some texts"],
    poisonsNext === true ? ["fails at the next text"] : [],
    withholds === true ? ["offers no messages"] : [],
    offersTo === undefined ? [] : [`offers the messages to ${handsets(offersTo)}`],
    doubles === true ? ["processes each sync twice"] : [],
    offersIncoming === true ? ["sends texts back to their senders"] : [],
  ].flat();
  return `Service ${facts.join(", ")}, for ${of}`;
}

/** When somebody claims the phones again: `, claimed again after 9 h`; empty: nobody does. */
function claimPhrase({ claimedAgain: after }: { readonly claimedAgain?: Distribution<number> }): string {
  if (after === undefined) return "";
  return after.kind === "fixed" ? `, claimed again after ${readableDuration(after.value)}` : ", claimed again later";
}

const answers: Readonly<Record<ReceiverInput["answers"], string>> = {
  ok: "accepts events",
  slow: "answers slowly",
  close: "hangs up",
  hang: "never answers",
  garbage: "answers garbage",
  reply: "replies with a message",
  status: "answers with status",
};

function receiverPhrase({ answers: way, status, forMs }: ReceiverInput, varies: Variations | undefined): string {
  return `Receiver ${answers[way]}${way === "status" ? ` ${status}` : ""}${forSpan(forMs, varies)}`;
}

function forSpan(ms: number | undefined, varies: Variations | undefined, key = "forMs"): string {
  return ms === undefined ? "" : ` for ${varies?.[key]?.text ?? readableDuration(ms)}`;
}

/** The text in quotes; empty for a text that varies. */
function quoted(body: Extract<WorldInput, { verb: "text" }>["body"]): string {
  return body.kind === "fixed" ? `: “${body.value}”` : "";
}
