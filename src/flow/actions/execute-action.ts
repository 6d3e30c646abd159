import type { ActionDefinition } from "../action-definitions.js";
import type { HttpAnswer, HttpCall } from "../host.js";
import type { RunningSprint } from "../engine/running-sprint.js";
import {
  addContactGroups,
  addContactUrn,
  addInputLabels,
  removeContactGroups,
  setContactChannel,
  setContactField,
  setContactLanguage,
  setContactName,
  setContactStatus,
  setContactTimezone,
} from "./contact-actions.js";
import { playAudio, sayMessage, sendBroadcast, sendEmail, sendMessage } from "./messages.js";
import { callClassifier, openTicket, setRunLocal, setRunResult, transferAirtime } from "./other-actions.js";
import { enterFlow, startSessions } from "./sub-flows.js";
import { beginResthook, beginWebhook, finishResthook, finishWebhook } from "./webhooks.js";

/**
 * Executes an action of the current node: docs/reference/flows.md#actions. An action that needs HTTP sets the sprint's
 * `calls`, and the sprint continues it by {@link finishAction}.
 */
export function executeAction(sprint: RunningSprint, action: ActionDefinition): void {
  switch (action.type) {
    case "send_msg":
      return sendMessage(sprint, action);
    case "set_contact_field":
      return setContactField(sprint, action);
    case "set_contact_name":
      return setContactName(sprint, action);
    case "set_contact_language":
      return setContactLanguage(sprint, action);
    case "set_contact_timezone":
      return setContactTimezone(sprint, action);
    case "set_contact_status":
      return setContactStatus(sprint, action);
    case "set_contact_channel":
      return setContactChannel(sprint, action);
    case "add_contact_urn":
      return addContactUrn(sprint, action);
    case "add_contact_groups":
      return addContactGroups(sprint, action);
    case "remove_contact_groups":
      return removeContactGroups(sprint, action);
    case "add_input_labels":
      return addInputLabels(sprint, action);
    case "set_run_result":
      return setRunResult(sprint, action);
    case "enter_flow":
      return enterFlow(sprint, action);
    case "start_session":
      return startSessions(sprint, action);
    case "send_broadcast":
      return sendBroadcast(sprint, action);
    case "call_webhook":
      return beginWebhook(sprint, action);
    case "call_resthook":
      return beginResthook(sprint, action);
    case "send_email":
      return sendEmail(sprint, action);
    case "say_msg":
      return sayMessage(sprint, action);
    case "play_audio":
      return playAudio(sprint, action);
    case "open_ticket":
      return openTicket(sprint, action);
    case "transfer_airtime":
      return transferAirtime(sprint, action);
    case "call_classifier":
      return callClassifier(sprint, action);
    case "set_run_local":
      return setRunLocal(sprint, action);
    case "unsupported":
      return sprint.logError(`action type '${action.name}' is not supported, skipping`);
    default:
      action satisfies never;
  }
}

/** Continues an action with the answers to its calls. */
export function finishAction(
  sprint: RunningSprint,
  action: ActionDefinition,
  calls: readonly HttpCall[],
  answers: readonly HttpAnswer[],
): void {
  if (action.type === "call_webhook") finishWebhook(sprint, action, calls, answers);
  if (action.type === "call_resthook") finishResthook(sprint, action, calls, answers);
}
