import { randomBytes } from "node:crypto";
import { Authenticator, type ApiContext, Throttle } from "../api/index.js";
import { version } from "../base/index.js";
import type { Happening, Lab } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import { loadSource, mostPeopleAtOnce } from "./account-source.js";
import { deskOf } from "./api-context.js";
import { LabControl } from "./lab-control.js";
import type { Tenant } from "./lab-host.js";
import { listen, type Listening } from "./listen.js";
import { announceWhereFound } from "./running.js";
import { Snapshots } from "./snapshots.js";

/** Where a run offers the REST API and the control API. */
export interface ApiAddress {
  /** 0: a free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Of an administrator; default: one that is made up. */
  readonly token?: string;
  /** Refuses what real systems refuse beyond the reference. */
  readonly isStrict?: boolean;
}

/**
 * The REST API and the control API beside a run. They listen before the run begins, so that the receiver can be told
 * where; requests that come too early wait for the lab.
 */
export class OfferedApi {
  readonly token: string;
  /** Of the control API. */
  readonly labToken: string;
  /** Told of everything that happens: the live log. */
  readonly happened: (happening: Happening) => void;
  readonly #listening: Listening;
  readonly #offered: Offered;
  readonly #conceal: () => void;

  private constructor(
    offered: Offered,
    parts: {
      readonly token: string;
      readonly labToken: string;
      readonly name: string;
      readonly listening: Listening;
      readonly happened: (happening: Happening) => void;
    },
  ) {
    this.#offered = offered;
    this.token = parts.token;
    this.labToken = parts.labToken;
    this.happened = parts.happened;
    this.#listening = parts.listening;
    this.#conceal = announceWhereFound({ url: parts.listening.url, token: parts.labToken, name: parts.name });
  }

  /** @throws LabError `port-taken` */
  static async open(
    { host = "127.0.0.1", port, token = newToken(), isStrict = false }: ApiAddress,
    { scenario, isAllowed }: { readonly scenario: Scenario; readonly isAllowed: (url: string) => boolean },
  ): Promise<OfferedApi> {
    const labToken = newToken();
    const offered = new Offered();
    const followers = new Set<(happening: Happening) => void>();
    const throttle = new Throttle(undefined, () => performance.now());
    const access = accessWith(token);
    const listening = await listen(
      {
        version,
        context: () => offered.desk,
        authenticator: () => access,
        throttle,
        isStrict: () => isStrict,
        beginRequest: (mayWrite) => offered.lab?.beginRequest({ mayWrite }) ?? (() => undefined),
      },
      { host, port },
      {
        access: accessWith(labToken),
        control: new LabControl({
          house: {
            get tenant() {
              return offered.tenant;
            },
            replace: () => Promise.reject(new Error(noWayBack)),
          },
          scenario,
          throttle,
          snapshots: new Snapshots(undefined),
          isStrict,
          get receiver() {
            return offered.receiver;
          },
          database: undefined,
          isAllowed,
          recordingOf: () => {
            throw new Error(noWayBack);
          },
          misfitOf: () => noWayBack,
          restored: () => undefined,
          load: (text) => {
            const source = { kind: "text", file: "account", text, mostPeople: mostPeopleAtOnce } as const;
            return loadSource(source, () => offered.tenant.lab);
          },
          followers,
        }),
      },
    );
    const happened = (happening: Happening): void => {
      for (const follower of followers) follower(happening);
    };
    return new OfferedApi(offered, { token, labToken, name: scenario.name, listening, happened });
  }

  get url(): string {
    return this.#listening.url;
  }

  /** From now on requests are answered. @param parts - `receiver`: where events go by default; null: nowhere */
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
    const desk = deskOf({ lab, lists, recording, isAllowed, happened: this.happened });
    this.#offered.fill({ lab, recording, lists, log, desk }, receiver);
  }

  close(): Promise<void> {
    this.#conceal();
    return this.#listening.close();
  }
}

/** What is asked for as soon as the server listens, and is there when the run begins. */
class Offered {
  readonly desk: Promise<ApiContext>;
  receiver: string | null = null;
  #tenant: Tenant | undefined;
  #filled: (desk: ApiContext) => void = () => undefined;

  constructor() {
    this.desk = new Promise((resolve) => {
      this.#filled = resolve;
    });
  }

  get lab(): Lab | undefined {
    return this.#tenant?.lab;
  }

  /** Whoever has waited for the desk finds it. */
  get tenant(): Tenant {
    if (this.#tenant === undefined) throw new Error("the run has not begun");
    return this.#tenant;
  }

  fill(tenant: Tenant, receiver: string | null): void {
    this.#tenant = tenant;
    this.receiver = receiver;
    this.#filled(tenant.desk);
  }
}

const noWayBack = "a run does not go back";

function newToken(): string {
  return randomBytes(20).toString("hex");
}

function accessWith(token: string): Authenticator {
  return new Authenticator([{ role: "administrator", token, isActive: true }]);
}
