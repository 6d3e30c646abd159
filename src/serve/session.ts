import { dirname } from "node:path";
import { type Closers, LabError } from "../base/index.js";
import { allowedHosts } from "../http/index.js";
import { prepareScenarioFakes, refuseUrl } from "../lab/index.js";
import { loadApplication, type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import type { TokenData } from "../wire/index.js";
import { type AccountSource, Followers, asServed, type Minimiser } from "../control/index.js";
import { discardDatabase, openDatabase, type Opened } from "./database.js";
import { type ListenAddress, checkAddress } from "./address.js";
import { serving } from "./lab-server.js";
import { type MetricsAddress, offeringMetrics } from "./metrics-server.js";
import { keptLabToken, newToken } from "./tokens.js";
import { lockRecording, StoreError } from "../store/index.js";

/** Options of a server. Each has a default. */
export interface ServeOptions {
  /** The cast defines handsets and people; the story plays as the clock advances, and the traffic until `lasts`. */
  readonly scenario?: Scenario;
  /** Path of a recording to continue, in memory or in `database`; the file itself does not change. */
  readonly recording?: string;
  /**
   * Account files and exports to load into a new account, after those of the scenario; not read when an existing
   * database is continued.
   */
  readonly accounts?: readonly AccountSource[];
  /**
   * Leaves out flows, campaigns and triggers of the initial account files and exports, so that only the receiver and
   * clients of the API answer texts.
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
   * URL at which clients reach the server through a proxy: `https://lab.example/handset`. Links to pages, the explorer
   * and the banner begin with it. Default: derived from each request.
   */
  readonly publicUrl?: string;
  /** Host names of the control API and the console, beside localhost, IP addresses and `host`. */
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
  /** Also refuses requests that real systems refuse although the reference does not say so. */
  readonly isStrict?: boolean;
  /** Requests per hour and scope; default: no limit. */
  readonly throttle?: number;
  /** Offers metrics to Prometheus. */
  readonly metrics?: MetricsAddress;
  /** Hosts that events may be sent to, in addition to loopback. */
  readonly allowHosts?: readonly string[];
  /** Minimises for the console; default: `handset minimise` does it in a terminal. */
  readonly minimiser?: Minimiser;
  /** Restarts the scenario automatically after its `lasts`. In memory only. */
  readonly isRepeating?: boolean;
  /** The working directory, whose scenarios the console offers beside the bundled ones; default: the process's. */
  readonly folder?: string;
  /** Milliseconds since 1970; default `Date.now`. A scenario that `starts: now` follows it. */
  readonly wallClock?: () => number;
}

/** Resources and settings that exist before the lab. */
export interface ServeSession extends Played {
  readonly options: ServeOptions;
  readonly isAllowed: (url: string) => boolean;
  readonly followers: Followers;
  /** Token of the control API, which a database keeps. */
  readonly labToken: string;
  readonly closers: Closers;
  /** Whether no snapshot has been restored since the scenario started. */
  isFirst: boolean;
  /** Stops a failed start from removing a new database, because clients may have read it. */
  readonly keepDatabase: () => void;
  bundled: Receiver | undefined;
}

/** The part of the session that changes when another scenario starts. */
export interface Played {
  opened: Opened;
  /** From `asServed`. */
  scenario: Scenario;
  /** The original scenario: with its end, and without the first hour. */
  ownScenario: Scenario;
  fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>;
  /** The default delivery URL; null: none. */
  url: string | null;
  /** Whether the account is new and plays its first hour. */
  playsFirstHour: boolean;
  /** Account files beside those that the scenario names. */
  accounts: readonly AccountSource[];
}

/**
 * Locks the database, checks the addresses, opens the database, and starts the bundled receiver if events go to it. If
 * the address is taken, no database changes. A failed start removes a database that it created.
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

/** The address of the server. */
export function addressOf({ host = "127.0.0.1", port = 0 }: ServeOptions): ListenAddress {
  return { host, port };
}

/** Whether events go to the bundled receiver. */
export function isBundled({ bundled, url }: Pick<ServeSession, "bundled" | "url">): boolean {
  return bundled !== undefined && bundled.url === url;
}

/**
 * The delivery URL for a scenario. Starts the bundled receiver when it is first needed, in the mode that the scenario
 * names.
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
 * Reads virtual time from the wall clock; undefined: the account does not follow the wall clock.
 *
 * It runs 1 ms ahead, so that the timestamp of a change is never before the time that the client read on its clock.
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
