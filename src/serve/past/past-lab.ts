import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiContext, apiServer, Authenticator, Throttle } from "../../api/index.js";
import { packageFile, version } from "../../base/index.js";
import type { StoryView } from "../../console/index.js";
import type { HttpSender } from "../../http/index.js";
import { drainLimitMs, Lab, prepareScenarioFakes, type Reexecution } from "../../lab/index.js";
import { forwardedHeaders } from "../../servers/index.js";
import { Recording, type RecordingReader } from "../../store/index.js";
import { apiContextOf } from "../api-context.js";
import { type PastGet, serveControl } from "../control/index.js";
import { Followers } from "../followers.js";
import { LabControl } from "../lab-control.js";
import type { ServedLab } from "../lab-host.js";
import { Snapshots } from "../snapshots.js";
import { PlayedStory } from "../story/played-story.js";
import { ScenarioFiles } from "../story/scenario-files.js";
import { inputsOf } from "./past-inputs.js";
import type { PastPlan } from "./past-plan.js";
import type { FollowedTable } from "./session-facts.js";

/** The token of the APIs of a lab of the past, which nobody but this process can reach. */
const TOKEN = "past";

/** Larger recordings are written to a temporary file instead of memory. */
const MEMORY_BYTES_MAX = 256 * 1024 * 1024;

/** An answer of the APIs of a lab of the past. */
export interface PastAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** How a lab of the past is made. */
export interface PastLabOptions {
  readonly reader: RecordingReader;
  readonly plan: PastPlan;
  /** Size of the recording. */
  readonly bytes: number;
  /** Whether the rows can be read, by `get`. A lab without them is faster. */
  readonly keepsRows: boolean;
  /** Called with the virtual time of the first event that differs from the recorded one. */
  readonly onDifference: (atMs: number) => void;
  /** See `ReexecutedRun.pause`. */
  readonly pause: () => void | Promise<void>;
}

/**
 * A lab that plays a recorded run again without a receiver, up to a moment, and stands there: all of its phones, its
 * account and its log are as they were then. It has a recording of its own; the recorded one is only read.
 */
export class PastLab {
  readonly lab: Lab;
  readonly followers: Followers = new Followers();
  readonly #plan: PastPlan;
  readonly #recording: Recording;
  readonly #reexecution: Reexecution;
  readonly #folder: string | undefined;
  readonly #story: PlayedStory;
  readonly #control: LabControl;
  #readers: ReturnType<Recording["prepareToServe"]> | undefined;
  #server: ReturnType<typeof apiServer> | undefined;
  #context: ApiContext | undefined;

  static async create(options: PastLabOptions): Promise<PastLab> {
    return new PastLab(options, await prepareScenarioFakes(options.plan.scenario));
  }

