import { formatTimestampZoned } from "../../wire/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import { writeContact } from "../contact/contact-json.js";
import type { RunSummary } from "../run-summary.js";
import type { SavedResult } from "../session.js";
import type { SessionHistory } from "../trigger.js";
import type { RunningSprint } from "../engine/running-sprint.js";
import { isNobody, missingText, recipientsInEvent, recipientsOf } from "./references.js";

type Action<Type extends ActionDefinition["type"]> = Extract<ActionDefinition, { type: Type }>;

/** Longest chain of sessions that start one another without a person's answer in between. */
const ancestorsMax = 5;

/** Enters a sub-flow after the node's other actions. A missing flow, or one of another type, fails the run. */
export function enterFlow(sprint: RunningSprint, action: Action<"enter_flow">): void {
  const { run, flow: own } = sprint;
  const flow = sprint.assets.flow(action.flow.uuid);
  if (flow === undefined) return sprint.fail(`no such flow with UUID '${action.flow.uuid}'`);
  if (own !== undefined && flow.type !== own.type) {
    const name = `flow[uuid=${flow.uuid},name=${flow.name}]`;
    return sprint.fail(`can't enter ${name} of type ${flow.type} from type ${own.type}`);
  }
  sprint.work.spend(flow.work ?? 0);
  sprint.pushed = { flow, isTerminal: action.terminal };
  sprint.log({ type: "flow_entered", flow: action.flow, parent_run_uuid: run.uuid, terminal: action.terminal });
}

/** Asks the account to start others in a flow, with this run as their parent. */
export function startSessions(sprint: RunningSprint, action: Action<"start_session">): void {
  const recipients = recipientsOf(sprint, action);
  const { trigger } = sprint.session;
  if (trigger.isBatch === true && (recipients.groups.length > 0 || recipients.contactQuery !== "")) {
    return sprint.logError("can't start new sessions for groups or queries during batch starts");
  }
  if ((trigger.history?.ancestorsSinceInput ?? 0) >= ancestorsMax) {
    return sprint.logError("too many sessions have been spawned since the last time input was received");
  }
  if (isNobody(recipients) && !action.createContact) return;
  if (sprint.assets.flow(action.flow.uuid) === undefined) return sprint.logError(missingText("flow", action.flow));
  sprint.log({
    type: "session_triggered",
    flow: action.flow,
    ...recipientsInEvent(recipients),
    ...(action.createContact && { create_contact: true }),
    ...(action.excludesInAFlow && { exclusions: { in_a_flow: true } }),
    run_summary: summaryOf(sprint),
    history: childHistory(sprint),
  });
}

function childHistory({ session }: RunningSprint): SessionHistory {
  const own = session.trigger.history;
  const hasInput = session.runs.some((run) => run.hasInput);
  return {
    parentUuid: session.uuid,
    ancestors: (own?.ancestors ?? 0) + 1,
    ancestorsSinceInput: hasInput ? 0 : (own?.ancestorsSinceInput ?? 0) + 1,
  };
}

function summaryOf({ run, contact, flow }: RunningSprint): RunSummary {
  const results = Object.entries(run.results);
  return {
    uuid: run.uuid,
    flow: { uuid: run.flow.uuid, name: flow?.name ?? run.flow.name, revision: flow?.revision ?? 0 },
    contact: writeContact(contact),
    status: run.status,
    results: Object.fromEntries(results.map(([key, result]) => [key, resultJson(result)])),
    extras: Object.fromEntries(
      results.flatMap(([key, { extraJson }]) => (extraJson === undefined ? [] : [[key, extraJson]])),
    ),
  };
}

/** A result in the public format. */
export function resultJson(result: SavedResult): Readonly<Record<string, unknown>> {
  const { name, value, category, categoryLocalized, node, input, extraJson, createdAtMs } = result;
  return {
    name,
    value,
    ...(category !== "" && { category }),
    category_localized: categoryLocalized,
    node_uuid: node,
    ...(input !== undefined && input !== "" && { input }),
    extra: extraJson === undefined ? undefined : (JSON.parse(extraJson) as unknown),
    created_on: formatTimestampZoned(createdAtMs),
  };
}
