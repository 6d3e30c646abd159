import type { AnswerWay, HandsetDetails, TextEntry, TextWay } from "../../protocol/index.js";
import { capitalised, lossWords, reasonWords } from "../phone/words.js";

/** One step of a text's path. Pure: `way.tsx` draws it. */
export interface WayStep {
  readonly name: string;
  /** `none`: it does not happen, which is not an error; `stopped`: it failed. */
  readonly state: "done" | "now" | "to-come" | "none" | "stopped";
  /** When it was done; null: not done, or unknown. */
  readonly at: string | null;
  /** Its outcome, or the reason for the wait. */
  readonly note: string | null;
  /** Id of a message, for its chain. */
  readonly message: number | null;
  /** The phone that shows a text once the step is done, and the message; without one the person's text. */
  readonly brings?: { readonly to: TextEntry["from"]; readonly message?: number | null };
}

/** How far a way is drawn. */
export interface WayShown {
  /** Key of the text. */
  readonly key: string;
  /** Steps that are drawn as done. */
  readonly shown: number;
}

/**
 * The number of steps up to the last one that is done. One before it may not be: a message can reach the person while the
 * event of their text still waits.
 */
export function doneSteps(steps: readonly WayStep[]): number {
  return steps.findLastIndex(({ state }) => state === "done") + 1;
}

/**
 * How much of a way is drawn at first. At 120 times wall time a whole path completes between two frames, but its steps
 * must appear in order: a new text begins with its first step, a known one continues.
 *
 * @param before - undefined: the path is drawn for the first time
 */
export function shownOf(before: WayShown | undefined, key: string, steps: readonly WayStep[]): WayShown {
  const done = doneSteps(steps);
  if (before === undefined) return { key, shown: done };
  return { key, shown: Math.min(done, before.key === key ? before.shown : 1) };
}

/** The steps as they are drawn: the next one is under way, those after it are to come. */
export function drawnSteps(steps: readonly WayStep[], shown: number): WayStep[] {
  if (shown >= doneSteps(steps)) return [...steps];
  return steps.map((one, at) =>
    at < shown ? one : { ...one, state: at === shown ? "now" : "to-come", at: null, note: null },
  );
}

/** The steps of a person's newest text to the receiver, and of its answers back. */
export function stepsOf(way: TextWay, handset: HandsetDetails | undefined): WayStep[] {
  if (way.entry.state === "lost") return lostThere(way.entry);
  const steps = [...there(way, handset), ...back(way, handset)];
  // Steps after the first unfinished one are still to come.
  const first = steps.findIndex(({ state }) => state !== "done");
  return first === -1
    ? steps
    : steps.map((step, at) => (at > first && step.state === "now" ? { ...step, state: "to-come" } : step));
}

/** A person's text that was lost: before the phone had it, or on the phone. */
function lostThere({ at, sent_at: sentAt, note }: TextEntry): WayStep[] {
  const lost = (name: string): WayStep => ({ name, state: "stopped", at, note: lossWords(note), message: null });
  if (note === "carrier") return [step("Text sent", sentAt ?? at, true), lost("Lost on the way")];
  return [step("Text sent", sentAt, true), step("Handset has it", null, true), lost("Lost on the phone")];
}

function there({ entry, event }: TextWay, handset: HandsetDetails | undefined): WayStep[] {
  const { state, note } = entry;
  const isAtPhone = state === "on-phone" || state === "reported";
  const isSynced = state === "reported";
  const why = reasonWords(note ?? handset?.blocked_by ?? null);
  return [
    step("Text sent", entry.sent_at ?? entry.at, true),
    {
      ...step(
        "Handset has it",
        entry.phone_at,
        isAtPhone,
        state === "held" ? `Held by the carrier: ${why ?? "the phone is out of reach"}.` : "The carrier delivers it.",
      ),
      brings: { to: "handset" },
    },
    step("Synced to the service", entry.service_at, isSynced, why === null ? "The phone syncs." : `Waits: ${why}.`),
    eventStep(event, isSynced),
  ];
}

