import type { KnownMessage } from "../../gateway/index.js";
import { InvalidValue } from "../error.js";
import { parseInteger, type ValueType, listType, shorten, requireStorable } from "../body-fields.js";

/** A client's name for a message, and the id that it denotes; undefined: a UUID of no message. */
interface Named {
  readonly given: string | number;
  readonly id: number | undefined;
}

const named: ValueType<Named> = {
  schema: { anyOf: [{ type: "integer" }, { type: "string" }], description: "Id or UUID of a message" },
  shape: "one",
  parse(value, { context }) {
    if (typeof value !== "string" && typeof value !== "number") throw new InvalidValue("Must be a string or integer");
    const id = parseInteger(value);
    if (typeof value === "number" && id === undefined) throw new InvalidValue("Must be a string or integer");
    return { given: value, id: id ?? context.account.messageUuids.idOf(requireStorable(String(value))) };
  },
};

const several = listType(named);

/**
 * Incoming messages that are not deleted, each once (docs/reference/service-api.md#message-actions). One invalid name
 * refuses the whole list.
 */
export const incomingMessages: ValueType<KnownMessage[]> = {
  ...several,
  parse(value, request) {
    const wanted = several.parse(value, request);
    const ids = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const known = new Map(request.context.tables.messages.byIds(ids).map((message) => [message.id, message]));
    for (const { given, id } of wanted) {
      const message = id === undefined ? undefined : known.get(id);
      if (message === undefined || message.visibility === "deleted")
        throw new InvalidValue(`No such object: ${shorten(given)}`);
      if (message.direction === "O") throw new InvalidValue(`Not an incoming message: ${shorten(given)}`);
    }
    return [...known.values()];
  },
};
