import * as fc from "fast-check";
import { expect } from "vitest";
import {
  type Command,
  command,
  expectDone,
  expectFaults,
  index,
  mostly,
  pickLiving,
  type Play,
  type Reference,
  reference,
  write,
} from "./command.js";
import { addContact, deleteMessage, ownerOf } from "./model.js";

interface ActionDraft {
  readonly action: string;
  readonly at: readonly number[];
  readonly isLabelFitting: boolean;
  readonly label: Reference;
}

const action: fc.Arbitrary<ActionDraft> = fc.record({
  action: fc.constantFrom("label", "label", "unlabel", "archive", "restore", "delete"),
  at: fc.array(index, { minLength: 1, maxLength: 4 }),
  isLabelFitting: mostly([true], [false]),
  label: reference,
});

/** People of the bare account: two of them have contacts at the start, one has none. */
const phone = fc.constantFrom("+254711000001", "+254711000002", "+254711000005");

/** Commands on incoming messages. */
export const messageCommands: readonly fc.Arbitrary<Command>[] = [
  ...Array.from({ length: 3 }, () => phone.map((from) => command("text from", from, text(from)))),
  ...Array.from({ length: 3 }, () => action.map((draft) => command("message action", draft, actOn(draft)))),
];

export function text(phone: string): Play {
  return async (model, { api, service }) => {
    const body = `message ${model.messages.size} from ${phone}`;
    await service.text({ from: phone, body });
    const urn = `tel:${phone}`;
    const [row] = await api.list("contacts", { urn });
    const uuid = String(row?.["uuid"]);
    const sender = ownerOf(model, urn) ?? addContact(model, uuid, [urn]);
    expect(uuid).toBe(sender.uuid);
    const [message] = await api.list("messages", { contact: uuid });
    expect(message).toMatchObject({ text: body, urn, direction: "in" });
    const id = Number(message?.["id"]);
    const visibility = sender.blocked ? "archived" : "visible";
    model.messages.set(id, { id, contact: uuid, text: body, visibility, labels: new Set() });
  };
}

function actOn(draft: ActionDraft): Play {
  return async (model, { api }) => {
    const all = [...model.messages.values()];
    const messages = draft.at.flatMap(
      (each) => pickLiving(all, each, ({ visibility }) => visibility !== "deleted") ?? [],
    );
    const needsLabel = draft.action === "label" || draft.action === "unlabel";
    const label = needsLabel === draft.isLabelFitting ? write(model.labels, draft.label) : undefined;
    const reply = await api.call(
      "POST",
      "message_actions",
      {},
      {
        messages: messages.length === 0 ? [7] : messages.map(({ id }) => id),
        action: draft.action,
        ...(label === undefined ? {} : { label: label.text }),
      },
    );
    const faults = new Set<string>();
    if (messages.length === 0 || messages.some(({ visibility }) => visibility === "deleted")) faults.add("messages");
    if (label !== undefined && label.meant === undefined) faults.add("label");
    if (faults.size === 0 && !draft.isLabelFitting) faults.add("non_field_errors");
    if (faults.size > 0) return expectFaults(reply, faults);
    expectDone(reply);
    for (const message of messages) {
      model.touched.add(message.id);
      if (draft.action === "archive") message.visibility = "archived";
      if (draft.action === "restore") message.visibility = "visible";
      if (draft.action === "delete") deleteMessage(model, message);
      if (draft.action === "label" && label?.meant !== undefined) message.labels.add(label.meant.uuid);
      if (draft.action === "unlabel" && label?.meant !== undefined) message.labels.delete(label.meant.uuid);
    }
  };
}
