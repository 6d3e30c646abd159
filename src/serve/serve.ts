import { Authenticator, Throttle } from "../api/index.js";
import { Closers, version } from "../base/index.js";
import { allowedHosts } from "../http/index.js";
import {
  type Happening,
  Lab,
  prepareScenarioFakes,
  readGuests,
  readInTransit,
  refuseUrl,
  senderFor,
} from "../lab/index.js";
import { type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import type { TokenData } from "../wire/index.js";
import { accountsOf, type AccountSource, type Loaded, loadSource, MAX_PEOPLE_PER_REQUEST } from "./account-source.js";
import { apiContextOf } from "./api-context.js";
import { markServed, misfitOf, openDatabase, type Opened, recordingOf } from "./database.js";
import { playFirstHour } from "./first-hour.js";
import { Followers } from "./followers.js";
import { LabControl, START } from "./lab-control.js";
import { LabHost, type MakeServedLab, type ServedLab } from "./lab-host.js";
import { listen, type Listening } from "./listen.js";
import { lockDatabase } from "./lock.js";
import { type MetricsAddress, offerMetrics } from "./metrics-server.js";
import { asServed } from "./ready.js";
import { announceIfPossible } from "./running-labs.js";
import { Snapshots } from "./snapshots.js";
import { administratorTokenIn, authenticatorOf, keepTokens, newToken } from "./tokens.js";

/** Source of a served account, and options, which have defaults. */
export interface ServeOptions {
  /** Its cast makes the handsets and people; its story plays as the clock advances, its traffic until its `lasts`. */
  readonly scenario?: Scenario;
  /** Path of a recording to continue, in memory or in `database`; the file itself does not change. */
  readonly recording?: string;
  /** Account files and exports to load into a new account, after those of the scenario; not read when an existing database is continued. */
  readonly accounts?: readonly AccountSource[];
  /** For the ready account: a new account first plays its first hour. */
  readonly playsFirstHour?: boolean;
  /** File of the database: continued if it exists, else created. Absent: in memory. */
  readonly database?: string;
  /** Default 127.0.0.1: only this machine can reach it. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Tokens of the REST API, in addition to the account's tokens; default: a random token of an administrator. */
  readonly tokens?: readonly TokenData[];
  /** Token of the control API; default: random. */
  readonly labToken?: string;
  /** A URL, `bundled`, or `none`: overrides the scenario's receiver. */
  readonly receiver?: string;
  /** Virtual seconds per wall second; default 1. */
  readonly speed?: number;
  /** Starts with a paused clock. */
  readonly isPaused?: boolean;
  /** Refuses also what real systems refuse without the reference saying so. */
  readonly isStrict?: boolean;
  /** Requests per hour and scope; default: no limit. */
  readonly throttle?: number;
  /** Offers metrics to Prometheus. */
  readonly metrics?: MetricsAddress;
  /** Hosts that events may be sent to, in addition to loopback. */
  readonly allowHosts?: readonly string[];
  /** Milliseconds since 1970; default `Date.now`. A scenario that `starts: now` follows it. */
  readonly wallClock?: () => number;
}

/** A running service. */
export interface Served {
  /** Without a trailing slash: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Token of an administrator. */
  readonly token: string;
  readonly labToken: string;
  /** Where events go; `none`: nowhere. */
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

/** Where a recording keeps the delivery URL of channels whose URL was not set by hand. */
const DEFAULT_URL = "receiver";

/** Resources and settings that exist before the lab is made. */
interface ServeSession {
  readonly options: ServeOptions;
  readonly opened: Opened;
  /** From `asServed`. */
  readonly scenario: Scenario;
  readonly fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>;
  readonly isAllowed: (url: string) => boolean;
  readonly bundled: Receiver | undefined;
  /** Where events go by default; null: nowhere. */
  readonly url: string | null;
  readonly followers: Followers;
  /** The account is new and plays its first hour. */
  readonly playsFirstHour: boolean;
}

/**
 * Serves the messaging service: the REST API and the control API over a lab whose clock follows the wall clock.
 *
 * @throws LabError for options or an environment that prevent it; StoreError when the disk is full or not writable
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const closers = new Closers();
  try {
    const session = await openSession(options, closers);
    const { scenario, url, followers } = session;
    let fail: (error: unknown) => void = () => undefined;
    let finish: () => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    // A rejection that no caller awaits must not end the process.
    ended.catch(() => undefined);
    const host = hostOf(session, fail);
    closers.push(() => host.close());
    const problems = await fillAccount(session, host);
    const tokens = keepTokens(host.current, options.tokens ?? []);
    const api = await offerApis(session, host, tokens, closers);
    const metrics = options.metrics && (await offerMetrics(() => host.current.lab, options.metrics));
    if (metrics !== undefined) closers.push(() => metrics.close());
    const { population } = host.current.lab.world;
    return {
      url: api.url,
      token: administratorTokenIn(tokens) ?? "",
      labToken: api.labToken,
      receiver: url ?? "none",
      isBundled: session.bundled !== undefined,
      ...(metrics !== undefined && { metrics: metrics.url }),
      handsets: population.handsetCount,
      people: population.personCount,
      problems,
      startsAtMs: scenario.cast.startsAtMs,
      handsetOf: (channel) => host.current.lab.world.population.nameOfHandset(channel),
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

/** Locks and opens the database, and starts the bundled receiver if events go to it. */
async function openSession(options: ServeOptions, closers: Closers): Promise<ServeSession> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  if (options.database !== undefined) closers.push(lockDatabase(options.database));
  const opened = openDatabase(options);
  closers.push(() => opened.recording.close());
  const scenario = asServed(opened.scenario);
  const fakes = await prepareScenarioFakes(scenario);
  const receiver = options.receiver ?? scenario.receiver?.url ?? "bundled";
  if (receiver !== "none" && receiver !== "bundled" && !isAllowed(receiver)) refuseUrl(receiver);
  const bundled = receiver === "bundled" ? await startReceiver() : undefined;
  if (bundled !== undefined) closers.push(() => bundled.close());
  return {
    options,
    opened,
    scenario,
    fakes,
    isAllowed,
    bundled,
    url: bundled?.url ?? (receiver === "none" ? null : receiver),
    followers: new Followers(),
    playsFirstHour: opened.isNew && options.playsFirstHour === true,
  };
}

/** Plays the first lab; `fail` is called when a lab ends with an error. */
function hostOf(session: ServeSession, fail: (error: unknown) => void): LabHost {
  const { opened, playsFirstHour } = session;
  let isFirst = true;
  const makeLab: MakeServedLab = (recording, fromMs, startsAt) => {
    const made = makeServedLab(session, { recording, fromMs, startsAt, isFirst });
    isFirst = false;
    return made;
  };
  return new LabHost({
    makeLab,
    recording: opened.recording,
    fromMs: opened.fromMs,
    startsAt: playsFirstHour ? undefined : wallTimeOf(session),
    onFailure: fail,
  });
}

/**
 * Virtual time by the wall clock; undefined: the account does not follow the wall clock.
 *
 * It runs 1 ms ahead, so a change never gets a timestamp before the time that its client read on its own clock.
 */
function wallTimeOf({ opened, scenario, options }: ServeSession): (() => number) | undefined {
  const { wallClock = Date.now } = options;
  return opened.followsWall ? () => wallClock() + 1 - scenario.cast.startsAtMs : undefined;
}

/** @param start - `isFirst`: no snapshot has been restored since the server started */
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
  const { lists, log } = recording.prepareToServe();
  recording.commitOnFlush();
  const lab = new Lab({
    scenario,
    recording,
    url: playsFirstHour && isFirst ? null : url,
    continuesDatabase: !isFirst || !opened.isNew,
    // A delivery URL that was set by hand is kept, unless the command line names a receiver at the start.
    ...(!(isFirst && options.receiver !== undefined) && { urls: urlsSetByHand(recording) }),
    ...(isFirst &&
      opened.continuesDatabase && {
        undelivered: recording.undelivered({ attempts: scenario.service.attempts }),
        inTransit: readInTransit(recording),
      }),
    isDurable: options.database !== undefined,
    sender: senderFor(scenario, { url, allowHosts: options.allowHosts }),
    pace: { kind: "paced", speed: options.speed ?? 1 },
    isPaused: playsFirstHour || (options.isPaused ?? false),
    fakes: session.fakes,
    giveUpAfterMs: Infinity,
    fromMs,
    startsAt,
    guests: readGuests(recording),
    isServed: true,
    isAllowed,
    onHappening: (happening) => followers.notify(happening),
    ...(bundled !== undefined && { receiver: bundled }),
  });
  recording.keep(DEFAULT_URL, url ?? "");
  return { lab, recording, lists, log, context: apiContextOf({ lab, recording, lists, isAllowed, followers }) };
}

