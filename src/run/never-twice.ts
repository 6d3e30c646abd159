import { LabError } from "../base/index.js";
import { RecordedCast } from "../inspect/index.js";
import { eventId, type EventName, type ExpectationResult } from "../measure/index.js";
import { answeredTwice, isReplay, TOLD_TWICE_MAX, toldTwice, toldTwiceText } from "../report/index.js";
import type { RecordingReader } from "../store/index.js";

/** The result of `never-twice` with both messages to each person, in words and as data. Other results stay as they are. */
export function withTwice(
  results: readonly ExpectationResult[],
  options: {
    readonly recording: () => RecordingReader;
    readonly path: string | null;
    /** See `ServicePreset`. */
    readonly replyToSender: boolean;
  },
): ExpectationResult[] {
  const { recording, path, replyToSender } = options;
  return results.map((result) => {
    const { text, held, metric } = result;
    if (metric?.name !== "doubles" || !text.startsWith("never-twice")) return result;
    if (held) return { ...result, seen: "nobody got two messages about one event" };
    const reader = recording();
    const told = isReplay(reader)
      ? [...take(answeredTwice(reader, { replyToSender }), TOLD_TWICE_MAX)]
      : toldTwice(reader, TOLD_TWICE_MAX);
    const seen = toldTwiceText(told, { count: metric.seen ?? 0, path, nameOf: namesIn(reader) });
    const twice = told.map(({ event, phone, first, second }) => ({
      event: idOf(event),
      person: phone,
      messages: [first, second].map((one) => ({ event: idOf(one.event), text: one.text, atMs: one.atMs })),
    }));
    return { ...result, seen, twice };
  });
}

function* take<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const one of all) {
    yield one;
    if (++count >= most) return;
  }
}

function idOf(event: EventName | undefined): string | null {
  return event === undefined ? null : eventId(event);
}

/** The names of people by number; none if this version does not understand the recorded scenario. */
function namesIn(reader: RecordingReader): (phone: string) => string | undefined {
  try {
    const cast = new RecordedCast(reader);
    return (phone) => cast.nameOf(phone);
  } catch (error) {
    if (error instanceof LabError) return () => undefined;
    throw error;
  }
}
