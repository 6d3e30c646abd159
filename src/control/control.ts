import { Throttle } from "../api/index.js";
import { type ClockStatus, performHand } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { EventLog } from "../store/index.js";
import { AccountReader } from "./account-reader.js";
import { AccountSnapshots, type ServedAccount } from "./account-snapshots.js";
import { MAX_PEOPLE_PER_REQUEST } from "./account/account-source.js";
import { type Loaded, loadSources } from "./account/load-source.js";
import { Channels } from "./channels.js";
import { LabChains } from "./chain/lab-chains.js";
import type { Followers } from "./followers.js";
import { LabNames } from "./lab-names.js";
import { HandsetReader } from "./phones/handset-reader.js";
import { PersonReader } from "./phones/person-reader.js";
import { PhoneLookup } from "./phones/phone-lookup.js";
import { ControlRefusal, refusal, refuseLabErrors } from "./refusal.js";
import type { ServedLab } from "./served-lab.js";
import { PlayedStory, type StoryStage } from "./story/played-story.js";
import { ScenarioFiles } from "./story/scenario-files.js";

/** What the control API needs to know. The functions are called at each request: the lab may be replaced. */
export interface ControlParts {
  readonly lab: () => ServedLab;
  /** The lab once no replacement is under way; default: `lab`. */
  readonly settled?: () => ServedLab | Promise<ServedLab>;
  readonly scenario: () => Scenario;
  readonly story: Omit<StoryStage, "lab" | "followers" | "files">;
  /** Its scenarios can be started; default: the working directory of the process. */
  readonly folder?: string;
  readonly followers: Followers;
  /** Requests to the REST API per hour and scope; default: no limit. */
  readonly throttle?: number;
  readonly isStrict: boolean;
  /** Where events go by default; null: nowhere. */
  readonly receiver: () => string | null;
  readonly isAllowed: (url: string) => boolean;
  /** The current token of an administrator of the REST API. */
  readonly apiToken: () => string;
  /** Called after an account file was loaded. */
  readonly onLoaded?: () => void;
  /** Absent: a run, whose account cannot be replaced. */
  readonly served?: ServedAccount;
}

/** What the routes of the control API act on. Virtual instants are milliseconds since the lab's start. */
export class Control {
  readonly parts: ControlParts;
  readonly story: PlayedStory;
  readonly throttle: Throttle;
  readonly handsetReader: HandsetReader;
  readonly personReader: PersonReader;
  readonly names: LabNames;
  readonly chains: LabChains;
  readonly channels: Channels;
  readonly snapshots: AccountSnapshots;
  /** The account file that is being loaded, and those before it. */
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
    this.chains = new LabChains(parts, this.names);
    this.channels = new Channels(parts);
    this.snapshots = new AccountSnapshots(parts);
  }

  get served(): ServedLab {
    return this.parts.lab();
  }

  get scenario(): Scenario {
    return this.parts.scenario();
  }

  /** The instant 0 of virtual time, in milliseconds since 1970. */
  get startsAtMs(): number {
    return this.scenario.cast.startsAtMs;
  }

  /** What the REST API does not tell about the account. */
  get account(): AccountReader {
    return new AccountReader(this.served.recording.tables);
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
    const { lab, settled = lab, onLoaded } = this.parts;
    // One after the other: a file may refer to what an earlier one adds.
    const load = this.#loads.then(async () => {
      const source = { kind: "text", file: "account", text, mostPeople: MAX_PEOPLE_PER_REQUEST } as const;
      const loaded = await refuseLabErrors(() => loadSources([source], async () => (await settled()).lab));
      onLoaded?.();
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
