import type { Worker } from "node:worker_threads";
import { startWorker } from "../base/index.js";
import type {
  FleetArrays,
  FleetColumns,
  FleetGroup,
  LivePicture,
  PastFrame,
  PastPoint,
  PastView,
} from "../console/index.js";
import type { Lab } from "../lab/index.js";
import type { Recording } from "../store/index.js";
import { type ControlRefusal, refusal } from "../control/index.js";
import type {
  FramePart,
  FromPast,
  PastAnswer,
  PastFacts,
  PastGet,
  PastQuestion,
  PastReply,
  PastStart,
} from "./past-messages.js";

/** The recording behind a past. */
export interface PastSource {
  /** Identity of the recording. */
  readonly of: unknown;
  /** Commits pending rows, and returns the recording's file or bytes. */
  readonly read: () => PastStart;
  /** Whether rows are still added to the recording, so that `refresh` reads it again. */
  readonly grows: boolean;
}

/** The largest recording in memory that is copied to the thread. */
const COPIED_BYTES_MAX = 256 * 1024 * 1024;

/** What the live lab shows of its past before the thread has read the recording. */
export interface LivePast {
  readonly groups: () => readonly FleetGroup[];
  /** The default delivery URL, without secrets; null: none. */
  readonly receiver: () => string | null;
  /** Oldest first. */
  readonly pictures: () => readonly LivePicture[];
}

/** A recording that a lab is writing. @param file - its path; null: it is in memory */
export function growingSource(
  { lab, recording }: { readonly lab: Lab; readonly recording: Recording },
  file: string | null,
): PastSource {
  return {
    of: recording,
    grows: true,
    read() {
      lab.gateway.saveChannels();
      recording.flush();
      const { nowMs } = lab;
      if (file !== null) return { path: file, bytes: undefined, nowMs };
      if (recording.bytes > COPIED_BYTES_MAX) {
        throw new Error(
          "The recording in memory is too large to be copied: --db FILE or --recording FILE keeps it in a file.",
        );
      }
      return { path: ":memory:", bytes: recording.snapshot(), nowMs };
    },
  };
}

/** A complete recording. */
export function finishedSource(path: string): PastSource {
  return { of: path, grows: false, read: () => ({ path, bytes: undefined, nowMs: undefined }) };
}

/** Most questions that wait for the thread. */
const WAITING_MAX = 200;

/**
 * The past of a recording: frames of the fleet, and a lab at any instant, in a thread that starts with the first
 * question. The live lab never waits for it.
 */
export class Past {
  readonly #source: () => PastSource;
  readonly #live: LivePast;
  #thread: { readonly open: OpenPast; readonly of: unknown } | undefined;

  /**
   * @param source - the current recording
   * @param live - of the lab that writes it; a complete recording does not use it
   */
  constructor(source: () => PastSource, live: LivePast) {
    this.#source = source;
    this.#live = live;
  }

  /** The range of the past and the progress of its computation. */
  view(): PastView {
    return this.#opened().view(this.#source().grows);
  }

  /** Reads the recording again, with its new rows. */
  async refresh(): Promise<PastView> {
    const old = this.#thread;
    this.#thread = undefined;
    await old?.open.close();
    return this.view();
  }

  /** The last frame of the fleet at or before an instant. @throws ControlRefusal */
  frame(atMs: number): PastFrame {
    return this.#opened().frame(atMs);
  }

  /** The exact frame of the fleet at an instant. @throws ControlRefusal */
  async moment(atMs: number, viewer: string): Promise<PastFrame> {
    const reply = await this.#opened().ask({ atMs, get: null, viewer });
    if (reply.kind !== "frame") throw refusedBy(reply);
    return { ...pictureOf(reply.frame), story: reply.story };
  }

  /** The answer to a GET of the APIs at an instant. @throws ControlRefusal */
  async get(atMs: number, get: PastGet, viewer: string): Promise<PastAnswer> {
    const reply = await this.#opened().ask({ atMs, get, viewer });
    if (reply.kind !== "text") throw refusedBy(reply);
    return reply.answer;
  }

  /** May be called twice. */
  async close(): Promise<void> {
    await this.#thread?.open.close();
  }

  #opened(): OpenPast {
    const source = this.#source();
    if (this.#thread !== undefined && this.#thread.of !== source.of) {
      void this.#thread.open.close();
      this.#thread = undefined;
    }
    this.#thread ??= { open: new OpenPast(source.read, source.grows ? this.#live : undefined), of: source.of };
    return this.#thread.open;
  }
}

/** One thread and the results that it has sent. */
class OpenPast {
  readonly #worker: Promise<Worker | undefined>;
  readonly #waiting = new Map<number, (reply: PastReply) => void>();
  readonly #frames: FramePart[] = [];
  readonly #points: PastPoint[] = [];
  readonly #live: LivePast | undefined;
  /** Virtual time of the live lab when its recording was read. */
  #nowMs: number | undefined;
  #asked = 0;
  #facts: PastFacts | undefined;
  #none: string | undefined;
  #failure: string | null = null;
  #differsAtMs: number | null = null;
  #isComplete = false;
  #isClosed = false;
  #exact: { readonly atMs: number; readonly wantedMs: number } | null = null;

