import type { KnownMessage } from "../../gateway/index.js";
import { Fault } from "../error.js";
import { integerOf, type Kind, list, shown, wellFormed } from "../fields.js";

/** A message as a client names it, and the id that this means; undefined: there cannot be one. */
interface Named {
  readonly given: string | number;
  readonly id: number | undefined;
}

const named: Kind<Named> = {
  schema: { anyOf: [{ type: "integer" }, { type: "string" }], description: "Id or UUID of a message" },
  shape: "one",
  read(value, { desk }) {
    if (typeof value !== "string" && typeof value !== "number") throw new Fault("Must be a string or integer");
    const id = integerOf(value);
    if (typeof value === "number" && id === undefined) throw new Fault("Must be a string or integer");
    return { given: value, id: id ?? desk.account.messageUuids.idOf(wellFormed(String(value))) };
  },
};

const several = list(named);

/** Incoming messages that are not deleted, each once (service-api.md 2.16). One that is none refuses them all. */
export const incomingMessages: Kind<KnownMessage[]> = {
  ...several,
  read(value, call) {
    const wanted = several.read(value, call);
    const ids = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const known = new Map(call.desk.tables.messages.byIds(ids).map((message) => [message.id, message]));
    for (const { given, id } of wanted) {
      const message = id === undefined ? undefined : known.get(id);
      if (message === undefined || message.visibility === "deleted") throw new Fault(`No such object: ${shown(given)}`);
      if (message.direction === "O") throw new Fault(`Not an incoming message: ${shown(given)}`);
    }
    return [...known.values()];
  },
};
