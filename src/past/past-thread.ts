/**
 * Re-executes a recording in a thread, in two kinds of `PastLab`. The survey plays the recording once at full speed and
 * sends frames of the fleet. The exact lab advances to the instants of questions, which have priority. After a step
 * back, a further lab is prepared at an earlier instant for the next step.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type FleetArrays, fleetColumns, PICTURES_MAX } from "../console/index.js";
import { openRecording, Recording, type RecordingReader } from "../store/index.js";
import { redactedUrl } from "../wire/index.js";
import { LabReadings } from "../control/index.js";
import { markNames } from "./mark-names.js";
import { PastLab, type PastLabOptions } from "./past-lab.js";
import { densityOf, marksOf } from "./past-marks.js";
import type { FramePart, FromPast, PastQuestion, PastStart } from "./past-messages.js";
import { type PastPlan, planPast, type SessionPlan } from "./past-plan.js";
import { PastSeries, seriesSpanMs } from "./past-series.js";
import { SessionBases } from "./session-bases.js";
import { StandingLabs } from "./standing-labs.js";

/** Most bytes of all frames. */
const FRAME_BYTES_MAX = 96 * 1024 * 1024;
/** Work between two turns of the event loop, in wall milliseconds. */
const SLICE_MS = 10;
/** Interval of messages about the progress of the exact lab, in wall milliseconds. */
const EXACT_EVERY_MS = 200;

/** After a step back, a lab is prepared this fraction of the recording earlier. */
const TRAIL_PART = 1 / 8;

/** Interrupts the exact lab, because no client waits for its target any more. */
class Superseded extends Error {}

class PastThread {
  readonly #reader: RecordingReader;
  readonly #plan: PastPlan;
  readonly #bytes: number;
  readonly #questions: PastQuestion[] = [];
  readonly #labs: StandingLabs;
  readonly #bases = new SessionBases();
  #exact: PastLab | undefined;
  /** The instant at which to prepare a lab; undefined when none is needed. */
  #trailMs: number | undefined;
  #trailing: Promise<void> | undefined;
  #wantedMs = 0;
  #isAnswering = false;
  #isTrailing = false;
  #wakeSurvey: (() => void) | undefined;
  #differsAtMs = Infinity;
  #sliceEndsAt = 0;
  #exactToldAt = 0;

