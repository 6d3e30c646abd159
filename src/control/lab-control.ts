import type { Throttle } from "../api/index.js";
import { LabError, version } from "../base/index.js";
import { type ClockStatus, type Happening, type LiveClock, recordClockChange, performHand } from "../lab/index.js";
import { type HandEntry, handReference, type Scenario } from "../scenario/index.js";
import type { AccountLists, EventLog, Losses, RecordingReader } from "../store/index.js";
import { phoneOf } from "../world/index.js";
import type { Loaded } from "./account/load-source.js";
import { ServedAccountReader } from "./account-reader.js";
import type { AccountReader } from "./account-port.js";
import {
  type ChainReader,
  type ClockChange,
  type Control,
  ControlRefusal,
  type ExampleNames,
  type HandsetStatus,
  type LabNames,
  type LabStatus,
  type PersonStatus,
  refusal,
  type SnapshotControl,
  type ThrottleStatus,
} from "./port.js";
import type { HandsetReader, PersonReader } from "./phones-port.js";
import type { PastReader } from "./past-port.js";
import type { StoryControl } from "./story-port.js";
import type { Followers } from "./followers.js";
import type { ServedLab } from "./served-lab.js";
import { ServedHandsetReader } from "./phones/handset-reader.js";
import { ServedPersonReader } from "./phones/person-reader.js";
import { PhoneLookup } from "./phones/phone-lookup.js";
import { LabChains } from "./chain/lab-chains.js";
import { CastLabNames } from "./lab-names.js";
import { ServedChannels } from "./served-channels.js";
import { type ServedAccount, ServedSnapshots } from "./served-snapshots.js";
import type { Snapshots } from "./snapshots.js";

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

/** The operations of the control API on a served account or on a run. */
export class LabControl implements Control {
  readonly exampleNames: ExampleNames;
  readonly handsetReader: HandsetReader;
  readonly personReader: PersonReader;
  readonly names: LabNames;
  readonly chains: ChainReader;
  readonly channels: ServedChannels;
  readonly snapshots: SnapshotControl;
  readonly #parts: ControlledLab;
  /** The account file that is being loaded, and those before it. */
  #loads: Promise<void> = Promise.resolve();

  constructor(parts: ControlledLab) {
    this.#parts = parts;
    const { cast } = parts.scenario;
    const lookup = new PhoneLookup(parts);
    this.handsetReader = new ServedHandsetReader(lookup);
    this.personReader = new ServedPersonReader(lookup);
    this.names = new CastLabNames(parts, lookup);
    this.chains = new LabChains(parts, this.names);
    this.channels = new ServedChannels(parts);
    this.snapshots = new ServedSnapshots(parts);
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
      throw refusal("step", "The clock runs: pause it first, then step it.");
    }
    recordClockChange(this.#parts.lab().lab, { isPaused, speed, stepMs });
    if (speed !== undefined) clock.setSpeed(speed);
    if (isPaused === true) clock.pause();
    if (isPaused === false) clock.resume();
    if (stepMs !== undefined) {
      await this.#withLabErrors(() => clock.step(stepMs));
      this.#parts.lab().lab.recordReachedTime();
    }
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

  loadAccount(text: string): Promise<Loaded> {
    // One after the other: a file may refer to what an earlier one adds.
    const load = this.#loads.then(() => this.#withLabErrors(() => this.#parts.load(text)));
    this.#loads = load.then(
      () => undefined,
      () => undefined,
    );
    return load;
  }

  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string {
    const { lab, recording } = this.#parts.lab();
    const resthook = recording.tables.resthooks.bySlug(slug.toLowerCase());
    if (resthook === undefined) throw refusal("resthook", `There is no resthook '${slug}'`);
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
    if (clock === undefined) throw refusal("detail", "This run is not paced: its clock cannot be changed.");
    return clock;
  }

  /** Turns a LabError of `act` into a ControlRefusal. */
  async #withLabErrors<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      throw refusal("detail", error.hint === undefined ? error.message : `${error.message}:\n${error.hint}`);
    }
  }
}

function uuidsOf(reader: RecordingReader): ReadonlyMap<number, string> {
  return new Map([...reader.channels()].map(({ id, uuid }) => [id, uuid]));
}
