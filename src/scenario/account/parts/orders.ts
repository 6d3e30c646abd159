import * as z from "zod";
import type { OrderData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { filledText } from "../../fields/fields.js";
import { plainValueOf } from "../../sheet/plain-value.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { inLanguages, message } from "./campaigns.js";
import { listEntries } from "../entries.js";
import { someContacts, textList } from "../account-fields.js";

const groups = textList("Groups: names or UUIDs.").optional();
const contacts = someContacts("Contacts: phone numbers, addresses or UUIDs.").optional();

const order = keyed({
  broadcast: keyed({ text: message, groups, contacts }).describe("Sends a broadcast.").optional(),
  start: keyed({ flow: filledText("The flow: name or UUID."), groups, contacts })
    .describe("Starts contacts in a flow.")
    .optional(),
  event: keyed({
    resthook: filledText("The resthook's slug."),
    data: z.record(z.string(), z.unknown()).describe("What its subscribers receive."),
  })
    .describe("Emits an event of a resthook.")
    .optional(),
});

/** `orders`: a list; each entry has one action. */
export const ordersSchema: z.ZodType = z.array(order).nullable();

/** Reads `orders`. */
export function readOrders(reader: DocumentReader, primaryLanguage: string | null): OrderData[] {
  return listEntries(reader, ["orders"]).flatMap(({ path }): OrderData[] => {
    const given = reader.read(order, path);
    if (given === undefined) return [];
    const { broadcast, start, event } = given;
    const named = Object.keys(given).length;
    if (named !== 1) {
      if (named === 0) reader.reportMissing([...path, "broadcast"], "write broadcast: …, start: … or event: …");
      else {
        reader.reportProblem(path, {
          code: "not-together",
          message: "an order is one of broadcast, start and event",
          whole: true,
          hint: "make an entry of its own for each",
        });
      }
      return [];
    }
    if (broadcast !== undefined) {
      const text = inLanguages(broadcast.text, primaryLanguage);
      return [{ kind: "broadcast", text, groups: broadcast.groups ?? [], contacts: broadcast.contacts ?? [] }];
    }
    if (start !== undefined) {
      return [{ kind: "start", flow: start.flow.trim(), groups: start.groups ?? [], contacts: start.contacts ?? [] }];
    }
    // With its JSON types: numbers and flags are not turned into texts.
    const tree = reader.tree([...path, "event", "data"]);
    if (event === undefined || tree === undefined) return [];
    const data = plainValueOf(tree) as Readonly<Record<string, unknown>>;
    return [{ kind: "event", resthook: event.resthook.trim().toLowerCase(), data }];
  });
}
