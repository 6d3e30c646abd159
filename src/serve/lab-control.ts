import type { Throttle } from "../api/index.js";
import { LabError, version } from "../base/index.js";
import { type Happening, type LiveClock, recordClockChange, performHand } from "../lab/index.js";
import { handReference, readHand, type Scenario } from "../scenario/index.js";
import type { AccountLists, EventLog, Recording, RecordingReader } from "../store/index.js";
import { type PeopleChoice, phoneOf, type Selector } from "../world/index.js";
import {
  type CallType,
  type ClockChange,
  type ClockStatus,
  type Control,
  ControlRefusal,
  type ExampleNames,
  type HandsetStatus,
  type LabStatus,
  type LoadStatus,
  type PersonStatus,
  type SnapshotStatus,
  type ThrottleStatus,
  type VerbEntry,
} from "./control/index.js";
import type { House } from "./lab-host.js";
import type { Snapshots } from "./snapshots.js";

/** What the control API steers. */
export interface ControlParts {
  readonly house: Pick<House, "tenant" | "replace">;
  readonly scenario: Scenario;
  readonly throttle: Throttle;
  readonly snapshots: Snapshots;
  readonly isStrict: boolean;
  /** Where events go by default. */
  readonly receiver: string | null;
  /** Path of the database; undefined: in memory. */
  readonly database: string | undefined;
  readonly isAllowed: (url: string) => boolean;
  /** Makes a recording of a snapshot's bytes: in memory, or in place of the database. */
  readonly recordingOf: (bytes: Uint8Array) => Recording;
  /** Why a snapshot's bytes cannot be made one; undefined: they can. */
  readonly misfitOf: (bytes: Uint8Array) => string | undefined;
  /** A snapshot has taken the place of the account. */
  readonly restored: () => void;
  /** Adds an account file or an export. */
  readonly load: (text: string) => Promise<LoadStatus>;
  readonly followers: Set<(happening: Happening) => void>;
}

/** The name of the snapshot that is taken when a server starts. */
export const START = "start";

