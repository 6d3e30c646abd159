/**
 * The thread of the past. It plays a recording twice, each time in a `PastLab`: the survey goes through it once, as fast
 * as it can, and sends pictures of the fleet; the exact lab goes where the questions are. Questions come first. After a
 * step back another lab is prepared some way before it, for the next one.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type FleetArrays, fleetColumns } from "../../console/index.js";
import { openRecording, Recording, type RecordingReader } from "../../store/index.js";
import { redactedUrl } from "../../wire/index.js";
import { ServedConsoleLab } from "../console/console-lab.js";
import { markNames } from "./mark-names.js";
import { PastLab } from "./past-lab.js";
import { densityOf, marksOf } from "./past-marks.js";
import type { FramePart, FromPast, PastQuestion, PastStart } from "./past-messages.js";
import { type PastPlan, planPast } from "./past-plan.js";
import { PastSeries } from "./past-series.js";
import { StandingLabs } from "./standing-labs.js";

/** Pictures of one recording. */
const FRAMES_MAX = 480;
/** Bytes of all pictures. */
const FRAME_BYTES_MAX = 96 * 1024 * 1024;
/** Wall milliseconds of work between two turns of the event loop. */
const SLICE_MS = 10;
/** Wall milliseconds between two messages about the way of the exact lab. */
const EXACT_EVERY_MS = 200;

/** After a step back a lab is prepared this part of the recording before it. */
const TRAIL_PART = 1 / 8;

/** The exact lab was on its way to a moment that nobody asks for any more. */
class Superseded extends Error {}

class PastThread {
  readonly #reader: RecordingReader;
  readonly #plan: PastPlan;
  readonly #bytes: number;
  readonly #questions: PastQuestion[] = [];
  readonly #labs: StandingLabs;
  #exact: PastLab | undefined;
  /** Where a lab is to be prepared; undefined: nowhere. */
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
    this.#labs = new StandingLabs({ bytes, create: () => this.#createLab(true, () => this.#pauseExact()) });
  }

  /** Sends pictures of the whole recording, at equal distances, and the points of its series. */
  async survey(): Promise<void> {
    const { untilMs } = this.#plan;
    let lab: PastLab | undefined;
    try {
      lab = await this.#createLab(false, () => this.#pauseSurvey());
      const shown = this.#shownBy(lab);
      const { url: receiverUrl } = this.#plan.session;
      send({
        kind: "ready",
        facts: {
          untilMs,
          untilWhy: this.#plan.untilWhy ?? null,
          receiver: receiverUrl === null ? null : redactedUrl(receiverUrl),
          groups: shown.groups(),
          marks: marksOf(this.#reader, this.#plan, markNames(this.#plan.scenario.cast, lab.lab.world)),
          density: densityOf(this.#reader, untilMs),
        },
      });
      const frameBytes = Math.max(1, shown.handsetCount * fleetColumns.length * 4);
      const count = Math.max(2, Math.min(FRAMES_MAX, Math.floor(FRAME_BYTES_MAX / frameBytes), untilMs + 1));
      const series = new PastSeries(shown, untilMs);
      for (let frame = 0; frame < count; frame++) {
        const atMs = Math.round((untilMs * frame) / (count - 1));
        while (series.endsAtMs <= atMs) {
          await lab.advanceTo(series.endsAtMs);
          if (lab.atMs >= this.#differsAtMs) break;
          send({ kind: "point", point: series.end(frameOf(lab, shown).totals.waitingOnPhones) });
        }
        await lab.advanceTo(atMs);
        if (lab.atMs >= this.#differsAtMs) break;
        sendFrame({ kind: "frame", frame: frameOf(lab, shown) });
        await this.#pauseSurvey();
      }
      send({ kind: "complete" });
    } catch (error) {
      send({ kind: "failed", why: sentenceOf(error) });
    } finally {
      await lab?.close();
    }
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
        const frame = frameOf(lab, this.#shownBy(lab));
        sendFrame({ kind: "answer", id, answer: { kind: "frame", frame, story: lab.story() } });
      } else send({ kind: "answer", id, answer: { kind: "text", answer: await lab.get(get) } });
    } catch (error) {
      if (error instanceof Superseded) send({ kind: "answer", id, answer: { kind: "superseded" } });
      else send({ kind: "answer", id, answer: { kind: "failed", why: sentenceOf(error) } });
    }
    if (this.#exact !== undefined) this.#tellExact(atMs);
  }

  /** Prepares a lab for the next step back, until a question comes. */
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
      // Nobody asked for it: a later question says what is wrong.
      if (!(error instanceof Superseded)) this.#trailMs = undefined;
    } finally {
      this.#isTrailing = false;
    }
  }

  /** The exact lab, at the question's moment. */
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

  #createLab(keepsRows: boolean, pause: () => void | Promise<void>): Promise<PastLab> {
    return PastLab.create({
      reader: this.#reader,
      plan: this.#plan,
      bytes: this.#bytes,
      keepsRows,
      onDifference: (atMs) => {
        if (atMs >= this.#differsAtMs) return;
        this.#differsAtMs = atMs;
        send({ kind: "differs", atMs });
      },
      pause,
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

  #shownBy(past: PastLab): ServedConsoleLab {
    return new ServedConsoleLab({
      ready: Promise.resolve(),
      lab: () => past.lab,
      scenario: this.#plan.scenario,
      followers: past.followers,
      mode: "run",
      receiver: () => null,
      isBundledReceiver: () => false,
      database: () => null,
    });
  }
}

function frameOf(past: PastLab, shown: ServedConsoleLab): FramePart {
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
  return `from ${atMs} ms on, playing the recording again leads to other events than the recorded ones`;
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
    const plan = planPast(reader, path, nowMs);
    if ("why" in plan) return send({ kind: "none", why: plan.why });
    thread = new PastThread(reader, plan, bytes?.length ?? reader.bytes);
    void thread.survey();
  } catch (error) {
    send({ kind: "none", why: sentenceOf(error) });
  }
}

start(workerData as PastStart);