  constructor(read: () => PastStart, live: LivePast | undefined) {
    this.#live = live;
    this.#worker = this.#start(read);
  }

  async #start(read: () => PastStart): Promise<Worker | undefined> {
    try {
      const workerData = read();
      this.#nowMs = workerData.nowMs;
      // The thread's first message may arrive before `startWorker` returns, which then passes it to `hear`.
      const worker = await startWorker({
        module: "past/past-thread.js",
        workerData,
        name: "the thread of the past",
        onMessage: (message) => this.#hear(message as FromPast),
      });
      worker.on("error", (error) => this.#end(`the replay thread has failed: ${error.message}`));
      worker.on("exit", () => this.#end("the replay thread has ended"));
      worker.unref();
      return worker;
    } catch (error) {
      this.#none = error instanceof Error ? error.message : String(error);
      this.#end(this.#none);
      return undefined;
    }
  }

  view(canRefresh: boolean): PastView {
    const facts = this.#facts ?? this.#liveFacts();
    if (facts === undefined) {
      return { state: this.#none === undefined ? "opening" : "none", why: this.#none ?? null, canRefresh };
    }
    return {
      state: "ready",
      fromMs: 0,
      ...facts,
      canRefresh,
      frames: this.#allFrames().map(({ atMs }) => atMs),
      points: this.#points,
      isComplete: this.#isComplete,
      exact: this.#exact,
      differsAtMs: this.#differsAtMs,
      failure: this.#failure,
    };
  }

  frame(atMs: number): PastFrame {
    const frame = this.#allFrames().findLast((one) => one.atMs <= atMs);
    if (frame === undefined) throw refusedNow(this.#none ?? "The recording is being read: retry soon.");
    return pictureOf(frame);
  }

  /** Pictures of the live lab, and frames of the thread, by time. */
  #allFrames(): FramePart[] {
    const untilMs = this.#nowMs ?? -1;
    const live = this.#live?.pictures().filter(({ atMs }) => atMs <= untilMs) ?? [];
    return [...this.#frames, ...live].sort((a, b) => a.atMs - b.atMs);
  }

  /** What is known before the thread has read the recording; undefined: nothing. */
  #liveFacts(): PastFacts | undefined {
    const live = this.#live;
    const untilMs = this.#nowMs;
    if (live === undefined || untilMs === undefined || this.#none !== undefined) return undefined;
    if (this.#allFrames().length === 0) return undefined;
    const density = { spanMs: Math.max(1, untilMs), events: [], failures: [] };
    return { untilMs, untilWhy: null, receiver: live.receiver(), groups: live.groups(), marks: [], density };
  }

  async ask(question: Omit<PastQuestion, "id">): Promise<PastReply> {
    const worker = await this.#worker;
    if (worker === undefined || this.#none !== undefined || this.#isClosed)
      return { kind: "failed", why: this.#none ?? "the past was closed" };
    if (this.#waiting.size >= WAITING_MAX) return { kind: "superseded" };
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      worker.postMessage({ ...question, id });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#worker)?.terminate();
  }

  #hear(message: FromPast): void {
    switch (message.kind) {
      case "none":
        this.#none = message.why;
        return this.#end(message.why);
      case "ready":
        this.#facts = message.facts;
        return;
      case "frame":
        this.#frames.push(message.frame);
        return;
      case "point":
        this.#points.push(message.point);
        return;
      case "complete":
        this.#isComplete = true;
        return;
      case "failed":
        this.#failure = message.why;
        if (this.#facts === undefined) this.#none = message.why;
        return;
      case "differs":
        this.#differsAtMs = message.atMs;
        return;
      case "exact":
        this.#exact = message;
        return;
      case "answer":
        this.#waiting.get(message.id)?.(message.answer);
        this.#waiting.delete(message.id);
        return;
      default:
        message satisfies never;
    }
  }

  #end(why: string): void {
    if (!this.#isClosed && this.#facts !== undefined) this.#failure ??= why;
    for (const reply of this.#waiting.values()) reply({ kind: "failed", why });
    this.#waiting.clear();
  }
}

function pictureOf({ atMs, fleet, totals }: FramePart): PastFrame {
  return { atMs, fleet: listsOf(fleet), totals };
}

function listsOf(fleet: FleetArrays): FleetColumns {
  return Object.fromEntries(
    Object.entries(fleet).map(([column, values]) => [column, [...values]]),
  ) as unknown as FleetColumns;
}

function refusedBy(reply: PastReply): ControlRefusal {
  return refusedNow(
    reply.kind === "failed"
      ? `This moment cannot be shown: ${reply.why}`
      : "A newer request for another moment replaced this one.",
  );
}

function refusedNow(message: string): ControlRefusal {
  return refusal("detail", message, 409);
}
