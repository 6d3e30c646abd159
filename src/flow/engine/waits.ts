import { formatTimestampZoned } from "../../wire/index.js";
import { normaliseContactUrn } from "../contact/contact-urn.js";
import type { FlowDefinition, FlowNode, FlowWait } from "../definition.js";
import type { Session } from "../session.js";
import type { Resume } from "../trigger.js";
import type { RunningSprint } from "./running-sprint.js";

const minuteMs = 60_000;

/**
 * Begins the wait of a node.
 *
 * @returns false: the wait is skipped and the router routes at once, or the run has failed
 */
export function beginWait(sprint: RunningSprint, flow: FlowDefinition, node: FlowNode, wait: FlowWait): boolean {
  if (wait.type === "unsupported") {
    sprint.fail(`wait type '${wait.name}' on node[uuid=${node.uuid}] is not supported`);
    return false;
  }
  // The message that started the session is the answer of the very first node.
  if (wait.type === "msg" && sprint.isFirstNode) return false;
  const now = sprint.host.now();
  const expiresAtMs = now + flow.expireAfterMinutes * minuteMs;
  const expires_on = formatTimestampZoned(expiresAtMs);
  if (wait.type === "dial") {
    const phone = sprint.evaluate(wait.phone).text.trim();
    const urn = normaliseContactUrn(`tel:${phone}`, sprint.environment.defaultCountry);
    if (urn === undefined) {
      sprint.logError(`'${phone}' is no phone number, skipping dial`);
      return false;
    }
    startWaiting(sprint, { type: "dial", expiresAtMs });
    sprint.log({
      type: "dial_wait",
      urn,
      dial_limit_seconds: wait.dialLimitSeconds,
      call_limit_seconds: wait.callLimitSeconds,
      expires_on,
    });
    return true;
  }
  const { timeout, hint } = wait;
  startWaiting(sprint, {
    type: "msg",
    expiresAtMs,
    ...(timeout !== undefined && { timeoutSeconds: timeout.seconds, timeoutAtMs: now + timeout.seconds * 1000 }),
    hint,
  });
  sprint.log({
    type: "msg_wait",
    timeout_seconds: timeout?.seconds,
    hint,
    expires_on,
  });
  return true;
}

function startWaiting({ session, run }: RunningSprint, wait: NonNullable<Session["wait"]>): void {
  session.wait = wait;
  session.status = "waiting";
  run.status = "waiting";
}

/** Why a wait does not take a resume; undefined: it does. */
export function resumeFault(wait: FlowWait, resume: Resume): string | undefined {
  if (resume.type === "wait_expiration") return undefined;
  if (resume.type === "wait_timeout" && wait.type === "msg") {
    return wait.timeout === undefined ? "can't end with timeout as wait doesn't have a timeout" : undefined;
  }
  if (resume.type === wait.type) return undefined;
  return `can't end a wait of type '${wait.type}' with a resume of type '${resume.type}'`;
}
