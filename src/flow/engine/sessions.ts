import { withBudget } from "../../expression/index.js";
import { finishAction } from "../actions/execute-action.js";
import { updateSmartGroups } from "../actions/change-contact.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowNode } from "../definition.js";
import type { Host, HttpAnswer } from "../host.js";
import type { Input, Run, Session, Sprint } from "../session.js";
import type { IncomingMessage, Resume, Trigger } from "../trigger.js";
import { dropLargeAnswers } from "./answer-size.js";
import { pickExit } from "./route.js";
import { executeNode, isSuspended, runUntilWait } from "./run-loop.js";
import { RunningSprint } from "./running-sprint.js";
import { unitsOfSession } from "./sprint-work.js";
import { resumeFault } from "./waits.js";

/** Most resumes of a session; one more fails it. */
const resumesMax = 500;

/** The session cannot be started or continued as asked; its state is unchanged. */
export class SessionError extends Error {
  constructor(text: string) {
    super(text);
    this.name = "SessionError";
  }
}

/**
 * Starts a session (docs/reference/flows.md#sessions).
 *
 * @throws SessionError when the trigger's flow is missing
 */
export function startSession(host: Host, contact: SessionContact, trigger: Trigger): Sprint {
  const flow = host.assets.flow(trigger.flow.uuid);
  if (flow === undefined) {
    throw new SessionError(`unable to load flow[uuid=${trigger.flow.uuid},name=${trigger.flow.name}]`);
  }
  const session: Session = {
    uuid: host.uuid(),
    type: flow.type,
    status: "active",
    trigger,
    createdAtMs: host.now(),
    runs: [],
    currentRun: -1,
    resumes: 0,
  };
  const isMessage = trigger.msg !== undefined;
  const sprint = new RunningSprint(host, session, isMessage ? seenAt(contact, trigger.triggeredAtMs) : contact);
  return playSprint(sprint, () => {
    sprint.work.spend(flow.work ?? 0);
    updateSmartGroups(sprint);
    sprint.pushed = { flow, isTerminal: false };
    if (trigger.msg !== undefined) {
      session.input = inputOf(host, trigger.msg, trigger.triggeredAtMs);
      sprint.isFirstNode = trigger.type === "msg";
    }
    startRun(sprint, trigger.msg);
  });
}

/** Runs `play` as a sprint. Its evaluations spend from the sprint's work. */
function playSprint(sprint: RunningSprint, play: () => void): Sprint {
  const { work, session, contact } = sprint;
  work.spend(unitsOfSession(session, contact));
  withBudget(work, play);
  return sprintOf(sprint);
}

/** The event of the triggering message belongs to the first step, before its actions. */
function startRun(sprint: RunningSprint, msg: IncomingMessage | undefined): void {
  const { session } = sprint;
  sprint.onFirstStep = () => {
    if (msg === undefined || session.input === undefined) return;
    sprint.run.hasInput = true;
    logReceived(sprint, session.input);
  };
  runUntilWait(sprint, undefined);
}

/**
 * Continues a waiting session. A resume that the wait does not accept logs an error event, and changes nothing.
 *
 * @throws SessionError when the session does not wait
 */
export function resumeSession(host: Host, session: Session, contact: SessionContact, resume: Resume): Sprint {
  if (session.status !== "waiting") throw new SessionError("only waiting sessions can be resumed");
  const sprint = new RunningSprint(host, copyOf(session), contact);
  const { run } = sprint;
  const own = sprint.session;
  const { flow } = sprint;
  if (flow === undefined) return failSession(sprint, "can't resume run with missing flow asset");
  const node = flow.nodesByUuid.get(run.path.at(-1)?.node ?? "");
  if (node === undefined) {
    return failSession(sprint, "unable to find resume location: run is located at a flow node that no longer exists");
  }
  const wait = node.router?.wait;
  if (wait === undefined) return failSession(sprint, "can't resume from node without a router or wait");
  const fault = resumeFault(wait, resume);
  if (fault !== undefined) {
    const rejected = new RunningSprint(host, session, contact);
    rejected.logError(fault);
    return sprintOf(rejected);
  }
  if (own.resumes >= resumesMax) {
    return failSession(sprint, `reached maximum number of resumes per session (${resumesMax})`);
  }
  own.resumes++;
  own.status = "active";
  own.resume = { type: resume.type, ...(resume.type === "dial" && { dial: resume.dial }) };
  own.wait = undefined;
  own.input = undefined;
  return playSprint(sprint, () => continueRun(sprint, node, resume));
}