  constructor(reader: RecordingReader, plan: PastPlan, bytes: number) {
    this.#reader = reader;
    this.#plan = plan;
    this.#bytes = bytes;
    const pause = (): void | Promise<void> => this.#pauseExact();
    this.#labs = new StandingLabs({
      plan,
      bytes,
      bases: this.#bases,
      create: (session, base) => this.#createLab({ session, base, keepsRows: true, pause }),
    });
  }

  /** Sends frames of the whole recording at equal distances, and the points of its series. */
  async survey(): Promise<void> {
    try {
      let base: Uint8Array | undefined;
      for (const session of this.#plan.sessions) {
        const pause = (): Promise<void> => this.#pauseSurvey();
        const lab = await this.#createLab({ session, base, keepsRows: false, pause });
        try {
          await this.#surveySession(lab, session);
          if (lab.atMs >= this.#differsAtMs) break;
          const next = this.#plan.sessions[session.index + 1];
          if (next !== undefined) this.#bases.keep(next.index, (base = lab.snapshot()));
        } finally {
          await lab.close();
        }
      }
      send({ kind: "complete" });
    } catch (error) {
      send({ kind: "failed", why: sentenceOf(error) });
    }
  }

  /** Sends the frames and points of a session, and advances its lab to its end. */
  async #surveySession(lab: PastLab, session: SessionPlan): Promise<void> {
    const shown = new LabReadings(() => lab.lab);
    const { fromMs } = session.facts;
    if (session.index === 0) this.#sendFacts(lab, shown);
    const spanMs = seriesSpanMs(this.#plan.untilMs);
    const series = new PastSeries(shown, { fromMs, untilMs: session.untilMs, spanMs });
    const advanceTo = async (atMs: number): Promise<boolean> => {
      while (series.endsAtMs <= atMs) {
        await lab.advanceTo(series.endsAtMs);
        if (lab.atMs >= this.#differsAtMs) return false;
        send({ kind: "point", point: series.end(frameOf(lab, shown).totals.waitingOnPhones) });
      }
      await lab.advanceTo(atMs);
      return lab.atMs < this.#differsAtMs;
    };
    for (const atMs of this.#frameTimes(shown.handsetCount)) {
      // The instant of a restart belongs to the previous session.
      if (atMs > session.untilMs) break;
      if (session.index > 0 && atMs <= fromMs) continue;
      if (!(await advanceTo(atMs))) return;
      sendFrame({ kind: "frame", frame: frameOf(lab, shown) });
      await this.#pauseSurvey();
    }
    await advanceTo(session.untilMs);
  }

  #sendFacts(lab: PastLab, shown: LabReadings): void {
    const { untilMs, untilWhy, sessions, scenario } = this.#plan;
    const receiver = sessions.at(-1)?.facts.url ?? null;
    send({
      kind: "ready",
      facts: {
        untilMs,
        untilWhy: untilWhy ?? null,
        receiver: receiver === null ? null : redactedUrl(receiver),
        groups: shown.groups(),
        marks: marksOf(this.#reader, this.#plan, markNames(scenario.cast, lab.lab.world)),
        density: densityOf(this.#reader, untilMs),
      },
    });
  }

  #frameTimes(handsets: number): number[] {
    const { untilMs } = this.#plan;
    const frameBytes = Math.max(1, handsets * fleetColumns.length * 4);
    const count = Math.max(2, Math.min(PICTURES_MAX, Math.floor(FRAME_BYTES_MAX / frameBytes), untilMs + 1));
    return Array.from({ length: count }, (_, frame) => Math.round((untilMs * frame) / (count - 1)));
  }

  ask(question: PastQuestion): void {
    this.#questions.push(question);
    void this.#answerAll();
  }

  async #answerAll(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    await this.#trailing;
    for (let question = this.#questions[0]; question !== undefined; question = this.#questions[0]) {
      await this.#answer(question);
      this.#questions.shift();
    }
    this.#isAnswering = false;
    this.#wakeSurvey?.();
    this.#trailing = this.#trail();
  }

  async #answer(question: PastQuestion): Promise<void> {
    const { id, atMs, get } = question;
    try {
      if (this.#isSuperseded(question)) throw new Superseded();
      const lab = await this.#exactAt(question);
      if (lab.atMs >= this.#differsAtMs) throw new Error(differsText(this.#differsAtMs));
      if (get === null) {
        const frame = frameOf(lab, new LabReadings(() => lab.lab));
        sendFrame({ kind: "answer", id, answer: { kind: "frame", frame, story: lab.story() } });
      } else send({ kind: "answer", id, answer: { kind: "text", answer: await lab.get(get) } });
    } catch (error) {
      if (error instanceof Superseded) send({ kind: "answer", id, answer: { kind: "superseded" } });
      else send({ kind: "answer", id, answer: { kind: "failed", why: sentenceOf(error) } });
    }
    if (this.#exact !== undefined) this.#tellExact(atMs);
  }

  /** Prepares a lab for the next step back, until a question arrives. */
  async #trail(): Promise<void> {
    const toMs = this.#trailMs;
    if (toMs === undefined) return;
    this.#isTrailing = true;
    try {
      const lab = await this.#labs.before(toMs);
      await lab.advanceTo(toMs);
      await lab.prepareToAnswer();
      this.#trailMs = undefined;
    } catch (error) {
      // No client waits for this lab, so the error is not reported: a later question fails with it.
      if (!(error instanceof Superseded)) this.#trailMs = undefined;
    } finally {
      this.#isTrailing = false;
    }
  }

  /** Advances the exact lab to the instant that a client asked for. */
  async #exactAt(question: PastQuestion): Promise<PastLab> {
    const atMs = Math.min(question.atMs, this.#plan.untilMs);
    this.#wantedMs = atMs;
    const trailMs = Math.round(atMs - this.#plan.untilMs * TRAIL_PART);
    if (this.#exact !== undefined && this.#exact.atMs > atMs) this.#trailMs = trailMs > 0 ? trailMs : undefined;
    this.#exact = await this.#labs.before(atMs);
    await this.#exact.advanceTo(atMs);
    return this.#exact;
  }

  #isSuperseded({ atMs, viewer }: PastQuestion): boolean {
    return this.#questions.some(
      (other) => other.viewer === viewer && other.atMs !== atMs && other !== this.#questions[0],
    );
  }

  #createLab(options: Pick<PastLabOptions, "session" | "base" | "keepsRows" | "pause">): Promise<PastLab> {
    return PastLab.create({
      reader: this.#reader,
      plan: this.#plan,
      bytes: this.#bytes,
      ...options,
      onDifference: ({ atMs }) => {
        if (atMs >= this.#differsAtMs) return;
        this.#differsAtMs = atMs;
        send({ kind: "differs", atMs });
      },
    });
  }

  async #pauseExact(): Promise<void> {
    if (performance.now() < this.#sliceEndsAt) return;
    await nextTurn();
    this.#sliceEndsAt = performance.now() + SLICE_MS;
    if (this.#isTrailing) {
      if (this.#isAnswering) throw new Superseded();
      return;
    }
    this.#tellExact(this.#wantedMs, EXACT_EVERY_MS);
    const [question] = this.#questions;
    if (question !== undefined && this.#isSuperseded(question)) throw new Superseded();
  }

  async #pauseSurvey(): Promise<void> {
    if (performance.now() < this.#sliceEndsAt && !this.#isAnswering) return;
    await nextTurn();
    while (this.#isAnswering) {
      await new Promise<void>((resolve) => {
        this.#wakeSurvey = resolve;
      });
    }
    this.#sliceEndsAt = performance.now() + SLICE_MS;
  }

  #tellExact(wantedMs: number, everyMs = 0): void {
    const now = performance.now();
    if (now - this.#exactToldAt < everyMs) return;
    this.#exactToldAt = now;
    send({ kind: "exact", atMs: this.#exact?.atMs ?? 0, wantedMs });
  }
}

function frameOf(past: PastLab, shown: LabReadings): FramePart {
  const count = shown.handsetCount;
  const fleet = Object.fromEntries(
    fleetColumns.map((column) => [column, new Int32Array(count)]),
  ) as unknown as FleetArrays;
  shown.readFleet(fleet);
  let waitingOnPhones = 0;
  for (let index = 0; index < count; index++) {
    waitingOnPhones += (fleet.pending[index] ?? 0) + (fleet.retry[index] ?? 0) + (fleet.unsynced[index] ?? 0);
  }
  return { atMs: past.atMs, fleet, totals: { ...shown.counts(), waitingOnPhones } };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function differsText(atMs: number): string {
  return `from ${atMs} ms on, the replay has other events than the recording`;
}

function send(message: FromPast): void {
  parentPort?.postMessage(message);
}

function sendFrame(message: Extract<FromPast, { kind: "frame" | "answer" }>): void {
  const frame =
    message.kind === "frame" ? message.frame : message.answer.kind === "frame" ? message.answer.frame : undefined;
  parentPort?.postMessage(
    message,
    frame === undefined ? [] : Object.values(frame.fleet).map(({ buffer }) => buffer as ArrayBuffer),
  );
}

function start({ path, bytes, nowMs }: PastStart): void {
  let thread: PastThread | undefined;
  parentPort?.on("message", (question: PastQuestion) => thread?.ask(question));
  try {
    const reader = bytes === undefined ? openRecording(path) : Recording.copyOf(bytes).reader();
    const size = bytes?.length ?? reader.bytes;
    const plan = planPast(reader, path, { nowMs, bytes: size });
    if ("why" in plan) return send({ kind: "none", why: plan.why });
    thread = new PastThread(reader, plan, size);
    void thread.survey();
  } catch (error) {
    send({ kind: "none", why: sentenceOf(error) });
  }
}

start(workerData as PastStart);
