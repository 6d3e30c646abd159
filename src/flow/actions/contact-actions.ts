import { isTimezone } from "../../wire/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import type { ContactStatus } from "../contact-state.js";
import type { RunningSprint } from "../engine/running-sprint.js";
import {
  addUrn,
  changeChannel,
  changeField,
  changeLanguage,
  changeName,
  changeStatus,
  changeTimezone,
  joinGroups,
  leaveGroups,
} from "./change-contact.js";
import { groupsOf, labelsOf, missingText } from "./references.js";

type Action<Type extends ActionDefinition["type"]> = Extract<ActionDefinition, { type: Type }>;

export function setContactField(sprint: RunningSprint, action: Action<"set_contact_field">): void {
  const { text, isFailed } = sprint.evaluate(action.value);
  if (isFailed) return;
  const { key, name } = action.field;
  const field = sprint.assets.field(key);
  if (field === undefined) return sprint.logError(`missing dependency: field[key=${key},name=${name}]`);
  changeField(sprint, field, text.trim());
}

export function setContactName(sprint: RunningSprint, action: Action<"set_contact_name">): void {
  const { text, isFailed } = sprint.evaluate(action.name);
  if (!isFailed) changeName(sprint, text.trim());
}

export function setContactLanguage(sprint: RunningSprint, action: Action<"set_contact_language">): void {
  const { text, isFailed } = sprint.evaluate(action.language);
  if (isFailed) return;
  const language = text.trim().toLowerCase();
  if (language !== "" && !isLanguageCode(language)) {
    const isShape = Array.from(language).length !== languageLength;
    return sprint.logError(
      isShape
        ? `iso-639-3 codes must be ${languageLength} characters, got: ${text.trim()}`
        : `unrecognized language code: ${text.trim()}`,
    );
  }
  changeLanguage(sprint, language);
}

export function setContactTimezone(sprint: RunningSprint, action: Action<"set_contact_timezone">): void {
  const { text, isFailed } = sprint.evaluate(action.timezone);
  if (isFailed) return;
  const timezone = text.trim();
  if (timezone !== "" && !isTimezone(timezone)) return sprint.logError(`unknown time zone ${timezone}`);
  changeTimezone(sprint, timezone);
}

export function setContactStatus(sprint: RunningSprint, action: Action<"set_contact_status">): void {
  if (!isStatus(action.status)) return sprint.logError(`'${action.status}' is no status of a contact`);
  changeStatus(sprint, action.status);
}

function isStatus(text: string): text is ContactStatus {
  return ["active", "blocked", "stopped", "archived"].includes(text);
}

export function setContactChannel(sprint: RunningSprint, action: Action<"set_contact_channel">): void {
  if (action.channel === null) return changeChannel(sprint, undefined);
  const channel = sprint.assets.channel(action.channel.uuid);
  if (channel === undefined) return sprint.logError(missingText("channel", action.channel));
  changeChannel(sprint, channel);
}

export function addContactUrn(sprint: RunningSprint, action: Action<"add_contact_urn">): void {
  const path = sprint.evaluate(action.path).text.trim();
  if (path === "") return sprint.logError("can't add URN with empty path");
  addUrn(sprint, `${action.scheme}:${path}`);
}

export function addContactGroups(sprint: RunningSprint, action: Action<"add_contact_groups">): void {
  const groups = groupsOf(sprint, action.groups);
  if (groups.length > 0) joinGroups(sprint, groups);
}

export function removeContactGroups(sprint: RunningSprint, action: Action<"remove_contact_groups">): void {
  const { contact, assets } = sprint;
  const groups = action.allGroups
    ? contact.groups.map(({ uuid, name }) => assets.group(uuid) ?? { uuid, name }).filter(({ query }) => !query)
    : groupsOf(sprint, action.groups);
  if (groups.length > 0) leaveGroups(sprint, groups);
}

/** Adds labels to the message that is being handled; does nothing when there is none. */
export function addInputLabels(sprint: RunningSprint, action: Action<"add_input_labels">): void {
  const { input } = sprint.session;
  if (input === undefined) return sprint.logError("can't execute action in session without input");
  const labels = labelsOf(sprint, action.labels).map(({ uuid, name }) => ({ uuid, name }));
  if (labels.length > 0) sprint.log({ type: "input_labels_added", input_uuid: input.uuid, labels });
}

/** Letters of an ISO 639-3 code. */
const languageLength = 3;

/** Whether a text has the form of an ISO 639-3 code. */
function isLanguageCode(text: string): boolean {
  return /^[a-z]{3}$/.test(text);
}
