import { normaliseUrn, urnFault, urnIdentity } from "../../wire/index.js";
import type { Call } from "../call.js";
import { Fault, urnMessages } from "../error.js";
import { type Kind, list, shown, textOf } from "../fields.js";

/** A contact's address, in its normal form (service-api.md 1.12). */
export const urnKind: Kind<string> = {
  schema: {
    type: "string",
    description: "scheme:path, `tel` with the country code",
    maxLength: 255,
    examples: ["tel:+254711000222"],
  },
  shape: "one",
  read(value, call) {
    const text = textOf(value);
    const urn = normaliseUrn(text, { strict: call.isStrict }) ?? knownAddress(text, call);
    if (urn === undefined) throw new Fault(`Invalid URN: ${shown(text)}. ${urnFault(text)}`);
    return urn;
  },
};

/** Addresses. */
export const urnList: Kind<string[]> = list(
  urnKind,
  ({ message }, index, { desk }) => new Fault(message, urnMessages(desk.urnErrors, { index, message })),
);

/** Short codes and names that have texted are addresses, too: what a record shows can be sent back. Real systems refuse. */
function knownAddress(text: string, { isStrict, desk }: Call): string | undefined {
  const urn = isStrict ? undefined : urnIdentity(text);
  return urn !== undefined && desk.tables.contacts.ownerOf(urn) !== undefined ? urn : undefined;
}
