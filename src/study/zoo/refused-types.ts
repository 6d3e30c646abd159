import { openRecording } from "../../store/index.js";

/** An attempt of a recording: the type of its event, and how the receiver answered. */
export interface TypedAttempt {
  readonly type: string;
  /** Null: no answer. */
  readonly status: number | null;
  readonly isAccepted: boolean;
}

/** Types of which a receiver refuses ordinary events, with the status of its answer. */
export type RefusedTypes = ReadonlyMap<string, number>;

/** All attempts of a recording. */
export function typedAttempts(path: string): TypedAttempt[] {
  const recording = openRecording(path);
  try {
    return Array.from(recording.events()).flatMap(({ type, attempts }) =>
      attempts.map(({ status, outcome }) => ({ type, status, isAccepted: outcome === "accepted" })),
    );
  } finally {
    recording.close();
  }
}

/** The types of which each event was refused, with one 4xx: what the receiver does not offer, it says so. */
export function refusedTypes(attempts: readonly TypedAttempt[]): RefusedTypes {
  const refused = new Map<string, number>();
  const accepted = new Set<string>();
  for (const { type, status, isAccepted } of attempts) {
    if (!isAccepted && status !== null && status >= 400 && status < 500 && !accepted.has(type))
      refused.set(type, status);
    else {
      accepted.add(type);
      refused.delete(type);
    }
  }
  return refused;
}

/**
 * The types that a receiver has refused in a scenario as it refuses ordinary ones, if it has failed at nothing else: then
 * its refusals say nothing about the failure that the scenario plays. A type that it never saw before, with the same
 * status, is one of those that it does not offer.
 *
 * @returns undefined: it has failed at something else, too
 */
export function onlyRefused(attempts: readonly TypedAttempt[], refused: RefusedTypes): RefusedTypes | undefined {
  const statuses = new Set(refused.values());
  const found = new Map<string, number>();
  for (const { type, status, isAccepted } of attempts) {
    if (isAccepted) continue;
    if (status === null || type === "mo_sms" || !statuses.has(status)) return undefined;
    found.set(type, status);
  }
  return found.size === 0 ? undefined : found;
}
