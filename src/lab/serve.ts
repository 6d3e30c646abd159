import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Access, type Happening, Throttle } from "../api/index.js";
import { allowedHosts, Sender } from "../delivery/index.js";
import { type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import { openRecording, Recording } from "../store/index.js";
import type { TokenData } from "../wire/index.js";
import { type AccountSource, loadSource } from "./account-source.js";
import { LabControl, START } from "./control.js";
import { deskOf } from "./desk.js";
import { LabError } from "./errors.js";
import { prepareScenarioFakes } from "./fakes.js";
import { House, type Tenant } from "./house.js";
import { type Listening, listen } from "./http.js";
import { Lab } from "./lab.js";
import { PAST_MS, playPast } from "./past.js";
import { refuseUrl } from "./post.js";
import { readAgainWith, scenarioOf } from "./read-again.js";
import { asServed } from "./ready.js";
import { announceRunning } from "./running.js";
import { Snapshots } from "./snapshots.js";
import { version } from "./version.js";

/** What is served, and how; everything but the scenario has a default. */
export interface ServeOptions {
  /** Its cast makes the handsets and people; its traffic and story play as the clock goes. */
  readonly scenario?: Scenario;
  /** Path of a recording that is gone on with in memory, or in `database`; the file itself stays as it is. */
  readonly recording?: string;
  /** What the account holds at first: account files, exports. Not read where a database is gone on with. */
  readonly accounts?: readonly AccountSource[];
  /** It is the ready account: when it is served for the first time, an hour of its life has passed. */
  readonly hasPast?: boolean;
  /** File of the database: gone on with when it is there, made when it is not. Absent: in memory. */
  readonly database?: string;
  /** Default 127.0.0.1: only this machine can reach it. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Of the REST API, beside those that the account has; default: one for an administrator, made up. */
  readonly tokens?: readonly TokenData[];
  /** Of the control API; default: made up. */
  readonly labToken?: string;
  /** A URL, `bundled`, or `none`: overrides the scenario's. */
  readonly receiver?: string;
  /** Virtual seconds in each of the wall's; default 1. */
  readonly speed?: number;
  /** The clock stands at first. */
  readonly isPaused?: boolean;
  /** Refuses what real systems refuse beyond the reference. */
  readonly isStrict?: boolean;
  /** Requests an hour and scope; default: no limit. */
  readonly throttle?: number;
  /** Hosts beside loopback that may be sent to. */
  readonly allowHosts?: readonly string[];
}

/** A service that is served. */
export interface Served {
  /** Without a slash at its end: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Of an administrator. */
  readonly token: string;
  readonly labToken: string;
  /** Where events go; `none`: nowhere. */
  readonly receiver: string;
  readonly isBundled: boolean;
  readonly handsets: number;
  readonly people: number;
  /** What could not be taken of the account files. */
  readonly problems: readonly string[];
  /** Resolves when it is closed; rejects when it cannot go on: a full disk, above all. */
  readonly ended: Promise<void>;
  /** Stops, keeps what is to be kept, ends all connections. May be called twice. */
  close(): Promise<void>;
}

/** The largest database of which a snapshot is taken at the start. */
const START_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/**
 * Serves the messaging service: the REST API and the control API over a lab whose clock goes with the wall's.
 *
 * @throws LabError for options and environments that do not allow it; StoreError when the disk does not take it
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const opened = openDatabase(options);
  const scenario = asServed(opened.scenario);
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const fakes = await prepareScenarioFakes(scenario);
    const wanted = options.receiver ?? scenario.receiver?.url ?? "bundled";
    if (wanted !== "none" && wanted !== "bundled" && !isAllowed(wanted)) refuseUrl(wanted);
    const bundled: Receiver | undefined = wanted === "bundled" ? await startReceiver() : undefined;
    if (bundled !== undefined) closers.push(() => bundled.close());
    const url = bundled?.url ?? (wanted === "none" ? null : wanted);

    const sender = new Sender({
      connections: scenario.receiver?.connections ?? 50,
      headers: scenario.receiver?.headers ?? {},
      headersFor: url ?? "",
      redirects: scenario.service.redirects,
      isAllowed,
      ...(scenario.receiver?.ca !== undefined && { ca: scenario.receiver.ca }),
    });
    closers.push(() => sender.close());

    const followers = new Set<(happening: Happening) => void>();
    const happened = (happening: Happening): void => {
      for (const follower of followers) follower(happening);
    };
    const hasPast = opened.isNew && options.hasPast === true;
    let isFirst = true;
    const moveIn = (recording: Recording, fromMs: number): Tenant => {
      const { lists, log } = recording.serve();
      recording.commitOnFlush();
      const isGoneOnWith = isFirst && opened.isThere;
      const lab = new Lab({
        scenario,
        recording,
        url: hasPast && isFirst ? null : url,
        // Whoever moves in later takes up what was there.
        resumes: !isFirst || !opened.isNew,
        // A delivery URL that was set by hand is kept; one that the command line names replaces it at the start.
        ...(!(isFirst && options.receiver !== undefined) && { urls: urlsSetByHand(recording) }),
        ...(isGoneOnWith && { undelivered: recording.undelivered({ attempts: scenario.service.attempts }) }),
        isDurable: options.database !== undefined,
        sender,
        pace: { kind: "paced", speed: options.speed ?? 1 },
        isPaused: hasPast || (options.isPaused ?? false),
        fakes,
        giveUpAfterMs: Infinity,
        fromMs,
        isServed: true,
        isAllowed,
        happened,
        ...(bundled !== undefined && { receiver: bundled }),
      });
      recording.keep(DEFAULT_URL, url ?? "");
      isFirst = false;
      return { lab, recording, lists, log, desk: deskOf({ lab, recording, lists, isAllowed, happened }) };
    };

    let fail: (error: unknown) => void = () => undefined;
    let finish: () => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    // Whoever waits for the end hears of it; nobody has to.
    ended.catch(() => undefined);
    const house = new House({ moveIn, recording: opened.recording, fromMs: opened.fromMs, failed: fail });
    closers.push(() => house.leave());

    const problems: string[] = [];
    if (!opened.isThere) {
      for (const source of options.accounts ?? []) {
        problems.push(...(await loadSource(source, house.tenant.lab)).problems);
      }
    }
    if (hasPast) await bringToNow(house.tenant, { url, isPaused: options.isPaused ?? false });
    const tokens = keptTokens(house.tenant, options.tokens ?? []);
    const administrator = tokens.find(({ role, isActive }) => role === "administrator" && isActive)?.token ?? "";
    const labToken = options.labToken ?? randomBytes(20).toString("hex");
    let access = new Access(tokens);
    const throttle = new Throttle(options.throttle, () => performance.now());
    const snapshots = new Snapshots(options.database);
    const { tenant } = house;
    tenant.recording.keep(SERVED, version);
    if (tenant.recording.bytes <= START_SNAPSHOT_BYTES) {
      tenant.lab.gateway.save();
      snapshots.save(START, tenant.lab.nowMs, tenant.recording.snapshot());
    }

    const control = new LabControl({
      house,
      scenario,
      throttle,
      snapshots,
      isStrict: options.isStrict ?? false,
      receiver: url,
      database: options.database,
      isAllowed,
      recordingOf: (saved) => recordingOf(saved, options.database),
      restored: () => {
        access = new Access(keptTokens(house.tenant, tokens));
      },
      load: (text) => loadSource({ kind: "text", file: "account", text }, house.tenant.lab),
      followers,
    });
    const listening: Listening = await listen(
      {
        version,
        desk: () => house.desk(),
        access: () => access,
        throttle,
        isStrict: () => options.isStrict ?? false,
        entered: () => house.tenant.lab.idle.begin(),
      },
      { host: options.host ?? "127.0.0.1", port: options.port ?? 0 },
      { control, access: new Access([{ role: "administrator", token: labToken, isActive: true }]) },
    );
    closers.push(() => listening.close());
    closers.push(announced({ url: listening.url, token: labToken }));
    return {
      url: listening.url,
      token: administrator,
      labToken,
      receiver: url ?? "none",
      isBundled: bundled !== undefined,
      handsets: tenant.lab.world.handsetCount,
      people: tenant.lab.world.personCount,
      problems,
      ended,
      async close() {
        await close();
        finish();
      },
    };
  } catch (error) {
    await close();
    opened.recording.close();
    throw error;
  }
}

interface Opened {
  readonly recording: Recording;
  readonly scenario: Scenario;
  /** Virtual time at which it goes on. */
  readonly fromMs: number;
  /** Nothing was in it before. */
  readonly isNew: boolean;
  /** It is a database that was served before. */
  readonly isThere: boolean;
}

