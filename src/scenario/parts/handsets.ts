import * as z from "zod";
import { fixed } from "../../sim/index.js";
import {
  batteryReports,
  type CarrierSpec,
  type HandsetGroup,
  networkTypes,
  type Place,
  plugOf,
  plugs,
} from "../../world/index.js";
import { eventTypes } from "../../wire/index.js";
import { keyed } from "../sheet/field.js";
import { count, distinctWords, flag, formed, phone, share, text, url, word } from "../fields/fields.js";
import { failShare } from "../fields/fail-share.js";
import { percents, span, varyingWord } from "../fields/varying-fields.js";
import { suggest } from "../sheet/nearest.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { isMap, type Path } from "../sheet/raw-value.js";
import { deliverySchema } from "./delivery-troubles.js";
import { unitBounds } from "./credit.js";
import { checkCounter, mostMembers } from "./phones.js";
import { groupPlaceSchema, isOnEarth, readGroupPlace } from "./place.js";
import { perHourOf, solarSchema, wattsAndPerHour } from "./solar.js";
import { faultsField, packsField, profileSchema, readProfile } from "./profile.js";

/** A group of handsets. */
export const handsetsSchema = keyed({
  name: formed(
    /^\S(.{0,58}\S)?$/,
    "a name of up to 60 characters",
    "What the console and reports call the group, such as Old Harbour; default: its key. Selectors and files have the key.",
  ).optional(),
  count: count("How many there are.", { min: 1, max: mostMembers }).prefault(1),
  phone: phone("Their phone numbers: {000} is a counter with this number of digits that starts at this number."),
  carrier: text("Their carrier; may be left out when there is only one.").optional(),
  battery: percents("The battery's level at the start.").prefault("100%"),
  mains: varyingWord(
    ["on", "off", ...plugs],
    "Whether there is power at the start, or what the phone charges from; on: a charger.",
  ).prefault("on"),
  "battery-reports": word(
    batteryReports,
    "What the phone reports of its battery at the start: ok; unknown: the status UNK; none: nothing yet, so level -1.",
  ).prefault("ok"),
  network: varyingWord(networkTypes, "The data link at the start.").prefault("LTE"),
  "second-network": word(
    networkTypes,
    "A second data link at the start, used without the first, and by an app that flips or prefers it.",
  ).prefault("none"),
  credit: count(
    "Units on the SIM at the start: each segment that is sent takes one; default: no limit.",
    unitBounds,
  ).optional(),
  "sms-fails": failShare(
    "The share of segments that the radio refuses, as 'fails' of the verb sms-service; default: none.",
  ).optional(),
  "second-sim": keyed({
    phone: phone("Its number, as 'phone'."),
    carrier: text("Its carrier; default: that of the first SIM.").optional(),
    credit: count("Units on it at the start; default: no limit.", unitBounds).optional(),
    sends: flag("Whether texts go out from it; default: from the first SIM.").optional(),
  })
    .describe("A second SIM.")
    .optional(),
  profile: profileSchema
    .describe("How the phone behaves: a profile, or a map that changes some of its numbers.")
    .optional(),
  packs: packsField.optional(),
  faults: faultsField.optional(),
  clock: span("How far the phone's clock is ahead of the true time at the start.", { signed: true }).prefault("0s"),
  solar: solarSchema.describe("A solar panel that charges it, by the sun of its place.").optional(),
  place: groupPlaceSchema
    .describe(
      "Where they are: on the picture of the district and, in degrees, for the sun. Default for the sun: the scenario's place.",
    )
    .optional(),
  "picks-up": share("The share of incoming calls that somebody answers.").prefault("0%"),
  receiver: url("An own delivery URL of these channels, or none.", { words: ["none"] }).optional(),
  delivery: deliverySchema
    .describe(
      "Trouble on the way of their events to the receiver, from the start: the arguments of the verb `delivery`.",
    )
    .optional(),
  events: distinctWords(
    eventTypes,
    "The types of events that the account forwards to the receiver; default: all. Others are recorded only.",
    { noun: "an event type", code: "unknown-event", hintEmpty: "leave the key out for all, or write 'receiver: none'" },
  ).optional(),
});

/** The keys of a group of handsets. */
export const handsetKeys: readonly string[] = Object.keys(handsetsSchema.shape);

/** `place` is read separately, too. `delivery` is read when all names are known. The profile is read separately, because the failure of a union does not say which branch was meant. */
const handsetsApart = handsetsSchema.extend({
  profile: z.unknown().optional(),
  delivery: z.unknown().optional(),
  place: z.unknown().optional(),
});

/** What the typed builder takes for a group of handsets. */
export type HandsetsInput = z.input<typeof handsetsSchema>;

