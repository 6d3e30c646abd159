import { dirname } from "node:path";
import { type Closers, LabError } from "../base/index.js";
import { allowedHosts } from "../http/index.js";
import { prepareScenarioFakes, refuseUrl } from "../lab/index.js";
import { loadApplication, type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import type { TokenData } from "../wire/index.js";
import { type AccountSource, Followers, asServed } from "../control/index.js";
import { discardDatabase, openDatabase, type Opened } from "./database.js";
import { type ListenAddress, checkAddress } from "./address.js";
import { serving } from "./lab-server.js";
import { type MetricsAddress, offeringMetrics } from "./metrics-server.js";
import { keptLabToken, newToken } from "./tokens.js";
import { lockRecording, StoreError } from "../store/index.js";

/** Source of a served account, and options, which have defaults. */
export interface ServeOptions {
  /** Its cast makes the handsets and people; its story plays as the clock advances, its traffic until its `lasts`. */
  readonly scenario?: Scenario;
  /** Path of a recording to continue, in memory or in `database`; the file itself does not change. */
  readonly recording?: string;
  /** Account files and exports to load into a new account, after those of the scenario; not read when an existing database is continued. */
  readonly accounts?: readonly AccountSource[];
  /**
   * Account files and exports with which an account begins lose their flows, campaigns and triggers: nothing but the
   * receiver and clients of the API answers texts.
   */
  readonly leavesOutFlows?: boolean;
  /** For the ready account: a new account first plays its first hour. */
  readonly playsFirstHour?: boolean;
  /** File of the database: continued if it exists, else created. Absent: in memory. */
  readonly database?: string;
  /** Default 127.0.0.1: only this machine can reach it. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /**
   * Where clients reach the server through a proxy: `https://lab.example/handset`. Links to pages, the explorer and the
   * banner begin with it. Default: as each request says.
   */
  readonly publicUrl?: string;
  /** Names by which clients reach the control API and the console, beside localhost, IP addresses and `host`. */
  readonly ownHosts?: readonly string[];
  /** Tokens of the REST API, in addition to the account's tokens; default: a random token of an administrator. */
  readonly tokens?: readonly TokenData[];
  /** Token of the control API; default: the one that the database has kept, else random. */
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
  /** When the scenario's `lasts` is over, it begins again by itself. In memory only. */
  readonly isRepeating?: boolean;
  /** The working directory, whose scenarios the console offers beside the bundled ones; default: the process's. */
  readonly folder?: string;
  /** Milliseconds since 1970; default `Date.now`. A scenario that `starts: now` follows it. */
  readonly wallClock?: () => number;
}

/** Resources and settings that exist before the lab is made. */
export interface ServeSession extends Played {
  readonly options: ServeOptions;
  readonly isAllowed: (url: string) => boolean;
  readonly followers: Followers;
  /** Token of the control API, which a database keeps. */
  readonly labToken: string;
  readonly closers: Closers;
  /** No snapshot has been restored since the scenario began. */
  isFirst: boolean;
  /** From now on a failed start no longer removes a new database, because clients can read it. */
  readonly keepDatabase: () => void;
  bundled: Receiver | undefined;
}

/** What changes when another scenario begins. */
export interface Played {
  opened: Opened;
  /** From `asServed`. */
  scenario: Scenario;
  /** The scenario as it was given: with its own end, and without the first hour. */
  ownScenario: Scenario;
  fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>;
  /** Where events go by default; null: nowhere. */
  url: string | null;
  /** The account is new and plays its first hour. */
  playsFirstHour: boolean;
  /** Account files beside those that the scenario names. */
  accounts: readonly AccountSource[];
}

/**
 * Locks the database, checks the addresses, opens the database, and starts the bundled receiver if events go to it. A
 * taken address changes no database, and a start that fails leaves none where there was none.
 *
 * @throws LabError, StoreError
 */
export async function openSession(options: ServeOptions, closers: Closers): Promise<ServeSession> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const { database, metrics } = options;
  if (database !== undefined) closers.push(lockDatabase(database));
  await checkAddress(addressOf(options), serving);
  if (metrics !== undefined) await checkAddress({ host: "127.0.0.1", ...metrics }, offeringMetrics);
  const opened = openDatabase(options);
  let isKept = false;
  if (database !== undefined && !opened.continuesDatabase) {
    closers.push(() => {
      if (!isKept) discardDatabase(database);
    });
  }
  closers.push(() => opened.recording.close());
  const scenario = asServed(opened.scenario);
  const fakes = await prepareScenarioFakes(scenario);
  const session: ServeSession = {
    options,
    opened,
    scenario,
    ownScenario: options.scenario ?? opened.scenario,
    fakes,
    isAllowed,
    bundled: undefined,
    url: null,
    followers: new Followers(),
    playsFirstHour: opened.isNew && options.playsFirstHour === true,
    accounts: options.accounts ?? [],
    isFirst: true,
    labToken: options.labToken ?? (opened.continuesDatabase ? keptLabToken(opened.recording) : undefined) ?? newToken(),
    keepDatabase: () => (isKept = true),
    closers,
  };
  session.url = await receiverFor(scenario, session);
  return session;
}

/** Where the server listens. */
export function addressOf({ host = "127.0.0.1", port = 0 }: ServeOptions): ListenAddress {
  return { host, port };
}

/** Whether events go to the bundled receiver. */
export function isBundled({ bundled, url }: Pick<ServeSession, "bundled" | "url">): boolean {
  return bundled !== undefined && bundled.url === url;
}

/**
 * Where the events of a scenario go. The bundled receiver is started when it is first needed; it begins as the scenario
 * says.
 */
export async function receiverFor(scenario: Scenario, session: ServeSession): Promise<string | null> {
  const { options, isAllowed, closers } = session;
  const receiver = options.receiver ?? scenario.receiver?.url ?? "bundled";
  if (receiver === "none") return null;
  if (receiver !== "bundled") {
    if (!isAllowed(receiver)) refuseUrl(receiver);
    return receiver;
  }
  const application = await loadApplication(scenario.receiver?.application, dirname(scenario.source.file));
  if (session.bundled === undefined) {
    const started = await startReceiver();
    closers.push(() => started.close());
    session.bundled = started;
  }
  session.bundled.begin({ answers: scenario.receiver?.answers, application });
  return session.bundled.url;
}

/**
 * Virtual time by the wall clock; undefined: the account does not follow the wall clock.
 *
 * It runs 1 ms ahead, so a change never gets a timestamp before the time that its client read on its own clock.
 */
export function wallTimeOf({ opened, scenario, options }: ServeSession): (() => number) | undefined {
  const { wallClock = Date.now } = options;
  return opened.followsWall ? () => wallClock() + 1 - scenario.cast.startsAtMs : undefined;
}

/**
 * Locks a database for this process: two servers that write to one would overwrite each other's rows.
 *
 * @returns unlocks it; may be called twice
 * @throws LabError `database-taken`
 */
function lockDatabase(database: string): () => void {
  try {
    return lockRecording(database);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // A missing or unwritable folder: opening the database gives the better error.
    if (error.code !== "recording-busy") return () => undefined;
    throw new LabError("database-taken", `${database} is served already`, {
      hint: "end that server, or name another file",
      cause: error,
    });
  }
}
