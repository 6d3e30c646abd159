import * as fc from "fast-check";
import { expect } from "vitest";
import {
  type Command,
  command,
  expectDone,
  expectFaults,
  index,
  pick,
  type Play,
  STRANGER,
  uuidIn,
} from "./command.js";
import { type FieldModel, isGoodLabel, isGoodName, keyOf, type Model } from "./model.js";

const name = fc.constantFrom(
  "Drivers",
  "DRIVERS",
  "Équipe",
  "équipe",
  " Field staff ",
  "field STAFF",
  "_x",
  "9 lives",
  "-bad",
  "",
  "x".repeat(65),
);
const label = fc.constantFrom(
  "Bed nets",
  "bed nets",
  "Dose-date",
  "Age 5",
  "Name",
  "9 lives",
  "a_b",
  "x".repeat(37),
  "-",
);
const type = fc.constantFrom("text", "numeric", "datetime");

/** Commands on groups, labels and fields. */
export const namedCommands: readonly fc.Arbitrary<Command>[] = [
  ...(["groups", "labels"] as const).flatMap((resource) => [
    name.map((text) => command(`create ${resource}`, text, createNamed(resource, text))),
    fc.tuple(index, name).map((draft) => command(`rename ${resource}`, draft, renameNamed(resource, ...draft))),
    index.map((at) => command(`delete ${resource}`, at, removeNamed(resource, at))),
  ]),
  fc.tuple(label, type).map((draft) => command("create field", draft, createField(...draft), isKeyFree(draft[0]))),
  fc.tuple(index, label, type).map((draft) => command("update field", draft, updateField(...draft))),
];

export function createNamed(resource: "groups" | "labels", text: string): Play {
  return async (model, { api }) => {
    const reply = await api.call("POST", resource, {}, { name: text });
    if (!isGoodName(model[resource], text)) return expectFaults(reply, new Set(["name"]));
    expect(reply.status).toBe(201);
    const uuid = uuidIn(reply);
    model[resource].set(uuid, { uuid, number: model.made++, name: text.trim() });
  };
}

function renameNamed(resource: "groups" | "labels", at: number, text: string): Play {
  return async (model, { api }) => {
    const found = pick([...model[resource].values()], at);
    const reply = await api.call("POST", resource, { uuid: found?.uuid ?? STRANGER }, { name: text });
    if (found === undefined) return expect(reply.status).toBe(404);
    if (!isGoodName(model[resource], text, found.uuid)) return expectFaults(reply, new Set(["name"]));
    expect(reply.status).toBe(200);
    found.name = text.trim();
  };
}

function removeNamed(resource: "groups" | "labels", at: number): Play {
  return async (model, { api }) => {
    const found = pick([...model[resource].values()], at);
    const reply = await api.call("DELETE", resource, { uuid: found?.uuid ?? STRANGER });
    if (found === undefined) return expect(reply.status).toBe(404);
    expectDone(reply);
    model[resource].delete(found.uuid);
    for (const contact of model.contacts.values()) {
      if (contact.groups.delete(found.uuid)) model.touched.add(contact.uuid);
    }
    for (const message of model.messages.values()) {
      if (message.labels.delete(found.uuid)) model.touched.add(message.id);
    }
  };
}

export function createField(label: string, type: FieldModel["type"]): Play {
  return async (model, { api }) => {
    const reply = await api.call("POST", "fields", {}, { label, value_type: type });
    const key = keyOf(label);
    if (!isGoodLabel(model, label) || key === undefined) return expectFaults(reply, new Set(["label"]));
    expect(reply).toMatchObject({ status: 201, body: { key, label, value_type: type } });
    model.fields.set(key, { key, number: model.made++, label, type });
  };
}

/** The reference leaves open what happens to a new field whose key belongs to a field with another label. */
function isKeyFree(label: string): (model: Model) => boolean {
  return (model) => {
    const taken = model.fields.get(keyOf(label) ?? "");
    return taken === undefined || taken.label.toLowerCase() === label.toLowerCase();
  };
}

function updateField(at: number, label: string, type: FieldModel["type"]): Play {
  return async (model, { api }) => {
    const field = pick([...model.fields.values()], at);
    const reply = await api.call("POST", "fields", { key: field?.key ?? "stranger" }, { label, value_type: type });
    if (field === undefined) return expect(reply.status).toBe(404);
    if (!isGoodLabel(model, label, field.key)) return expectFaults(reply, new Set(["label"]));
    expect(reply).toMatchObject({ status: 200, body: { key: field.key, label, value_type: type } });
    Object.assign(field, { label, type });
  };
}
