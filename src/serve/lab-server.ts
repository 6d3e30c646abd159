import { type ApiOptions, Authenticator, type RequestCheck } from "../api/index.js";
import {
  CONSOLE_PATH,
  consoleStream,
  foreignPageRefusal,
  type LivePicture,
  type OwnNames,
  type ReportFiles,
  serveConsolePage,
} from "../console/index.js";
import {
  admits,
  Control,
  controlServer,
  type ControlParts,
  LabReadings,
  type LiveParts,
  LiveView,
  streamUpgrade,
} from "../control/index.js";
import { answerMoments, Past, pastRoutes, type PastSource } from "../past/index.js";
import { answerUpgrades, prefixOf } from "../servers/index.js";
import { redactedUrl, type TokenData } from "../wire/index.js";
import { type ListenAddress, listenAt, type AddressPurpose } from "./address.js";
import { announceIfPossible } from "./announcements.js";
import { administratorTokenIn, authenticatorOf } from "./tokens.js";

/** The purpose of a server's address. */
export const serving: AddressPurpose = {
  verb: "listen",
  hint: (isTaken) =>
    isTaken ? "something else listens there: choose another with --port" : "choose another host or port",
};

/** Options of a server of a lab. */
export interface LabServerOptions {
  readonly address: ListenAddress;
  /** Additional host names of the server, beside localhost, IP addresses and its host. */
  readonly ownHosts?: readonly string[];
  /** URL at which clients reach it through a proxy. */
  readonly publicUrl?: string;
  /** Token of the control API. */
  readonly labToken: string;
  /** Tokens of the REST API. */
  readonly tokens: readonly TokenData[];
  readonly control: Omit<ControlParts, "apiToken">;
  readonly live: Omit<LiveParts, "ready">;
  readonly past: () => PastSource;
  readonly beginRequest?: ApiOptions["beginRequest"];
  /** Reports to serve; absent: none. */
  readonly reports?: ReportFiles;
  /** Refuses some requests, whatever their tokens; default: none. */
  readonly refusalOf?: RequestCheck;
}

/**
 * The REST API, the control API, the past and the console of a served lab or of a run. The caller creates the lab,
 * before or after the server listens, and may replace it.
 */
export class LabServer {
  readonly control: Control;
  readonly #options: LabServerOptions;
  readonly #past: Past;
  #tokens: readonly TokenData[] = [];
  #authenticator = new Authenticator([]);
  #url: string | undefined;
  #pictures: () => readonly LivePicture[] = () => [];
  #stop: () => Promise<void> = () => Promise.resolve();
  #withdraw: () => void = () => undefined;

  constructor(options: LabServerOptions) {
    this.#options = options;
    this.control = new Control({ ...options.control, apiToken: () => administratorTokenIn(this.#tokens) ?? "" });
    this.#past = new Past(options.past, {
      groups: () => new LabReadings(() => this.control.served.lab).groups(),
      receiver: () => {
        const url = options.control.receiver();
        return url === null ? null : redactedUrl(url);
      },
      pictures: () => this.#pictures(),
    });
    this.setTokens(options.tokens);
  }

  /** Without a trailing slash. */
  get url(): string {
    if (this.#url === undefined) throw new Error("the server does not listen");
    return this.#url;
  }

  /** The tokens of the REST API. */
  get tokens(): readonly TokenData[] {
    return this.#tokens;
  }

  /** Replaces the tokens that the REST API accepts. */
  setTokens(tokens: readonly TokenData[]): void {
    this.#tokens = tokens;
    this.#authenticator = new Authenticator(tokens);
  }

  /**
   * Listens, and announces the lab to `handset do`.
   *
   * @throws LabError `port-taken` when the server cannot listen at the address
   */
  async listen(): Promise<void> {
    const { address, ownHosts, publicUrl, labToken, live, reports, beginRequest, ...options } = this.#options;
    const { control } = this;
    const past = this.#past;
    const access = authenticatorOf(labToken);
    const own: OwnNames = {
      hosts: [address.host, ...(ownHosts ?? [])],
      publicUrl,
      option: ownHosts === undefined ? undefined : "--own-host NAME",
    };
    const isForeign: RequestCheck = (request, route) => foreignPageRefusal(request, route, own);
    const authenticator = (): Authenticator => this.#authenticator;
    const server = await controlServer(control, {
      access,
      authenticator,
      moreRoutes: pastRoutes(past),
      publicUrl,
      beginRequest,
      refusalOf: (request, route) => isForeign(request, route) ?? options.refusalOf?.(request, route),
      home: `${CONSOLE_PATH}/`,
      extraRoutes(to) {
        answerMoments(to, { control, past, access, apiAccess: authenticator, publicUrl });
        serveConsolePage(to, { reports, publicUrl });
      },
    });
    const prefix = publicUrl === undefined ? "" : prefixOf(publicUrl);
    const lab = new LiveView(control, { ...live, ready: control.settled() });
    const page = await consoleStream({
      lab,
      prefix,
      admits: (token) => admits(access, `Token ${token}`),
      refusalOf: isForeign,
    });
    this.#pictures = () => page.pictures();
    const streams = [await streamUpgrade({ control, access, prefix, refusalOf: isForeign }), page];
    answerUpgrades(server.server, ...streams);
    this.#url = await listenAt(server, address, serving);
    this.#stop = async () => {
      for (const stream of streams) stream.close();
      await server.close();
    };
    this.announce();
  }

  /** Announces the lab under the name of its scenario. */
  announce(): void {
    this.withdraw();
    const { labToken } = this.#options;
    this.#withdraw = announceIfPossible({ url: this.url, token: labToken, name: this.control.scenario.name });
  }

  /** Removes the announcement, so that `handset do` no longer finds the lab. */
  withdraw(): void {
    this.#withdraw();
  }

  /** Stops listening and ends all connections. May be called twice. */
  async close(): Promise<void> {
    this.withdraw();
    await this.#stop();
    this.control.bugs.stop();
    await this.#past.close();
    this.control.story.close();
  }
}
