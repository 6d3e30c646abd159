import type { MessageStatus } from "../../gateway/index.js";
import type { ListedMessage } from "../../store/index.js";
import { telUrn, withoutDisplay } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { fieldError, InvalidValue } from "../error.js";
import { listType, optional, required, textType, type ValueType, parseText } from "../body-fields.js";
import {
  contactFilter,
  type Filter,
  idUuidFilter,
  integerFilter,
  type FilterMatch,
  namedFilter,
  timeFilters,
} from "../filters.js";
import { contactReference, referenceTo } from "../value-types/references.js";
import { recordOf, type RecordMaker, listMethod, postMethod, type Resource } from "../resource.js";
import { type RecordOf, records, type Reference, schema } from "../../schema/index.js";

/** A quick reply: text, or an object with the property `text` (docs/reference/service-api.md#messages). */
const quickReply: ValueType<string> = {
  schema: { anyOf: [{ type: "string" }, { type: "object", properties: { text: { type: "string" } } }] },
  shape: "one",
  parse(value) {
    if (typeof value !== "object" || value === null) return parseText(value);
    if (!("text" in value) || !Object.hasOwn(value, "text")) throw new InvalidValue("A quick reply needs a text.");
    return parseText(value.text);
  },
};

/** Message folders (docs/reference/service-api.md#message-folders); `failed` is newer than the reference. */
const folders = ["inbox", "flows", "archived", "outbox", "sent", "incoming", "failed"] as const;

/** The API's names of message statuses (docs/reference/service-api.md#message-statuses). */
const statusWords: Readonly<Record<MessageStatus, RecordOf<"messages">["status"]>> = {
  Q: "queued",
  S: "sent",
  D: "delivered",
  E: "errored",
  F: "failed",
  H: "handled",
};

/** Maximum characters of a posted message (docs/reference/service-api.md#limits: the newest limit). */
const TEXT_MAX = 4096;

/** The emulator stores no media, so every reference is unknown. */
const media = referenceTo<never>("UUID of a medium", () => undefined);

const folder: Filter = {
  about: "Messages in this folder, in any case",
  schema: schema.oneOf(folders),
  parse(value) {
    const word = folders.find((known) => known === value.toLowerCase());
    return word === undefined ? "none" : [word];
  },
};

const labelled = namedFilter("label", "", ({ context }) => context.tables.labels);

const label: Filter = {
  ...labelled,
  about: "Messages with this label, by UUID or name: visible ones; with `folder=archived` archived ones",
  parse(value, request): FilterMatch {
    const match = labelled.parse(value, request);
    if (typeof match === "string" || request.param("folder")?.toLowerCase() !== "archived") return match;
    const [, ...values] = match;
    return ["labelArchived", ...values];
  },
};

const times = timeFilters("Created, or with `folder=incoming` modified,");

const record: RecordMaker<ListedMessage> = recordOf(records.messages, {
  id: (message) => message.id,
  uuid: (message, { context }) => context.account.messageUuids.of(message.id),
  broadcast: (message) => message.broadcast,
  contact: ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName }),
  urn: (message, { context }) => (context.organisation.isAnonymous ? null : urnOf(message)),
  channel: ({ channelUuid, channelName }) => ({ uuid: channelUuid, name: channelName }),
  direction: (message) => (message.direction === "I" ? "in" : "out"),
  type: (message) => message.type,
  status: (message) => statusWords[message.status],
  archived: (message) => message.visibility === "archived",
  visibility: (message) => message.visibility,
  text: (message) => message.text,
  labels: (message) => JSON.parse(message.labels) as Reference[],
  flow: ({ flowUuid, flowName }) => (flowUuid === null ? null : { uuid: flowUuid, name: flowName }),
  // Always empty: phones relay plain text only.
  attachments: () => [],
  quick_replies: () => [],
  created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
  sent_on: ({ sentAtMs }, request) => (sentAtMs === null ? null : request.timestamp(sentAtMs)),
  modified_on: ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs),
  media: () => null,
});

/** The contact's address that the message came from or went to, with the display part that the contact has for it. */
function urnOf({ phone, contactUrns }: ListedMessage): string {
  const urn = telUrn(phone);
  if (!contactUrns.includes("#")) return urn;
  return (JSON.parse(contactUrns) as string[]).find((own) => withoutDisplay(own) === urn) ?? urn;
}

/** Messages (docs/reference/service-api.md#messages). */
export const messages: Resource = {
  name: "messages",
  about: "Texts that came in and went out.",
  scope: "messages",
  forSurveyors: true,
  list: listMethod<ListedMessage>({
    about: "Lists messages, the newest first; in the folder `incoming`, the last modified first.",
    list: (request) => {
      const { lists } = request.context;
      return request.param("label") === undefined || isPolling(request) ? lists.messages : lists.labelledMessages;
    },
    order: (request) => (isPolling(request) ? "modified" : "created"),
    // Only the folder `incoming` has deleted messages, so that clients which poll it learn of deletions.
    fixedFilters: (request) => (request.param("folder") === undefined ? [["kept"]] : []),
    filters: {
      id: integerFilter("id", "The message with this id"),
      uuid: idUuidFilter("The message with this UUID", ({ context }) => context.account.messageUuids),
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
  post: postMethod({
    about:
      "Sends a message to one contact. Younger than the reference: with `--strict` it is not there. Quick replies are not sent: phones relay plain texts.",
    fields: {
      contact: required(contactReference, "To whom"),
      text: required(textType({ max: TEXT_MAX }), "Sent as it is: expressions are not evaluated"),
      attachments: optional(listType(media), "Nothing can be attached here"),
      quick_replies: optional(listType(quickReply), "Read, and not sent"),
    },
    isExtension: true,
    example: { contact: "tel:+12065550110", text: "Thank you, we have it." },
    check({ contact, text }, { context }) {
      const { account } = context;
      if (contact.state !== "active") throw fieldError("contact", `This contact is ${contact.state} and gets nothing.`);
      const route = account.routing.routeTo(contact);
      if (route === undefined) throw fieldError("contact", "This contact has no phone number.");
      return () => {
        const recipient = account.contacts.withPhone(route.phone);
        return { status: 201, key: account.messages.send(route.channel, recipient, { text, origin: "api" }) };
      };
    },
  }),
};

/** Whether the request polls the folder `incoming` for changed messages. */
function isPolling(request: ApiRequest): boolean {
  return request.param("folder")?.toLowerCase() === "incoming";
}

function whenPolling(filter: Filter, name: string): Filter {
  return {
    ...filter,
    parse(value, request): FilterMatch {
      const match = filter.parse(value, request);
      if (typeof match === "string" || !isPolling(request)) return match;
      const [, ...values] = match;
      return [name, ...values];
    },
  };
}
