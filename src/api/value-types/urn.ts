import { normaliseUrn, storedUrn, urnFault } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { InvalidValue, urnMessages } from "../error.js";
import { type ValueType, listType, shorten, parseText } from "../body-fields.js";

/** A contact's URN, normalised (docs/reference/service-api.md#urns). */
export const urnType: ValueType<string> = {
  schema: {
    type: "string",
    description: "scheme:path or scheme:path#display, `tel` with the country code, `whatsapp` in digits only",
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

/** A list of URNs; the error of an invalid one has the form that the service's preset names. */
export const urnListType: ValueType<string[]> = listType(
  urnType,
  ({ message }, index, { context }) => new InvalidValue(message, urnMessages(context.urnErrors, { index, message })),
);

/** Accepts a URN that a contact already has, such as a short code; real systems refuse it. */
function existingUrn(text: string, { isStrict, context }: ApiRequest): string | undefined {
  const urn = isStrict ? undefined : storedUrn(text);
  return urn !== undefined && context.tables.contacts.ownerOf(urn) !== undefined ? urn : undefined;
}
