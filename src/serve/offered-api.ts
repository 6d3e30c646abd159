import { type ApiContext, type RequestCheck, Throttle } from "../api/index.js";
import { packageFile, version } from "../base/index.js";
import { type ExpectationView, ReportFiles, type RunView } from "../console/index.js";
import type { Happening, Lab } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import {
  MAX_PEOPLE_PER_REQUEST,
  loadSources,
  apiContextOf,
  ServedConsoleLab,
  Followers,
  LabControl,
  Snapshots,
  PlayedStory,
  ScenarioFiles,
  type ServedLab,
} from "../control/index.js";
import { listen, type Listening } from "./listen.js";
import { announceIfPossible } from "./running-labs.js";
import { growingSource, Past } from "../past/index.js";
import { authenticatorOf, newToken } from "./tokens.js";

/** Where a run offers the REST API and the control API. */
export interface ApiAddress {
  /** 0: any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Token of an administrator; default: a random one. */
  readonly token?: string;
  /** Refuses also what real systems refuse without the reference saying so. */
  readonly isStrict?: boolean;
  /** The console's charts begin with the run, whenever a page opens; default: with the page. */
  readonly keepsSeries?: boolean;
}

/**
 * The REST API and the control API of a run. They listen before the run begins, so that the receiver's command can get
 * their address; requests that come before `offer` wait for the lab.
 */
export class OfferedApi {
  readonly token: string;
  /** Token of the control API. */
  readonly labToken: string;
  readonly #listening: Listening;
  readonly #past: Past;
  readonly #offered: OfferedLab;
  readonly #reports: ReportFiles;
  readonly #withdraw: () => void;

  private constructor(
    offered: OfferedLab,
    reports: ReportFiles,
    parts: {
      readonly token: string;
      readonly labToken: string;
      readonly name: string;
      readonly listening: Listening;
      readonly past: Past;
    },
  ) {
    this.#offered = offered;
    this.#reports = reports;
    this.token = parts.token;
    this.labToken = parts.labToken;
    this.#listening = parts.listening;
    this.#past = parts.past;
    this.#withdraw = announceIfPossible({ url: parts.listening.url, token: parts.labToken, name: parts.name });
  }

  /** @throws LabError `port-taken` */
  static async open(
    { host = "127.0.0.1", port, token = newToken(), isStrict = false, keepsSeries = false }: ApiAddress,
    { scenario, isAllowed }: { readonly scenario: Scenario; readonly isAllowed: (url: string) => boolean },
  ): Promise<OfferedApi> {
    const labToken = newToken();
    const offered = new OfferedLab();
    const reports = new ReportFiles();
    const throttle = new Throttle(undefined, () => performance.now());
    const authenticator = authenticatorOf(token);
    const story = new PlayedStory({
      lab: () => offered.lab.lab,
      scenario: () => scenario,
      followers: offered.followers,
      files: new ScenarioFiles({ bundled: packageFile("scenarios"), here: process.cwd() }),
      refusal: () => "A run plays the scenario that it was started with. To choose another: handset serve SCENARIO",
      begin: () => Promise.reject(new Error("a run begins once")),
      results: () => offered.results,
      isRepeating: false,
    });
    const past = new Past(() => growingSource(offered.lab, offered.file));
    const control = new LabControl({
      lab: () => offered.lab,
      past,
      scenario,
      story,
      throttle,
      snapshots: new Snapshots(undefined),
      followers: offered.followers,
      isStrict,
      receiver: () => offered.receiver,
      isAllowed,
      apiToken: () => token,
      load: (text) => {
        const source = { kind: "text", file: "account", text, mostPeople: MAX_PEOPLE_PER_REQUEST } as const;
        return loadSources([source], () => offered.lab.lab);
      },
    });
    const listening = await listen(
      {
        version,
        context: () => offered.context,
        authenticator: () => authenticator,
        throttle,
        isStrict: () => isStrict,
        beginRequest: (mayWrite) => offered.beginRequest(mayWrite),
      },
      { host, port },
      {
        access: authenticatorOf(labToken),
        control,
        shown: offered.shown(scenario, { story, keepsSeries }),
        reports,
        refusalOf: offered.refusalOf,
      },
    );
    return new OfferedApi(offered, reports, { token, labToken, name: scenario.name, listening, past });
  }

  get url(): string {
    return this.#listening.url;
  }

