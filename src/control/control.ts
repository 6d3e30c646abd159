import { Throttle } from "../api/index.js";
import { type ClockStatus, performHand } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { EventLog } from "../store/index.js";
import { formatTimestampZoned } from "../wire/index.js";
import { AccountReader } from "./account-reader.js";
import { AccountSnapshots } from "./account-snapshots.js";
import { MAX_PEOPLE_PER_REQUEST } from "./account/account-source.js";
import type { Loaded } from "../console/index.js";
import { loadSources } from "./account/load-source.js";
import { BugDesk } from "./bug/bug-desk.js";
import type { ControlParts } from "./control-parts.js";
import { ChannelHands } from "./channels.js";
import { LabChains } from "./chain/lab-chains.js";
import { LabNames } from "./lab-names.js";
import { HandsetReader } from "./phones/handset-reader.js";
import { PersonReader } from "./phones/person-reader.js";
import { PhoneLookup } from "./phones/phone-lookup.js";
import { ControlRefusal, refusal, refuseLabErrors } from "./refusal.js";
import type { ServedLab } from "./served-lab.js";
import { PlayedStory } from "./story/played-story.js";
import { ScenarioFiles } from "./story/scenario-files.js";

/** Operations of the control API on a lab. Virtual instants are milliseconds since the lab's start. */
export class Control {
  readonly parts: ControlParts;
  readonly story: PlayedStory;
  readonly throttle: Throttle;
  readonly handsetReader: HandsetReader;
  readonly personReader: PersonReader;
  readonly names: LabNames;
  readonly bugs: BugDesk;
  readonly chains: LabChains;
  readonly channels: ChannelHands;
  readonly snapshots: AccountSnapshots;
  /** Settles when all account files so far are loaded. */
  #loads: Promise<unknown> = Promise.resolve();

  constructor(parts: ControlParts) {
    const { followers, story, folder, throttle } = parts;
    const lookup = new PhoneLookup(parts);
    this.parts = parts;
    this.story = new PlayedStory({
      ...story,
      lab: () => this.served.lab,
      followers,
      files: new ScenarioFiles(folder),
    });
    this.throttle = new Throttle(throttle, () => performance.now());
    this.handsetReader = new HandsetReader(lookup);
    this.personReader = new PersonReader(lookup);
    this.names = new LabNames(parts, lookup);
    this.bugs = new BugDesk(parts);
    this.chains = new LabChains(parts, this.names);
    this.channels = new ChannelHands(parts, lookup);
    this.snapshots = new AccountSnapshots(parts);
  }

  get served(): ServedLab {
    return this.parts.lab();
  }

  /**
   * Waits until no replacement is under way. Use the lab in the same turn of the event loop: it may be replaced later.
   */
  async settled(): Promise<ServedLab> {
    const { lab, settled = lab } = this.parts;
    return settled();
  }

  get scenario(): Scenario {
    return this.parts.scenario();
  }

  /** The instant 0 of virtual time, in milliseconds since 1970. */
  get startsAtMs(): number {
    return this.scenario.cast.startsAtMs;
  }

  /** Reads account data that the REST API does not expose. */
  get account(): AccountReader {
    return new AccountReader(this.served.recording.tables, (atMs) => formatTimestampZoned(this.startsAtMs + atMs));
  }

  get log(): EventLog {
    return this.served.log;
  }

  clock(): ClockStatus {
    const { clock, nowMs } = this.served.lab;
    return clock?.status ?? { nowMs, speed: 0, isPaused: false };
  }

  /** Performs a story's step now. @returns a sentence. @throws ControlRefusal */
  perform(verb: string, args: unknown): string {
    const problems = performHand(this.served.lab, this.scenario, { verb, args });
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

  /** Adds an account file or an export to the account. @throws ControlRefusal */
  loadAccount(text: string): Promise<Loaded> {
    // Loads run one after the other, because a file may refer to objects of an earlier file.
    const load = this.#loads.then(async () => {
      const source = { kind: "text", file: "account", text, mostPeople: MAX_PEOPLE_PER_REQUEST } as const;
      const loaded = await refuseLabErrors(() => loadSources([source], async () => (await this.settled()).lab));
      this.parts.onLoaded?.();
      return loaded;
    });
    this.#loads = load.catch(() => undefined);
    return load;
  }

  /** @throws ControlRefusal */
  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string {
    const { lab, recording } = this.served;
    const resthook = recording.tables.resthooks.bySlug(slug.toLowerCase());
    if (resthook === undefined) throw refusal("resthook", `There is no resthook '${slug}'`);
    lab.write({ kind: "resthook", json: JSON.stringify({ slug, data }) }, () =>
      lab.account.resthooks.addEvent(resthook.slug, data),
    );
    return `${resthook.slug} was emitted`;
  }
}
