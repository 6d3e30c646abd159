import type { ReceiverFront } from "../receiver/front.js";
import { THREW_HEADER } from "../receiver/front.js";
import type { Exchange } from "../receiver/exchanges.js";
import { decodeEvent } from "../../wire/index.js";
import { troubleOfCode } from "../../measure/index.js";
import type { RecordedEvent } from "../../store/index.js";
import type { LabAttempt, LabEvent } from "./log.js";
import type { LabRun } from "./lab-run.js";

/**
 * The events of a world so far, oldest first. An attempt is in the recording when its answer has taken effect in the
 * service; until then the exchanges show it. Both list the attempts of one event in the same order.
 */
export function readEvents(
  run: LabRun,
  front: ReceiverFront | undefined,
  instantAt: (atMs: number) => string,
): LabEvent[] {
  run.recording.flush();
  const sent = new Map<string, Exchange[]>();
  for (const exchange of run.sender?.exchanges ?? []) {
    const same = sent.get(exchange.body);
    if (same === undefined) sent.set(exchange.body, [exchange]);
    else same.push(exchange);
  }
  return Array.from(run.recording.reader().events(), (event) => {
    const attempts = attemptsOf(event, sent.get(event.body) ?? [], front);
    return {
      id: `${event.channel}/${event.number}`,
      type: event.type,
      atMs: event.atMs,
      at: instantAt(event.atMs),
      handset: run.lab.world.population.nameOfHandset(event.channel),
      body: event.body,
      event: decodeEvent(event.body).event,
      state: stateOf(run, event, attempts),
      attempts,
    };
  });
}

/** @param exchanges - with this body; those of this event are removed */
function attemptsOf(event: RecordedEvent, exchanges: Exchange[], front: ReceiverFront | undefined): LabAttempt[] {
  const inEffect = event.attempts.map((attempt): LabAttempt => {
    const exchange = wasPosted(attempt.error) ? exchanges.shift() : undefined;
    return {
      try: attempt.try,
      atMs: attempt.dueAtMs,
      status: attempt.status ?? undefined,
      answer: textOf(attempt.body),
      error: attempt.error ?? undefined,
      outcome: attempt.outcome,
      tookMs: attempt.durationMs,
      thrown: thrownIn(exchange, front),
    };
  });
  const isOver = inEffect.at(-1)?.outcome === "accepted";
  const open = isOver
    ? []
    : exchanges.splice(0).map((exchange, index): LabAttempt => {
        const { atMs, result } = exchange;
        return {
          try: inEffect.length + index + 1,
          atMs,
          status: result?.status ?? undefined,
          answer: textOf(result?.body ?? null),
          error: result?.error ?? undefined,
          outcome: result === undefined ? "sent" : "answered",
          tookMs: result?.durationMs,
          thrown: thrownIn(exchange, front),
        };
      });
  return [...inEffect, ...open];
}

/** Whether the HTTP client got the request: some trouble on the way keeps it from there. */
function wasPosted(error: string | null): boolean {
  const trouble = troubleOfCode(error);
  return trouble !== "requests-lost" && trouble !== "refused";
}

function stateOf(run: LabRun, event: RecordedEvent, attempts: readonly LabAttempt[]): LabEvent["state"] {
  const { lab } = run;
  const { events } = lab.world.handset(event.channel);
  const isSent = run.sender !== undefined && ((events as readonly string[] | undefined)?.includes(event.type) ?? true);
  if (!isSent || lab.gateway.channelState(event.channel).url === null) return "not-sent";
  if (attempts.some(isAccepted)) return "delivered";
  const last = attempts.at(-1);
  const isOpen = last === undefined || last.outcome === "answered" || last.outcome === "sent";
  return isOpen || lab.retryOf(event) !== undefined ? "waiting" : "failed";
}

/** Whether the receiver has accepted an event, although the service may learn it a moment later. */
function isAccepted({ outcome, status = 0 }: LabAttempt): boolean {
  return outcome === "accepted" || (outcome === "answered" && status >= 200 && status < 300);
}

function thrownIn(exchange: Exchange | undefined, front: ReceiverFront | undefined): unknown {
  const index = new RegExp(`^${THREW_HEADER}: (\\d+)`, "im").exec(exchange?.result?.headers ?? "")?.[1];
  return index === undefined ? undefined : front?.thrownAt(Number(index));
}

function textOf(body: Uint8Array | null): string {
  return body === null ? "" : Buffer.from(body).toString("utf8");
}