  /** Adds a happening to the live log. */
  readonly happened = (happening: Happening): void => this.#offered.followers.notify(happening);

  /** Answers requests from now on. @param parts - `receiver`: where events go by default; null: nowhere */
  offer(
    lab: Lab,
    parts: {
      readonly recording: Recording;
      readonly receiver: string | null;
      readonly isBundled: boolean;
      /** The recording's file; null: it is in memory. */
      readonly file: string | null;
      readonly isAllowed: (url: string) => boolean;
      readonly watch: WatchedRun;
    },
  ): void {
    const { recording, receiver, isBundled, file, isAllowed, watch } = parts;
    const { lists, log, conversations } = recording.prepareToServe();
    const { followers } = this.#offered;
    const context = apiContextOf({ lab, lists, recording, isAllowed, followers });
    this.#offered.fill({ lab, recording, lists, log, conversations, context }, { receiver, isBundled, file, watch });
  }

  /** The run is over: from now on requests read, and change nothing. `handset do` no longer finds it. */
  async endRun(): Promise<void> {
    this.#withdraw();
    this.#offered.end();
  }

  /** Serves a report's file to those who see the console. @returns its path at this server */
  offerReport(file: string): string {
    return this.#reports.offer(file);
  }

  async close(): Promise<void> {
    this.#withdraw();
    await this.#past.close();
    await this.#listening.close();
  }
}

/** How a run stands, for the console. */
interface WatchedRun {
  view(): RunView;
  /** Undefined: the run still plays. */
  expectations(): readonly ExpectationView[] | undefined;
}

/** What is known of a run when its lab is made. */
interface OfferedFacts {
  /** Where events go by default; null: nowhere. */
  readonly receiver: string | null;
  readonly isBundled: boolean;
  readonly file: string | null;
  readonly watch: WatchedRun | undefined;
}

/** The lab of a run: requests may come before it is made. */
class OfferedLab {
  readonly followers: Followers = new Followers();
  /** Resolves when the lab is there. */
  readonly context: Promise<ApiContext>;
  #facts: OfferedFacts = { receiver: null, isBundled: false, file: null, watch: undefined };
  #isOver = false;
  #lab: ServedLab | undefined;
  #resolveContext: (context: ApiContext) => void = () => undefined;

  constructor() {
    this.context = new Promise((resolve) => {
      this.#resolveContext = resolve;
    });
  }

  /** For requests that have awaited `context`. */
  get lab(): ServedLab {
    if (this.#lab === undefined) throw new Error("the run has not begun");
    return this.#lab;
  }

  /** @returns ends the request; before the run begins, requests do not hold its clock */
  beginRequest(mayWrite: boolean): () => void {
    return this.#lab?.lab.beginRequest({ mayWrite }) ?? (() => undefined);
  }

  get receiver(): string | null {
    return this.#facts.receiver;
  }

  /** The recording's file; null: it is in memory. */
  get file(): string | null {
    return this.#facts.file;
  }

  /** The expectations of a run that is over. */
  get results(): readonly ExpectationView[] | undefined {
    return this.#facts.watch?.expectations();
  }

  /** The run as the console shows it. */
  shown(
    scenario: Scenario,
    { story, keepsSeries }: { readonly story: PlayedStory; readonly keepsSeries: boolean },
  ): ServedConsoleLab {
    return new ServedConsoleLab({
      ready: this.context,
      lab: () => this.lab.lab,
      scenario,
      followers: this.followers,
      mode: "run",
      keepsSeries,
      receiver: () => this.#facts.receiver,
      isBundledReceiver: () => this.#facts.isBundled,
      database: () => this.#facts.file,
      story: () => story.view(),
      run: () => this.#facts.watch?.view(),
      hasPast: true,
    });
  }

  /** The run is over: what it has recorded stays as it is. */
  end(): void {
    this.#isOver = true;
  }

  /** Refuses changes of a run that is over. Reading its past again changes nothing. */
  readonly refusalOf: RequestCheck = ({ method }, route) => {
    if (!this.#isOver || method === "GET" || method === "HEAD" || route === "/lab/past") return undefined;
    return { status: 409, detail: "The run is over: nothing can be changed any more." };
  };

  fill(lab: ServedLab, facts: OfferedFacts): void {
    this.#lab = lab;
    this.#facts = facts;
    this.#resolveContext(lab.context);
  }
}
