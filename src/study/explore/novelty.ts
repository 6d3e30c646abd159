import { normalisedAnswer } from "../../expect/index.js";
import { openRecording, type RecordingReader } from "../../store/index.js";
import { formField } from "../../wire/index.js";

/** Features of one play: what the receiver did, without ids, numbers and times. */
export type Features = ReadonlySet<string>;

/**
 * Reads the features of a recorded play: each answer by type of event, status and words; each pair of answers that a
 * person got one after the other; how often each kind of event came; copies; replies by outcome; slow answers.
 */
export function featuresOf(path: string): Features {
  const reader = openRecording(path);
  try {
    return readFeatures(reader);
  } finally {
    reader.close();
  }
}

function readFeatures(reader: RecordingReader): Features {
  const features = new Set<string>();
  const counts = new Map<string, number>();
  const before = new Map<string, string>();
  for (const { type, channel, body, attempts, copy } of reader.events()) {
    const person = formField(body, "phone") ?? `channel ${channel}`;
    for (const { status, error, body: answer, durationMs } of attempts) {
      const words = answer === null ? "" : normalisedAnswer(new TextDecoder().decode(answer), body);
      const one = `${type} ${status ?? error ?? "no answer"} ${words}`.trimEnd();
      features.add(one);
      if (copy !== null) features.add(`copy ${one}`);
      // What a person was answered last is state that the receiver shows.
      features.add(`${before.get(person) ?? "first"} → ${one}`);
      before.set(person, one);
      counts.set(one, (counts.get(one) ?? 0) + 1);
      if (durationMs > 1000) features.add(`slow ${type}`);
    }
  }
  for (const [what, count] of counts) features.add(`${what} × ${2 ** Math.floor(Math.log2(count))}`);
  return features;
}
