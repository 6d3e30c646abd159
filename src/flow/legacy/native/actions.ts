import { ownValue } from "../../../wire/index.js";
import { legacySchemes } from "../expressions/schemes.js";
import { migrateTemplate } from "../expressions/migrate-template.js";
import { itemsOf, type LegacyJson, textOf } from "../json.js";
import { MigrationError } from "../migration-error.js";
import { legacyResultKey } from "../result-key.js";
import { readTexts, rewriteTexts, textIn } from "../texts.js";
import { contacts, groupsOrLabels, reference, variables } from "./references.js";
import { filled, type NativeWriter, writeText, writeTexts } from "./writer.js";

/** Writes the native properties of an action, besides its UUID. */
type ActionForm = (action: LegacyJson, uuid: string, writer: NativeWriter) => LegacyJson;

const template = (value: unknown): string => migrateTemplate(textOf(value));

const forms: Readonly<Record<string, ActionForm>> = {
  reply: (action, uuid, writer) => ({
    type: "send_msg",
    text: writeText(writer, readTexts(action["msg"]), uuid, "text"),
    ...filled({ ...writeMedia(action, uuid, writer), all_urns: action["send_all"] === true }),
  }),
  send: (action, uuid, writer) => ({
    type: "send_broadcast",
    text: writeText(writer, readTexts(action["msg"]), uuid, "text"),
    ...filled({ ...writeMedia(action, uuid, writer), ...writeRecipients(action) }),
  }),
  add_group: ({ groups }) => ({ type: "add_contact_groups", groups: groupsOrLabels(groups) }),
  del_group: ({ groups }) => {
    const named = groupsOrLabels(groups);
    return { type: "remove_contact_groups", ...filled({ groups: named, all_groups: named.length === 0 }) };
  },
  add_label: ({ labels }) => ({ type: "add_input_labels", labels: groupsOrLabels(labels) }),
  save: writeSave,
  lang: ({ lang }) => ({ type: "set_contact_language", language: textOf(lang) }),
  channel: ({ channel, name }) => ({
    type: "set_contact_channel",
    channel: reference({ uuid: channel, name }),
  }),
  flow: ({ flow }) => ({ type: "enter_flow", flow: reference(flow), terminal: true }),
  "trigger-flow": (action) => {
    const { legacy_vars: all, ...recipients } = writeRecipients(action);
    const isNew = all.includes("@new_contact");
    const named = all.filter((variable) => variable !== "@new_contact");
    return {
      type: "start_session",
      flow: reference(action["flow"]),
      ...filled({ ...recipients, legacy_vars: named, create_contact: isNew }),
    };
  },
  email: ({ emails, subject, msg }, _uuid, { language }) => ({
    type: "send_email",
    addresses: itemsOf(emails).map(template),
    subject: template(subject),
    body: migrateTemplate(textIn(readTexts(msg), language)),
  }),
  say: (action, uuid, writer) => {
    const recording = rewriteTexts(readTexts(action["recording"]), (path) =>
      path === "" ? "" : absoluteUrl(writer.mediaBase, path),
    );
    return {
      type: "say_msg",
      text: writeText(writer, readTexts(action["msg"]), uuid, "text"),
      ...filled({ audio_url: writeText(writer, recording, uuid, "audio_url") }),
    };
  },
  play: ({ url }) => ({ type: "play_audio", audio_url: template(url) }),
};

/**
 * Writes the native form of an action (docs/reference/flows.md#legacy-to-native).
 *
 * @throws MigrationError when the type has none
 */
export function writeAction(action: LegacyJson, uuid: string, writer: NativeWriter): LegacyJson {
  const type = textOf(action["type"]);
  const form = ownValue(forms, type);
  if (form === undefined) throw new MigrationError(`action ${uuid}`, `no native form for the action type '${type}'`);
  return { uuid, ...form(action, uuid, writer) };
}

function writeMedia(action: LegacyJson, uuid: string, writer: NativeWriter): LegacyJson {
  const media = [...readTexts(action["media"])].filter(([, path]) => path !== "");
  const attachments = rewriteTexts(new Map(media), (path) => attachmentOf(writer.mediaBase, path));
  const replies = itemsOf(action["quick_replies"]).map(readTexts);
  const attachment = writeText(writer, attachments, uuid, "attachments");
  return {
    attachments: attachment === "" ? [] : [attachment],
    quick_replies: writeTexts(writer, replies, uuid, "quick_replies"),
  };
}

function writeRecipients(action: LegacyJson): { contacts: LegacyJson[]; groups: LegacyJson[]; legacy_vars: string[] } {
  return {
    contacts: contacts(action["contacts"]),
    groups: groupsOrLabels(action["groups"]),
    legacy_vars: variables(action["variables"]).map((variable) => migrateTemplate(variable)),
  };
}

/** Writes a `save` action. Name, first name and addresses each have a native action of their own. */
function writeSave(action: LegacyJson): LegacyJson {
  const value = template(action["value"]);
  const label = textOf(action["label"]);
  const field = textOf(action["field"]) || legacyResultKey(label);
  if (field === "name") return { type: "set_contact_name", name: value };
  if (field === "first_name") {
    return { type: "set_contact_name", name: `${value.trim()} @(word_slice(contact.name, 1, -1))` };
  }
  if (legacySchemes.has(field)) return { type: "add_contact_urn", scheme: field, path: value };
  if (field === "tel_e164") return { type: "add_contact_urn", scheme: "tel", path: value };
  return { type: "set_contact_field", field: { key: field, name: label }, value };
}

/** An absolute URL: a relative path is joined to the base. */
function absoluteUrl(base: string, path: string): string {
  if (/^https?:\/\//.test(path)) return path;
  return `${base.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
}

/**
 * The native attachment (`type:url`) for the media of a message. Media without a type are images; a URL with an
 * expression stays as it is.
 */
function attachmentOf(base: string, media: string): string {
  if (media === "") return "";
  const typed = /^(?!https?:\/\/)([^:]*):(.*)$/s.exec(media);
  const [type = "image", url = media] = typed === null ? [] : typed.slice(1);
  return url.includes("@") ? media : `${type}:${absoluteUrl(base, url)}`;
}
