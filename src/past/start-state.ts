import { BACKLOG, type CommittedPosition, GUESTS, IN_TRANSIT, readCommittedPosition } from "../lab/index.js";
import type { ChannelRow } from "../gateway/index.js";
import { type Recording, type RecordingReader, STORY_WAITS_KEY } from "../store/index.js";

/**
 * State from which a session continues the previous one, in addition to its rows. `PastLab` re-executes the previous
 * session up to `before` to compute those rows.
 */
export interface StartState {
  /** Last committed position of the previous session. */
  readonly before: CommittedPosition;
  /** After a kill, the last saved rows of channels, which are older than the computed ones; empty otherwise. */
  readonly channels: readonly ChannelRow[];
  readonly facts: Readonly<Record<string, string>>;
  /** Delivery URLs that were set by hand, by channel; null when the command line named a receiver. */
  readonly urls: readonly (readonly [channel: number, url: string | null])[] | null;
}

/** Keys of the recorded facts with which a lab continues a database. */
const continuedFacts = [GUESTS, IN_TRANSIT, BACKLOG, STORY_WAITS_KEY];

const keyOf = (session: number): string => `session/${session}`;

/**
 * Records how a session begins. If an earlier start was killed before `recordSession`, the state is already recorded.
 *
 * @param session - its index
 */
export function recordStartState(recording: Recording, session: number, urls: StartState["urls"]): void {
  const before = readCommittedPosition(recording);
  if (before === undefined || recording.kept(keyOf(session)) !== undefined) return;
  const facts = continuedFacts.flatMap((key) => {
    const value = recording.kept(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const state: StartState = {
    before,
    channels: before.isClosed === true ? [] : [...recording.reader().channels()],
    facts: Object.fromEntries(facts),
    urls,
  };
  recording.keep(keyOf(session), JSON.stringify(state));
}

/** @returns undefined when it was not recorded, so the session cannot be re-executed */
export function readStartState(reader: Pick<RecordingReader, "kept">, session: number): StartState | undefined {
  const json = reader.kept(keyOf(session));
  return json === undefined ? undefined : (JSON.parse(json) as StartState);
}

/** Changes a recording of the previous session to the state in which the session begins. */
export function applyStartState(recording: Recording, { channels, facts }: StartState): void {
  for (const channel of channels) recording.channel(channel);
  for (const key of continuedFacts) recording.keep(key, facts[key] ?? "[]");
}
