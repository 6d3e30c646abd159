import type { RequestCheck } from "../api/index.js";
import { type ExpectationView, ReportFiles, type RunView } from "../console/index.js";
import { Followers, type ServedLab, servedLabOf } from "../control/index.js";
import type { Happening, Lab } from "../lab/index.js";
import { growingSource } from "../past/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import { LabServer } from "./lab-server.js";
import { administrator, newToken } from "./tokens.js";

/** Options of the REST API and the control API of a run. */
export interface ApiAddress {
  /** 0: any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Token of an administrator; default: a random one. */
  readonly token?: string;
  /** Also refuses requests that real systems refuse although the reference does not say so. */
  readonly isStrict?: boolean;
  /** Whether the console's charts start with the run; by default they start when a page opens. */
  readonly keepsHistory?: boolean;
}

/** Facts of a run that the APIs need once its lab exists. */
interface RunFacts {
  /** The default delivery URL; null: none. */
  readonly receiver: string | null;
  readonly isBundled: boolean;
  /** The recording's file; null: it is in memory. */
  readonly file: string | null;
  readonly watch: WatchedRun | undefined;
}

/** The run, for the console. */
interface WatchedRun {
  view(): RunView;
  /** The judged expectations; undefined: the run is not over. */
  expectations(): readonly ExpectationView[] | undefined;
}

/**
 * The REST API and the control API of a run. They listen before the run starts, so that the receiver's command can get
 * their address. Requests before `serveLab` wait for the lab.
 */
export class RunApi {
  readonly token: string;
  /** Token of the control API. */
  readonly labToken: string = newToken();
  readonly #server: LabServer;
  readonly #followers = new Followers();
  readonly #reports = new ReportFiles();
  readonly #isAllowed: (url: string) => boolean;
  readonly #begun: Promise<ServedLab>;
  #begin: (lab: ServedLab) => void = () => undefined;
  #lab: ServedLab | undefined;
  #facts: RunFacts = { receiver: null, isBundled: false, file: null, watch: undefined };
  #isOver = false;

  private constructor(
    { host = "127.0.0.1", port, token = newToken(), isStrict = false, keepsHistory = false }: ApiAddress,
    { scenario, isAllowed }: { readonly scenario: Scenario; readonly isAllowed: (url: string) => boolean },
  ) {
    this.token = token;
    this.#isAllowed = isAllowed;
    this.#begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.#server = new LabServer({
      address: { host, port },
      labToken: this.labToken,
      tokens: [administrator(token)],
      control: {
        lab: () => this.#begunLab,
        settled: () => this.#begun,
        scenario: () => scenario,
        story: {
          scenario: () => scenario,
          refusal: () => "A run plays the scenario that it was started with. To choose another: handset serve SCENARIO",
          begin: () => Promise.reject(new Error("a run begins once")),
          results: () => this.#facts.watch?.expectations(),
          isRepeating: false,
        },
        followers: this.#followers,
        isStrict,
        receiver: () => this.#facts.receiver,
        isAllowed,
      },
      live: {
        mode: "run",
        keepsHistory,
        isBundledReceiver: () => this.#facts.isBundled,
        database: () => this.#facts.file,
        run: () => this.#facts.watch?.view(),
      },
      past: () => growingSource(this.#begunLab, this.#facts.file),
      // Before the run starts, requests do not pause its clock.
      beginRequest: (mayWrite) => this.#lab?.lab.beginRequest({ mayWrite }) ?? (() => undefined),
      reports: this.#reports,
      refusalOf: this.#refusalOf,
    });
  }

  /** @throws LabError `port-taken` */
  static async open(
    address: ApiAddress,
    run: { readonly scenario: Scenario; readonly isAllowed: (url: string) => boolean },
  ): Promise<RunApi> {
    const api = new RunApi(address, run);
    await api.#server.listen();
    return api;
  }

  get url(): string {
    return this.#server.url;
  }

  /** Adds a happening to the live log. */
  readonly happened = (happening: Happening): void => this.#followers.notify(happening);

  /** Starts to answer requests. */
  serveLab(lab: Lab, recording: Recording, facts: RunFacts): void {
    this.#facts = facts;
    this.#lab = servedLabOf({ lab, recording, isAllowed: this.#isAllowed, followers: this.#followers });
    this.#begin(this.#lab);
  }

  /** Marks the run as over: later requests can only read, and `handset do` no longer finds it. */
  async endRun(): Promise<void> {
    this.#server.withdraw();
    this.#isOver = true;
  }

  /** Serves a report's file to users of the console. @returns its path at this server */
  offerReport(file: string): string {
    return this.#reports.addReport(file);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** The lab, for requests that have awaited it. */
  get #begunLab(): ServedLab {
    if (this.#lab === undefined) throw new Error("the run has not begun");
    return this.#lab;
  }

  /** Refuses changes of a finished run. Refreshing its past is allowed, because it changes nothing. */
  readonly #refusalOf: RequestCheck = ({ method }, route) => {
    if (!this.#isOver || method === "GET" || method === "HEAD" || route === "/lab/past") return undefined;
    return { status: 409, detail: "The run is over: nothing can be changed any more." };
  };
}
