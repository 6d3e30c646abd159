import { expect } from "vitest";
import type { Api, Row } from "./api.js";
import {
  activeContacts,
  type ContactModel,
  type GroupModel,
  type MessageModel,
  type Model,
  shownValue,
} from "./model.js";

/** `modified_on` of contacts and messages at the last comparison. */
export type Moments = Map<string | number, unknown>;

/** Compares every list of the service with the model. */
export async function compareLists(model: Model, api: Api, moments: Moments): Promise<void> {
  await compareNamed(model, api);
  await compareContacts(model, api, moments);
  await compareMessages(model, api, moments);
  model.touched.clear();
}

async function compareNamed(model: Model, api: Api): Promise<void> {
  const fields = [...model.fields.values()].reverse().map(({ key, label, type }) => ({ key, label, value_type: type }));
  expect((await api.list("fields")).map((row) => pick(row, "key", "label", "value_type"))).toEqual(fields);

  const members = (uuid: string): number => activeContacts(model).filter(({ groups }) => groups.has(uuid)).length;
  const labelled = (uuid: string): number =>
    [...model.messages.values()].filter(({ labels, visibility }) => visibility === "visible" && labels.has(uuid))
      .length;
  const shown = (of: ReadonlyMap<string, GroupModel>, count: (uuid: string) => number): object[] =>
    [...of.values()].reverse().map(({ uuid, name }) => ({ uuid, name, count: count(uuid) }));
  const groups = await api.list("groups");
  expect(groups.map((row) => pick(row, "uuid", "name", "count"))).toEqual(shown(model.groups, members));
  const labels = await api.list("labels");
  expect(labels.map((row) => pick(row, "uuid", "name", "count"))).toEqual(shown(model.labels, labelled));
  for (const [resource, of] of [["groups", model.groups] as const, ["labels", model.labels] as const]) {
    for (const { uuid, name } of of.values()) {
      expect((await api.list(resource, { name: name.toUpperCase() })).map((row) => row["uuid"])).toEqual([uuid]);
      expect((await api.list(resource, { uuid })).map((row) => row["name"])).toEqual([name]);
    }
  }
}

async function compareContacts(model: Model, api: Api, moments: Moments): Promise<void> {
  const all = [...model.contacts.values()];
  const rows = await api.list("contacts");
  const gone = await api.list("contacts", { deleted: "true" });
  const byUuid = new Map([...rows, ...gone].map((row) => [String(row["uuid"]), row]));
  for (const contact of all) {
    const row = byUuid.get(contact.uuid) ?? {};
    expect(withoutBlanks(pick(row, ...CONTACT))).toEqual(shownContact(model, contact));
    expectStill(model, moments, contact.uuid, row);
  }
  const inOrder = (some: readonly ContactModel[]): string[] =>
    newestFirst(some, ({ uuid }) => [byUuid.get(uuid)?.["modified_on"], model.contacts.get(uuid)?.number]).map(
      ({ uuid }) => uuid,
    );
  const active = activeContacts(model);
  expect(uuids(rows)).toEqual(inOrder(active));
  expect(uuids(gone)).toEqual(inOrder(all.filter(({ deleted }) => deleted)));

  for (const { uuid, name } of model.groups.values()) {
    const members = inOrder(active.filter(({ groups }) => groups.has(uuid)));
    expect(uuids(await api.list("contacts", { group: uuid }))).toEqual(members);
    expect(uuids(await api.list("contacts", { group: name }))).toEqual(members);
  }
  const middle = active[Math.floor(active.length / 2)];
  if (middle === undefined) return;
  const moment = String(byUuid.get(middle.uuid)?.["modified_on"]);
  const bounded = (isIn: (at: string) => boolean): string[] =>
    inOrder(active.filter(({ uuid }) => isIn(String(byUuid.get(uuid)?.["modified_on"]))));
  expect(uuids(await api.list("contacts", { after: moment }))).toEqual(bounded((at) => at >= moment));
  expect(uuids(await api.list("contacts", { before: moment }))).toEqual(bounded((at) => at <= moment));
  expect(uuids(await api.list("contacts", { uuid: middle.uuid }))).toEqual([middle.uuid]);
  for (const urn of middle.urns) expect(uuids(await api.list("contacts", { urn }))).toEqual([middle.uuid]);
}

const CONTACT = ["uuid", "name", "language", "urns", "groups", "fields", "blocked", "stopped", "status"] as const;

