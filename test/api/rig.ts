import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { Authenticator, apiServer, type ApiContext, Throttle } from "../../src/api/index.js";
import { allowedHosts } from "../../src/http/index.js";
import type { Recording } from "../../src/store/index.js";
import { type OrganisationData, roles } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";

/** An answer; its body is parsed when it is JSON. */
export interface Answered {
  readonly status: number;
  // Tests read bodies of every shape.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface RigOptions {
  readonly isStrict?: boolean;
  readonly throttle?: number;
  readonly organisation?: Partial<OrganisationData>;
  readonly urnErrors?: ApiContext["urnErrors"];
  readonly exportVersion?: ApiContext["exportVersion"];
}

export const organisation: OrganisationData = {
  uuid: "0c5b4c54-94a6-4b0f-8f24-6a3c1b7f6a11",
  name: "Coast Depot",
  country: "KE",
  languages: ["eng", "swa"],
  primaryLanguage: "eng",
  timezone: "Africa/Nairobi",
  dateStyle: "day_first",
  isAnonymous: false,
  isSuspended: false,
  credits: { used: 0, remaining: 1000 },
};

/** The API of a service with two phones, in memory. Tokens are the names of the roles. */
export class Rig {
  readonly service: Service;
  readonly recording: Recording;
  readonly throttle: Throttle;
  readonly server: FastifyInstance;
  wallMs = 0;
  /** Count of unanswered requests. */
  inFlight = 0;

  private constructor(service: Service, throttle: Throttle, server: FastifyInstance) {
    this.service = service;
    this.recording = service.recording;
    this.throttle = throttle;
    this.server = server;
  }

  /** Opens a rig that closes at the end of the current test. */
  static async start(options: RigOptions = {}): Promise<Rig> {
    const rig = await Rig.open(options);
    onTestFinished(() => rig.close());
    return rig;
  }

  /** Opens a rig that several tests share without changing it. The caller closes it. */
  static async open(options: RigOptions = {}): Promise<Rig> {
    const service = new Service();
    const { account, recording, kernel } = service;
    const { lists } = recording.prepareToServe();
    account.organisation.set({ ...organisation, ...options.organisation });
    const context: ApiContext = {
      account,
      tables: recording.tables,
      lists,
      get organisation() {
        return account.organisation.get();
      },
      isAllowed: allowedHosts([]),
      urnErrors: options.urnErrors ?? "flat",
      exportVersion: options.exportVersion ?? "number",
      startsAtMs,
      get nowMs() {
        return kernel.now;
      },
      write: (input, act) => recording.applyInput({ atMs: kernel.now, kind: "api", json: JSON.stringify(input) }, act),
    };
    const authenticator = new Authenticator(roles.map((role) => ({ role, token: role, isActive: true })));
    let wallClock = (): number => 0;
    let countInFlight = (_change: number): void => undefined;
    const throttle = new Throttle(options.throttle, () => wallClock());
    const server = await apiServer({
      version: "test",
      context: () => context,
      authenticator: () => authenticator,
      throttle,
      isStrict: () => options.isStrict ?? false,
      beginRequest: () => {
        countInFlight(1);
        return () => countInFlight(-1);
      },
    });
    const rig = new Rig(service, throttle, server);
    wallClock = () => rig.wallMs;
    countInFlight = (change) => {
      rig.inFlight += change;
    };
    return rig;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Deletes all labels, which most tests of requests create. */
  async removeLabels(): Promise<void> {
    for (const { uuid } of (await this.get("labels.json")).body.results) await this.delete(`labels.json?uuid=${uuid}`);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answered> {
    return this.ask("GET", path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    return this.ask("POST", path, body, headers);
  }

  delete(path: string): Promise<Answered> {
    return this.ask("DELETE", path);
  }

  /** @param path - relative to `/api/v2/`; a body that is not a text is sent as JSON */
  async ask(
    method: "GET" | "POST" | "DELETE" | "PUT" | "PATCH" | "HEAD" | "OPTIONS",
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const answer = await this.server.inject({
      method,
      url: `/api/v2/${path}`,
      headers: {
        authorization: "Token administrator",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
    const isJson = String(answer.headers["content-type"] ?? "").startsWith("application/json");
    return {
      status: answer.statusCode,
      body: isJson && answer.payload !== "" ? answer.json() : answer.payload,
      headers: answer.headers,
    };
  }
}
