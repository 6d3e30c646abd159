import { randomBytes } from "node:crypto";
import { Authenticator, Throttle } from "../api/index.js";
import { version } from "../base/index.js";
import { allowedHosts } from "../http/index.js";
import {
  readInTransit,
  readGuests,
  type Happening,
  Lab,
  prepareScenarioFakes,
  refuseUrl,
  senderFor,
} from "../lab/index.js";
import { type Receiver, startReceiver } from "../receiver/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import type { TokenData } from "../wire/index.js";
import { type AccountSource, loadSource, mostPeopleAtOnce } from "./account-source.js";
import { deskOf } from "./api-context.js";
import { beginsToServe, misfitOf, openDatabase, type Opened, recordingOf } from "./database.js";
import { LabControl, START } from "./lab-control.js";
import { House, type MoveIn, type Tenant } from "./lab-host.js";
import { listen, type Listening } from "./listen.js";
import { lockDatabase } from "./lock.js";
import { type MetricsAddress, offerMetrics } from "./metrics-server.js";
import { playPast } from "./past.js";
import { asServed } from "./ready.js";
import { announceWhereFound } from "./running.js";
import { Snapshots } from "./snapshots.js";

/** What is served, and how; everything but the scenario has a default. */
export interface ServeOptions {
  /** Its cast makes the handsets and people; its story plays as the clock goes, its traffic until its `lasts`. */
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
  /** Offers metrics to Prometheus. */
  readonly metrics?: MetricsAddress;
  /** Hosts beside loopback that may be sent to. */
  readonly allowHosts?: readonly string[];
  /** Milliseconds since 1970; default `Date.now`. A scenario that `starts: now` follows it. */
  readonly wallClock?: () => number;
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
  /** Where the metrics are; absent: they are not offered. */
  readonly metrics?: string;
  readonly handsets: number;
  readonly people: number;
  /** What could not be taken of the account files. */
  readonly problems: readonly string[];
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Name of the handset of a channel: `clinic/3`. */
  handsetOf(channel: number): string;
  /** Calls back for each thing that happens; returns how to stop. */
  follow(listener: (happening: Happening) => void): () => void;
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
  const unlock = options.database === undefined ? () => undefined : lockDatabase(options.database);
  let opened: Opened;
  try {
    opened = openDatabase(options);
  } catch (error) {
    unlock();
    throw error;
  }
  const scenario = asServed(opened.scenario);
  const closers: (() => Promise<void> | void)[] = [unlock, () => opened.recording.close()];
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