  private constructor(
    { reader, plan, bytes, keepsRows, onDifference, pause }: PastLabOptions,
    fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>,
  ) {
    const { scenario, ownScenario, session, pace, part, isAllowed } = plan;
    this.#plan = plan;
    this.#folder = keepsRows && bytes > MEMORY_BYTES_MAX ? mkdtempSync(join(tmpdir(), "handset-past-")) : undefined;
    const path = this.#folder === undefined ? ":memory:" : join(this.#folder, "past.db");
    this.#recording = Recording.create(path, reader.meta());
    const hasAccount = session.isServed || session.hasAccount;
    if (!keepsRows && !hasAccount) this.#recording.discardRows();
    this.#recording.compareEvents(reader, ({ atMs }) => onDifference(atMs));
    this.lab = new Lab({
      scenario,
      recording: this.#recording,
      resumedFrom: reader,
      url: session.url,
      sender: silentSender(),
      pace,
      drainMs: drainLimitMs(scenario, pace),
      fakes,
      giveUpAfterMs: Infinity,
      isAllowed,
      isServed: session.isServed,
      ...(session.isServed && scenario !== ownScenario && { judgesAtMs: ownScenario.cast.lastsMs }),
      hasAccount: session.hasAccount,
      ...(session.hasSwitch && { receiver: { answer: () => Promise.resolve() } }),
      ...(part !== undefined && { part }),
      isPaused: true,
      onHappening: (happening) => this.followers.notify(happening),
    });
    this.#story = this.#makeStory();
    this.#control = this.#makeControl();
    if (hasAccount) this.#prepareLists();
    this.#reexecution = this.lab.startReexecution({
      recordedRun: rowsOfSession(reader, plan),
      end: plan.end,
      pause,
      applyInput: inputsOf(() => ({
        lab: this.lab,
        control: this.#control,
        request: ({ method, path: target, body }) => this.#request({ method, path: target, body }),
      })),
    });
  }

  /** Virtual time at which it stands. */
  get atMs(): number {
    return this.#reexecution.nowMs;
  }

  /**
   * Plays on to an instant; an earlier one changes nothing.
   *
   * @throws LabError `recording-differs`; what `pause` throws, after which it may be called again
   */
  async advanceTo(atMs: number): Promise<void> {
    if (atMs < this.atMs) return;
    await this.#reexecution.advanceTo(Math.min(atMs, this.#plan.untilMs));
    this.lab.clock?.leapTo(this.atMs);
    const { end } = this.#plan;
    if (end !== undefined && this.atMs >= end.atMs) this.lab.judgeBounds();
    this.lab.gateway.saveChannels();
    this.#recording.flush();
  }

  /** The scenario's beats, expectations and notes as they stood then. */
  story(): StoryView {
    return this.#story.view();
  }

  /** Answers a GET of the control API or the REST API, as it would have been answered then. */
  async get({ path, publicUrl }: PastGet): Promise<PastAnswer> {
    return this.#request({ method: "GET", path, headers: forwardedHeaders(publicUrl) });
  }

  /** Makes what the first answer needs, which takes longer than the answer. */
  async prepareToAnswer(): Promise<void> {
    await (this.#server ??= this.#makeServer());
  }

  /** Reads its recording. */
  reader(): RecordingReader {
    return this.#recording.reader();
  }

  /** May be called twice. */
  async close(): Promise<void> {
    await (await this.#server)?.close();
    this.#recording.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #request({
    method,
    path,
    headers,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }): Promise<PastAnswer> {
    const server = await (this.#server ??= this.#makeServer());
    const answer = await server.inject({
      method: method as "GET",
      url: path,
      headers: {
        ...headers,
        authorization: `Token ${TOKEN}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers["content-type"] ?? "application/json"),
      text: answer.body,
    };
  }

  #makeServer(): ReturnType<typeof apiServer> {
    const access = new Authenticator([{ token: TOKEN, role: "administrator", isActive: true }]);
    const context = (): ApiContext => this.#contextOf();
    return apiServer({
      version,
      context,
      authenticator: () => access,
      throttle: new Throttle(undefined, () => performance.now()),
      isStrict: () => this.#plan.session.isStrict,
      extraRoutes: (to) => serveControl(to, { control: this.#control, context, access }),
    });
  }

  #makeStory(): PlayedStory {
    return new PlayedStory({
      lab: () => this.lab,
      scenario: () => this.#plan.ownScenario,
      followers: this.followers,
      files: new ScenarioFiles({ bundled: packageFile("scenarios"), here: process.cwd() }),
      refusal: () => "The past does not change.",
      begin: () => Promise.reject(new Error("the past does not change")),
      isRepeating: false,
      judgedForMs: 0,
    });
  }

  #makeControl(): LabControl {
    const { session, scenario, isAllowed } = this.#plan;
    return new LabControl({
      lab: () => this.#served,
      scenario,
      story: this.#story,
      throttle: new Throttle(undefined, () => performance.now()),
      snapshots: new Snapshots(undefined),
      followers: this.followers,
      isStrict: session.isStrict,
      receiver: () => session.url,
      isAllowed,
      apiToken: () => TOKEN,
      load: () => Promise.reject(new Error("the past does not change")),
    });
  }

  get #served(): ServedLab {
    return { lab: this.lab, recording: this.#recording, ...this.#prepareLists(), context: this.#contextOf() };
  }

  #contextOf(): ApiContext {
    const { lists } = this.#prepareLists();
    const { isAllowed } = this.#plan;
    const { lab, followers } = this;
    this.#context ??= apiContextOf({ lab, recording: this.#recording, lists, isAllowed, followers });
    return this.#context;
  }

  /** The lists and their indexes, which slow the run down: they are made when they are first read. */
  #prepareLists(): ReturnType<Recording["prepareToServe"]> {
    return (this.#readers ??= this.#recording.prepareToServe());
  }
}

/** The recorded effects of the first session. */
function rowsOfSession(
  reader: RecordingReader,
  { until }: PastPlan,
): Pick<RecordingReader, "attempts" | "flowCalls" | "resthookAttempts" | "inputs"> {
  if (until === undefined) return reader;
  return {
    *attempts() {
      yield* upTo(reader.attempts(), until, "attempt");
    },
    *flowCalls() {
      yield* upTo(reader.flowCalls(), until, "flow_call");
    },
    *resthookAttempts() {
      yield* upTo(reader.resthookAttempts(), until, "resthook_attempt");
    },
    *inputs() {
      yield* upTo(reader.inputs(), until, "input");
    },
  };
}

function* upTo<T extends { readonly row: number }>(
  rows: Iterable<T>,
  until: Readonly<Record<FollowedTable, number>>,
  table: FollowedTable,
): Generator<T> {
  for (const row of rows) {
    if (row.row > until[table]) return;
    yield row;
  }
}

/** Sends nothing: answers come from the recording. */
function silentSender(): HttpSender {
  return {
    connections: 1,
    originMs: performance.now(),
    waitingForConnection: 0,
    notDue: 0,
    post: () => undefined,
    withdrawUnsent: () => undefined,
    close: () => undefined,
  };
}
