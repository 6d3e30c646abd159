import { Closers, LabError } from "../base/index.js";
import { type AccountSnapshots, type ServedLab, servedLabOf, START } from "../control/index.js";
import { type Happening, Lab, readGuests, readInTransit, senderFor } from "../lab/index.js";
import { finishedSource, growingSource, type PastSource, recordSession } from "../past/index.js";
import { readPublicUrl } from "../servers/index.js";
import type { Recording } from "../store/index.js";
import { attemptsAllowed, type TokenData } from "../wire/index.js";
import { beginScenario, refusalToBegin } from "./begin-scenario.js";
import { markServed, misfitOf, recordingOf } from "./database.js";
import { fillAccount } from "./fill-account.js";
import { LabServer } from "./lab-server.js";
import { offerMetrics } from "./metrics-server.js";
import { addressOf, isBundled, openSession, type ServeOptions, type ServeSession, wallTimeOf } from "./session.js";
import { type MakeServedLab, Slot } from "./slot.js";
import { administratorTokenIn, keepLabToken, keepTokens } from "./tokens.js";

/** A running service. */
export interface Served {
  /** URL at which it listens, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** URL at which clients reach it: `ServeOptions.publicUrl`, else `url`. */
  readonly publicUrl: string;
  /** Token of an administrator. */
  readonly token: string;
  readonly labToken: string;
  /** The default delivery URL, or `none`. */
  readonly receiver: string;
  readonly isBundled: boolean;
  /** Address of the metrics; absent: they are not offered. */
  readonly metrics?: string;
  readonly handsets: number;
  readonly people: number;
  /** Problems with loading the account files, one sentence each. */
  readonly problems: readonly string[];
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Name of the handset of a channel: `clinic/3`. */
  handsetOf(channel: number): string;
  /** Follows the live log. @returns stops the calls of `listener` */
  follow(listener: (happening: Happening) => void): () => void;
  /** Resolves after `close`; rejects when the lab fails, as on a full disk. */
  readonly ended: Promise<void>;
  /** Stops the lab, completes the recording, ends all connections. May be called twice. */
  close(): Promise<void>;
}

/** The largest database of which a snapshot is taken at the start. */
const START_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Key of the recorded default delivery URL, for channels whose URL was not set by hand. */
const DEFAULT_URL = "receiver";

/**
 * Serves the messaging service: the REST API and the control API over a lab whose clock follows the wall clock.
 *
 * @throws LabError for options or an environment that prevent it; StoreError when the disk is full or not writable
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const closers = new Closers();
  try {
    const publicUrl = publicUrlIn(options);
    const session = await openSession(options, closers);
    const { url, followers } = session;
    let fail: (error: unknown) => void = () => undefined;
    let finish: () => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    // A rejection that no caller awaits must not end the process.
    ended.catch(() => undefined);
    const slot = slotOf(session, fail);
    closers.push(() => slot.close());
    const problems = await fillAccount(session, slot);
    const tokens = keepTokens(slot.current, options.tokens ?? []);
    const server = await openServer(session, slot, { tokens, publicUrl });
    const metrics = options.metrics && (await offerMetrics(() => slot.current.lab, options.metrics));
    if (metrics !== undefined) closers.push(() => metrics.close());
    const { population } = slot.current.lab.world;
    session.keepDatabase();
    return {
      url: server.url,
      publicUrl: publicUrl ?? server.url,
      token: administratorTokenIn(tokens) ?? "",
      labToken: session.labToken,
      receiver: url ?? "none",
      isBundled: isBundled(session),
      metrics: metrics?.url,
      handsets: population.handsetCount,
      people: population.personCount,
      problems,
      get startsAtMs() {
        return session.scenario.cast.startsAtMs;
      },
      handsetOf(channel) {
        const { population: now } = slot.current.lab.world;
        // The line of an event may arrive after another scenario with fewer handsets has started.
        return channel <= now.handsetCount ? now.nameOfHandset(channel) : `channel ${channel}`;
      },
      follow: (listener) => followers.follow(listener),
      ended,
      async close() {
        await closers.close();
        finish();
      },
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** @throws LabError `bad-options` */
function publicUrlIn({ publicUrl }: ServeOptions): string | undefined {
  const read = publicUrl === undefined ? undefined : readPublicUrl(publicUrl);
  if (read === undefined) return undefined;
  if ("fault" in read) throw new LabError("bad-options", `the public URL is invalid: ${read.fault}`);
  return read.url;
}

/** Plays the first lab; `fail` is called when a lab ends with an error. */
function slotOf(session: ServeSession, fail: (error: unknown) => void): Slot {
  const { opened, playsFirstHour } = session;
  const makeLab: MakeServedLab = (recording, fromMs, startsAt) => {
    const made = makeServedLab(session, { recording, fromMs, startsAt, isFirst: session.isFirst });
    session.isFirst = false;
    return made;
  };
  return new Slot({
    makeLab,
    recording: opened.recording,
    fromMs: opened.fromMs,
    startsAt: playsFirstHour ? undefined : wallTimeOf(session),
    onFailure: fail,
  });
}

