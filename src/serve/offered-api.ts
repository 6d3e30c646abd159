import { type ApiContext, Throttle } from "../api/index.js";
import { version } from "../base/index.js";
import type { Happening, Lab } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import { loadSource, MAX_PEOPLE_PER_REQUEST } from "./account-source.js";
import { apiContextOf } from "./api-context.js";
import { Followers } from "./followers.js";
import { LabControl } from "./lab-control.js";
import type { ServedLab } from "./lab-host.js";
import { listen, type Listening } from "./listen.js";
import { announceIfPossible } from "./running-labs.js";
import { Snapshots } from "./snapshots.js";
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
  readonly #offered: OfferedLab;
  readonly #withdraw: () => void;

  private constructor(
    offered: OfferedLab,
    parts: {
      readonly token: string;
      readonly labToken: string;
      readonly name: string;
      readonly listening: Listening;
    },
  ) {
    this.#offered = offered;
    this.token = parts.token;
    this.labToken = parts.labToken;
    this.#listening = parts.listening;
    this.#withdraw = announceIfPossible({ url: parts.listening.url, token: parts.labToken, name: parts.name });
  }

  /** @throws LabError `port-taken` */
  static async open(
    { host = "127.0.0.1", port, token = newToken(), isStrict = false }: ApiAddress,
    { scenario, isAllowed }: { readonly scenario: Scenario; readonly isAllowed: (url: string) => boolean },
  ): Promise<OfferedApi> {
    const labToken = newToken();
    const offered = new OfferedLab();
    const throttle = new Throttle(undefined, () => performance.now());
    const authenticator = authenticatorOf(token);
    const control = new LabControl({
      lab: () => offered.lab,
      scenario,
      throttle,
      snapshots: new Snapshots(undefined),
      followers: offered.followers,
      isStrict,
      receiver: () => offered.receiver,
      isAllowed,
      load: (text) => {
        const source = { kind: "text", file: "account", text, mostPeople: MAX_PEOPLE_PER_REQUEST } as const;
        return loadSource(source, () => offered.lab.lab);
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
      { access: authenticatorOf(labToken), control },
    );
    return new OfferedApi(offered, { token, labToken, name: scenario.name, listening });
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
      readonly isAllowed: (url: string) => boolean;
    },
  ): void {
    const { recording, receiver, isAllowed } = parts;
    const { lists, log } = recording.prepareToServe();
    const { followers } = this.#offered;
    const context = apiContextOf({ lab, lists, recording, isAllowed, followers });
    this.#offered.fill({ lab, recording, lists, log, context }, receiver);
  }

  close(): Promise<void> {
    this.#withdraw();
    return this.#listening.close();
  }
}

/** The lab of a run: requests may come before it is made. */
class OfferedLab {
  readonly followers: Followers = new Followers();
  /** Resolves when the lab is there. */
  readonly context: Promise<ApiContext>;
  receiver: string | null = null;
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

  fill(lab: ServedLab, receiver: string | null): void {
    this.#lab = lab;
    this.receiver = receiver;
    this.#resolveContext(lab.context);
  }
}
