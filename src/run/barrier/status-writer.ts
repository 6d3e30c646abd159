import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Part } from "../../world/index.js";
import { type PartLoad, type PartState, type PartStatus, statusFile } from "./part-status.js";
import type { SharedFolder } from "./shared-folder.js";

/** Interval of the status. Wall milliseconds. */
export const BEAT_MS = 1000;

/** Writes the status of one part into the shared folder, for the other parts, `watch` and `merge`. */
export class StatusWriter {
  /** A random name of this process. */
  readonly process: string = randomUUID();
  readonly #folder: SharedFolder;
  readonly #part: Part;
  readonly #recording: string | null;
  #state: PartState = "starting";
  #writtenAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isWriting: Promise<void> | undefined;
  #readLoad: (() => PartLoad) | undefined;

  constructor(folder: SharedFolder, part: Part, recording: string | null) {
    this.#folder = folder;
    this.#part = part;
    this.#recording = recording === null ? null : resolve(recording);
  }

  /** Writes the status now. @throws LabError `not-written` */
  write(state: PartState = this.#state, more: Partial<PartStatus> = {}): void {
    this.#state = state;
    this.#writtenAt = performance.now();
    this.#folder.write(statusFile(this.#part.index), { ...this.#status(), ...more });
  }

  /** Writes the status if the last one is a second old. */
  beat(): void {
    if (performance.now() - this.#writtenAt >= BEAT_MS) this.write();
  }

  /** From now on the part plays, and its status is written every second without blocking the run. */
  play(readLoad: () => PartLoad): void {
    this.#state = "playing";
    this.#readLoad = readLoad;
    this.#timer = setInterval(() => this.#beatSoon(), BEAT_MS);
    this.#timer.unref();
    this.#beatSoon();
  }

  /** The part has played and computes its result. */
  async endPlay(): Promise<void> {
    await this.#stopBeats();
    this.write("ending", this.#loadNow());
  }

  /** The part has ended, and its recording is finished. */
  end(result: { readonly exitCode: number; readonly digest: string }): void {
    this.write("ended", { ...this.#loadNow(), ...result, ...this.#size() });
  }

  /** The part did not play to its end. @param state - `stopped`: it can be resumed */
  async fail(error: string, state: "failed" | "stopped"): Promise<void> {
    await this.#stopBeats();
    this.write(state, { ...this.#loadNow(), error });
  }

  /** The part does not begin: removes the status of this process. */
  leave(): void {
    this.#folder.remove(statusFile(this.#part.index));
  }

  async #stopBeats(): Promise<void> {
    clearInterval(this.#timer);
    await this.#isWriting;
  }

  #size(): { readonly bytes?: number } {
    const path = this.#recording;
    const size = path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
    return size === undefined ? {} : { bytes: size };
  }

  #loadNow(): { readonly load?: PartLoad } {
    const load = this.#readLoad?.();
    return load === undefined ? {} : { load };
  }

  /** Writes the status unless the last write is still under way. A folder that fails does not stop the run. */
  #beatSoon(): void {
    if (this.#isWriting !== undefined) return;
    const status = { ...this.#status(), ...this.#loadNow() };
    this.#isWriting = this.#folder
      .writeSoon(statusFile(this.#part.index), status)
      .catch(() => undefined)
      .finally(() => (this.#isWriting = undefined));
  }

  #status(): PartStatus {
    const { index, count } = this.#part;
    const { offsetMs = null, uncertaintyMs = null } = this.#folder.clock.offset() ?? {};
    return {
      part: index,
      count,
      process: this.process,
      host: hostname(),
      pid: process.pid,
      state: this.#state,
      writtenMs: Date.now(),
      offsetMs,
      uncertaintyMs,
      recording: this.#recording,
    };
  }
}