/** Reads one group of handsets; undefined if it is invalid. */
export function readHandsets(
  reader: DocumentReader,
  name: string,
  { carriers, place }: { readonly carriers: readonly CarrierSpec[]; readonly place: Place | undefined },
): HandsetGroup | undefined {
  const path = ["handsets", name];
  const given = reader.read(handsetsApart, path);
  const profile = readProfile(reader, path, given ?? {});
  const placePath = [...path, "place"];
  const onPicture = readGroupPlace(reader, placePath);
  const carrier = carrierOf(reader, [...path, "carrier"], carriers);
  const hasSecondCarrier = reader.at([...path, "second-sim", "carrier"]) !== undefined;
  const secondCarrier = hasSecondCarrier ? carrierOf(reader, [...path, "second-sim", "carrier"], carriers) : undefined;
  if (given === undefined || profile === undefined || carrier === undefined) return undefined;
  checkCounter(reader, path, given.phone, given.count);
  const second = given["second-sim"];
  if (second !== undefined) checkCounter(reader, [...path, "second-sim"], second.phone, given.count);
  const { solar } = given;
  const hasPlace = isOnEarth(reader, placePath) || reader.at(["place"]) !== undefined;
  if (solar !== undefined && !hasPlace) {
    const where = onPicture === undefined ? ", here or at the top" : " at the top";
    reader.reportMissing(placePath, `write place: { lat: -1.95, lon: 30.06 }${where}`);
  }
  if (solar !== undefined) checkPower(reader, [...path, "solar"], solar);
  return {
    name,
    displayName: given.name,
    count: given.count,
    phone: given.phone,
    carrier,
    battery: given.battery,
    ...startOf(given),
    secondNetwork: given["second-network"] === "none" ? undefined : given["second-network"],
    batteryReports: given["battery-reports"] === "ok" ? undefined : given["battery-reports"],
    profile,
    clouds: solar?.clouds,
    place: onPicture !== undefined && "lat" in onPicture ? onPicture : place,
    ...(onPicture !== undefined && { onPicture }),
    credit: given.credit,
    smsFails: given["sms-fails"],
    secondSim: second && { ...second, carrier: secondCarrier },
    clockSkew: given.clock,
    picksUp: given["picks-up"],
    receiver: given.receiver,
    events: given.events,
  };
}

/** Reports a panel whose power is given twice, or not at all. */
function checkPower(reader: DocumentReader, path: Path, given: z.output<typeof solarSchema>): void {
  if (given.watts !== undefined && given["per-hour"] !== undefined) {
    reader.reportProblem([...path, "watts"], wattsAndPerHour);
  }
  if (given.watts === undefined && given["per-hour"] === undefined) {
    reader.reportMissing([...path, "per-hour"], "write per-hour: 30%, or watts: 5");
  }
}

/** The mains, the data link and the panel at the start. Those that vary are in `varies`: each handset draws its own. */
function startOf({
  mains,
  network,
  solar: panel,
}: Pick<z.output<typeof handsetsSchema>, "mains" | "network" | "solar">): Pick<
  HandsetGroup,
  "mains" | "plug" | "network" | "solar" | "varies"
> {
  const solar = panel?.watts === undefined ? panel?.["per-hour"] : fixed(perHourOf(panel.watts));
  const varies = {
    ...(solar !== undefined && solar.kind !== "fixed" && { solar }),
    ...(mains.kind !== "fixed" && { mains }),
    ...(network.kind !== "fixed" && { network }),
  };
  return {
    mains: mains.kind !== "fixed" || mains.value !== "off",
    plug: mains.kind === "fixed" ? plugOf(mains.value) : undefined,
    network: network.kind === "fixed" ? network.value : "LTE",
    ...(solar !== undefined && { solar }),
    ...(Object.keys(varies).length > 0 && { varies }),
  };
}

/** The carrier of a group. It is checked even if another key of the group is invalid. */
function carrierOf(reader: DocumentReader, path: Path, carriers: readonly CarrierSpec[]): string | undefined {
  const written = reader.at(path);
  const names = reader.keys(["carriers"]);
  const carriersWritten = reader.at(["carriers"]) ?? null;
  if (reader.isExcused(["carriers"]) || (carriersWritten !== null && !isMap(carriersWritten))) return undefined; // reported already
  if (written === undefined) {
    if (names.length <= 1) return names[0] ?? carriers[0]?.name;
    reader.reportMissing(path, () => suggest("", names));
    return undefined;
  }
  if (typeof written !== "string") return undefined; // reported already
  if (reader.at(["carriers", written]) !== undefined || (names.length === 0 && carriers[0]?.name === written))
    return written;
  reader.reportProblem(path, {
    code: "unknown-carrier",
    message: `names no carrier: '${written}'`,
    hint: names.length === 0 ? "leave it out: the scenario names no carriers" : () => suggest(written, names),
  });
  return undefined;
}
