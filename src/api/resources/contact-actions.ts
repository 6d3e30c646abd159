import type { Account, ContactRow, GroupRow } from "../../account/index.js";
import { fieldError, wholeBodyError } from "../error.js";
import { choiceType, listType, optional, required } from "../body-fields.js";
import { contactReference, manualGroupReference } from "../value-types/references.js";
import { postMethod, type Resource } from "../resource.js";

/**
 * `archive_messages` is what later versions call `archive`
 * (docs/reference/service-api.md#documentation-and-real-systems).
 */
const actions = ["add", "remove", "block", "unblock", "interrupt", "archive", "archive_messages", "delete"] as const;
type Action = (typeof actions)[number];

/** Acts on many contacts at once (docs/reference/service-api.md#contact-actions). */
export const contactActions: Resource = {
  name: "contact_actions",
  about: "Acts on many contacts at once.",
  scope: "others",
  forSurveyors: true,
  post: postMethod({
    about:
      "Adds contacts to a group, removes, blocks, unblocks, interrupts or deletes them, or archives their messages.",
    fields: {
      contacts: required(listType(contactReference), "UUIDs or URNs"),
      action: required(choiceType(actions), "What to do"),
      group: optional(manualGroupReference, "UUID or name, for `add` and `remove` only; not a smart group"),
    },
    statuses: [204],
    example: { contacts: ["tel:+12065550110"], action: "add", group: "Mothers" },
    check({ contacts, action, group }, request) {
      if (contacts.length === 0 && request.isStrict) throw fieldError("contacts", "This list may not be empty.");
      const isAboutGroup = action === "add" || action === "remove";
      if (isAboutGroup && group === undefined) throw wholeBodyError(`The action ${action} needs a group`);
      if (!isAboutGroup && group !== undefined) throw wholeBodyError(`The action ${action} takes no group`);
      const distinct = [...new Map(contacts.map((contact) => [contact.row, contact])).values()];
      if (action === "add") {
        const refused = distinct.filter(({ state }) => state !== "active");
        if (refused.length > 0) throw wholeBodyError(cannotJoin(refused));
      }
      const { account } = request.context;
      return () => {
        act(account, action, distinct, group);
        return { status: 204 };
      };
    },
  }),
};

/** The error message for contacts that cannot join a group. */
export function cannotJoin(contacts: readonly ContactRow[]): string {
  return `Blocked or stopped contacts cannot join groups: ${contacts.map(({ uuid }) => uuid).join(", ")}`;
}

function act(
  { contacts, flowSessions }: Account,
  action: Action,
  targets: readonly ContactRow[],
  group: GroupRow | undefined,
): void {
  for (const contact of targets) {
    switch (action) {
      case "add":
        if (group !== undefined) contacts.join(contact, group);
        break;
      case "remove":
        if (group !== undefined) contacts.leave(contact, group);
        break;
      case "block":
        contacts.setState(contact, "blocked");
        break;
      case "unblock":
        if (contact.state === "blocked") contacts.setState(contact, "active");
        break;
      case "interrupt":
        flowSessions.interrupt(contact.row);
        break;
      case "archive":
      case "archive_messages":
        contacts.archiveMessages(contact);
        break;
      case "delete":
        contacts.remove(contact);
        break;
      default:
        action satisfies never;
    }
  }
}
