import { formatTimestampZoned } from "../../wire/index.js";
import { resultJson } from "../actions/sub-flows.js";
import type { SprintEventBody, SprintEvent } from "../events.js";
import type { Run, Session } from "../session.js";

/** What a sprint did, as `handset flow play` prints it. */
export interface PlayedSprint {
  readonly status: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly runs: readonly Readonly<Record<string, unknown>>[];
}

/** The output for a sprint. */
export function playedSprint(session: Session, events: readonly Readonly<Record<string, unknown>>[]): PlayedSprint {
  return { status: session.status, events, runs: session.runs.map((run) => runJson(run, session)) };
}

/** An event in the public format: its body, and where and when it happened. */
export function eventJson(event: SprintEvent): Readonly<Record<string, unknown>> {
  const { atMs, run, step, ...body } = event;
  return {
    ...body,
    ...(body.type === "session_triggered" && triggeredJson(body)),
    created_on: formatTimestampZoned(atMs),
    ...(run !== undefined && { run_uuid: run }),
    step_uuid: step,
  };
}

function triggeredJson({ run_summary, history }: Extract<SprintEventBody, { type: "session_triggered" }>): object {
  const { extras: _, ...summary } = run_summary;
  const { parentUuid, ancestors, ancestorsSinceInput } = history;
  return {
    run_summary: summary,
    history: { parent_uuid: parentUuid, ancestors, ancestors_since_input: ancestorsSinceInput },
  };
}

function runJson(run: Run, session: Session): Readonly<Record<string, unknown>> {
  const parent = run.parent === undefined ? undefined : session.runs[run.parent];
  return {
    uuid: run.uuid,
    flow: run.flow,
    parent_uuid: parent?.uuid,
    status: run.status,
    path: run.path.map(({ uuid, node, arrivedAtMs, exit }) => ({
      uuid,
      node_uuid: node,
      arrived_on: formatTimestampZoned(arrivedAtMs),
      exit_uuid: exit,
    })),
    results: Object.fromEntries(Object.entries(run.results).map(([key, result]) => [key, resultJson(result)])),
    created_on: formatTimestampZoned(run.createdAtMs),
    exited_on: run.exitedAtMs === undefined ? null : formatTimestampZoned(run.exitedAtMs),
  };
}