function eventStep(event: TextWay["event"], isSynced: boolean): WayStep {
  const name = "Receiver answered";
  if (!isSynced || event === null) return step(name, null, false);
  const { outcome, answered_at: at, status, error, tries, duration_ms: durationMs, reply } = event;
  if (outcome === "nowhere") {
    return {
      name: "Event not sent",
      state: "none",
      at: null,
      note: "The channel has no delivery URL.",
      message: null,
    };
  }
  if (outcome === "accepted") {
    const answered = [
      status === null ? null : `${status}`,
      durationMs === null ? null : `${Math.round(durationMs)} ms`,
    ];
    const words = [
      answered.filter((word) => word !== null).join(", "),
      ...(tries > 1 ? [`${tries} tries`] : []),
      ...(reply?.kind === "ignored" ? [`its reply was ignored: ${reply.reason ?? "not readable"}`] : []),
    ];
    return step(name, at, true, words.join("; "));
  }
  if (outcome === "waiting") return step(name, null, false, "The event is on its way to the receiver.");
  const problem = error ?? (status === null ? outcome : `${status}`);
  return {
    name,
    state: outcome === "retried" ? "now" : "stopped",
    at: null,
    note: outcome === "retried" ? `Try ${tries} failed (${problem}); it is tried again.` : `Failed: ${problem}.`,
    message: null,
  };
}

function back({ event, answers }: TextWay, handset: HandsetDetails | undefined): WayStep[] {
  if (answers.length === 0) {
    const isAnswered = event?.outcome === "accepted" || event?.outcome === "nowhere";
    return isAnswered
      ? [
          {
            name: "No answer",
            state: "none",
            at: null,
            note: "No message was sent for it so far.",
            message: null,
          },
        ]
      : [step("Answer sent", null, false)];
  }
  return answers.flatMap((answer, index) =>
    answerSteps(answer, { number: answers.length > 1 ? ` ${index + 1}` : "", handset }),
  );
}

const origins: Readonly<Record<string, string>> = {
  reply: "The receiver replied.",
  flow: "A flow answered.",
  api: "Sent over the API.",
  hand: "Sent by hand.",
  story: "Sent by the story.",
  traffic: "Sent by the scenario's traffic.",
  campaign: "Sent by a campaign.",
};

function answerSteps(
  { entry, origin, created_at: created, sent_at: sent, lost_at: lostAt }: AnswerWay,
  { number, handset }: { readonly number: string; readonly handset: HandsetDetails | undefined },
): WayStep[] {
  const { state, heard_at: heard, note } = entry;
  const isOnAir = state === "sent" || state === "delivered" || heard !== null;
  const blocked = reasonWords(handset?.blocked_by ?? null);
  const waiting: Readonly<Record<string, string>> = {
    "at-service": blocked === null ? "It waits for the phone's next sync." : `It waits at the service: ${blocked}.`,
    pending: blocked === null ? "The phone sends it." : `It waits on the phone: ${blocked}.`,
    retry: `The radio failed ${note ?? ""} times; it is tried again.`,
  };
  const queued: WayStep = {
    ...step(`Answer${number} made`, created, true, origins[origin] ?? null),
    message: entry.id,
    brings: { to: "handset", message: entry.id },
  };
  if (state === "failed") {
    const tries = handset === undefined ? "All tries" : `All ${handset.outbox.tries_max} tries`;
    const failure = `${tries} failed: the phone gave up, so the person does not get it.`;
    return [queued, { name: "Sending failed", state: "stopped", at: null, note: failure, message: null }];
  }
  if (state === "lost") {
    const lost: WayStep = {
      name: `Answer${number} lost`,
      state: "stopped",
      at: lostAt,
      note: lossWords(note),
      message: null,
    };
    // A message that was not offered to a phone was never sent.
    return note === "contact-gets-nothing"
      ? [queued, lost]
      : [queued, step("Handset sent it", sent ?? lostAt, true), lost];
  }
  return [
    queued,
    step("Handset sent it", sent ?? heard, isOnAir, waiting[state] ?? null),
    {
      ...step("Person has it", heard, heard !== null, "The carrier delivers it."),
      brings: { to: "person", message: entry.id },
    },
  ];
}

function step(name: string, at: string | null, isDone: boolean, note: string | null = null): WayStep {
  return {
    name,
    state: isDone ? "done" : "now",
    at: isDone ? at : null,
    note: note === null ? null : capitalised(note),
    message: null,
  };
}