/** The database that is served: one that is there, a copy of a recording, or a new one. */
function openDatabase(options: ServeOptions): Opened {
  const { database, recording: source, scenario } = options;
  if (database !== undefined && isDatabase(database)) {
    if (source !== undefined || scenario !== undefined) {
      throw new LabError("bad-options", `${database} is there already and is gone on with as it is`, {
        hint: "name either the database, or what a new one begins with",
      });
    }
    const recording = Recording.reopen(database);
    // What a run had not delivered at its end is not delivered any more.
    if (recording.kept(SERVED) === undefined) recording.settle();
    return { ...goOn(recording), isThere: true };
  }
  if (source !== undefined) {
    const copy = Recording.copyOf(source);
    copy.keep(SERVED, "");
    return { ...goOn(database === undefined ? copy : movedTo(database, copy)), isThere: false };
  }
  if (scenario === undefined) {
    throw new LabError("bad-options", "nothing was named that could be served", {
      hint: "name a scenario, a recording, or a database that is there",
    });
  }
  const startsAtMs = scenario.cast.startsAtMs - (options.hasPast === true ? PAST_MS : 0);
  const recording = Recording.create(
    database ?? ":memory:",
    {
      name: scenario.name,
      seed: scenario.seed,
      version,
      scenario: { file: scenario.source.file, text: scenario.source.text },
      startsAtMs,
      lastsMs: scenario.cast.lastsMs,
      preset: scenario.service,
      startedWallMs: Date.now(),
      options: {
        pace: "served",
        clock: scenario.startsNow ? "wall" : "own",
        ...readAgainWith(scenario),
      },
    },
    { overwrite: true },
  );
  recording.keep(SERVED, "");
  return {
    recording,
    scenario: { ...scenario, cast: { ...scenario.cast, startsAtMs } },
    fromMs: 0,
    isNew: true,
    isThere: false,
  };
}

