import type { AddressInfo } from "node:net";
import { Authenticator, apiServer, Throttle } from "../../../api/index.js";
import { LabError, version } from "../../../base/index.js";
import { type AccountSource, Followers, loadSources, servedLabOf } from "../../../control/index.js";
import { Lab, prepareScenarioFakes } from "../../../lab/index.js";
import { scenario as buildScenario } from "../../../scenario/index.js";
import { Recording } from "../../../store/index.js";
import type { EffectsSource } from "../effects.js";
import { readAccountEffects } from "./account-effects.js";

/** Where the service of an audit is reached, and what its account has. */
export interface AuditServiceOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Token of an administrator. */
  readonly token: string;
  /** Account files with the flows, groups and fields that the receiver expects. */
  readonly accounts: readonly AccountSource[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** The numbers of its two handsets, whose channels are 1 and 2. */
  readonly phones: readonly [string, string];
  readonly isAllowed: (url: string) => boolean;
}

/** Requests of all clients. */
interface SeenRequests {
  requests: number;
  /** Ended ones that may change the account. */
  writes: number;
  /** Those of them that have no answer yet. */
  writing: number;
}

/**
 * The emulated service of an audit, at whose REST API a receiver acts. Its clock stands still, so nothing changes but by
 * requests: a broadcast stays queued, a flow start pending.
 */
export class AuditService implements EffectsSource {
  readonly name = "the account of the emulated service";
  readonly url: string;
  readonly token: string;
  readonly #lab: Lab;
  readonly #server: Awaited<ReturnType<typeof apiServer>>;
  readonly #recording: Recording;
  readonly #seen: SeenRequests;
  /** Reads of our own, which count as requests as well. */
  #ownReads = 0;
  #text: string | undefined;
  #readAt = -1;
  #isChanged = false;

  private constructor(parts: {
    readonly lab: Lab;
    readonly server: Awaited<ReturnType<typeof apiServer>>;
    readonly recording: Recording;
    readonly seen: SeenRequests;
    readonly token: string;
  }) {
    this.#lab = parts.lab;
    this.#server = parts.server;
    this.#recording = parts.recording;
    this.#seen = parts.seen;
    this.token = parts.token;
    this.url = `http://127.0.0.1:${(parts.server.server.address() as AddressInfo).port}`;
  }

  /** Starts it. @throws LabError `port-taken`, `bad-account` */
  static async open({ port, token, accounts, nowMs, phones, isAllowed }: AuditServiceOptions): Promise<AuditService> {
    const scenario = buildScenario({
      name: "Audit",
      seed: 1,
      starts: new Date(nowMs).toISOString(),
      lasts: "1d",
      handsets: { audit: { phone: phones[0] }, "audit-2": { phone: phones[1] } },
    });
    const recording = Recording.create(":memory:", {
      name: scenario.name,
      seed: scenario.seed,
      version,
      scenario: scenario.source,
      startsAtMs: scenario.cast.startsAtMs,
      lastsMs: 0,
      preset: scenario.service,
      startedWallMs: 0,
      options: { receiver: "none" },
    });
    const lab = new Lab({
      scenario,
      recording,
      url: null,
      pace: { kind: "lockstep", lookaheadMs: scenario.lookaheadMs },
      fakes: await prepareScenarioFakes(scenario),
      giveUpAfterMs: Infinity,
      judgeBusy: true,
      served: {},
      hasAccount: true,
      isAllowed,
    });
    try {
      const { problems } = await loadSources(accounts, () => lab);
      const [problem] = problems;
      if (problem !== undefined) throw new LabError("bad-account", problem);
      const seen: SeenRequests = { requests: 0, writes: 0, writing: 0 };
      const { context } = servedLabOf({ lab, recording, isAllowed, followers: new Followers() });
      const server = await apiServer({
        version,
        context: () => context,
        authenticator: () => new Authenticator([{ role: "administrator", token, isActive: true }]),
        throttle: new Throttle(undefined, () => performance.now()),
        isStrict: () => false,
        beginRequest(mayWrite) {
          seen.requests++;
          if (!mayWrite) return () => undefined;
          seen.writing++;
          return () => {
            seen.writing--;
            seen.writes++;
          };
        },
      });
      await server.listen({ port, host: "127.0.0.1" }).catch((error: unknown) => {
        throw new LabError("port-taken", `the emulated service cannot listen at 127.0.0.1:${port}`, {
          hint: "something else listens there: choose another with --api-port",
          cause: error,
        });
      });
      return new AuditService({ lab, server, recording, seen, token });
    } catch (error) {
      recording.close();
      throw error;
    }
  }

  get isBusy(): boolean {
    return this.#seen.writing > 0;
  }

  /** Why its effects show nothing; undefined: they show something. */
  get silence(): string | undefined {
    const requests = this.#seen.requests - this.#ownReads;
    if (requests === 0) return `the receiver never called the API at ${this.url}`;
    return this.#isChanged ? undefined : "the receiver called the API and changed nothing there";
  }

  /** Adds a contact, as the service does before it posts the first text or call of a person. */
  addPerson(phone: string): void {
    this.#lab.write({ kind: "api", json: JSON.stringify({ audit: phone }) }, () =>
      this.#lab.account.contacts.withPhone(phone),
    );
  }

  /** What clients have changed, as JSON. */
  async read(): Promise<string> {
    const { writes } = this.#seen;
    if (this.#text === undefined || this.#readAt !== writes) {
      const text = JSON.stringify(await readAccountEffects((path) => this.#get(path)));
      this.#isChanged ||= this.#text !== undefined && this.#text !== text;
      this.#text = text;
      this.#readAt = writes;
    }
    return this.#text;
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.#recording.close();
  }

  /** Reads a page without a socket. */
  async #get(path: string): Promise<unknown> {
    this.#ownReads++;
    const answer = await this.#server.inject({ url: path, headers: { authorization: `Token ${this.token}` } });
    return answer.json();
  }
}
