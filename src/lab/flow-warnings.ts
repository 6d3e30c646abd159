/** Problems of flows that the result names; a survey may meet hundreds. */
const SHOWN_MAX = 5;

/**
 * Warnings for the result about what flows, campaigns and schedules could not do.
 *
 * @param problems - distinct sentences, without a full stop
 */
export function flowWarnings(problems: readonly string[]): string[] {
  const shown = problems.length > SHOWN_MAX ? problems.slice(0, SHOWN_MAX - 1) : problems;
  const others = problems.length - shown.length;
  return others === 0 ? [...shown] : [...shown, `${others} more problems of flows: table note of the recording`];
}
