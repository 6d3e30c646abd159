import * as z from "zod";
import { fixed } from "../../sim/index.js";
import { type CarrierSpec, type Fault, type HandsetGroup, networkTypes, type NetworkType } from "../../world/index.js";
import { type EventType, eventTypes } from "../../wire/index.js";
import { keyed, type TextInput } from "../sheet/field.js";
import { count, distinctWords, phone, share, text, url, word } from "../fields/fields.js";
import { percents, span, type VaryingInput } from "../fields/varying-fields.js";
import { suggest } from "../sheet/nearest.js";
import type { Sheet } from "../sheet/sheet.js";
import { isMap } from "../sheet/written.js";
import { checkCounter, mostMembers } from "./phones.js";
import { faultsField, packsField, type ProfileInput, profileSchema, readProfile } from "./profile.js";

const handsets = keyed({
  count: count("How many there are.", { min: 1, max: mostMembers, default: 1 }).optional(),
  phone: phone("Their phone numbers: {000} is a counter of so many digits that starts at that number."),
  carrier: text("Their carrier; may be left out when there is only one.").optional(),
  battery: percents("The battery's level at the start.", { default: "100%" }).optional(),
  mains: word(["on", "off"], "Whether there is power in the socket at the start.", { default: "on" }).optional(),
  network: word(networkTypes, "The data link at the start.", { default: "LTE" }).optional(),
  profile: profileSchema
    .describe("How the phone behaves: a profile, or a map that changes some of its numbers.")
    .optional(),
  packs: packsField.optional(),
  faults: faultsField.optional(),
  clock: span("How far the phone's clock is ahead of the true time at the start.", {
    signed: true,
    default: "0s",
  }).optional(),
  "picks-up": share("The share of incoming calls that somebody answers.", { default: "0%" }).optional(),
  receiver: url("An own delivery URL of these channels, or none.", { words: ["none"] }).optional(),
  events: distinctWords(
    eventTypes,
    "The types of events that the account forwards to the receiver; default: all. Others are recorded only.",
    { noun: "an event type", code: "unknown-event", hintEmpty: "leave the key out for all, or write 'receiver: none'" },
  ).optional(),
});

/** The keys of a group of handsets. */
export const handsetKeys: readonly string[] = Object.keys(handsets.shape);

/** The profile is read apart, so that a union's failure need not be explained. */
const handsetsApart = handsets.extend({ profile: z.unknown().optional() });

/** A group of handsets. */
export const handsetsSchema: z.ZodType<unknown, HandsetsInput> = handsets;

/** What the typed builder takes for a group of handsets. */
export interface HandsetsInput {
  readonly count?: number | undefined;
  readonly phone: string;
  readonly carrier?: TextInput | undefined;
  readonly battery?: VaryingInput<string> | undefined;
  readonly mains?: "on" | "off" | undefined;
  readonly network?: NetworkType | undefined;
  readonly profile?: ProfileInput | undefined;
  readonly packs?: number | "none" | undefined;
  readonly faults?: readonly Fault[] | undefined;
  readonly clock?: VaryingInput<string> | undefined;
  readonly "picks-up"?: string | undefined;
  readonly receiver?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
}

/** Reads one group of handsets; undefined where it does not fit. */
export function readHandsets(sheet: Sheet, name: string, carriers: readonly CarrierSpec[]): HandsetGroup | undefined {
  const path = ["handsets", name];
  const given = sheet.read(handsetsApart, path);
  const profile = readProfile(sheet, path, given ?? {});
  const carrier = carrierOf(sheet, name, carriers);
  if (given === undefined || profile === undefined || carrier === undefined) return undefined;
  checkCounter(sheet, path, given.phone, given.count ?? 1);
  return {
    name,
    count: given.count ?? 1,
    phone: given.phone,
    carrier,
    battery: given.battery ?? fixed(100),
    mains: given.mains !== "off",
    network: given.network ?? "LTE",
    profile,
    clockSkew: given.clock ?? fixed(0),
    picksUp: given["picks-up"] ?? 0,
    ...(given.receiver !== undefined && { receiver: given.receiver }),
    ...(given.events !== undefined && { events: given.events }),
  };
}

/** The carrier of a group, from what is written: it is checked even where another key of the group does not fit. */
function carrierOf(sheet: Sheet, group: string, carriers: readonly CarrierSpec[]): string | undefined {
  const path = ["handsets", group, "carrier"];
  const written = sheet.at(path);
  const names = sheet.keys(["carriers"]);
  const carriersWritten = sheet.at(["carriers"]) ?? null;
  if (sheet.isMeant(["carriers"]) || (carriersWritten !== null && !isMap(carriersWritten))) return undefined; // told already
  if (written === undefined) {
    if (names.length <= 1) return names[0] ?? carriers[0]?.name;
    sheet.missing(path, () => suggest("", names));
    return undefined;
  }
  if (typeof written !== "string") return undefined; // told already
  if (sheet.at(["carriers", written]) !== undefined || (names.length === 0 && carriers[0]?.name === written))
    return written;
  sheet.tell(path, {
    code: "unknown-carrier",
    message: `names no carrier: '${written}'`,
    hint: names.length === 0 ? "leave it out: the scenario names no carriers" : () => suggest(written, names),
  });
  return undefined;
}
