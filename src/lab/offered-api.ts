import { randomBytes } from "node:crypto";
import { Access, type Desk, Throttle } from "../api/index.js";
import type { Recording } from "../store/index.js";
import { deskOf } from "./desk.js";
import { type Listening, listen } from "./http.js";
import type { Lab } from "./lab.js";
import { version } from "./version.js";

/** Where a run offers the REST API. */
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
 * The REST API beside a run. It listens before the run begins, so that the receiver can be told where; requests that
 * come too early wait for the lab.
 */
export class OfferedApi {
  readonly token: string;
  readonly #listening: Listening;
  readonly #offered: { lab?: Lab; desk: (desk: Desk) => void };

  private constructor(token: string, listening: Listening, offered: { lab?: Lab; desk: (desk: Desk) => void }) {
    this.token = token;
    this.#listening = listening;
    this.#offered = offered;
  }

  /** @throws LabError `port-taken` */
  static async open({ host = "127.0.0.1", port, token, isStrict = false }: ApiAddress): Promise<OfferedApi> {
    const known = token ?? randomBytes(20).toString("hex");
    const offered: { lab?: Lab; desk: (desk: Desk) => void } = { desk: () => undefined };
    const desk = new Promise<Desk>((resolve) => {
      offered.desk = resolve;
    });
    const access = new Access([{ role: "administrator", token: known, isActive: true }]);
    const listening = await listen(
      {
        version,
        desk: () => desk,
        access: () => access,
        throttle: new Throttle(undefined, () => performance.now()),
        isStrict: () => isStrict,
        entered: () => offered.lab?.idle.begin() ?? (() => undefined),
      },
      { host, port },
    );
    return new OfferedApi(known, listening, offered);
  }

  get url(): string {
    return this.#listening.url;
  }

  /** From now on requests are answered. */
  offer(lab: Lab, parts: { readonly recording: Recording; readonly isAllowed: (url: string) => boolean }): void {
    const { lists } = parts.recording.serve();
    this.#offered.lab = lab;
    this.#offered.desk(deskOf({ lab, lists, ...parts }));
  }

  close(): Promise<void> {
    return this.#listening.close();
  }
}
