import { randomUUID } from "node:crypto";
import { FleetSample } from "./fleet-sample.js";
import { type EncodedFrame, FrameRing } from "./frame-ring.js";
import { LogTail } from "./log-tail.js";
import { type LivePicture, LivePictures } from "./live-pictures.js";
import type { LiveSource } from "./live-source.js";
import type { ChangingParts, ClockView, DeltaFrame, SnapshotFrame, Totals } from "./protocol/index.js";
import { LiveSeries } from "./series.js";
import { TrafficTail } from "./traffic-tail.js";
import type { FrameSource } from "./stream-client.js";

/**
 * Bounds of the frames to resume from: one minute of frames. A fleet of 10,000 whose values all change fills the bytes
 * in seconds.
 */
const RING = { frames: 240, bytes: 8 * 1024 * 1024 };

/** Story and run are read in every fourth frame: once a second. */
const PARTS_EVERY = 4;

/**
 * Samples a lab for its clients, compares each sample with the previous one, and encodes the delta once for all
 * clients. Frames are numbered from 1.
 */
export class LiveSession<H> implements FrameSource {
  readonly id: string = randomUUID();
  readonly #lab: LiveSource<H>;
  readonly #generation: unknown;
  readonly #fleet: FleetSample;
  readonly #log: LogTail<H>;
  readonly #series: LiveSeries;
  readonly #pictures: LivePictures | undefined;
  readonly #ring = new FrameRing(RING);
  readonly #stopFollowing: () => void;
  /** The parts as last sent, by name. */
  readonly #parts = new Map<keyof ChangingParts, string>();
  /** While a page wants it. */
  #traffic: TrafficTail<H> | undefined;
  #frame = 0;
  #isOver = false;
  #clock: ClockView;
  #totals: Totals;
  #snapshot: EncodedFrame | undefined;

  constructor(lab: LiveSource<H>) {
    this.#lab = lab;
    this.#generation = lab.generation;
    this.#fleet = new FleetSample(lab.handsetCount);
    this.#log = new LogTail((happening) => lab.entryOf(happening));
    this.#series = new LiveSeries(lab.measureLatency());
    this.#pictures = lab.keepsPictures ? new LivePictures(lab.handsetCount) : undefined;
    this.#stopFollowing = lab.follow(this.#log.add);
    this.#clock = { ...lab.clock(), wallMs: Date.now() };
    this.#totals = { ...lab.counts(), waitingOnPhones: 0 };
    this.next();
  }

  /** Whether the lab was replaced after the session began. */
  get isStale(): boolean {
    return this.#lab.generation !== this.#generation;
  }

  /** Samples the lab. @returns the next delta */
  next(): EncodedFrame {
    const lab = this.#lab;
    const wallMs = Date.now();
    const rows = this.#fleet.read((arrays) => lab.readFleet(arrays));
    const counts = lab.counts();
    const totals: Totals = { ...counts, waitingOnPhones: this.#fleet.waiting };
    const clock = (this.#clock = { ...lab.clock(), wallMs });
    const { waitingOnPhones } = totals;
    this.#pictures?.pass(clock.nowMs, this.#fleet.arrays, totals);
    // The charts of a finished run do not change.
    const point = this.#isOver ? undefined : this.#series.pass({ clock, counts, waitingOnPhones });
    const { entries, skipped } = this.#log.endFrame();
    const traffic = this.#traffic?.endFrame();
    const delta: DeltaFrame = {
      kind: "delta",
      frame: ++this.#frame,
      clock,
      ...(!isSame(totals, this.#totals) && { totals }),
      ...(rows.length > 0 && { fleet: rows }),
      points: point && [point],
      ...(entries.length > 0 && { log: entries }),
      ...(skipped > 0 && { logSkipped: skipped }),
      ...(traffic !== undefined && { traffic }),
      ...(this.#frame % PARTS_EVERY === 1 && this.#changedParts()),
    };
    this.#totals = totals;
    this.#snapshot = undefined;
    const encoded = encode(delta);
    this.#ring.push(encoded);
    return encoded;
  }

  /** Begins or ends the sampling of texts and messages. */
  sampleTraffic(isWanted: boolean): void {
    if (isWanted) this.#traffic ??= new TrafficTail(this.#lab);
    else {
      this.#traffic?.close();
      this.#traffic = undefined;
    }
  }

  /** The complete state after the last frame. Encoded once for all clients that request it between two frames. */
  snapshot(): EncodedFrame {
    const lab = this.#lab;
    return (this.#snapshot ??= encode({
      kind: "snapshot",
      session: this.id,
      frame: this.#frame,
      lab: lab.facts(),
      clock: this.#clock,
      totals: this.#totals,
      groups: lab.groups(),
      fleet: this.#fleet.columns(),
      points: this.#series.points,
      log: this.#log.kept,
      ...Object.fromEntries([...this.#parts].map(([name, json]) => [name, JSON.parse(json) as unknown])),
    } satisfies SnapshotFrame));
  }

  /** Pictures since the session began, oldest first; empty for a lab that keeps none. */
  get pictures(): readonly LivePicture[] {
    return this.#pictures?.all ?? [];
  }

  /** The frames that a client missed after one; undefined: it needs a snapshot. */
  missedAfter(resume: { readonly session: string; readonly frame: number }): readonly EncodedFrame[] | undefined {
    return resume.session === this.id ? this.#ring.after(resume.frame) : undefined;
  }

  close(): void {
    this.sampleTraffic(false);
    this.#stopFollowing();
    this.#series.close();
  }

  #changedParts(): Partial<ChangingParts> {
    const now: Partial<ChangingParts> = { story: this.#lab.story(), run: this.#lab.run() };
    this.#isOver = now.run?.isOver === true;
    const changed = Object.entries(now).filter(([name, part]) => {
      if (part === undefined) return false;
      const json = JSON.stringify(part);
      if (json === this.#parts.get(name as keyof ChangingParts)) return false;
      this.#parts.set(name as keyof ChangingParts, json);
      return true;
    });
    return Object.fromEntries(changed);
  }
}

function encode(frame: SnapshotFrame | DeltaFrame): EncodedFrame {
  return { frame: frame.frame, bytes: Buffer.from(JSON.stringify(frame)) };
}

function isSame(a: Totals, b: Totals): boolean {
  return (Object.keys(a) as (keyof Totals)[]).every((name) => a[name] === b[name]);
}