/** @param start - `isFirst`: no snapshot has been restored since the scenario began */
function makeServedLab(
  session: ServeSession,
  start: {
    readonly recording: Recording;
    readonly fromMs: number;
    readonly startsAt: (() => number) | undefined;
    readonly isFirst: boolean;
  },
): ServedLab {
  const { options, opened, scenario, isAllowed, bundled, url, followers, playsFirstHour } = session;
  const { recording, fromMs, startsAt, isFirst } = start;
  const readers = recording.prepareToServe();
  // Keeps delivery URLs that were set by hand, unless the command line names a receiver.
  const urls = isFirst && options.receiver !== undefined ? undefined : urlsSetByHand(recording);
  const isRestart = isFirst && opened.continuesDatabase;
  const isNew = isFirst && opened.isNew;
  recordSession(
    recording,
    {
      fromMs,
      url: playsFirstHour && isFirst ? null : url,
      hasSwitch: isBundled(session),
      allowHosts: options.allowHosts ?? [],
      isServed: true,
      hasAccount: false,
      isStrict: options.isStrict ?? false,
    },
    isRestart ? { urls: urls === undefined ? null : [...urls] } : undefined,
  );
  recording.commitOnFlush();
  const lab = new Lab({
    scenario,
    recording,
    url: playsFirstHour && isFirst ? null : url,
    continues: isNew
      ? undefined
      : {
          fromMs,
          urls,
          guests: readGuests(recording),
          inTransit: isRestart ? readInTransit(recording) : [],
          undelivered: isRestart ? recording.undelivered(attemptsAllowed(scenario.service)) : [],
        },
    served: {
      isDurable: options.database !== undefined,
      startsAt,
      judgesAtMs: isNew ? opened.scenario.cast.lastsMs : undefined,
    },
    sender: senderFor(scenario, { url, allowHosts: options.allowHosts }),
    pace: { kind: "paced", speed: options.speed ?? 1 },
    isPaused: playsFirstHour || (options.isPaused ?? false),
    fakes: session.fakes,
    giveUpAfterMs: Infinity,
    isAllowed,
    onHappening: (happening) => followers.notify(happening),
    ...(bundled !== undefined && isBundled(session) && { receiver: bundled }),
  });
  recording.keep(DEFAULT_URL, url ?? "");
  if (options.database !== undefined) keepLabToken(recording, session.labToken);
  return servedLabOf({ lab, recording, readers, isAllowed, followers });
}

/** Marks the database as served, takes the first snapshot, and listens. */
async function openServer(
  session: ServeSession,
  slot: Slot,
  { tokens, publicUrl }: { readonly tokens: readonly TokenData[]; readonly publicUrl: string | undefined },
): Promise<LabServer> {
  const { options, followers, isAllowed, labToken } = session;
  const { database } = options;
  const server: LabServer = new LabServer({
    address: addressOf(options),
    ownHosts: options.ownHosts ?? [],
    publicUrl,
    labToken,
    tokens,
    control: {
      lab: () => slot.current,
      settled: () => slot.settled(),
      scenario: () => session.scenario,
      story: {
        scenario: () => session.opened.scenario,
        refusal: () => refusalToBegin(session),
        isRepeating: options.isRepeating === true,
        async begin(to) {
          const { name } = session.scenario;
          const { snapshots } = server.control;
          await beginScenario(session, slot, to);
          server.setTokens(keepTokens(slot.current, server.tokens));
          if (session.scenario.name !== name) for (const note of snapshots.list()) snapshots.drop(note.name);
          beginSnapshots(snapshots, slot.current);
          server.announce();
        },
      },
      folder: options.folder,
      followers,
      throttle: options.throttle,
      isStrict: options.isStrict ?? false,
      receiver: () => session.url,
      isAllowed,
      minimiser: options.minimiser,
      // An account file may contain tokens.
      onLoaded: () => server.setTokens(keepTokens(slot.current, [])),
      served: {
        database,
        misfitOf: (saved) => misfitOf(saved, session.opened.scenario),
        restore: async (saved) => {
          await slot.replaceLab(() => recordingOf(saved, database));
          server.setTokens(keepTokens(slot.current, tokens));
        },
      },
    },
    live: {
      mode: "serve",
      keepsHistory: true,
      isBundledReceiver: () => isBundled(session),
      database: () => database ?? null,
      pastEndsAtMs: () => (isCopy(session) ? session.opened.fromMs : undefined),
    },
    past: () => pastSourceOf(session, slot),
  });
  session.closers.push(() => server.close());
  beginSnapshots(server.control.snapshots, slot.current);
  await server.listen();
  return server;
}

/** Whether a copy of a recording is served: no other scenario has begun since. */
function isCopy({ options, opened }: ServeSession): boolean {
  return options.recording !== undefined && !opened.isNew;
}

/** The source of the past. A copy of a recording shows the past of that recording only. */
function pastSourceOf(session: ServeSession, slot: Slot): PastSource {
  const { recording, database } = session.options;
  return isCopy(session) && recording !== undefined
    ? finishedSource(recording)
    : growingSource(slot.current, database ?? null);
}

/** Marks the database as served and takes the snapshot `start`, unless the database is large. */
function beginSnapshots(snapshots: AccountSnapshots, { recording }: ServedLab): void {
  markServed(recording);
  if (recording.bytes <= START_SNAPSHOT_BYTES) snapshots.save(START);
}

/** Delivery URLs by channel that differ from the recording's default. */
function urlsSetByHand(recording: Recording): Map<number, string | null> {
  const usual = recording.kept(DEFAULT_URL);
  if (usual === undefined) return new Map();
  return new Map(
    [...recording.reader().channels()].flatMap(({ id, url }) => ((url ?? "") === usual ? [] : [[id, url]])),
  );
}
