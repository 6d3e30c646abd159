import type { Scenario } from "../../src/index.js";
import { prepareScenarioFakes } from "../../src/lab/fakes.js";
import { Lab } from "../../src/lab/lab.js";
import type { RunTotals } from "../../src/lab/run-totals.js";
import { type RecordedEvent, Recording, type RecordingReader } from "../../src/store/index.js";
import { type Delay, parseForm, type SyncAnswer, type SyncReport } from "../../src/wire/index.js";
import type { HandsetView } from "../../src/world/index.js";
import type { Answers } from "./answers.js";

/** An event of the service, with the form fields of its body. */
export interface PlayedEvent extends RecordedEvent {
  readonly fields: Readonly<Record<string, string>>;
  readonly delays: readonly Delay[];
}

/** A request of a phone that reached the service. */
export interface PlayedSync {
  readonly atMs: number;
  readonly channel: number;
  readonly report: SyncReport;
  readonly answer: SyncAnswer;
}

/** A message of the service, and when it was shown on its recipient's phone. */
export interface PlayedMessage {
  readonly channel: number;
  readonly phone: string;
  readonly text: string;
  readonly status: string;
  readonly shownAtMs: readonly number[];
}

/** The phones at a step `note`, by name, and its text. */
export interface Look {
  readonly atMs: number;
  readonly text: string;
  readonly phones: ReadonlyMap<string, HandsetView>;
}

/** What was seen of a scenario that was played to its end. Instants are virtual milliseconds from the start. */
export interface Played {
  readonly totals: RunTotals;
  /** In the order in which the service made them. */
  readonly events: readonly PlayedEvent[];
  readonly syncs: readonly PlayedSync[];
  /** The messages that the service has sent or queued, oldest first. */
  readonly messages: readonly PlayedMessage[];
  readonly notes: readonly { readonly atMs: number; readonly text: string }[];
  /** The phones at the end, by name (`clinic/0`). */
  readonly phones: ReadonlyMap<string, HandsetView>;
  /** The phones at each step `note` of the story. */
  readonly looks: readonly Look[];
}

/** A run that has ended, before its recording is closed. */
export interface PlayedRun {
  readonly totals: RunTotals;
  readonly reader: RecordingReader;
  readonly lab: Lab;
}

interface HowToPlay {
  /** Is closed at the end. Absent: one in memory. */
  readonly recording?: Recording;
  /** What a killed run left, which the recording is a copy of: it is resumed. */
  readonly killedRun?: RecordingReader;
  /** Absent: no event is sent. */
  readonly receiver?: Answers;
  /** The part of a fleet; absent: the whole. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Called with the lab before it plays. */
  readonly onLab?: (lab: Lab) => void;
  /** Called at each step `note`. */
  readonly onNote?: (text: string, lab: Lab) => void;
}

/** Plays a scenario in lockstep without sockets, threads and files, and reads the run with `read`. */
export async function playAndRead<T>(
  scenario: Scenario,
  { recording = recordingOf(scenario, ":memory:"), killedRun, receiver, shard, onLab, onNote }: HowToPlay,
  read: (run: PlayedRun) => T,
): Promise<T> {
  try {
    const lab: Lab = new Lab({
      scenario,
      recording,
      url: "http://receiver/events",
      ...(receiver !== undefined && { sender: receiver, receiver }),
      pace: { kind: "lockstep", lookaheadMs: scenario.lookaheadMs },
      fakes: await prepareScenarioFakes(scenario),
      giveUpAfterMs: Infinity,
      ...(shard !== undefined && { part: shard }),
      ...(killedRun !== undefined && { resumed: { killedRun, roundTrips: killedRun.roundTrips() } }),
      onHappening: (one) => {
        if (one.kind === "note" && one.word === "note") onNote?.(one.text, lab);
      },
    });
    onLab?.(lab);
    const totals = await lab.play();
    return read({ totals, reader: recording.reader(), lab });
  } finally {
    recording.close();
  }
}

/** Creates the recording of a run of a scenario. */
export function recordingOf({ name, seed, source, cast, service }: Scenario, path: string): Recording {
  return Recording.create(
    path,
    {
      name,
      seed,
      version: "0",
      scenario: source,
      startsAtMs: cast.startsAtMs,
      lastsMs: cast.lastsMs,
      preset: service,
      startedWallMs: 0,
      options: {},
    },
    { overwrite: false },
  );
}

/** Plays a scenario and reads all that can be seen of it. */
export async function playInMemory(
  scenario: Scenario,
  how: Pick<HowToPlay, "receiver" | "shard"> = {},
): Promise<Played> {
  const syncs: PlayedSync[] = [];
  const looks: Look[] = [];
  return playAndRead(
    scenario,
    {
      ...how,
      onLab: (lab) => watchSyncs(lab, syncs),
      onNote: (text, lab) => looks.push({ atMs: lab.nowMs, text, phones: phonesOf(lab) }),
    },
    ({ totals, reader, lab }) => ({
      totals,
      events: eventsOf(reader),
      syncs,
      messages: messagesOf(reader),
      notes: [...reader.notes()],
      phones: phonesOf(lab),
      looks,
    }),
  );
}

/** Notes each request that reaches the service, and its answer. */
function watchSyncs(lab: Lab, syncs: PlayedSync[]): void {
  const { gateway } = lab;
  const sync = gateway.sync.bind(gateway);
  gateway.sync = (channel, report) => {
    const answer = sync(channel, report);
    syncs.push({ atMs: lab.nowMs, channel, report, answer });
    return answer;
  };
}

function phonesOf({ world }: Lab): ReadonlyMap<string, HandsetView> {
  return new Map(world.channels().map((channel) => [world.handset(channel).selector, world.inspectHandset(channel)]));
}

function eventsOf(reader: RecordingReader): PlayedEvent[] {
  const lookup = reader.lookup();
  return Array.from(reader.events(), (event) => ({
    ...event,
    fields: Object.fromEntries(parseForm(event.body)),
    delays: lookup.event(event.channel, event.number)?.delays ?? [],
  }));
}

function messagesOf(reader: RecordingReader): PlayedMessage[] {
  const lookup = reader.lookup();
  return [...reader.messages()]
    .filter(({ direction }) => direction === "O")
    .map(({ id, channel, phone, text, status }) => ({
      channel,
      phone,
      text,
      status,
      shownAtMs: lookup.hearingsOf(id),
    }));
}
