import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Authenticator } from "../api/index.js";
import type { StoryView } from "../console/index.js";
import type { HttpSender } from "../http/index.js";
import {
  type Continuation,
  drainLimitMs,
  Lab,
  prepareScenarioFakes,
  readGuests,
  readInTransit,
  type Reexecution,
} from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import { forwardedHeaders } from "../servers/index.js";
import { type InsertedEvent, Recording, type RecordingReader } from "../store/index.js";
import { attemptsAllowed } from "../wire/index.js";
import { Control, controlServer, Followers, type ServedLab, servedLabOf } from "../control/index.js";
import { inputsOf } from "./past-inputs.js";
import type { AskedPart } from "./asked-part.js";
import type { PastAnswer, PastGet } from "./past-messages.js";
import type { PastPlan, SessionPlan } from "./past-plan.js";
import type { FollowedTable } from "./session-facts.js";
import { applyStartState, type StartState } from "./start-state.js";

/** The token of the APIs of a re-executed lab. Only this process can reach them. */
const TOKEN = "past";

/** Larger recordings are written to a temporary file instead of memory. */
const MEMORY_BYTES_MAX = 256 * 1024 * 1024;

/** Options of a re-executed lab. */
export interface PastLabOptions {
  readonly reader: RecordingReader;
  readonly plan: PastPlan;
  readonly session: SessionPlan;
  /** The recording at the end of the previous session, from its `PastLab.snapshot`; undefined in the first session. */
  readonly base: Uint8Array | undefined;
  /** Size of the recording. */
  readonly bytes: number;
  /** Plays only this part of the fleet. Undefined: all that is recorded. */
  readonly asked?: AskedPart | undefined;
  /** Whether to keep rows for `get`. A lab without them is faster. */
  readonly keepsRows: boolean;
  /** Called with the first event that differs from the recorded one. */
  readonly onDifference: (event: InsertedEvent) => void;
  /** See `ReexecutedRun.pause`. */
  readonly pause: () => void | Promise<void>;
}

/**
 * Re-executes a session of a recorded run without a receiver, up to an instant. Its phones, account and log then equal
 * those of the run at that instant. It writes a separate recording; the recorded one is only read.
 */
export class PastLab {
  readonly lab: Lab;
  readonly followers: Followers = new Followers();
  readonly #plan: PastPlan;
  readonly #session: SessionPlan;
  readonly #recording: Recording;
  readonly #compared: { readonly lastRow: number };
  readonly #reexecution: Reexecution;
  readonly #folder: string | undefined;
  readonly #control: Control;
  #server: ReturnType<typeof controlServer> | undefined;
  #served: ServedLab | undefined;
  /** Virtual time to which the lab was advanced after the session's last commit, when no server ran. */
  #idleMs = 0;

  static async create(options: PastLabOptions): Promise<PastLab> {
    return new PastLab(options, await prepareScenarioFakes(options.plan.scenario));
  }