/**
 * Whether there is something at this path that is gone on with. An empty file is not, nor is a database whose server was
 * killed before it had begun to serve: nobody has heard of what is in it.
 */
export function isDatabase(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return false;
  const recording = Recording.reopen(path);
  try {
    const served = recording.kept(SERVED);
    if (served !== undefined) return served !== "";
    // The recording of a run has no such mark, nor has a database whose server was killed at once.
    const options = recording.kept("options");
    return options !== undefined && (JSON.parse(options) as { pace?: string }).pace !== "served";
  } finally {
    recording.close();
  }
}

/** The past has been: from here on events go where they are to go, and the clock goes if it is to. */
async function bringToNow(
  { lab }: Tenant,
  { url, isPaused }: { readonly url: string | null; readonly isPaused: boolean },
): Promise<void> {
  await playPast(lab);
  lab.write({ kind: "delivery-url", json: JSON.stringify({ url }) }, () => {
    for (let channel = 1; channel <= lab.world.handsetCount; channel++) lab.gateway.setDeliveryUrl(channel, url);
  });
  if (!isPaused) lab.clock?.resume();
}

/** Goes on with a recording: its scenario is in it, and so is the time that it has come to. */
function goOn(recording: Recording): Omit<Opened, "isThere"> {
  const reader = recording.reader();
  const meta = reader.meta();
  const scenario = readOrClose(recording, () => scenarioOf(meta, recording.path));
  const cameToMs = Math.max(reader.lastAtMs(), reader.end() === undefined ? 0 : meta.lastsMs);
  // An account whose time began when it was made goes on with the wall's.
  const wallMs = meta.options["clock"] === "wall" ? Math.max(0, Date.now() - meta.startsAtMs) : 0;
  const fromMs = Math.max(cameToMs, wallMs);
  return { recording, scenario, fromMs, isNew: false };
}

