import type { SessionContact } from "../contact-state.js";
import type { SprintEventBody } from "../events.js";
import type { Session } from "../session.js";

/**
 * Units of work (`WorkBudget`) that one sprint may take; then its run fails. A sprint cannot be interrupted, so this
 * bounds how long a text keeps the host busy: about a tenth of a second. Sprints of real flows take hundreds of units.
 */
export const sprintUnitsMax = 100_000;

/** Units to copy and store one step, run, answer or result of a session. */
const unitsOfPart = 1;
/** Units to copy and store a character. */
const unitsOfCharacter = 0.005;

/** Units to continue and store a session with its contact: sessions grow with each sprint. */
export function unitsOfSession({ runs }: Session, { urns, groups, fields }: SessionContact): number {
  let parts = runs.length + urns.length + groups.length + Object.keys(fields).length;
  let characters = 0;
  for (const { path, answers, results, webhook, locals = {} } of runs) {
    parts += path.length + answers.length;
    characters += webhook?.json?.length ?? 0;
    for (const { input = "", extraJson = "" } of Object.values(results)) {
      parts++;
      characters += input.length + extraJson.length;
    }
    for (const value of Object.values(locals)) characters += value.length;
  }
  return parts * unitsOfPart + characters * unitsOfCharacter;
}

/** Units that the host needs for an event: rows, queues, changes of others. */
export function unitsOfEvent(body: SprintEventBody): number {
  switch (body.type) {
    case "msg_created":
    case "ivr_created":
      return 40 + body.msg.text.length * unitsOfCharacter;
    case "broadcast_created":
    case "session_triggered":
      return 200 + 150 * (body.urns?.length ?? 0) + 10 * ((body.contacts?.length ?? 0) + (body.groups?.length ?? 0));
    case "contact_groups_changed":
      return 20 + 10 * ((body.groups_added?.length ?? 0) + (body.groups_removed?.length ?? 0));
    case "contact_urns_changed":
      return 20 + 10 * body.urns.length;
    case "input_labels_added":
      return 20 + 30 * body.labels.length;
    case "webhook_called":
      return 50 + (body.request.length + body.response.length) * unitsOfCharacter;
    case "resthook_called":
      return 100;
    case "email_sent":
      return 20 + body.to.length;
    case "error":
    case "failure":
      return 10 + body.text.length * unitsOfCharacter;
    default:
      return 10;
  }
}