/** Continues the run that waits at a node. */
function continueRun(sprint: RunningSprint, node: FlowNode, resume: Resume): void {
  const { host, run, session } = sprint;
  if (resume.type === "wait_expiration") {
    sprint.exitRun(run, "expired");
    sprint.log({ type: "run_expired", run_uuid: run.uuid });
    updateSmartGroups(sprint);
    return runUntilWait(sprint, undefined);
  }
  run.status = "active";
  run.modifiedAtMs = host.now();
  if (resume.type === "msg") sprint.contact = seenAt(sprint.contact, resume.resumedAtMs);
  updateSmartGroups(sprint);
  if (resume.type === "msg") {
    session.input = inputOf(host, resume.msg, resume.resumedAtMs);
    run.hasInput = true;
    logReceived(sprint, session.input);
  } else if (resume.type === "dial") sprint.log({ type: "dial_ended", dial: resume.dial });
  else sprint.log({ type: "wait_timed_out" });
  runUntilWait(sprint, pickExit(sprint, node, resume.type === "wait_timeout"));
}

/**
 * Continues a session whose status is "calling".
 *
 * @param answers - in the order of the calls; missing ones count as not connected
 * @throws SessionError when the session has no calls
 */
export function answerCalls(
  host: Host,
  session: Session,
  contact: SessionContact,
  answers: readonly HttpAnswer[],
): Sprint {
  const { pending } = session;
  if (session.status !== "calling" || pending === undefined) throw new SessionError("session has no calls");
  const sprint = new RunningSprint(host, copyOf(session), contact);
  const { run } = sprint;
  const own = sprint.session;
  own.status = "active";
  own.pending = undefined;
  sprint.visits = pending.visits;
  sprint.isFirstNode = pending.isFirstNode;
  const { flow } = sprint;
  const node = flow?.nodesByUuid.get(run.path.at(-1)?.node ?? "");
  const action = node?.actions[pending.action];
  if (flow === undefined || node === undefined || action === undefined) {
    return failSession(sprint, "can't continue after a call as its node no longer exists");
  }
  if (pending.pushed !== undefined) {
    const pushed = host.assets.flow(pending.pushed.flow);
    if (pushed !== undefined) sprint.pushed = { flow: pushed, isTerminal: pending.pushed.isTerminal };
  }
  return playSprint(sprint, () => {
    finishAction(sprint, action, pending.calls, answers);
    const exit = executeNode(sprint, flow, node, pending.action + 1);
    if (!isSuspended(sprint)) runUntilWait(sprint, exit);
  });
}

/** Ends a session that waits or calls, because the contact starts another flow. Its open runs are interrupted. */
export function interruptSession(session: Session, nowMs: number): Session {
  const own = copyOf(session);
  for (const run of own.runs) {
    if (run.status !== "active" && run.status !== "waiting") continue;
    run.status = "interrupted";
    run.exitedAtMs = nowMs;
    run.modifiedAtMs = nowMs;
  }
  own.status = "interrupted";
  own.endedAtMs = nowMs;
  own.wait = undefined;
  own.pending = undefined;
  return own;
}

function failSession(sprint: RunningSprint, text: string): Sprint {
  const { session } = sprint;
  sprint.fail(text);
  for (const run of session.runs) {
    if (run.status === "active" || run.status === "waiting") sprint.exitRun(run, "failed");
  }
  session.status = "failed";
  session.endedAtMs = sprint.host.now();
  session.wait = undefined;
  session.pending = undefined;
  return sprintOf(sprint);
}

function logReceived(sprint: RunningSprint, input: Input): void {
  const { attachments = [], urn, channel, externalId } = input;
  sprint.log({
    type: "msg_received",
    msg: {
      uuid: input.uuid,
      text: input.text,
      urn,
      channel,
      ...(attachments.length > 0 && { attachments }),
      external_id: externalId,
    },
  });
}

/**
 * The contact with `lastSeenAtMs` raised to this instant; it never falls, because messages may be handled out of
 * order.
 */
function seenAt(contact: SessionContact, atMs: number): SessionContact {
  return { ...contact, lastSeenAtMs: Math.max(contact.lastSeenAtMs ?? atMs, atMs) };
}

function inputOf(host: Host, msg: IncomingMessage, createdAtMs: number): Input {
  return { ...msg, uuid: msg.uuid ?? host.uuid(), createdAtMs };
}

/** Copies the parts that a sprint may change; the caller's session stays as it is. */
export function copyOf(session: Session): Session {
  return { ...session, runs: session.runs.map(copyOfRun) };
}

function copyOfRun(run: Run): Run {
  const last = run.path.at(-1);
  const path = last === undefined ? [] : [...run.path.slice(0, -1), { ...last }];
  return { ...run, path, results: { ...run.results }, answers: [...run.answers] };
}

function sprintOf({ session, contact, events, calls, work }: RunningSprint): Sprint {
  // A session with the status "calling" keeps its large answers: its sprint is not over.
  if (session.status === "waiting") dropLargeAnswers(session);
  return { session, contact, events, calls, work: work.spent };
}
