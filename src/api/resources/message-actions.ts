import type { LabelRow } from "../../account/index.js";
import type { ApiRequest } from "../api-request.js";
import { wholeBodyError } from "../error.js";
import { choiceType, optional, required } from "../body-fields.js";
import { incomingMessages } from "../value-types/incoming-messages.js";
import { groupOrLabelName } from "../value-types/group-or-label-name.js";
import { labelReference } from "../value-types/references.js";
import { postMethod, type Resource } from "../resource.js";
import { refuseMoreLabels } from "./labels.js";

/** Actions on many messages (docs/reference/service-api.md#message-actions). */
export const messageActions: Resource = {
  name: "message_actions",
  about: "Labels, archives, restores or deletes many incoming messages at once.",
  scope: "others",
  forSurveyors: true,
  post: postMethod({
    about: "Does something to incoming messages: to all of them, or to none.",
    statuses: [204],
    fields: {
      messages: required(incomingMessages, "Ids or UUIDs"),
      action: required(choiceType(["label", "unlabel", "archive", "restore", "delete"]), "What is done to them"),
      label: optional(labelReference, "For label and unlabel: UUID or name"),
      label_name: optional(groupOrLabelName, "Instead of `label`: label adds it where there is none of this name"),
    },
    example: { messages: [1048590], action: "label", label: "Urgent" },
    check({ messages, action, label, label_name: name }, request) {
      const { messageActions: acts, labels } = request.context.account;
      if (action !== "label" && action !== "unlabel") {
        if (label !== undefined || name !== undefined) throw wholeBodyError(`${action} takes no label`);
        const act = { archive: "archive", restore: "restore", delete: "remove" } as const;
        return () => {
          acts[act[action]](messages);
          return { status: 204 };
        };
      }
      const target = label ?? labelNamed(name, request);
      if ((label === undefined) === (name === undefined)) throw wholeBodyError("Give either label or label_name");
      if (action === "label" && target === undefined) refuseMoreLabels(request);
      return () => {
        if (action === "label") acts.label(messages, target ?? labels.add({ name: name ?? "" }));
        else if (target !== undefined) acts.unlabel(messages, target);
        return { status: 204 };
      };
    },
  }),
};

function labelNamed(name: string | undefined, { context }: ApiRequest): LabelRow | undefined {
  return name === undefined ? undefined : context.tables.labels.byName(name);
}
