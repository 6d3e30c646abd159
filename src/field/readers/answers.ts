import type { FieldAnswer } from "../field-event.js";

/**
 * An answer from what a source says; undefined: it says nothing. Status 0, 499 of nginx (the client has gone) and other
 * numbers outside 100 to 599 are no answer.
 */
export function answerOf({
  status,
  tookMs,
  body,
  error,
}: {
  readonly status?: unknown;
  readonly tookMs?: number | undefined;
  readonly body?: string | undefined;
  readonly error?: string | undefined;
}): FieldAnswer | undefined {
  const number = status === null || status === "" ? Number.NaN : Number(status);
  const isStatus = Number.isInteger(number) && number >= 100 && number <= 599 && number !== 499;
  const took = tookMs !== undefined && Number.isFinite(tookMs) && tookMs >= 0 ? tookMs : undefined;
  const why = error ?? (number === 499 ? "closed" : number === 0 ? "connection" : undefined);
  if (!isStatus && took === undefined && body === undefined && why === undefined) return undefined;
  return {
    ...(isStatus && { status: number }),
    ...(took !== undefined && { tookMs: took }),
    ...(body !== undefined && body !== "" && { body }),
    ...(!isStatus && why !== undefined && { error: why }),
  };
}

/** A number of milliseconds in text or JSON; undefined: none. */
export function millisecondsOf(value: unknown, unit = 1): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  // nginx lists the times of several upstreams: `0.004, 0.120`.
  const text = typeof value === "string" ? (value.split(/[,:] /).at(-1) ?? "") : value;
  const ms = Number(text) * unit;
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms * 1000) / 1000 : undefined;
}
