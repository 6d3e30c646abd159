import { spendWork } from "../../expression/index.js";
import { cutText, ownValue } from "../../wire/index.js";
import {
  channelOf,
  contactUrnsMax,
  identityOf,
  normaliseContactUrn,
  splitUrn,
  withChannel,
} from "../contact/contact-urn.js";
import { canSend } from "../contact/destinations.js";
import { fieldJson } from "../contact/contact-json.js";
import { parseFieldValue } from "../contact/field-value.js";
import type { SessionContact, ContactStatus } from "../contact-state.js";
import type { ChannelAsset, ContactPart, FieldAsset, GroupAsset } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import type { RunningSprint } from "../engine/running-sprint.js";

/** Characters of a contact's name and of a field's value. Longer texts are cut. */
const nameMax = 128;
const fieldMax = 640;

/** Sets the contact's name if it differs, then recomputes the membership in smart groups. */
export function changeName(sprint: RunningSprint, name: string): void {
  const cut = cutText(name, nameMax);
  if (cut === sprint.contact.name) return;
  sprint.contact = { ...sprint.contact, name: cut };
  sprint.log({ type: "contact_name_changed", name: cut });
  updateSmartGroups(sprint, "name");
}

export function changeLanguage(sprint: RunningSprint, language: string): void {
  if (language === sprint.contact.language) return;
  sprint.contact = { ...sprint.contact, language };
  sprint.log({ type: "contact_language_changed", language });
  updateSmartGroups(sprint, "language");
}

export function changeTimezone(sprint: RunningSprint, timezone: string): void {
  if (timezone === sprint.contact.timezone) return;
  sprint.contact = { ...sprint.contact, timezone };
  sprint.log({ type: "contact_timezone_changed", timezone });
  updateSmartGroups(sprint, "timezone");
}

/** Changes the status. A contact that is not active leaves all its groups. */
export function changeStatus(sprint: RunningSprint, status: ContactStatus): void {
  if (status === sprint.contact.status) return;
  const { groups } = sprint.contact;
  sprint.contact = { ...sprint.contact, status };
  sprint.log({ type: "contact_status_changed", status });
  if (status === "active") updateSmartGroups(sprint);
  else if (groups.length > 0) {
    sprint.contact = { ...sprint.contact, groups: [] };
    const isSmart = ({ uuid }: NamedReference): boolean => sprint.assets.group(uuid)?.query !== undefined;
    const manual = groups.filter((group) => !isSmart(group));
    sprint.log({ type: "contact_groups_changed", groups_removed: [...groups.filter(isSmart), ...manual] });
  }
}

/** Sets a field, or clears it by an empty text. */
export function changeField(sprint: RunningSprint, field: FieldAsset, text: string): void {
  const { fields } = sprint.contact;
  const old = ownValue(fields, field.key);
  const value = text === "" ? undefined : parseFieldValue(cutText(text, fieldMax), field, sprint);
  if (value === undefined ? old === undefined : old !== undefined && isSameJson(old, value)) return;
  const { [field.key]: _, ...others } = fields;
  sprint.contact = { ...sprint.contact, fields: value === undefined ? others : { ...fields, [field.key]: value } };
  sprint.log({
    type: "contact_field_changed",
    field: { key: field.key, name: field.name },
    value: value === undefined ? null : fieldJson(value),
  });
  updateSmartGroups(sprint, `fields.${field.key}`);
}

/** Adds the contact to manual groups. */
export function joinGroups(sprint: RunningSprint, groups: readonly GroupAsset[]): void {
  changeGroups(sprint, groups, "add");
}

/** Removes the contact from manual groups. */
export function leaveGroups(sprint: RunningSprint, groups: readonly GroupAsset[]): void {
  changeGroups(sprint, groups, "remove");
}

