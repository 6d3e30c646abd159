import { join } from "node:path";
import { openRecording, type RunResult } from "../../src/index.js";
import { play } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

/** What became of a story: its result, its events, the kinds of its notes, and its delays as `kind reason`. */
export interface Outcome {
  readonly result: RunResult;
  readonly events: readonly {
    readonly type: string;
    readonly channel: number;
    readonly atMs: number;
    readonly copy: { readonly cause: string } | null;
  }[];
  readonly notes: readonly string[];
  readonly delays: readonly string[];
}

/** Plays a story of two phones and a person for six hours. */
export async function outcomeOf(story: string, { service = "documented" } = {}): Promise<Outcome> {
  const recording = join(temporaryFolder(), "run.db");
  const text = `
name: Two phones
seed: 11
starts: 2026-03-04T06:00:00.000Z
lasts: 6h
service: ${service}
handsets:
  clinic: { count: 2, phone: "+2507880000{00}", battery: 100%, mains: on }
people:
  ada: { phone: "+250781100001", of: clinic/0 }
story:
${story}`;
  const { result } = await play(text, { recording, receiver: "none" });
  const reader = openRecording(recording);
  try {
    const events = [...reader.events()].map(({ type, channel, number, atMs, copy }) => ({
      type,
      channel,
      number,
      atMs,
      copy,
    }));
    const lookup = reader.lookup();
    const delays = events.flatMap(({ channel, number }) =>
      (lookup.event(channel, number)?.delays ?? []).map(({ kind, why }) => `${kind} ${why}`),
    );
    return { result, events, delays, notes: [...reader.notes()].map(({ kind }) => kind) };
  } finally {
    reader.close();
  }
}