/** The control API's hands on a served lab, or on a run. */
export class LabControl implements Control {
  readonly verbs: readonly VerbEntry[];
  readonly exampleNames: ExampleNames;
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    const { cast } = parts.scenario;
    this.verbs = handReference(cast);
    const [person] = cast.people;
    this.exampleNames = {
      handset: `${cast.handsets[0]?.name ?? "clinic"}/0`,
      phone: person === undefined ? "+12065550100" : phoneOf(person.phone, 0),
    };
  }

  get startsAtMs(): number {
    return this.#parts.scenario.cast.startsAtMs;
  }

  get lists(): AccountLists {
    return this.#parts.house.tenant.lists;
  }

  get log(): EventLog {
    return this.#parts.house.tenant.log;
  }

  status(): LabStatus {
    const { house, scenario, receiver, database, isStrict } = this.#parts;
    const { lab } = house.tenant;
    const progress = lab.progress();
    return {
      name: scenario.name,
      version,
      seed: scenario.seed,
      receiver,
      database: database ?? null,
      isStrict,
      handsets: lab.world.population.handsetCount,
      people: lab.world.population.personCount,
      events: progress.events,
      accepted: progress.accepted,
      failures: progress.failures,
      inFlight: progress.inFlight,
      retrying: progress.retrying,
      waitingOnPhones: progress.waitingOnPhones,
      ledger: lab.ledger(),
    };
  }

  clock(): ClockStatus {
    const { clock, nowMs } = this.#parts.house.tenant.lab;
    return clock?.status ?? { nowMs, speed: 0, isPaused: false };
  }

  async changeClock({ isPaused, speed, stepMs }: ClockChange): Promise<ClockStatus> {
    const clock = this.#clock;
    if (stepMs !== undefined && !(isPaused ?? clock.status.isPaused)) {
      throw refused("step", "The clock runs: pause it first, then step it.");
    }
    recordClockChange(this.#parts.house.tenant.lab, { isPaused, speed, stepMs });
    if (speed !== undefined) clock.setSpeed(speed);
    if (isPaused === true) clock.pause();
    if (isPaused === false) clock.resume();
    if (stepMs !== undefined) await this.#asked(() => clock.step(stepMs));
    return clock.status;
  }

  perform(verb: string, args: unknown): string {
    const problems = performHand(this.#parts.house.tenant.lab, this.#parts.scenario, { verb, args });
    if (problems.length > 0) {
      throw new ControlRefusal(
        400,
        problems.map(({ path, message, hint }) => ({
          field: path === "" ? "detail" : path,
          message: hint === undefined ? message : `${message} (${hint})`,
        })),
      );
    }
    return `${verb} is done`;
  }

  handsets(): HandsetStatus[] {
    const { lab, recording } = this.#parts.house.tenant;
    const uuids = uuidsOf(recording.reader());
    return Array.from({ length: lab.world.population.handsetCount }, (_, index) => {
      const channel = index + 1;
      const { url, lastSeenMs, device } = lab.gateway.channelState(channel);
      return {
        channel,
        selector: lab.world.population.nameOfHandset(channel),
        phone: lab.world.population.phoneOfHandset(channel),
        uuid: uuids.get(channel) ?? "",
        url,
        lastSeenMs,
        powerLevel: device.powerLevel,
        powerStatus: device.powerStatus,
        powerSource: device.powerSource,
        networkType: device.networkType,
        pending: device.pending.length,
        retry: device.retry.length,
      };
    });
  }

  people(): PersonStatus[] {
    const { world } = this.#parts.house.tenant.lab;
    return Array.from({ length: world.population.personCount + world.population.guests.length }, (_, place) => {
      const { selector, phone, name = null } = world.person(place);
      return { selector, phone, name };
    });
  }

  setDeliveryUrl(of: string, url: string | null): string {
    if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
      throw refused("url", `'${url}' is not an http or https address`);
    }
    if (url !== null && !this.#parts.isAllowed(url)) {
      const { hostname } = new URL(url);
      throw refused("url", `${hostname} is not this machine: start the server with --allow-host ${hostname}`);
    }
    return this.#forChannels(of, "delivery-url", { url }, (channel, gateway) => gateway.setDeliveryUrl(channel, url));
  }

  raiseAlarm(of: string): string {
    return this.#forChannels(of, "alarm", {}, (channel, gateway) => gateway.raiseAlarm(channel));
  }

  logCall(call: { of: string; phone: string; type: CallType; durationS: number }): string {
    const { of, phone: from, type, durationS } = call;
    const { lab } = this.#parts.house.tenant;
    const timeMs = this.startsAtMs + lab.nowMs;
    const callers = this.#callersOf(from);
    return this.#forChannels(of, "call", { phone: from, type, durationS }, (channel, gateway) => {
      const phones =
        "number" in callers
          ? [callers.number]
          : lab.world.population.peopleOf(callers).map((one) => lab.world.population.phoneOfPerson(one));
      for (const phone of phones) gateway.logCall(channel, { type, phone, timeMs, durationS });
    });
  }

  /** Whom a call is logged with: people, or a short code or name that no phone has. */
  #callersOf(from: string): PeopleChoice | { readonly number: string } {
    const { cast } = this.#parts.scenario;
    // A verb that people do to anything reads the choice with all its checks.
    const { input, problems } = readHand("send", { to: from, via: cast.handsets[0]?.name ?? "", body: "-" }, cast);
    if (input?.to === "gateway" && input.input.verb === "send") return input.input.to;
    if (/^[\w ]{1,11}$/.test(from)) return { number: from };
    throw refused("phone", problems.find(({ path }) => path === "to")?.message ?? `'${from}' is nobody's number`);
  }

  throttle(): ThrottleStatus {
    const { limit, forcedRefusals: refusing } = this.#parts.throttle;
    return { limit: limit ?? null, refusing };
  }

  changeThrottle(change: { limit?: number | null; refuse?: number; retryAfterS?: number }): void {
    const { throttle } = this.#parts;
    if (change.limit !== undefined) throttle.limit = change.limit ?? undefined;
    if (change.refuse !== undefined)
      throttle.forceRefusals({ requests: change.refuse, retryAfterS: change.retryAfterS ?? 1 });
  }

  snapshots(): readonly SnapshotStatus[] {
    return this.#parts.snapshots.list();
  }

  saveSnapshot(name: string): SnapshotStatus {
    const { lab, recording } = this.#parts.house.tenant;
    lab.gateway.saveChannels();
    return this.#parts.snapshots.save(name, lab.nowMs, recording.snapshot());
  }

  async restoreSnapshot(name: string): Promise<void> {
    const bytes = this.#parts.snapshots.read(name);
    if (bytes === undefined) throw this.#noSnapshot(name);
    const misfit = this.#parts.misfitOf(bytes);
    if (misfit !== undefined) {
      const message = `The snapshot '${name}' cannot be restored: ${misfit}`;
      throw new ControlRefusal(409, [{ field: "detail", message }]);
    }
    await this.#parts.house.replace(() => this.#parts.recordingOf(bytes));
    this.#parts.restored();
  }

  dropSnapshot(name: string): void {
    if (!this.#parts.snapshots.drop(name)) throw this.#noSnapshot(name);
  }

  #noSnapshot(name: string): ControlRefusal {
    const names = this.#parts.snapshots.list().map((one) => one.name);
    const message = `There is no snapshot '${name}'; there are: ${names.join(", ") || "none"}`;
    return new ControlRefusal(404, [{ field: "detail", message }]);
  }

  loadAccount(text: string): Promise<LoadStatus> {
    return this.#asked(() => this.#parts.load(text));
  }

  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string {
    const { lab, recording } = this.#parts.house.tenant;
    const resthook = recording.tables.resthooks.bySlug(slug.toLowerCase());
    if (resthook === undefined) throw refused("resthook", `There is no resthook '${slug}'`);
    lab.write({ kind: "resthook", json: JSON.stringify({ slug, data }) }, () =>
      lab.account.resthooks.addEvent(resthook.slug, data),
    );
    return `${resthook.slug} was emitted`;
  }

  acted(text: string): void {
    const { nowMs: atMs } = this.#parts.house.tenant.lab;
    for (const follower of this.#parts.followers) follower({ kind: "hand", atMs, text });
  }

  follow(listener: (happening: Happening) => void): () => void {
    this.#parts.followers.add(listener);
    return () => this.#parts.followers.delete(listener);
  }

  get #clock(): LiveClock {
    const { clock } = this.#parts.house.tenant.lab;
    if (clock === undefined) throw refused("detail", "This run is not paced: its clock cannot be changed.");
    return clock;
  }

  /** Does something to the channels of the selected handsets. */
  #forChannels(
    of: string,
    kind: string,
    args: Readonly<Record<string, unknown>>,
    act: (channel: number, gateway: ControlGateway) => void,
  ): string {
    const { lab } = this.#parts.house.tenant;
    const channels = this.#channelsOf(of);
    lab.write({ kind, json: JSON.stringify({ of, ...args }) }, () => {
      for (const channel of channels) act(channel, lab.gateway);
    });
    return `${kind}: ${channels.length === 1 ? "1 channel" : `${channels.length} channels`}`;
  }

  #channelsOf(of: string): number[] {
    // A verb that names handsets only reads the selector with all its checks.
    const { input, problems } = readHand("sync", { of, now: true }, this.#parts.scenario.cast);
    if (input?.to !== "world" || !("of" in input.input)) {
      throw refused("of", problems[0]?.message ?? `'${of}' selects no handsets`);
    }
    const selector: Selector = input.input.of;
    return this.#parts.house.tenant.lab.world.population.channelsOf(selector);
  }

  /** What the lab itself refuses is the client's to hear. */
  async #asked<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      throw refused("detail", error.hint === undefined ? error.message : `${error.message}:\n${error.hint}`);
    }
  }
}

type ControlGateway = House["tenant"]["lab"]["gateway"];

function refused(field: string, message: string): ControlRefusal {
  return new ControlRefusal(400, [{ field, message }]);
}

function uuidsOf(reader: RecordingReader): ReadonlyMap<number, string> {
  return new Map([...reader.channels()].map(({ id, uuid }) => [id, uuid]));
}
