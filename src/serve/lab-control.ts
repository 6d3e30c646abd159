import type { Throttle } from "../api/index.js";
import { LabError, version } from "../base/index.js";
import {
  type ClockStatus,
  type Happening,
  type Lab,
  type LiveClock,
  recordClockChange,
  performHand,
} from "../lab/index.js";
import { type HandEntry, handReference, type Scenario, selectMembers, selectPeople } from "../scenario/index.js";
import type { AccountLists, EventLog, Losses, RecordingReader } from "../store/index.js";
import type { CallEventType } from "../wire/index.js";
import { type PeopleChoice, phoneOf } from "../world/index.js";
import type { Loaded } from "./account-source.js";
import { ServedAccountReader } from "./account-reader.js";
import {
  type AccountReader,
  type ChainReader,
  type ClockChange,
  type Control,
  ControlRefusal,
  type ExampleNames,
  type HandsetReader,
  type HandsetStatus,
  type LabNames,
  type LabStatus,
  type PastReader,
  type PersonReader,
  type PersonStatus,
  type StoryControl,
  type ThrottleStatus,
} from "./control/index.js";
import type { Followers } from "./followers.js";
import type { ServedLab } from "./lab-host.js";
import { ServedHandsetReader } from "./phones/handset-reader.js";
import { ServedPersonReader } from "./phones/person-reader.js";
import { PhoneLookup } from "./phones/phone-lookup.js";
import { LabChains } from "./chain/lab-chains.js";
import { CastLabNames } from "./lab-names.js";
import type { SnapshotNote, Snapshots } from "./snapshots.js";

/** What the control API needs of a run or of a served account. */
export interface ControlledLab {
  /** The lab now; restoring a snapshot replaces it. */
  readonly lab: () => ServedLab;
  readonly scenario: Scenario;
  readonly story: StoryControl;
  readonly throttle: Throttle;
  readonly snapshots: Snapshots;
  readonly followers: Followers;
  readonly isStrict: boolean;
  /** Where events go by default. */
  readonly receiver: () => string | null;
  readonly isAllowed: (url: string) => boolean;
  /** The current token of an administrator of the REST API. */
  readonly apiToken: () => string;
  /** Adds an account file or an export. */
  readonly load: (text: string) => Promise<Loaded>;
  /** The past of the recording; absent: there is none. */
  readonly past?: PastReader;
  /** Absent: a run, whose account cannot be replaced. */
  readonly served?: ServedAccount;
}

/** Operations of a served account that a run does not have: a run's snapshots cannot be restored. */
export interface ServedAccount {
  /** Path of the database; undefined: in memory. */
  readonly database: string | undefined;
  /** Why a snapshot cannot be restored; undefined: it can. */
  readonly misfitOf: (bytes: Uint8Array) => string | undefined;
  /** Replaces the account by a snapshot's account. */
  readonly restore: (bytes: Uint8Array) => Promise<void>;
}

/** The name of the snapshot that is taken when a server starts. */
export const START = "start";

/** The operations of the control API on a served account or on a run. */
export class LabControl implements Control {
  readonly exampleNames: ExampleNames;
  readonly handsetReader: HandsetReader;
  readonly personReader: PersonReader;
  readonly names: LabNames;
  readonly chains: ChainReader;
  readonly #parts: ControlledLab;

  constructor(parts: ControlledLab) {
    this.#parts = parts;
    const { cast } = parts.scenario;
    const lookup = new PhoneLookup(parts);
    this.handsetReader = new ServedHandsetReader(lookup);
    this.personReader = new ServedPersonReader(lookup);
    this.names = new CastLabNames(parts);
    this.chains = new LabChains(parts, this.names);
    const [person] = cast.people;
    this.exampleNames = {
      handset: `${cast.handsets[0]?.name ?? "clinic"}/0`,
      phone: person === undefined ? "+12065550100" : phoneOf(person.phone, 0),
    };
  }

