import type { CarrierSpec } from "../../world/index.js";
import { keyed } from "../sheet/field.js";
import { share } from "../fields/fields.js";
import { span, type VaryingInput } from "../fields/varying-fields.js";
import type { Sheet } from "../sheet/sheet.js";
import { checkName, groupMap } from "./names.js";
import type * as z from "zod";

const carrier = keyed({
  delay: span("How long a text takes from sender to phone.", { default: "1s..6s" }).optional(),
  loses: share("The share of texts that are lost.", { default: "0%" }).optional(),
  duplicates: share("The share of texts that arrive twice.", { default: "0%" }).optional(),
  "reports-delivery": share("The share of delivered texts for which delivery is reported.", {
    default: "100%",
  }).optional(),
  "reports-after": span("How long after delivery the report comes.", { default: "1s..10s" }).optional(),
});

/** A carrier. */
export const carrierSchema: z.ZodType<unknown, CarrierInput> = carrier;

/** What the typed builder takes for a carrier. */
export interface CarrierInput {
  readonly delay?: VaryingInput<string> | undefined;
  readonly loses?: string | undefined;
  readonly duplicates?: string | undefined;
  readonly "reports-delivery"?: string | undefined;
  readonly "reports-after"?: VaryingInput<string> | undefined;
}

/** The carrier of a scenario that names none. */
const onlyCarrier = "carrier";

/** Reads `carriers`; where there are none, one with the defaults. Those that do not fit are left out. */
export function readCarriers(sheet: Sheet): CarrierSpec[] {
  const names = groupMap(sheet, "carriers", Object.keys(carrier.shape));
  if (names.length === 0) return [carrierOf(onlyCarrier, {})];
  return names.flatMap((name) => {
    checkName(sheet, ["carriers", name], "carrier");
    const given = sheet.at(["carriers", name]) === null ? {} : sheet.read(carrier, ["carriers", name]);
    return given === undefined ? [] : [carrierOf(name, given)];
  });
}

function carrierOf(name: string, given: z.output<typeof carrier>): CarrierSpec {
  return {
    name,
    delay: given.delay ?? { kind: "uniform", min: 1000, max: 6000, whole: true },
    loses: given.loses ?? 0,
    duplicates: given.duplicates ?? 0,
    reportsDelivery: given["reports-delivery"] ?? 1,
    reportsAfter: given["reports-after"] ?? { kind: "uniform", min: 1000, max: 10_000, whole: true },
  };
}
