import type { ListedBroadcast } from "../../store/index.js";
import { wholeBodyError } from "../error.js";
import { listType, optional, required } from "../body-fields.js";
import { idUuidFilter, integerFilter, timeFilters } from "../filters.js";
import { translations } from "../value-types/translations.js";
import { urnListType } from "../value-types/urn.js";
import { channelReference, contactReference, groupReference } from "../value-types/references.js";
import { recordOf, listMethod, postMethod, type Resource } from "../resource.js";
import { records, type Reference } from "../../schema/index.js";

/** Broadcasts (docs/reference/service-api.md#broadcasts). */
export const broadcasts: Resource = {
  name: "broadcasts",
  about: "Broadcasts: each sends a text to contacts, groups and addresses.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedBroadcast>({
    about: "Lists broadcasts, the newest first.",
    list: ({ context }) => context.lists.broadcasts,
    order: "created",
    filters: {
      id: integerFilter("id", "The broadcast with this id"),
      uuid: idUuidFilter("The broadcast with this UUID", ({ context }) => context.account.broadcasts.uuids),
      ...timeFilters("Created"),
    },
    record: recordOf(records.broadcasts, {
      id: (broadcast) => broadcast.id,
      uuid: ({ id }, { context }) => context.account.broadcasts.uuids.of(id),
      urns: ({ urns }, { context }) => (context.organisation.isAnonymous ? null : (JSON.parse(urns) as string[])),
      contacts: ({ contacts }) => JSON.parse(contacts) as Reference[],
      groups: ({ groups }) => JSON.parse(groups) as Reference[],
      text: ({ text }) => JSON.parse(text) as Record<string, string>,
      status: (broadcast) => broadcast.status,
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
      base_language: (broadcast) => broadcast.baseLanguage,
      progress: ({ total, started }) => ({ total: total ?? -1, started }),
      // Always empty: phones relay plain text only.
      attachments: () => ({}),
      quick_replies: () => ({}),
    }),
  }),
  post: postMethod({
    about: "Sends a text. The messages come a moment later, one for each contact that can be reached.",
    fields: {
      text: required(translations, "Expressions such as `@contact.name` are evaluated for each contact"),
      urns: optional(urnListType, "Addresses; an address without a contact gets one at once"),
      contacts: optional(listType(contactReference), "Contacts"),
      groups: optional(listType(groupReference), "Their members"),
      channel: optional(channelReference, "The channel to send through; by default the best for each contact"),
    },
    example: { text: "The clinic opens at eight.", urns: ["tel:+12065550110"], groups: ["Mothers"] },
    check({ text, urns = [], contacts = [], groups = [], channel }, request) {
      if (request.isStrict && urns.length + contacts.length + groups.length === 0) {
        throw wholeBodyError("Give at least one of urns, contacts or groups");
      }
      const { account, organisation } = request.context;
      const primary = organisation.primaryLanguage ?? "base";
      return () => {
        const broadcast = account.broadcasts.add({
          text,
          baseLanguage: Object.hasOwn(text, primary) ? primary : "base",
          urns,
          contacts: contacts.map(({ row }) => row),
          groups: groups.map(({ id }) => id),
          channel: channel?.spec.id ?? null,
        });
        return { status: 201, key: broadcast.id };
      };
    },
  }),
};