  get verbs(): readonly HandEntry[] {
    return handReference(this.#parts.scenario.cast);
  }

  get story(): StoryControl {
    return this.#parts.story;
  }

  get startsAtMs(): number {
    return this.#parts.scenario.cast.startsAtMs;
  }

  get past(): PastReader | undefined {
    return this.#parts.past;
  }

  get lists(): AccountLists {
    return this.#parts.lab().lists;
  }

  get account(): AccountReader {
    return new ServedAccountReader(this.#parts.lab().recording.tables);
  }

  get losses(): Losses {
    return this.#parts.lab().conversations.losses;
  }

  get log(): EventLog {
    return this.#parts.lab().log;
  }

  isRetried(event: { readonly channel: number; readonly number: number }): boolean {
    return this.#parts.lab().lab.retryOf(event) !== undefined;
  }

  apiToken(): string {
    return this.#parts.apiToken();
  }

  status(): LabStatus {
    const { scenario, receiver, served, isStrict } = this.#parts;
    const { lab } = this.#parts.lab();
    const progress = lab.progress();
    return {
      name: scenario.name,
      version,
      seed: scenario.seed,
      receiver: receiver(),
      database: served?.database ?? null,
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
    const { clock, nowMs } = this.#parts.lab().lab;
    return clock?.status ?? { nowMs, speed: 0, isPaused: false };
  }

  async changeClock({ isPaused, speed, stepMs }: ClockChange): Promise<ClockStatus> {
    this.#parts.story.releaseClock();
    const clock = this.#clock;
    if (stepMs !== undefined && !(isPaused ?? clock.status.isPaused)) {
      throw refused("step", "The clock runs: pause it first, then step it.");
    }
    recordClockChange(this.#parts.lab().lab, { isPaused, speed, stepMs });
    if (speed !== undefined) clock.setSpeed(speed);
    if (isPaused === true) clock.pause();
    if (isPaused === false) clock.resume();
    if (stepMs !== undefined) await this.#withLabErrors(() => clock.step(stepMs));
    return clock.status;
  }

  perform(verb: string, args: unknown): string {
    const problems = performHand(this.#parts.lab().lab, this.#parts.scenario, { verb, args });
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
    const { lab, recording } = this.#parts.lab();
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
    const { world } = this.#parts.lab().lab;
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

  logCall(call: { of: string; phone: string; type: CallEventType; durationS: number; timeMs?: number }): string {
    const { of, phone: from, type, durationS } = call;
    const { lab } = this.#parts.lab();
    const { timeMs = this.startsAtMs + lab.nowMs } = call;
    const callers = this.#callersOf(from);
    return this.#forChannels(of, "call", { phone: from, type, durationS, timeMs }, (channel, gateway) => {
      const phones =
        "number" in callers
          ? [callers.number]
          : lab.world.population.peopleOf(callers).map((one) => lab.world.population.phoneOfPerson(one));
      for (const phone of phones) gateway.logCall(channel, { type, phone, timeMs, durationS });
    });
  }

  /** The people at the other end of a logged call, or a short code or sender name that belongs to no phone. */
  #callersOf(from: string): PeopleChoice | { readonly number: string } {
    const selected = selectPeople(from, this.#parts.scenario.cast);
    if ("choice" in selected) return selected.choice;
    if (/^[\w ]{1,11}$/.test(from)) return { number: from };
    throw refused("phone", `'phone' ${selected.message}`);
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

  snapshots(): readonly SnapshotNote[] {
    return this.#parts.snapshots.list();
  }

  saveSnapshot(name: string): SnapshotNote {
    const { lab, recording } = this.#parts.lab();
    lab.gateway.saveChannels();
    return this.#parts.snapshots.save(name, lab.nowMs, recording.snapshot());
  }

  async restoreSnapshot(name: string): Promise<void> {
    const bytes = this.#parts.snapshots.read(name);
    if (bytes === undefined) throw this.#noSnapshot(name);
    const { served } = this.#parts;
    if (served === undefined) throw unrestorable(name, "a run does not go back");
    const misfit = served.misfitOf(bytes);
    if (misfit !== undefined) throw unrestorable(name, misfit);
    await served.restore(bytes);
  }

  dropSnapshot(name: string): void {
    if (!this.#parts.snapshots.drop(name)) throw this.#noSnapshot(name);
  }

  #noSnapshot(name: string): ControlRefusal {
    const names = this.#parts.snapshots.list().map((one) => one.name);
    const message = `There is no snapshot '${name}'; there are: ${names.join(", ") || "none"}`;
    return new ControlRefusal(404, [{ field: "detail", message }]);
  }

  loadAccount(text: string): Promise<Loaded> {
    return this.#withLabErrors(() => this.#parts.load(text));
  }

  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string {
    const { lab, recording } = this.#parts.lab();
    const resthook = recording.tables.resthooks.bySlug(slug.toLowerCase());
    if (resthook === undefined) throw refused("resthook", `There is no resthook '${slug}'`);
    lab.write({ kind: "resthook", json: JSON.stringify({ slug, data }) }, () =>
      lab.account.resthooks.addEvent(resthook.slug, data),
    );
    return `${resthook.slug} was emitted`;
  }

  notifyOfAct(text: string): void {
    this.#parts.followers.notify({ kind: "hand", atMs: this.#parts.lab().lab.nowMs, text });
  }

  follow(listener: (happening: Happening) => void): () => void {
    return this.#parts.followers.follow(listener);
  }

  get #clock(): LiveClock {
    const { clock } = this.#parts.lab().lab;
    if (clock === undefined) throw refused("detail", "This run is not paced: its clock cannot be changed.");
    return clock;
  }

  /** Applies `act` to the channels of the selected handsets, recorded as one input. @returns a sentence */
  #forChannels(
    of: string,
    kind: string,
    args: Readonly<Record<string, unknown>>,
    act: (channel: number, gateway: ControlGateway) => void,
  ): string {
    const { lab } = this.#parts.lab();
    const channels = this.channelsOf(of);
    lab.write({ kind, json: JSON.stringify({ of, ...args }) }, () => {
      for (const channel of channels) act(channel, lab.gateway);
    });
    return `${kind}: ${channels.length === 1 ? "1 channel" : `${channels.length} channels`}`;
  }

  /** The channels of the selected handsets. @throws ControlRefusal */
  channelsOf(of: string): number[] {
    const selected = selectMembers(of, "handsets", this.#parts.scenario.cast);
    if ("message" in selected) throw refused("of", `'of' ${selected.message}`);
    return this.#parts.lab().lab.world.population.channelsOf(selected.selector);
  }

  /** Turns a LabError of `act` into a ControlRefusal. */
  async #withLabErrors<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      throw refused("detail", error.hint === undefined ? error.message : `${error.message}:\n${error.hint}`);
    }
  }
}

type ControlGateway = Lab["gateway"];

function refused(field: string, message: string): ControlRefusal {
  return new ControlRefusal(400, [{ field, message }]);
}

function unrestorable(name: string, why: string): ControlRefusal {
  return new ControlRefusal(409, [{ field: "detail", message: `The snapshot '${name}' cannot be restored: ${why}` }]);
}

function uuidsOf(reader: RecordingReader): ReadonlyMap<number, string> {
  return new Map([...reader.channels()].map(({ id, uuid }) => [id, uuid]));
}
