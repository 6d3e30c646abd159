import type { Arrangement } from "./arrangement.js";
import type { FleetChange, FleetModel } from "./fleet-model.js";
import type { GridArt } from "./grid-art.js";
import { type Box, boxOf, eachIn, type GridLayout } from "./layout.js";
import type { HandsetIndex } from "./names.js";
import type { HandsetSelection } from "./selection.js";

/** The content to draw. */
export interface GridScene {
  readonly model: FleetModel;
  readonly selection: HandsetSelection;
  readonly arrangement: Arrangement;
  readonly layout: GridLayout;
  readonly art: GridArt;
}

/** Height of a band, CSS pixels. */
const BAND = 512;
/** Length of a pulse. */
const PULSE_MS = 400;

/** A part of the grid with a separate canvas. Bands far from the screen have no pixels. */
interface Band {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  readonly top: number;
  isShown: boolean;
  isStale: boolean;
}

/**
 * Draws the grid on canvases. A change redraws only the changed cells, in the next animation frame; scrolling draws
 * bands near the screen.
 */
export class GridCanvas {
  readonly #host: HTMLElement;
  readonly #observer: IntersectionObserver;
  readonly #isStill = matchMedia("(prefers-reduced-motion: reduce)");
  #scene: GridScene | undefined;
  #ratio = 1;
  #bands: Band[] = [];
  #request = 0;
  /** Handsets to redraw: the first `#dirtyCount` entries, and a mark for each. */
  #dirty = new Uint32Array(0);
  #dirtyCount = 0;
  #isDirty = new Uint8Array(0);
  /** Handsets that pulse: the first `#pulsingCount` entries, with their pulses and end times. */
  #pulsing = new Uint32Array(0);
  #pulsingCount = 0;
  #pulses = new Uint8Array(0);
  #pulseEnds = new Float64Array(0);
  readonly #box: Box = { left: 0, top: 0 };
  readonly #look = { isSelected: false, pulses: 0 };

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#observer = new IntersectionObserver((entries) => this.#bandsMoved(entries), { rootMargin: "400px" });
  }

  /** Draws another scene, or the same one in other colours. @param ratio - device pixels per CSS pixel */
  show(scene: GridScene, ratio: number): void {
    if (scene.model.count !== this.#isDirty.length) this.#resize(scene.model.count);
    this.#scene = scene;
    this.#ratio = ratio;
    this.#placeBands();
    this.redrawAll();
  }

  redrawAll(): void {
    for (const band of this.#bands) band.isStale = true;
    this.#ask();
  }

  /** Redraws the cells that a change of the model affects. */
  change({ indexes, count, pulses, isAll }: FleetChange): void {
    if (this.#scene === undefined || this.#scene.model.count !== this.#isDirty.length) return;
    const end = performance.now() + PULSE_MS;
    for (let at = 0; at < count; at++) {
      const index = indexes[at] ?? 0;
      this.#mark(index);
      const bits = pulses[index] ?? 0;
      if (bits !== 0 && !isAll && !this.#isStill.matches) this.#startPulse(index, bits, end);
    }
    this.#ask();
  }

  close(): void {
    cancelAnimationFrame(this.#request);
    this.#observer.disconnect();
    for (const { canvas } of this.#bands) canvas.remove();
    this.#bands = [];
    this.#scene = undefined;
  }

  #resize(count: number): void {
    this.#dirty = new Uint32Array(count);
    this.#isDirty = new Uint8Array(count);
    this.#pulsing = new Uint32Array(count);
    this.#pulses = new Uint8Array(count);
    this.#pulseEnds = new Float64Array(count);
    this.#dirtyCount = 0;
    this.#pulsingCount = 0;
  }

  #placeBands(): void {
    const { layout } = this.#scene ?? {};
    if (layout === undefined) return;
    const wanted = Math.ceil(layout.height / BAND);
    for (const { canvas } of this.#bands.splice(wanted)) {
      this.#observer.unobserve(canvas);
      canvas.remove();
    }
    while (this.#bands.length < wanted) {
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d");
      if (context === null) return;
      canvas.width = 0;
      canvas.height = 0;
      const top = this.#bands.length * BAND;
      canvas.style.top = `${top}px`;
      canvas.style.height = `${BAND}px`;
      this.#bands.push({ canvas, context, top, isShown: false, isStale: true });
      this.#host.append(canvas);
      this.#observer.observe(canvas);
    }
    for (const band of this.#bands) {
      band.canvas.style.width = `${layout.width}px`;
      if (band.isShown) this.#sizeBand(band);
    }
  }

  #sizeBand({ canvas, isShown }: Band): void {
    const width = isShown ? Math.round((this.#scene?.layout.width ?? 0) * this.#ratio) : 0;
    const height = isShown ? Math.round(BAND * this.#ratio) : 0;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  #bandsMoved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const band = this.#bands.find(({ canvas }) => canvas === target);
      if (band === undefined || band.isShown === isIntersecting) continue;
      band.isShown = isIntersecting;
      band.isStale = true;
      this.#sizeBand(band);
    }
    this.#ask();
  }

  #mark(index: HandsetIndex): void {
    if (this.#isDirty[index] !== 0) return;
    this.#isDirty[index] = 1;
    this.#dirty[this.#dirtyCount++] = index;
  }

  #startPulse(index: HandsetIndex, bits: number, end: number): void {
    if (this.#pulses[index] === 0) this.#pulsing[this.#pulsingCount++] = index;
    this.#pulses[index] = (this.#pulses[index] ?? 0) | bits;
    this.#pulseEnds[index] = end;
  }

  #ask(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    this.#request = 0;
    const scene = this.#scene;
    if (scene === undefined) return;
    this.#endPulses(now);
    for (const band of this.#bands) {
      if (!band.isShown || !band.isStale) continue;
      band.isStale = false;
      band.context.clearRect(0, 0, band.canvas.width, band.canvas.height);
      const area = { left: 0, right: scene.layout.width, top: band.top, bottom: band.top + BAND };
      eachIn(scene.layout, area, (position) => {
        const index = scene.arrangement.order[position] ?? 0;
        if (boxOf(scene.layout, position, this.#box)) this.#paint(scene, band, index);
      });
    }
    for (let at = 0; at < this.#dirtyCount; at++) {
      const index = this.#dirty[at] ?? 0;
      this.#isDirty[index] = 0;
      const position = scene.arrangement.positions[index] ?? -1;
      if (position === -1 || !boxOf(scene.layout, position, this.#box)) continue;
      const first = Math.floor(this.#box.top / BAND);
      const last = Math.floor((this.#box.top + scene.layout.cell.height) / BAND);
      for (let nth = first; nth <= last; nth++) {
        const band = this.#bands[nth];
        if (band?.isShown === true) this.#repaint(scene, band, index);
      }
    }
    this.#dirtyCount = 0;
    if (this.#pulsingCount > 0) this.#ask();
  }

  /** Redraws the handsets whose pulses have ended. */
  #endPulses(now: number): void {
    for (let at = 0; at < this.#pulsingCount;) {
      const index = this.#pulsing[at] ?? 0;
      if ((this.#pulseEnds[index] ?? 0) > now) {
        at += 1;
        continue;
      }
      this.#pulses[index] = 0;
      this.#pulsing[at] = this.#pulsing[--this.#pulsingCount] ?? 0;
      this.#mark(index);
    }
  }

  #repaint(scene: GridScene, band: Band, index: HandsetIndex): void {
    const { width, height } = scene.layout.cell;
    // A cell may extend one CSS pixel into the gap around it.
    const rim = Math.ceil(this.#ratio);
    const left = Math.round(this.#box.left * this.#ratio) - rim;
    const top = Math.round((this.#box.top - band.top) * this.#ratio) - rim;
    band.context.clearRect(
      left,
      top,
      Math.ceil(width * this.#ratio) + 2 * rim,
      Math.ceil(height * this.#ratio) + 2 * rim,
    );
    this.#paint(scene, band, index);
  }

  /** Draws the handset whose place is in `#box`. */
  #paint({ art, selection }: GridScene, band: Band, index: HandsetIndex): void {
    this.#place.left = Math.round(this.#box.left * this.#ratio);
    this.#place.top = Math.round((this.#box.top - band.top) * this.#ratio);
    this.#look.isSelected = selection.has(index);
    this.#look.pulses = this.#pulses[index] ?? 0;
    art.paint(band.context, index, this.#place, this.#look);
  }

  readonly #place = { left: 0, top: 0 };
}
