import { cutTextVisibly, setOwnValue } from "../../wire/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import { type Destination, destinationsOf, preferredDestination } from "../contact/destinations.js";
import type { MessageContent, OutgoingMessage } from "../events.js";
import type { RunningSprint } from "../engine/running-sprint.js";
import { isNobody, recipientsInEvent, recipientsOf } from "./references.js";

type Action<Type extends ActionDefinition["type"]> = Extract<ActionDefinition, { type: Type }>;

/** Bytes of an attachment with its URL; longer ones are dropped. */
const attachmentMax = 2048;

/** Characters of a quick reply; a longer one is cut to end with "...". */
const quickReplyMax = 64;

/** Sends a message to the contact of the run, or says why it cannot be sent. */
export function sendMessage(sprint: RunningSprint, action: Action<"send_msg">): void {
  const content = evaluateContent(sprint, action);
  const { contact, assets, host } = sprint;
  const destinations = action.allUrns
    ? destinationsOf(contact, assets)
    : [preferredDestination(contact, assets)].filter((found) => found !== undefined);
  const topic = action.topic === "" ? {} : { topic: action.topic };
  for (const destination of destinations) {
    sprint.log({
      type: "msg_created",
      msg: {
        uuid: host.uuid(),
        ...addressed(destination),
        ...content,
        ...topic,
        ...(contact.status !== "active" && { unsendable_reason: "contact_status" }),
      },
    });
  }
  if (destinations.length === 0) {
    const reason = contact.status === "active" ? "no_destination" : "contact_status";
    sprint.log({ type: "msg_created", msg: { uuid: host.uuid(), ...content, ...topic, unsendable_reason: reason } });
  }
}

/** Sends a message to others, in each language of the flow, evaluated for this contact. */
export function sendBroadcast(sprint: RunningSprint, action: Action<"send_broadcast">): void {
  const recipients = recipientsOf(sprint, action);
  const { flow } = sprint;
  if (flow === undefined) return;
  const translations: Record<string, MessageContent> = {};
  for (const language of [flow.language, ...flow.localization.keys()]) {
    setOwnValue(translations, language, evaluateContent(sprint, action, [language]));
  }
  if (isNobody(recipients)) return;
  if (sprint.session.trigger.isBatch === true && recipients.groups.length > 0) {
    return sprint.logError("can't send broadcasts to groups during batch starts");
  }
  sprint.log({
    type: "broadcast_created",
    translations,
    base_language: flow.language,
    ...recipientsInEvent(recipients),
  });
}

function evaluateContent(
  sprint: RunningSprint,
  { uuid, text, attachments, quickReplies }: Action<"send_msg"> | Action<"send_broadcast">,
  languages?: readonly string[],
): MessageContent {
  const localized = (property: string, authored: readonly string[]): readonly string[] =>
    sprint.localized({ uuid, property, authored }, languages);
  const evaluated = sprint.evaluate(localized("text", [text])[0] ?? text).text;
  // A translation may have attachments and quick replies that the authored message lacks.
  const files = attachmentsOf(sprint, localized("attachments", attachments));
  const replies = repliesOf(sprint, localized("quick_replies", quickReplies));
  return {
    text: evaluated,
    ...(files.length > 0 && { attachments: files }),
    ...(replies.length > 0 && { quick_replies: replies }),
  };
}

function attachmentsOf(sprint: RunningSprint, templates: readonly string[]): readonly string[] {
  return templates.flatMap((template) => {
    const { text } = sprint.evaluate(template);
    if (text === "") sprint.logError("attachment text evaluated to empty string, skipping");
    else if (text.length > attachmentMax) {
      sprint.logError(`evaluated attachment is longer than ${attachmentMax} limit, skipping`);
    } else if (!/^[\w/+.-]+:./s.test(text)) sprint.logError(`attachment '${text}' has no type, skipping`);
    else return [text];
    return [];
  });
}

function repliesOf(sprint: RunningSprint, templates: readonly string[]): readonly string[] {
  return templates.flatMap((template) => {
    const { text } = sprint.evaluate(template);
    if (text === "") sprint.logError("quick reply text evaluated to empty string, skipping");
    return text === "" ? [] : [cutTextVisibly(text, quickReplyMax)];
  });
}

/** Speaks a text, or plays its recording, in a call. */
export function sayMessage(sprint: RunningSprint, action: Action<"say_msg">): void {
  const text = sprint.evaluate(sprint.localizedText(action.uuid, "text", action.text)).text.trim();
  const audio = sprint.evaluate(sprint.localizedText(action.uuid, "audio_url", action.audioUrl)).text.trim();
  if (text === "" && audio === "") sprint.logError("need either audio URL or backdown text, skipping");
  else logSpeech(sprint, text, audio);
}

/** Plays a recording in a call. */
export function playAudio(sprint: RunningSprint, action: Action<"play_audio">): void {
  const audio = sprint.evaluate(sprint.localizedText(action.uuid, "audio_url", action.audioUrl)).text.trim();
  if (audio === "") sprint.logError("audio URL evaluated to empty, skipping");
  else logSpeech(sprint, "", audio);
}

function logSpeech(sprint: RunningSprint, text: string, audio: string): void {
  const destination = preferredDestination(sprint.contact, sprint.assets);
  sprint.log({
    type: "ivr_created",
    msg: {
      uuid: sprint.host.uuid(),
      ...(destination !== undefined && addressed(destination)),
      text,
      ...(audio !== "" && { attachments: [`audio:${audio}`] }),
    },
  });
}

function addressed({ urn, channel }: Destination): Pick<OutgoingMessage, "urn" | "channel"> {
  return { urn, channel: { uuid: channel.uuid, name: channel.name } };
}

/** Sends an e-mail. Line breaks in the subject become spaces. */
export function sendEmail(sprint: RunningSprint, action: Action<"send_email">): void {
  const subject = sprint
    .evaluate(sprint.localizedText(action.uuid, "subject", action.subject))
    .text.replace(/\s+/g, " ")
    .trim();
  if (subject === "") return sprint.logError("email subject evaluated to empty string, skipping");
  const body = sprint.evaluate(sprint.localizedText(action.uuid, "body", action.body)).text;
  if (body === "") return sprint.logError("email body evaluated to empty string, skipping");
  const to = action.addresses.flatMap((template) => {
    const { text } = sprint.evaluate(template);
    if (text === "") sprint.logError("email address evaluated to empty string, skipping");
    return text === "" ? [] : [text.replace(/^mailto:/, "")];
  });
  if (to.length > 0) sprint.log({ type: "email_sent", to, subject, body });
}