/** Loads the account files of a new account, and plays its first hour. @returns problems, one sentence each */
async function fillAccount(session: ServeSession, host: LabHost): Promise<readonly string[]> {
  const { options, opened } = session;
  const problems: string[] = [];
  if (!opened.continuesDatabase) {
    const ofScenario = opened.isNew ? accountsOf(session.scenario) : [];
    for (const source of [...ofScenario, ...(options.accounts ?? [])]) {
      problems.push(...(await loadSource(source, () => host.current.lab)).problems);
    }
  }
  if (session.playsFirstHour) await catchUp(session, host.current.lab);
  return problems;
}

/** Plays the first hour without a receiver, then sets the delivery URL and the clock. */
async function catchUp(session: ServeSession, lab: Lab): Promise<void> {
  const { options, url } = session;
  await playFirstHour(lab);
  const wallTime = wallTimeOf(session);
  if (wallTime !== undefined) lab.clock?.leapTo(wallTime());
  lab.write({ kind: "delivery-url", json: JSON.stringify({ url }) }, () => {
    const { handsetCount } = lab.world.population;
    for (let channel = 1; channel <= handsetCount; channel++) lab.gateway.setDeliveryUrl(channel, url);
  });
  if (options.isPaused !== true) lab.clock?.resume();
}

