import { handsetStates } from "../../protocol/index.js";
import { queueOf } from "./arrangement.js";
import type { FleetModel } from "./fleet-model.js";
import { type GridArt, queueStep } from "./grid-art.js";
import type { GridColours } from "./grid-colours.js";
import { stateLooks } from "../domain/handset-state.js";
import type { CellSize } from "./layout.js";

const STEPS = 5;

/**
 * Draws a handset as a small shape in the colour of its state, with a bar at the right for its queue. All shapes are
 * drawn once for a size and theme (a sprite sheet); a cell is one image copy.
 */
export class CellArt implements GridArt {
  readonly cell: CellSize;
  readonly #model: FleetModel;
  readonly #colours: GridColours;
  readonly #pixels: number;
  readonly #ratio: number;
  readonly #sheet: HTMLCanvasElement;

  /** @param ratio - device pixels per CSS pixel */
  constructor(model: FleetModel, cell: CellSize, colours: GridColours, ratio: number) {
    this.cell = cell;
    this.#model = model;
    this.#colours = colours;
    this.#ratio = ratio;
    this.#pixels = Math.round(cell.width * ratio);
    this.#sheet = this.#drawSheet();
  }

  paint(
    context: CanvasRenderingContext2D,
    index: number,
    { left, top }: { readonly left: number; readonly top: number },
    { isSelected, pulses }: { readonly isSelected: boolean; readonly pulses: number },
  ): void {
    const size = this.#pixels;
    if (isSelected) {
      const rim = Math.max(1, Math.round(this.#ratio));
      context.fillStyle = this.#colours.accent;
      context.fillRect(left - rim, top - rim, size + 2 * rim, size + 2 * rim);
      context.fillStyle = this.#colours.selected;
      context.fillRect(left, top, size, size);
    }
    const state = this.#model.states[index] ?? 0;
    const step = queueStep(queueOf(this.#model.columns, index));
    context.drawImage(this.#sheet, step * size, state * size, size, size, left, top, size, size);
    if (pulses === 0) return;
    context.globalAlpha = 0.5;
    context.fillStyle = this.#colours.surface;
    context.fillRect(left, top, size, size);
    context.globalAlpha = 1;
  }

  /** The sprite sheet: a row for each state, a column for each step of the queue. */
  #drawSheet(): HTMLCanvasElement {
    const size = this.#pixels;
    const sheet = document.createElement("canvas");
    sheet.width = size * STEPS;
    sheet.height = size * handsetStates.length;
    const context = sheet.getContext("2d");
    if (context === null) return sheet;
    const bar = Math.max(Math.round(2 * this.#ratio), Math.round(size * 0.2));
    const space = Math.max(1, Math.round(this.#ratio));
    handsetStates.forEach((state, row) => {
      const shape = new Path2D(stateLooks[state].glyph);
      for (let step = 0; step < STEPS; step++) {
        const width = step === 0 ? size : size - bar - space;
        context.save();
        context.translate(step * size, row * size);
        context.fillStyle = this.#colours.text;
        const height = Math.round((size * step) / (STEPS - 1));
        if (step > 0) context.fillRect(size - bar, size - height, bar, height);
        context.scale(width / 16, size / 16);
        context.fillStyle = this.#colours.fills[row] ?? this.#colours.text;
        context.fill(shape, "evenodd");
        context.restore();
      }
    });
    return sheet;
  }
}
