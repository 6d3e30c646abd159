import type { MessageStatus } from "../../gateway/index.js";
import type { ListedMessage } from "../../store/index.js";
import { telUrn } from "../../wire/index.js";
import type { Call } from "../call.js";
import { fieldError } from "../error.js";
import { list, optional, required, text } from "../fields.js";
import {
  contactFilter,
  type Filter,
  idUuidFilter,
  integerFilter,
  type Match,
  namedFilter,
  timeFilters,
} from "../filters.js";
import { quickReply } from "../kinds/quick-reply.js";
import { contactReference, referenceTo } from "../references.js";
import { column, type Columns, listed, post, type Resource } from "../resource.js";
import * as schema from "../schema.js";

/** service-api.md 3.4; `failed` is younger than the reference. */
const folders = ["inbox", "flows", "archived", "outbox", "sent", "incoming", "failed"] as const;

/** service-api.md 3.1. */
const statusWords: Readonly<Record<MessageStatus, string>> = {
  Q: "queued",
  S: "sent",
  D: "delivered",
  E: "errored",
  F: "failed",
  H: "handled",
};

/** Characters of a message that is posted (service-api.md 1.14, the newest). */
const TEXT_MAX = 4096;

/** Media are not kept here. */
const media = referenceTo<never>("UUID of a medium", () => undefined);

const folder: Filter = {
  about: "Messages in this folder, in any case",
  schema: schema.oneOf(folders),
  read(value) {
    const word = folders.find((known) => known === value.toLowerCase());
    return word === undefined ? "nothing" : [word];
  },
};

const labelled = namedFilter("label", "", ({ desk }) => desk.tables.labels);

const label: Filter = {
  ...labelled,
  about: "Messages with this label, by UUID or name: visible ones; with `folder=archived` archived ones",
  read(value, call): Match {
    const match = labelled.read(value, call);
    if (typeof match === "string" || call.param("folder")?.toLowerCase() !== "archived") return match;
    const [, ...values] = match;
    return ["labelArchived", ...values];
  },
};

const times = timeFilters("Created, or with `folder=incoming` modified,");

const record: Columns<ListedMessage> = {
  id: column(schema.integer, (message) => message.id),
  uuid: column(schema.uuid, (message, { desk }) => desk.account.messageUuids.of(message.id)),
  broadcast: column(schema.nullable(schema.integer), (message) => message.broadcast),
  contact: column(schema.reference, ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName })),
  urn: column(schema.nullable(schema.text), ({ phone }, { desk }) =>
    desk.organisation.isAnonymous ? null : telUrn(phone),
  ),
  channel: column(schema.reference, ({ channelUuid, channelName }) => ({ uuid: channelUuid, name: channelName })),
  direction: column(schema.oneOf(["in", "out"]), (message) => (message.direction === "I" ? "in" : "out")),
  type: column(schema.oneOf(["inbox", "flow"]), (message) => message.type),
  status: column(schema.oneOf(Object.values(statusWords)), (message) => statusWords[message.status]),
  archived: column(schema.boolean, (message) => message.visibility === "archived"),
  visibility: column(schema.oneOf(["visible", "archived", "deleted"]), (message) => message.visibility),
  text: column(schema.text, (message) => message.text),
  labels: column(schema.arrayOf(schema.reference), (message) => JSON.parse(message.labels) as unknown),
  flow: column(schema.nullable(schema.reference), ({ flowUuid, flowName }) =>
    flowUuid === null ? null : { uuid: flowUuid, name: flowName },
  ),
  // Phones relay plain texts: none of these has anything in it.
  attachments: column({ type: "array", maxItems: 0 }, () => []),
  quick_replies: column({ type: "array", maxItems: 0 }, () => []),
  created_on: column(schema.timestamp, ({ createdAtMs }, call) => call.timestamp(createdAtMs)),
  sent_on: column(schema.nullable(schema.timestamp), ({ sentAtMs }, call) =>
    sentAtMs === null ? null : call.timestamp(sentAtMs),
  ),
  modified_on: column(schema.timestamp, ({ modifiedAtMs }, call) => call.timestamp(modifiedAtMs)),
  media: column({ type: "null" }, () => null),
};

/** Messages (service-api.md 2.15). */
export const messages: Resource = {
  name: "messages",
  about: "Texts that came in and went out.",
  scope: "messages",
  forSurveyors: true,
  list: listed<ListedMessage>({
    about: "Lists messages, the newest first; in the folder `incoming`, the last modified first.",
    list: (call) => {
      const { lists } = call.desk;
      return call.param("label") === undefined || isPolling(call) ? lists.messages : lists.labelledMessages;
    },
    order: (call) => (isPolling(call) ? "modified" : "created"),
    // Deleted ones are in the folder `incoming` only, so that clients which poll it learn of them.
    always: (call) => (call.param("folder") === undefined ? [["kept"]] : []),
    filters: {
      id: integerFilter("id", "The message with this id"),
      uuid: idUuidFilter("The message with this UUID", ({ desk }) => desk.account.messageUuids),
      broadcast: integerFilter("broadcast", "Messages of the broadcast with this id"),
      contact: contactFilter("Messages from and to the contact with this UUID"),
      folder,
      label,
      before: whenPolling(times.before, "modifiedBefore"),
      after: whenPolling(times.after, "modifiedAfter"),
    },
    exclusive: ["contact", "folder", "label", "broadcast"],
    record,
  }),
  post: post({
    about:
      "Sends a message to one contact. Younger than the reference: with `--strict` it is not there. Quick replies are not sent: phones relay plain texts.",
    fields: {
      contact: required(contactReference, "To whom"),
      text: required(text({ max: TEXT_MAX }), "Sent as it is: expressions are not evaluated"),
      attachments: optional(list(media), "Nothing can be attached here"),
      quick_replies: optional(list(quickReply), "Read, and not sent"),
    },
    isExtension: true,
    example: { contact: "tel:+12065550110", text: "Thank you, we have it." },
    check({ contact, text }, { desk }) {
      const { account } = desk;
      if (contact.state !== "active") throw fieldError("contact", `This contact is ${contact.state} and gets nothing.`);
      const route = account.routing.to(contact);
      if (route === undefined) throw fieldError("contact", "This contact has no phone number.");
      return () => {
        const recipient = account.contacts.withPhone(route.phone);
        return { status: 201, key: account.messages.send(route.channel, recipient, { text, origin: "api" }) };
      };
    },
  }),
};

/** The folder for clients that ask again and again what is new. */
function isPolling(call: Call): boolean {
  return call.param("folder")?.toLowerCase() === "incoming";
}

function whenPolling(filter: Filter, name: string): Filter {
  return {
    ...filter,
    read(value, call): Match {
      const match = filter.read(value, call);
      if (typeof match === "string" || !isPolling(call)) return match;
      const [, ...values] = match;
      return [name, ...values];
    },
  };
}