function changeGroups(sprint: RunningSprint, groups: readonly GroupAsset[], change: "add" | "remove"): void {
  const { status } = sprint.contact;
  if (status === "blocked" || status === "stopped") {
    sprint.logError("can't add blocked or stopped contacts to groups");
    return;
  }
  const own = new Map(sprint.contact.groups.map((group) => [group.uuid, group]));
  const changed: NamedReference[] = [];
  for (const { uuid, name, query } of groups) {
    if (query !== undefined) {
      const words = change === "add" ? "add contacts to" : "remove contacts from";
      sprint.logError(`can't ${words} the query based group '${name}'`);
    } else if (own.has(uuid) !== (change === "add")) {
      changed.push({ uuid, name });
      if (change === "add") own.set(uuid, { uuid, name });
      else own.delete(uuid);
    }
  }
  if (changed.length === 0) return;
  sprint.contact = { ...sprint.contact, groups: [...own.values()] };
  sprint.log({
    type: "contact_groups_changed",
    ...(change === "add" ? { groups_added: changed } : { groups_removed: changed }),
  });
  updateSmartGroups(sprint, "groups");
}

/** Adds an address at the end, unless the contact has it. */
export function addUrn(sprint: RunningSprint, urn: string): void {
  const normal = normaliseContactUrn(urn, sprint.environment.defaultCountry);
  if (normal === undefined) {
    sprint.logError(`'${urn}' is not valid URN`);
    return;
  }
  const { urns } = sprint.contact;
  if (urns.some((own) => identityOf(own) === identityOf(normal))) return;
  if (urns.length >= contactUrnsMax) {
    sprint.logError(`contact has ${contactUrnsMax} URNs already`);
    return;
  }
  changeUrns(sprint, [...urns, normal]);
}

/**
 * Makes `channel` the preferred one, so its addresses come first. Undefined removes the preferred channel of every
 * address.
 */
export function changeChannel(sprint: RunningSprint, channel: ChannelAsset | undefined): void {
  const { urns } = sprint.contact;
  if (channel === undefined) {
    changeUrns(
      sprint,
      urns.map((urn) => withChannel(urn, undefined)),
    );
    return;
  }
  if (!canSend(channel)) {
    sprint.logError("can't set channel that can't send as the preferred channel");
    return;
  }
  const front: string[] = [];
  const others: string[] = [];
  for (const urn of urns) {
    const { scheme } = splitUrn(urn);
    // Phone numbers can move to another channel; addresses of other schemes belong to one.
    const isMoved = channel.schemes.includes(scheme) && (scheme === "tel" || channelOf(urn) === undefined);
    const changed = isMoved ? withChannel(urn, channel.uuid) : urn;
    (channelOf(changed) === channel.uuid ? front : others).push(changed);
  }
  changeUrns(sprint, [...front, ...others]);
}

function changeUrns(sprint: RunningSprint, urns: readonly string[]): void {
  spendWork(urns.length);
  if (isSameJson(urns, sprint.contact.urns)) return;
  sprint.contact = { ...sprint.contact, urns };
  sprint.log({ type: "contact_urns_changed", urns });
  updateSmartGroups(sprint, "urns");
}

/**
 * Recomputes the membership in smart groups. Only active contacts are in groups.
 *
 * @param changed - the part of the contact that has changed; default: any
 */
export function updateSmartGroups(sprint: RunningSprint, changed?: ContactPart): void {
  const smart = sprint.assets.smartGroups(changed);
  if (smart.length === 0) return;
  const own = new Set(sprint.contact.groups.map(({ uuid }) => uuid));
  const added: NamedReference[] = [];
  const removed: NamedReference[] = [];
  for (const group of smart) {
    const isMember = sprint.contact.status === "active" && sprint.assets.isMember(group, sprint.contact);
    if (isMember === undefined || isMember === own.has(group.uuid)) continue;
    (isMember ? added : removed).push({ uuid: group.uuid, name: group.name });
  }
  if (added.length === 0 && removed.length === 0) return;
  const left = new Set(removed.map(({ uuid }) => uuid));
  const groups: SessionContact["groups"] = [...sprint.contact.groups.filter(({ uuid }) => !left.has(uuid)), ...added];
  sprint.contact = { ...sprint.contact, groups };
  sprint.log({
    type: "contact_groups_changed",
    ...(added.length > 0 && { groups_added: added }),
    ...(removed.length > 0 && { groups_removed: removed }),
  });
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
