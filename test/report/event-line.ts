import type { RecordedEvent, RecordingReader } from "../../src/store/index.js";
import { isForwarded, parseForm, printable, redactedUrl } from "../../src/wire/index.js";

/** The lines of `handset events`, built as objects: what the writer of bytes must equal. */
export function linesOf(recording: RecordingReader): string {
  const channels = new Map(Array.from(recording.channels(), (channel) => [channel.id, channel]));
  const byHand = recording.triesByHand();
  return Array.from(recording.events(), (event) => {
    const handset = channels.get(event.channel);
    return printable(`${JSON.stringify(lineOf(event, handset, byHand))}\n`);
  }).join("");
}

function lineOf(
  { atMs: at, channel, number, type, body, copy, attempts }: RecordedEvent,
  handset: { readonly name: string; readonly forwards?: readonly string[] } | undefined,
  byHand: ReadonlySet<string>,
): object {
  const id = `${channel}/${number}`;
  return {
    at,
    channel,
    type,
    body,
    attempts: attempts.map((attempt) => ({
      ...attemptOf(attempt),
      ...(byHand.has(`${id} ${attempt.try}`) && { byHand: true }),
    })),
    id,
    ...(copy !== null && { copyOf: `${channel}/${copy.of}`, copyCause: copy.cause }),
    ...(attempts.length === 0 && !isForwarded(type, handset?.forwards) && { notForwarded: true }),
    handset: handset?.name ?? null,
    fields: Object.fromEntries(parseForm(body)),
  };
}

function attemptOf(attempt: RecordedEvent["attempts"][number]): object {
  const { status, error, outcome, durationMs, dueAtMs, effectAtMs, sentWallMs, url, body } = attempt;
  const ms = rounded(durationMs);
  return {
    ...(status === null ? { error: error ?? outcome, ms } : { status, ms }),
    try: attempt.try,
    outcome,
    due: dueAtMs,
    effect: effectAtMs,
    sentMs: sentWallMs === null ? null : rounded(sentWallMs),
    answeredMs: sentWallMs === null || status === null ? null : rounded(sentWallMs + durationMs),
    ...(url !== null && { url: redactedUrl(url) }),
    ...(body !== null && { answer: Buffer.from(body).toString() }),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
