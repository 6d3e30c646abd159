import { executeAction } from "../actions/execute-action.js";
import type { FlowDefinition, FlowExit, FlowNode } from "../definition.js";
import type { Run } from "../session.js";
import { pickExit } from "./route.js";
import type { RunningSprint } from "./running-sprint.js";
import { beginWait } from "./waits.js";

/** Node visits of a sprint; one more fails the run. */
const visitsMax = 100;
/**
 * Units of work of a node visit, of an action (its texts and events count separately), and of each HTTP call of an
 * action.
 */
const unitsOfVisit = 5;
const unitsOfAction = 2;
const unitsOfCall = 50;

/**
 * Executes nodes until the session waits, ends, or needs HTTP: docs/reference/flows.md#sessions.
 *
 * @param exit - where to continue in the current run; undefined: its flow ends here, unless a flow is pushed
 */
export function runUntilWait(sprint: RunningSprint, exit: FlowExit | undefined): void {
  let next = exit;
  for (;;) {
    const destination = nextNode(sprint, next);
    if (destination === null) {
      sprint.onFirstStep?.();
      sprint.onFirstStep = undefined;
      const parent = endRun(sprint);
      if (parent === undefined) return;
      next = parent.exit;
      continue;
    }
    next = undefined;
    sprint.visits++;
    if (sprint.visits > visitsMax) {
      sprint.fail(`reached maximum number of steps per sprint (${visitsMax})`);
      continue;
    }
    sprint.work.spend(unitsOfVisit);
    sprint.failIfWorkIsUsedUp();
    if (sprint.run.status === "failed") continue;
    const { flow } = sprint;
    const node = flow?.nodesByUuid.get(destination);
    if (flow === undefined || node === undefined) {
      sprint.fail(`unable to find destination node ${destination} in flow ${sprint.run.flow.uuid}`);
      continue;
    }
    addStep(sprint, node);
    sprint.onFirstStep?.();
    sprint.onFirstStep = undefined;
    next = executeNode(sprint, flow, node, 0);
    if (isSuspended(sprint)) return;
  }
}

/** Whether the sprint ends here, with its session waiting or calling. */
export function isSuspended({ session }: RunningSprint): boolean {
  return session.status === "waiting" || session.status === "calling";
}

/** Starts the run of a pushed flow, or follows the exit. @returns uuid; null: the current run has no next node */
function nextNode(sprint: RunningSprint, exit: FlowExit | undefined): string | null {
  const { pushed } = sprint;
  if (pushed === undefined) return exit?.destination ?? null;
  sprint.pushed = undefined;
  const { session } = sprint;
  if (pushed.isTerminal) for (const run of session.runs) exitUnlessEnded(sprint, run);
  addRun(sprint, pushed.flow);
  return pushed.flow.nodes[0]?.uuid ?? null;
}

function exitUnlessEnded(sprint: RunningSprint, run: Run): void {
  if (run.status === "active" || run.status === "waiting") sprint.exitRun(run, "completed");
}

function addRun({ host, session }: RunningSprint, { uuid, name }: FlowDefinition): void {
  const now = host.now();
  session.runs.push({
    uuid: host.uuid(),
    flow: { uuid, name },
    ...(session.currentRun >= 0 && { parent: session.currentRun }),
    status: "active",
    path: [],
    results: {},
    answers: [],
    createdAtMs: now,
    modifiedAtMs: now,
    hasInput: false,
  });
  session.currentRun = session.runs.length - 1;
}

function addStep({ host, run }: RunningSprint, node: FlowNode): void {
  const now = host.now();
  run.path.push({ uuid: host.uuid(), node: node.uuid, arrivedAtMs: now });
  run.modifiedAtMs = now;
}

/**
 * Ends the current run and returns to its parent, whose router then sees `@child`.
 *
 * @returns the exit of the parent, if it has one; undefined when the session has ended
 */
function endRun(sprint: RunningSprint): { readonly exit: FlowExit | undefined } | undefined {
  const { run: child, session } = sprint;
  exitUnlessEnded(sprint, child);
  const parent = child.parent === undefined ? undefined : session.runs[child.parent];
  if (child.parent === undefined || parent?.status !== "active") {
    session.status = child.status === "failed" ? "failed" : "completed";
    session.endedAtMs = sprint.host.now();
    return undefined;
  }
  session.currentRun = child.parent;
  if (child.status === "failed") {
    sprint.fail(`child run for flow '${child.flow.uuid}' ended in error, ending execution`);
    return { exit: undefined };
  }
  const { flow } = sprint;
  if (flow === undefined) {
    sprint.fail("can't resume run with missing flow asset");
    return { exit: undefined };
  }
  const node = flow.nodesByUuid.get(parent.path.at(-1)?.node ?? "");
  if (node === undefined) {
    sprint.fail("can't resume run as node no longer exists: run is located at a flow node that no longer exists");
    return { exit: undefined };
  }
  return { exit: pickExit(sprint, node) };
}

/**
 * Executes a node: its actions from `firstAction` on, then its wait and its router.
 *
 * @returns the exit; undefined when the flow ends here, the sprint is suspended, or a flow is pushed
 */
export function executeNode(
  sprint: RunningSprint,
  flow: FlowDefinition,
  node: FlowNode,
  firstAction: number,
): FlowExit | undefined {
  const { session, run } = sprint;
  for (let index = firstAction; index < node.actions.length; index++) {
    const action = node.actions[index];
    if (action !== undefined) executeAction(sprint, action);
    sprint.work.spend(unitsOfAction);
    // Before it sends the calls, the host records the run's answers so far. Five answers cost as much as a call.
    if (sprint.calls !== undefined) sprint.work.spend((sprint.calls.length + run.answers.length / 5) * unitsOfCall);
    sprint.failIfWorkIsUsedUp();
    if (run.status === "failed") return undefined;
    if (sprint.calls !== undefined) {
      const { calls, visits, isFirstNode, pushed } = sprint;
      const entered = pushed === undefined ? {} : { pushed: { flow: pushed.flow.uuid, isTerminal: pushed.isTerminal } };
      session.status = "calling";
      session.pending = { calls, action: index, visits, isFirstNode, ...entered };
      return undefined;
    }
  }
  if (sprint.pushed !== undefined) {
    sprint.isFirstNode = false;
    return undefined;
  }
  const wait = node.router?.wait;
  const isWaiting = wait !== undefined && beginWait(sprint, flow, node, wait);
  sprint.isFirstNode = false;
  if (isWaiting || sprint.run.status === "failed") return undefined;
  return pickExit(sprint, node);
}