function readOrClose<T>(recording: Recording, read: () => T): T {
  try {
    return read();
  } catch (error) {
    recording.close();
    throw error;
  }
}

/** A recording of these bytes: in memory, or in the database's place. What it had not delivered is not delivered any more. */
function recordingOf(bytes: Uint8Array, database: string | undefined): Recording {
  if (database === undefined) return Recording.copyOf(bytes);
  // Moved into its place, so that there is a whole one at any moment.
  writeFileSync(`${database}.new`, bytes);
  for (const suffix of ["-wal", "-shm"]) rmSync(database + suffix, { force: true });
  renameSync(`${database}.new`, database);
  const recording = Recording.reopen(database);
  recording.settle();
  recording.keep(SERVED, version);
  return recording;
}

/** A copy of a recording becomes a database. */
function movedTo(database: string, copy: Recording): Recording {
  const bytes = copy.snapshot();
  copy.close();
  writeFileSync(database, bytes);
  const recording = Recording.reopen(database);
  recording.settle();
  return recording;
}

/** Keeps these tokens in the account, and one for an administrator in any case; gives all that it has. */
function keptTokens({ lab, recording }: Tenant, wanted: readonly TokenData[]): TokenData[] {
  const { tokens } = recording.tables;
  const hasAdministrator = [...wanted, ...tokens.all()].some(
    ({ role, isActive }) => role === "administrator" && isActive,
  );
  const made: TokenData[] = hasAdministrator
    ? []
    : [{ role: "administrator", token: randomBytes(20).toString("hex"), isActive: true }];
  const added = [...wanted, ...made];
  if (added.length > 0) {
    lab.write({ kind: "tokens", json: JSON.stringify({ count: added.length }) }, () => {
      for (const token of added) tokens.put(token);
    });
  }
  // Those that were asked for come first: they are the ones that are shown.
  return [...added, ...tokens.all().filter(({ token }) => !added.some((one) => one.token === token))];
}

/** Where a database keeps which version has served it; empty: none has yet. */
const SERVED = "served";

/** Where a recording keeps the delivery URL of channels that had none of their own. */
const DEFAULT_URL = "receiver";

/** Delivery URLs that differ from what they were by default: somebody has set them. */
function urlsSetByHand(recording: Recording): Map<number, string | null> {
  const usual = recording.kept(DEFAULT_URL);
  if (usual === undefined) return new Map();
  return new Map(
    [...recording.reader().channels()].flatMap(({ id, url }) => ((url ?? "") === usual ? [] : [[id, url]])),
  );
}

/** `handset do` finds the server by itself where that can be; where it cannot, it is told with --lab. */
function announced(lab: { readonly url: string; readonly token: string }): () => void {
  try {
    return announceRunning(lab);
  } catch {
    return () => undefined;
  }
}

/** Whether a file is a recording; false when it cannot be opened as one. */
export function isRecording(path: string): boolean {
  try {
    openRecording(path).close();
    return true;
  } catch {
    return false;
  }
}
