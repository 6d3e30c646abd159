import { fixed, Kernel, prepareFakes, Streams, type Distribution } from "../../src/sim/index.js";
import type { LedgerAccount, Command, LostItem, Report, SyncAnswer, SyncReport, Tally } from "../../src/wire/index.js";
import {
  type CarrierSpec,
  type Cast,
  type Fault,
  type HandsetGroup,
  type LinkType,
  networkTypes,
  type PeopleGroup,
  type Profile,
  profiles,
  type Selector,
  type TrafficSpec,
  World,
  type WorldInput,
} from "../../src/world/index.js";

export const second = 1_000;
export const minute = 60_000;
export const hour = 3_600_000;
export const startsAtMs = 1_772_600_400_000;

const fakes = await prepareFakes([]);

/** Counts what the world reports to the ledger, by account and cause. */
export class TestTally implements Tally {
  readonly ins = new Map<string, number>();
  readonly copies = new Map<string, number>();
  readonly ends = new Map<string, number>();
  readonly losses = new Map<string, number>();

  in(account: LedgerAccount, count = 1): void {
    add(this.ins, account, count);
  }
  copy(account: LedgerAccount, cause: string): void {
    add(this.copies, `${account} ${cause}`, 1);
  }
  delivered(account: LedgerAccount, count = 1): void {
    add(this.ends, `${account} delivered`, count);
  }
  failed(account: LedgerAccount): void {
    add(this.ends, `${account} failed`, 1);
  }
  lost(account: LedgerAccount, cause: string, lost: number | readonly LostItem[] = 1): void {
    add(this.losses, `${account} ${cause}`, typeof lost === "number" ? lost : lost.length);
  }
  sum(of: "ins" | "copies" | "ends" | "losses", account: LedgerAccount): number {
    let sum = 0;
    for (const [key, count] of this[of]) if (key === account || key.startsWith(`${account} `)) sum += count;
    return sum;
  }
}

function add(map: Map<string, number>, key: string, count: number): void {
  map.set(key, (map.get(key) ?? 0) + count);
}

export interface Received {
  readonly atMs: number;
  readonly channel: number;
  readonly report: Report;
}

interface Queued {
  readonly channel: number;
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  status: "Q" | "S" | "F";
}

/**
 * A world with a minimal fake of the service: it acknowledges every report, does not deduplicate, and offers queued
 * messages that are not on the phone.
 */
export class WorldRig {
  readonly kernel: Kernel;
  readonly tally = new TestTally();
  readonly world: World;
  readonly received: Received[] = [];
  readonly syncs: {
    readonly atMs: number;
    readonly channel: number;
    readonly body: SyncReport;
  }[] = [];
  readonly heard: {
    readonly atMs: number;
    readonly person: number;
    readonly text: string;
    readonly channel: number;
  }[] = [];
  /** Whether the service answers reports. */
  isAnswering = true;
  /** Messages that the next answer offers, whatever their state. */
  readonly reoffered: number[] = [];
  readonly #queue: Queued[] = [];

  /** @param fromMs - where virtual time begins */
  constructor(cast: Cast, seed = 7, fromMs = 0) {
    this.kernel = new Kernel(fromMs);
    this.world = new World({
      kernel: this.kernel,
      streams: new Streams(seed),
      cast,
      fakes,
      tally: this.tally,
      ports: {
        uplink: (channel, body) => this.#uplink(channel, body),
        send: (channel, phone, text) => this.send(channel, phone, text),
        heard: (person, text, channel, atMs) => this.heard.push({ atMs, person, text, channel }),
      },
    });
    this.world.start();
  }

  /** Advances virtual time up to and including an instant. */
  until(atMs: number): this {
    while (this.kernel.nextAtMs <= atMs) this.kernel.step();
    this.kernel.advanceTo(atMs);
    return this;
  }

  at(atMs: number, input: WorldInput): this {
    this.until(atMs);
    this.world.apply(input);
    return this;
  }

  /** The service queues a message; without `push` it waits for the phone's next sync. */
  send(channel: number, phone: string, text: string, { push = true }: { push?: boolean } = {}): number {
    this.tally.in("texts");
    const id = channel * 2 ** 20 + this.#queue.length + 1;
    this.#queue.push({ channel, id, phone, text, status: "Q" });
    if (push) this.world.push(channel);
    return id;
  }

  statusOf(id: number): string | undefined {
    return this.#queue.find((one) => one.id === id)?.status;
  }

  reportsOf(type: string, channel = 1): Received[] {
    return this.received.filter(
      (one) => one.channel === channel && (one.report.type === "call" ? one.report.call : one.report.type) === type,
    );
  }

  /** Texts or calls missing from the ledger; must be 0. */
  gap(account: "texts" | "calls"): number {
    const { tally, world } = this;
    const queued = this.#queue.filter((one) => one.status === "Q" && !world.holds(one.channel, one.id)).length;
    const waiting = world.census()[account] + (account === "texts" ? queued : 0);
    const born = tally.sum("ins", account) + tally.sum("copies", account);
    return born - tally.sum("ends", account) - tally.sum("losses", account) - waiting;
  }

