import { eventFields, eventTypes, namesIn, spellings } from "../../wire/index.js";

/** Every name that a field has in a body, in any spelling. */
export const bodyKeys: ReadonlySet<string> = new Set(
  eventTypes.flatMap((type) =>
    eventFields[type].flatMap((field) => [
      ...spellings.flatMap((spelling) => namesIn(field, spelling)),
      ...(field.alias ?? []),
    ]),
  ),
);