function shownContact(model: Model, contact: ContactModel): Row {
  const { uuid, name, language, urns, blocked } = contact;
  if (contact.deleted) {
    const nothing = { name: null, language: null, urns: [], groups: [], fields: {} };
    return { uuid, ...nothing, blocked: null, stopped: null, status: null };
  }
  const fields = [...model.fields.values()].map(({ key, type }) => [key, shownValue(contact.values.get(key), type)]);
  return {
    uuid,
    name,
    language,
    urns,
    groups: references(model.groups, contact.groups),
    fields: Object.fromEntries(fields) as Row,
    blocked,
    stopped: false,
    status: blocked ? "blocked" : "active",
  };
}

async function compareMessages(model: Model, api: Api, moments: Moments): Promise<void> {
  const all = [...model.messages.values()];
  const rows = await api.list("messages", { folder: "incoming" });
  const byId = new Map(rows.map((row) => [Number(row["id"]), row]));
  for (const message of all) {
    const row = byId.get(message.id) ?? {};
    const isGone = message.visibility === "deleted";
    expect(pick(row, "id", "direction", "text", "visibility", "archived", "labels")).toEqual({
      id: message.id,
      direction: "in",
      text: isGone ? "" : message.text,
      visibility: message.visibility,
      archived: message.visibility === "archived",
      labels: references(model.labels, message.labels),
    });
    const sender = model.contacts.get(message.contact);
    if (!isGone) expect(row["contact"]).toEqual({ uuid: message.contact, name: sender?.name ?? null });
    expectStill(model, moments, message.id, row);
  }
  const inOrder = (some: readonly MessageModel[], column = "created_on"): number[] =>
    newestFirst(some, ({ id }) => [byId.get(id)?.[column], id]).map(({ id }) => id);
  const are = (visibility: string): MessageModel[] => all.filter((message) => message.visibility === visibility);

  expect(ids(rows)).toEqual(inOrder(all, "modified_on"));
  expect(ids(await api.list("messages"))).toEqual(inOrder(all.filter(({ visibility }) => visibility !== "deleted")));
  expect(ids(await api.list("messages", { folder: "inbox" }))).toEqual(inOrder(are("visible")));
  expect(ids(await api.list("messages", { folder: "Archived" }))).toEqual(inOrder(are("archived")));
  for (const folder of ["flows", "outbox", "sent", "elsewhere"]) {
    expect(await api.list("messages", { folder }), folder).toEqual([]);
  }
  for (const { uuid, name } of model.labels.values()) {
    const labelledOf = (visibility: string): number[] =>
      inOrder(are(visibility).filter(({ labels }) => labels.has(uuid)));
    const labelled = labelledOf("visible");
    expect(ids(await api.list("messages", { label: uuid }))).toEqual(labelled);
    expect(ids(await api.list("messages", { label: name, folder: "inbox" }))).toEqual(labelled);
    expect(ids(await api.list("messages", { label: name, folder: "archived" }))).toEqual(labelledOf("archived"));
  }
  const last = all.at(-1);
  if (last === undefined) return;
  const ofSender = all.filter(({ contact, visibility }) => contact === last.contact && visibility !== "deleted");
  expect(ids(await api.list("messages", { contact: last.contact }))).toEqual(inOrder(ofSender));
  expect(ids(await api.list("messages", { id: String(last.id) }))).toEqual(
    last.visibility === "deleted" ? [] : [last.id],
  );
}

/** Expects untouched records to keep their `modified_on`. */
function expectStill(model: Model, moments: Moments, key: string | number, row: Row): void {
  if (moments.has(key) && !model.touched.has(key)) expect(row["modified_on"]).toBe(moments.get(key));
  moments.set(key, row["modified_on"]);
}

/** Sorts by time, then by number, both descending. */
function newestFirst<T>(records: readonly T[], by: (record: T) => readonly [unknown, unknown]): T[] {
  return records.toSorted((a, b) => {
    const [[atA, numberA], [atB, numberB]] = [by(a), by(b)];
    return atA === atB ? Number(numberB) - Number(numberA) : String(atA) < String(atB) ? 1 : -1;
  });
}

/** `{uuid, name}` of the named records, in the order of creation. */
function references(of: ReadonlyMap<string, GroupModel>, named: ReadonlySet<string>): object[] {
  return [...of.values()].filter(({ uuid }) => named.has(uuid)).map(({ uuid, name }) => ({ uuid, name }));
}

/**
 * A value that is not a number shows as an empty text in some versions and as null in others
 * (docs/reference/service-api.md#contacts).
 */
function withoutBlanks(row: Row): Row {
  const fields = Object.entries((row["fields"] ?? {}) as Row).map(([key, value]) => [key, value === "" ? null : value]);
  return { ...row, fields: Object.fromEntries(fields) as Row };
}

function pick(row: Row, ...names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function uuids(rows: readonly Row[]): unknown[] {
  return rows.map((row) => row["uuid"]);
}

function ids(rows: readonly Row[]): unknown[] {
  return rows.map((row) => row["id"]);
}
