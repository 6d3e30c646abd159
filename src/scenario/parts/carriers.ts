import type * as z from "zod";
import type { CarrierSpec } from "../../world/index.js";
import { longTextForms, partsOrders } from "../../world/index.js";
import { capacity, expiry, flag, share, word } from "../fields/fields.js";
import { span } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { checkName, readGroupNames } from "./names.js";

/** A carrier. */
export const carrierSchema = keyed({
  delay: span("How long a text takes from sender to phone.").prefault("1s..6s"),
  loses: share("The share of texts that are lost.").prefault("0%"),
  duplicates: share("The share of texts that arrive twice.").prefault("0%"),
  refuses: share("The share of segments from the phones that the network refuses, with a generic failure.").prefault(
    "0%",
  ),
  "reports-delivery": share("The share of delivered texts for which delivery is reported.").prefault("100%"),
  "reports-after": span("How long after delivery the report comes.").prefault("1s..10s"),
  "reports-early": share(
    "The share of messages to people that are reported as delivered at once, whatever becomes of them.",
  ).prefault("0%"),
  "reports-parts": flag("Delivery is reported for each part of a long text.").prefault(false),
  expires: expiry("A text that has waited so long, for a phone or for its turn, is dropped.").prefault("never"),
  carries: capacity("How many texts it carries, to and from all its handsets together.").prefault("unlimited"),
  "long-texts": word(
    longTextForms,
    "How a long text reaches a handset: whole; as one text for each part; or whole, with its parts in any order.",
  ).prefault("whole"),
  "parts-order": word(partsOrders, "The order in which people get the parts of a long text from a handset.").prefault(
    "as-sent",
  ),
});

/** What the typed builder takes for a carrier. */
export type CarrierInput = z.input<typeof carrierSchema>;

/** The carrier of a scenario that names none. */
const onlyCarrier = "carrier";

/** Reads `carriers`, without invalid ones. If the file has none: one with the defaults. */
export function readCarriers(reader: DocumentReader): CarrierSpec[] {
  const names = readGroupNames(reader, "carriers", Object.keys(carrierSchema.shape));
  if (names.length === 0) return [carrierOf(onlyCarrier, carrierSchema.parse({}))];
  return names.flatMap((name) => {
    checkName(reader, ["carriers", name], "carrier");
    const path = ["carriers", name];
    const given = reader.at(path) === null ? carrierSchema.parse({}) : reader.read(carrierSchema, path);
    return given === undefined ? [] : [carrierOf(name, given)];
  });
}

function carrierOf(name: string, given: z.output<typeof carrierSchema>): CarrierSpec {
  return {
    name,
    delay: given.delay,
    loses: given.loses,
    duplicates: given.duplicates,
    ...(given["reports-early"] > 0 && { reportsEarly: given["reports-early"] }),
    ...(given["reports-parts"] && { reportsParts: true }),
    ...(given.refuses > 0 && { refuses: given.refuses }),
    reportsDelivery: given["reports-delivery"],
    reportsAfter: given["reports-after"],
    expiresAfterMs: given.expires,
    carriesPerMs: given.carries,
    longTexts: given["long-texts"],
    ...(given["parts-order"] !== "as-sent" && { partsOrder: given["parts-order"] }),
  };
}