/** Marks the database as served, takes the first snapshot, and listens. */
async function offerApis(
  session: ServeSession,
  host: LabHost,
  tokens: readonly TokenData[],
  closers: Closers,
): Promise<{ readonly url: string; readonly labToken: string }> {
  const { options, scenario, url } = session;
  const isStrict = options.isStrict ?? false;
  const labToken = options.labToken ?? newToken();
  let authenticator = new Authenticator(tokens);
  const throttle = new Throttle(options.throttle, () => performance.now());
  const control = new LabControl({
    lab: () => host.current,
    scenario,
    throttle,
    snapshots: beginSnapshots(session, host.current),
    followers: session.followers,
    isStrict,
    receiver: () => url,
    isAllowed: session.isAllowed,
    load: async (text) => {
      const loaded = await loadIntoHost(text, host);
      // An account file may hold tokens.
      authenticator = new Authenticator(keepTokens(host.current, []));
      return loaded;
    },
    served: {
      database: options.database,
      misfitOf: (saved) => misfitOf(saved, session.opened.scenario),
      restore: async (saved) => {
        await host.replaceLab(() => recordingOf(saved, options.database));
        authenticator = new Authenticator(keepTokens(host.current, tokens));
      },
    },
  });
  const listening: Listening = await listen(
    {
      version,
      context: () => host.context(),
      authenticator: () => authenticator,
      throttle,
      isStrict: () => isStrict,
    },
    { host: options.host ?? "127.0.0.1", port: options.port ?? 0 },
    { control, access: authenticatorOf(labToken) },
  );
  closers.push(() => listening.close());
  closers.push(announceIfPossible({ url: listening.url, token: labToken, name: scenario.name }));
  return { url: listening.url, labToken };
}

/** Marks the database as served and takes the snapshot `start`, unless the database is large. */
function beginSnapshots({ options }: ServeSession, { lab, recording }: ServedLab): Snapshots {
  const snapshots = new Snapshots(options.database);
  markServed(recording);
  if (recording.bytes > START_SNAPSHOT_BYTES) return snapshots;
  lab.gateway.saveChannels();
  snapshots.save(START, lab.nowMs, recording.snapshot());
  return snapshots;
}

function loadIntoHost(text: string, host: LabHost): Promise<Loaded> {
  const source = { kind: "text", file: "account", text, mostPeople: MAX_PEOPLE_PER_REQUEST } as const;
  return loadSource(source, async () => (await host.settled()).lab);
}

/** Delivery URLs by channel that differ from the recording's default. */
function urlsSetByHand(recording: Recording): Map<number, string | null> {
  const usual = recording.kept(DEFAULT_URL);
  if (usual === undefined) return new Map();
  return new Map(
    [...recording.reader().channels()].flatMap(({ id, url }) => ((url ?? "") === usual ? [] : [[id, url]])),
  );
}