  #uplink(channel: number, body: SyncReport): SyncAnswer | undefined {
    this.syncs.push({ atMs: this.kernel.now, channel, body });
    return this.isAnswering ? this.#answerTo(channel, body) : undefined;
  }

  #answerTo(channel: number, body: SyncReport): SyncAnswer {
    const { now } = this.kernel;
    if (Math.abs(body.clockAtMs - startsAtMs - now) > 15 * minute) return { accepted: false, error: "old-request" };
    const commands: Command[] = [];
    for (const [index, report] of body.reports.entries()) {
      this.received.push({ atMs: now, channel, report });
      commands.push({ type: "ack", report: index + 1 });
      if (report.type === "mo_sms") this.tally.delivered("texts");
      else if (report.type === "call") this.tally.delivered("calls");
      else if (report.type === "mt_sent" || report.type === "mt_fail") {
        const message = this.#queue.find((one) => one.id === report.id);
        if (message !== undefined) message.status = report.type === "mt_sent" ? "S" : "F";
      }
    }
    const onPhone = new Set([...body.status.pending, ...body.status.retry]);
    for (const { id, phone, text, status, channel: through } of this.#queue) {
      if (through !== channel) continue;
      const isDue = status === "Q" && !onPhone.has(id);
      if (isDue || this.reoffered.includes(id)) commands.push({ type: "send", id, phone, text });
    }
    this.reoffered.length = 0;
    return { accepted: true, commands };
  }
}

export const clinic: Selector = { group: "clinic", from: 0, to: 0 };
export const farmer: Selector = { group: "farmers", from: 0, to: 0 };

export const carrier: CarrierSpec = {
  name: "mtn",
  delay: fixed(2 * second),
  loses: 0,
  duplicates: 0,
  reportsDelivery: 1,
  reportsAfter: fixed(5 * second),
  expiresAfterMs: Infinity,
  carriesPerMs: Infinity,
  longTexts: "whole",
};

export function handsets(changes: Partial<HandsetGroup> = {}): HandsetGroup {
  return {
    name: "clinic",
    count: 1,
    phone: { prefix: "+2507880", first: 0, digits: 5, suffix: "" },
    carrier: "mtn",
    battery: fixed(80),
    mains: true,
    network: "LTE",
    profile: profile(),
    clockSkew: fixed(0),
    picksUp: 0,
    ...changes,
  };
}

export function people(changes: Partial<PeopleGroup> = {}): PeopleGroup {
  return {
    name: "farmers",
    count: 10,
    phone: { prefix: "+2507811", first: 0, digits: 5, suffix: "" },
    of: { group: "clinic", from: 0, to: 0 },
    picksUp: 0,
    ...changes,
  };
}

export function castOf(changes: Partial<Cast> = {}): Cast {
  return {
    startsAtMs,
    lastsMs: 100 * hour,
    timezone: "UTC",
    carriers: [carrier],
    handsets: [handsets()],
    people: [people()],
    traffic: [],
    ...changes,
  };
}

/** A profile with some numbers or faults replaced. */
export function profile(changes: Partial<Profile> = {}, name = "plain", faults?: readonly Fault[]): Profile {
  const preset = profiles[name];
  if (preset === undefined) throw new RangeError(`no profile ${name}`);
  return { ...preset, ...(faults === undefined ? {} : { faults: new Set(faults) }), ...changes };
}

/** A world of one clinic with one handset and ten farmers. */
export function oneClinic(group: Partial<HandsetGroup> = {}, changes: Partial<Cast> = {}): WorldRig {
  return new WorldRig(castOf({ handsets: [handsets(group)], ...changes }));
}

export function text(body: string, from: Selector = farmer): WorldInput {
  return { verb: "text", from, to: clinic, body: fixed(body) };
}

export const farmerPhone = "+250781100000";

export function traffic(changes: Partial<TrafficSpec> = {}): TrafficSpec {
  return {
    kind: "texts",
    people: { group: "farmers", from: 0, to: 9 },
    handsets: clinic,
    from: "people",
    body: fixed("hello") as Distribution<string>,
    arrivals: "poisson",
    fromMs: 0,
    untilMs: 100 * hour,
    shape: { kind: "constant", perMs: 10 / hour },
    ...changes,
  };
}

/** An interval longer than any test: no poll comes. */
export const never = 1_000_000 * hour;

/**
 * A deterministic profile without polls. A push takes 1 s, a request or an answer 100 ms, rejoining 10 s. A segment
 * takes 2 s in the radio, a refusal no time; the messages of a backlog are 200 ms apart. A message queued at t reaches
 * the radio at t + 1.2 s and is on air at t + 3.2 s. The phone reports it as sent at t + 3.3 s; the recipient's phone
 * shows it at t + 5.2 s; it is reported as delivered at t + 10.3 s.
 */
export function exact(changes: Partial<Profile> = {}, name = "plain", faults: readonly Fault[] = []): Profile {
  const latency = fixed(100);
  return profile(
    {
      pollEveryMs: never,
      pushAfter: fixed(second),
      pushLoses: 0,
      rejoinAfter: fixed(10 * second),
      sentAfter: fixed(2 * second),
      failedAfter: fixed(0),
      heldGap: fixed(200),
      latency: everyLink(latency),
      taperFrom: 100,
      searchDrainPerHour: 0,
      ...changes,
    },
    name,
    faults,
  );
}

/** The same latency for every type of link. */
export function everyLink(latency: Distribution<number>): Profile["latency"] {
  const links = networkTypes.filter((type): type is LinkType => type !== "none");
  return Object.fromEntries(links.map((type) => [type, latency])) as Profile["latency"];
}

/** A world of one clinic whose handset has an exact profile, and ten farmers. */
export function exactClinic(changes: Partial<Profile> = {}, group: Partial<HandsetGroup> = {}): WorldRig {
  return oneClinic({ profile: exact(changes), ...group });
}

/** The texts of incoming messages in the order in which the service got them. */
export function textsReported(rig: WorldRig, channel = 1): string[] {
  return rig.reportsOf("mo_sms", channel).map(({ report }) => ("text" in report ? report.text : ""));
}

/** Milliseconds from the start to the time of a report, by the phone's clock. */
export function reportedTime({ report }: Received): number {
  return "timeMs" in report ? report.timeMs - startsAtMs : NaN;
}