  private constructor(
    { reader, plan, session, base, bytes, asked, keepsRows, onDifference, pause }: PastLabOptions,
    fakes: Awaited<ReturnType<typeof prepareScenarioFakes>>,
  ) {
    const { scenario, ownScenario, pace } = plan;
    const part = asked?.part ?? plan.part;
    const { facts, start, isAllowed } = session;
    this.#plan = plan;
    this.#session = session;
    this.#folder = keepsRows && bytes > MEMORY_BYTES_MAX ? mkdtempSync(join(tmpdir(), "handset-past-")) : undefined;
    const path = this.#folder === undefined ? ":memory:" : join(this.#folder, "past.db");
    this.#recording = base === undefined ? Recording.create(path, reader.meta()) : Recording.copyOf(base);
    if (start !== undefined) applyStartState(this.#recording, start);
    const hasAccount = facts.isServed || facts.hasAccount;
    if (!keepsRows && !hasAccount) this.#recording.discardRows();
    this.#compared = this.#recording.compareEvents(asked?.events ?? reader, onDifference);
    const judgesAtMs = start === undefined && scenario !== ownScenario ? ownScenario.cast.lastsMs : undefined;
    this.lab = new Lab({
      scenario,
      recording: this.#recording,
      resumed: { roundTrips: rowsOf(session, "round_trip", (afterRow) => reader.roundTrips(afterRow)) },
      url: facts.url,
      sender: silentSender(),
      pace,
      drainMs: drainLimitMs(scenario, pace),
      fakes,
      giveUpAfterMs: Infinity,
      isAllowed,
      served: facts.isServed ? { judgesAtMs } : undefined,
      continues: start && continuationOf(this.#recording, session, start, scenario),
      hasAccount: facts.hasAccount,
      ...(facts.hasSwitch && { receiver: { answer: () => Promise.resolve() } }),
      ...(part !== undefined && { part }),
      isPaused: true,
      onHappening: (happening) => this.followers.notify(happening),
    });
    this.#control = this.#makeControl();
    if (hasAccount) this.#prepareToServe();
    this.#reexecution = this.lab.startReexecution(
      {
        recordedRun: rowsOfSession(reader, session, asked?.channels),
        // Its position counts the steps of the whole fleet; a part is asked for an instant before the end.
        end: asked === undefined ? (session.end ?? session.cut) : undefined,
        pause,
        applyInput: inputsOf(() => ({
          lab: this.lab,
          control: this.#control,
          request: ({ method, path: target, body }) => this.#request({ method, path: target, body }),
        })),
      },
      { awaitsAnswers: session.cut === undefined },
    );
  }

  /** The index of its session. */
  get session(): number {
    return this.#session.index;
  }

  /** The current virtual time of the lab. */
  get atMs(): number {
    return Math.max(this.#reexecution.nowMs, this.#idleMs);
  }

  /** Row of the last event that was compared with the recorded one; 0: none yet. */
  get lastEventRow(): number {
    return this.#compared.lastRow;
  }

  /** A copy of its current recording. */
  snapshot(): Uint8Array {
    return this.#recording.snapshot();
  }

  /**
   * Advances to an instant; an earlier one changes nothing.
   *
   * @throws LabError `recording-differs`; any error of `pause`, after which it may be called again
   */
  async advanceTo(atMs: number): Promise<void> {
    if (atMs < this.atMs) return;
    const { cut, end, untilMs } = this.#session;
    const toMs = Math.min(atMs, untilMs);
    await this.#reexecution.advanceTo(toMs);
    if (cut !== undefined && toMs > cut.atMs) this.#idleMs = toMs;
    this.lab.clock?.leapTo(this.atMs);
    if (end !== undefined && this.atMs >= end.atMs) this.lab.judgeBounds();
    this.lab.gateway.saveChannels();
    this.#recording.flush();
  }

  /** The scenario's beats, expectations and notes at this instant. */
  story(): StoryView {
    return this.#control.story.view();
  }

  /** Answers a GET of the control API or the REST API with the lab's state at this instant. */
  async get({ path, publicUrl }: PastGet): Promise<PastAnswer> {
    return this.#request({ method: "GET", path, headers: forwardedHeaders(publicUrl) });
  }

  /** Prepares for the first answer, which takes longer than the answer itself. */
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
      payload: body === undefined ? undefined : JSON.stringify(body),
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers["content-type"] ?? "application/json"),
      text: answer.body,
    };
  }

  #makeServer(): ReturnType<typeof controlServer> {
    const access = new Authenticator([{ token: TOKEN, role: "administrator", isActive: true }]);
    return controlServer(this.#control, { access, authenticator: () => access });
  }

  #makeControl(): Control {
    const { facts, isAllowed } = this.#session;
    const { scenario, ownScenario } = this.#plan;
    return new Control({
      lab: () => this.#prepareToServe(),
      scenario: () => scenario,
      story: {
        scenario: () => ownScenario,
        refusal: () => "The past does not change.",
        begin: () => Promise.reject(new Error("the past does not change")),
        isRepeating: false,
        judgedForMs: 0,
      },
      followers: this.followers,
      isStrict: facts.isStrict,
      receiver: () => facts.url,
      isAllowed,
      apiToken: () => TOKEN,
    });
  }

  /** Creates lists and their indexes at the first read, because maintaining indexes slows the re-execution down. */
  #prepareToServe(): ServedLab {
    const { lab, followers } = this;
    const { isAllowed } = this.#session;
    return (this.#served ??= servedLabOf({ lab, recording: this.#recording, isAllowed, followers }));
  }
}

/** Options with which the lab continues its recording as the recorded session did. */
function continuationOf(
  recording: Recording,
  { facts }: SessionPlan,
  { urls }: StartState,
  { service }: Scenario,
): Continuation {
  return {
    fromMs: facts.fromMs,
    guests: readGuests(recording),
    inTransit: readInTransit(recording),
    undelivered: recording.undelivered(attemptsAllowed(service)),
    urls: urls === null ? undefined : new Map(urls),
  };
}

/** Numbers of recorded rows that belong to a session. */
function rowsOfSession(
  reader: RecordingReader,
  session: SessionPlan,
  channels: ReadonlySet<number> | undefined,
): Pick<RecordingReader, "attempts" | "flowCalls" | "resthookAttempts" | "inputs"> {
  return {
    attempts: () => rowsOf(session, "attempt", (afterRow) => reader.attempts(afterRow, channels)),
    flowCalls: () => rowsOf(session, "flow_call", (afterRow) => reader.flowCalls(afterRow)),
    resthookAttempts: () => rowsOf(session, "resthook_attempt", (afterRow) => reader.resthookAttempts(afterRow)),
    inputs: () => rowsOf(session, "input", (afterRow) => reader.inputs(afterRow)),
  };
}

function* rowsOf<T extends { readonly row: number }>(
  { facts, untilRows }: SessionPlan,
  table: FollowedTable,
  readAfter: (row: number) => Iterable<T>,
): Generator<T> {
  for (const row of readAfter(facts.rows[table])) {
    if (untilRows !== undefined && row.row > untilRows[table]) return;
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
