import { normaliseUrn, urnFault, urnIdentity } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { InvalidValue, urnMessages } from "../error.js";
import { type ValueType, listType, shorten, parseText } from "../body-fields.js";

/** A contact's address, in its normal form (service-api.md 1.12). */
export const urnType: ValueType<string> = {
  schema: {
    type: "string",
    description: "scheme:path, `tel` with the country code",
    maxLength: 255,
    examples: ["tel:+254711000222"],
  },
  shape: "one",
  parse(value, request) {
    const text = parseText(value);
    const urn = normaliseUrn(text, { strict: request.isStrict }) ?? existingUrn(text, request);
    if (urn === undefined) throw new InvalidValue(`Invalid URN: ${shorten(text)}. ${urnFault(text)}`);
    return urn;
  },
};

/** Addresses. */
export const urnListType: ValueType<string[]> = listType(
  urnType,
  ({ message }, index, { context }) => new InvalidValue(message, urnMessages(context.urnErrors, { index, message })),
);

/** Short codes and names that have texted are addresses, too: what a record shows can be sent back. Real systems refuse. */
function existingUrn(text: string, { isStrict, context }: ApiRequest): string | undefined {
  const urn = isStrict ? undefined : urnIdentity(text);
  return urn !== undefined && context.tables.contacts.ownerOf(urn) !== undefined ? urn : undefined;
}
