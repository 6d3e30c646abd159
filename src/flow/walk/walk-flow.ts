import { questionOf } from "../answers/answers.js";
import type { SessionContact } from "../contact-state.js";
import { answerCalls, resumeSession, startSession } from "../engine/sessions.js";
import type { FlowDefinition } from "../definition.js";
import type { Host } from "../host.js";
import type { Sprint } from "../session.js";
import type { Resume } from "../trigger.js";

/** The outcome of one walk through a flow. */
export interface Walk {
  readonly flow: string;
  readonly name: string;
  /** "waiting": the walk has given its last answer and the session still waits. */
  readonly ended: "completed" | "waiting" | "expired" | "failed";
  /** Answers given, timeouts included. */
  readonly answers: number;
  /** Distinct texts of error and failure events, in their order. */
  readonly errors: readonly string[];
}

/** Shares of wrong and missing answers; all others are right. */
const wrongShare = 0.15;
const timeoutShare = 0.05;

/** Most distinct errors that are kept. */
const errorsMax = 20;

/**
 * Walks through a flow: most answers are right, some wrong, some missing; HTTP requests get 200 and an empty object.
 *
 * @param answersMax - most answers of the walk; a session that still waits after them ends it
 */
export function walkFlow(
  flow: FlowDefinition,
  {
    host,
    contact,
    answersMax,
    observe,
  }: {
    readonly host: Host;
    readonly contact: SessionContact;
    readonly answersMax: number;
    /** Gets each sprint, in order. */
    readonly observe?: (sprint: Sprint) => void;
  },
): Walk {
  const errors = new Set<string>();
  const settle = (first: Sprint): Sprint => {
    let sprint = first;
    for (;;) {
      observe?.(sprint);
      for (const event of sprint.events) {
        if ((event.type === "error" || event.type === "failure") && errors.size < errorsMax) errors.add(event.text);
      }
      if (sprint.calls === undefined) return sprint;
      const answers = sprint.calls.map(() => ({ status: 200, body: "{}" }));
      sprint = answerCalls(host, sprint.session, sprint.contact, answers);
    }
  };
  let sprint = settle(startSession(host, contact, { type: "manual", flow, triggeredAtMs: host.now() }));
  let answers = 0;
  while (sprint.session.status === "waiting" && answers < answersMax) {
    sprint = settle(resumeSession(host, sprint.session, sprint.contact, nextResume(host, sprint)));
    answers++;
  }
  const { status } = sprint.session;
  const ended =
    status === "completed"
      ? isExpired(sprint)
        ? "expired"
        : "completed"
      : status === "waiting"
        ? "waiting"
        : "failed";
  return { flow: flow.uuid, name: flow.name, ended, answers, errors: [...errors] };
}

function isExpired({ session }: Sprint): boolean {
  return session.runs[0]?.status === "expired";
}

function nextResume(host: Host, { session, contact }: Sprint): Resume {
  const resumedAtMs = host.now();
  if (session.wait?.type === "dial") {
    return { type: "dial", resumedAtMs, dial: { status: "answered", duration: 10 } };
  }
  const drawn = host.random();
  if (session.wait?.timeoutSeconds !== undefined && drawn < timeoutShare) return { type: "wait_timeout", resumedAtMs };
  const question = questionOf(host, session, contact, { random: () => host.random() });
  const answer = drawn > 1 - wrongShare ? question?.wrongAnswer() : question?.rightAnswer();
  const urn = contact.urns[0];
  return {
    type: "msg",
    resumedAtMs,
    msg: { ...(answer ?? { text: "hello" }), urn },
  };
}
