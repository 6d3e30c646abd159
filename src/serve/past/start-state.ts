import { BACKLOG, type CommittedPosition, GUESTS, IN_TRANSIT, readCommittedPosition } from "../../lab/index.js";
import type { ChannelRow } from "../../gateway/index.js";
import type { Recording, RecordingReader } from "../../store/index.js";

/**
 * With what a session continued the one before, beside the rows of the account: `PastLab` plays the session before up to
 * `before`, which leads to the rows, and begins the session from them and from this.
 */
export interface StartState {
  /** How far the session before had come. */
  readonly before: CommittedPosition;
  /** After a kill, their last saved rows: these are older than what playing again leads to. */
  readonly channels: readonly ChannelRow[];
  readonly facts: Readonly<Record<string, string>>;
  /** Delivery URLs that were set by hand, by channel; null: the command line named a receiver. */
  readonly urls: readonly (readonly [channel: number, url: string | null])[] | null;
}

/** Keys of the facts from which a lab continues a database. */
const continuedFacts = [GUESTS, IN_TRANSIT, BACKLOG];

const keyOf = (session: number): string => `session/${session}`;

/**
 * Records how a session begins. A session whose start was cut off before `recordSession` has left the same state.
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

/** @returns undefined: it was not recorded, so the session cannot be played again */
export function readStartState(reader: Pick<RecordingReader, "kept">, session: number): StartState | undefined {
  const json = reader.kept(keyOf(session));
  return json === undefined ? undefined : (JSON.parse(json) as StartState);
}

/** Makes a recording that holds the rows of the session before what it was when the session began. */
export function applyStartState(recording: Recording, { channels, facts }: StartState): void {
  for (const channel of channels) recording.channel(channel);
  for (const key of continuedFacts) recording.keep(key, facts[key] ?? "[]");
}