    const followers = new Set<(happening: Happening) => void>();
    const happened = (happening: Happening): void => {
      for (const follower of followers) follower(happening);
    };
    const hasPast = opened.isNew && options.hasPast === true;
    // A millisecond ahead: what changes after a client has read its own clock is never stamped with an earlier time.
    const { wallClock = Date.now } = options;
    const byWall = opened.followsWall ? () => wallClock() + 1 - scenario.cast.startsAtMs : undefined;
    let isFirst = true;
    const moveIn: MoveIn = (recording, fromMs, startsAt) => {
      const { lists, log } = recording.prepareToServe();
      recording.commitOnFlush();
      const isGoneOnWith = isFirst && opened.isThere;
      const lab = new Lab({
        scenario,
        recording,
        url: hasPast && isFirst ? null : url,
        // Whoever moves in later takes up what was there.
        continuesDatabase: !isFirst || !opened.isNew,
        // A delivery URL that was set by hand is kept; one that the command line names replaces it at the start.
        ...(!(isFirst && options.receiver !== undefined) && { urls: urlsSetByHand(recording) }),
        ...(isGoneOnWith && {
          undelivered: recording.undelivered({ attempts: scenario.service.attempts }),
          inTransit: readInTransit(recording),
        }),
        isDurable: options.database !== undefined,
        sender: senderFor(scenario, { url, allowHosts: options.allowHosts }),
        pace: { kind: "paced", speed: options.speed ?? 1 },
        isPaused: hasPast || (options.isPaused ?? false),
        fakes,
        giveUpAfterMs: Infinity,
        fromMs,
        startsAt,
        guests: readGuests(recording),
        isServed: true,
        isAllowed,
        onHappening: happened,
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
    const house = new House({
      moveIn,
      recording: opened.recording,
      fromMs: opened.fromMs,
      startsAt: hasPast ? undefined : byWall,
      failed: fail,
    });
    closers.push(() => house.leave());

    const problems: string[] = [];
    if (!opened.isThere) {
      for (const source of options.accounts ?? []) {
        problems.push(...(await loadSource(source, () => house.tenant.lab)).problems);
      }
    }
    if (hasPast) await bringToNow(house.tenant, { url, isPaused: options.isPaused ?? false, byWall });
    const tokens = keptTokens(house.tenant, options.tokens ?? []);
    const administrator = tokens.find(({ role, isActive }) => role === "administrator" && isActive)?.token ?? "";
    const labToken = options.labToken ?? randomBytes(20).toString("hex");
    let access = new Authenticator(tokens);
    const throttle = new Throttle(options.throttle, () => performance.now());
    const snapshots = new Snapshots(options.database);
    const { tenant } = house;
    beginsToServe(tenant.recording);
    if (tenant.recording.bytes <= START_SNAPSHOT_BYTES) {
      tenant.lab.gateway.saveChannels();
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
      misfitOf: (saved) => misfitOf(saved, opened.scenario),
      restored: () => {
        access = new Authenticator(keptTokens(house.tenant, tokens));
      },
      load: async (text) => {
        const loaded = await loadSource(
          { kind: "text", file: "account", text, mostPeople: mostPeopleAtOnce },
          async () => (await house.present()).lab,
        );
        // Account files may hold tokens.
        access = new Authenticator(keptTokens(house.tenant, []));
        return loaded;
      },
      followers,
    });
    const listening: Listening = await listen(
      {
        version,
        context: () => house.desk(),
        authenticator: () => access,
        throttle,
        isStrict: () => options.isStrict ?? false,
      },
      { host: options.host ?? "127.0.0.1", port: options.port ?? 0 },
      { control, access: new Authenticator([{ role: "administrator", token: labToken, isActive: true }]) },
    );
    closers.push(() => listening.close());
    closers.push(announceWhereFound({ url: listening.url, token: labToken, name: scenario.name }));
    const metrics =
      options.metrics === undefined ? undefined : await offerMetrics(() => house.tenant.lab, options.metrics);
    if (metrics !== undefined) closers.push(() => metrics.close());
    return {
      url: listening.url,
      token: administrator,
      labToken,
      receiver: url ?? "none",
      isBundled: bundled !== undefined,
      ...(metrics !== undefined && { metrics: metrics.url }),
      handsets: tenant.lab.world.population.handsetCount,
      people: tenant.lab.world.population.personCount,
      problems,
      startsAtMs: scenario.cast.startsAtMs,
      handsetOf: (channel) => house.tenant.lab.world.population.nameOfHandset(channel),
      follow(listener) {
        followers.add(listener);
        return () => followers.delete(listener);
      },
      ended,
      async close() {
        await close();
        finish();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The past has been: from here on events go where they are to go, and the clock goes if it is to. */
async function bringToNow(
  { lab }: Tenant,
  {
    url,
    isPaused,
    byWall,
  }: { readonly url: string | null; readonly isPaused: boolean; readonly byWall: (() => number) | undefined },
): Promise<void> {
  await playPast(lab);
  if (byWall !== undefined) lab.clock?.leapTo(byWall());
  lab.write({ kind: "delivery-url", json: JSON.stringify({ url }) }, () => {
    for (let channel = 1; channel <= lab.world.population.handsetCount; channel++)
      lab.gateway.setDeliveryUrl(channel, url);
  });
  if (!isPaused) lab.clock?.resume();
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
