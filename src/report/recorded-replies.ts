import { isUnclear, ReplyOutcomes } from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";

/** Sample size for reasons whose bodies must be read. The result is scaled to all answers. */
const READ_MAX = 200;

/** Counts the replies in a recording. A replay has no people to send replies to, so none of its replies count. */
export function replyOutcomesOf(recording: RecordingReader): ReplyOutcomes {
  const outcomes = new ReplyOutcomes();
  for (const [reason, count] of recording.repliesByReason()) {
    if (reason === "replayed") continue;
    if (reason === "valid") outcomes.recordValid(count);
    else addIgnored(outcomes, recording, { reason, count });
  }
  return outcomes;
}

function addIgnored(
  outcomes: ReplyOutcomes,
  recording: RecordingReader,
  { reason, count }: { readonly reason: string; readonly count: number },
): void {
  const events = recording.ignoredReplies(reason, isUnclear(reason) ? READ_MAX : 1);
  const weight = count / events.length;
  for (const { channel, number } of events) {
    const accepted = recording.attemptsOf(channel, number).findLast(({ outcome }) => outcome === "accepted");
    outcomes.recordIgnored({ reason, channel, number, body: accepted?.body ?? null }, weight);
  }
}
