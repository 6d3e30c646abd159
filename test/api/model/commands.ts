import * as fc from "fast-check";
import { type Command, command, type Play } from "./command.js";
import { contactCommands, createContact } from "./contact-commands.js";
import { compareLists } from "./compare.js";
import { messageCommands, text } from "./message-commands.js";
import { createField, createNamed, namedCommands } from "./named-commands.js";

/** Random requests to the API. */
export const commands: fc.Arbitrary<Command>[] = [
  ...contactCommands,
  ...namedCommands,
  ...messageCommands,
  fc.constant(command("compare", {}, (model, { api, moments }) => compareLists(model, api, moments))),
];

/** The first commands of every sequence, so that later ones find records. */
export const beginning: readonly Play[] = [
  createNamed("groups", "Drivers"),
  createNamed("groups", "Field staff"),
  createNamed("labels", "Équipe"),
  createNamed("labels", "9 lives"),
  createField("Bed nets", "numeric"),
  createField("Dose-date", "datetime"),
  createContact({
    name: "Amina",
    urns: [["tel:+254711000001", "tel:+254711000001"]],
    groups: [{ index: 0, how: "name" }],
  }),
  createContact({ name: "Baraka", urns: [["tel:+254711000002", "tel:+254711000002"]], fields: [[0, "2.50"]] }),
  text("+254711000001"),
  text("+254711000002"),
];
