import { fleetNetworks, handsetStates } from "../../protocol/index.js";
import { formatShort } from "../format/index.js";
import { queueOf } from "./arrangement.js";
import { type FleetModel, pulse } from "./fleet-model.js";
import type { GridArt } from "./grid-art.js";
import type { GridColours } from "./grid-colours.js";
import { stateLooks } from "../domain/handset-state.js";
import type { CellSize } from "./layout.js";
import { groupOf, memberOf, nameOf } from "./names.js";

const shapes: Path2D[] = [];

interface TileOptions {
  readonly colours: GridColours;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** Scale of the design: CSS pixels per 16 design pixels. */
  readonly scale: number;
  readonly font: string;
  /** Whether the number suffices, because the label of the block names the group. */
  readonly isNumberEnough: boolean;
}

/** Draws a handset as a tile: name, state, an alarm beside a worse state, battery, network and queue. */
export class TileArt implements GridArt {
  readonly cell: CellSize;
  readonly #model: FleetModel;
  readonly #options: TileOptions;
  readonly #names = new Map<number, string>();

  constructor(model: FleetModel, cell: CellSize, options: TileOptions) {
    this.cell = cell;
    this.#model = model;
    this.#options = options;
    if (shapes.length === 0) shapes.push(...handsetStates.map((state) => new Path2D(stateLooks[state].glyph)));
  }

  paint(
    context: CanvasRenderingContext2D,
    index: number,
    { left, top }: { readonly left: number; readonly top: number },
    { isSelected, pulses }: { readonly isSelected: boolean; readonly pulses: number },
  ): void {
    const { colours, ratio, scale } = this.#options;
    const unit = ratio * scale;
    const [width, height] = [(this.cell.width * ratio) / unit, (this.cell.height * ratio) / unit];
    const { battery, network } = this.#model.columns;
    const state = this.#model.states[index] ?? 0;
    const isOff = handsetStates[state] === "off";
    context.save();
    context.translate(left, top);
    context.scale(unit, unit);
    context.beginPath();
    context.roundRect(0.5, 0.5, width - 1, height - 1, 4);
    context.fillStyle = isSelected ? colours.selected : colours.surface;
    context.fill();
    context.lineWidth = isSelected ? 2 : 1;
    context.strokeStyle = isSelected ? colours.accent : colours.border;
    context.stroke();
    context.save();
    context.clip();
    context.fillStyle = colours.fills[state] ?? colours.text;
    context.fillRect(0, 0, 4, height);
    context.restore();
    this.#paintGlyph(context, state, 12);
    context.textBaseline = "middle";
    context.font = this.#font(600, 12);
    context.fillStyle = isOff ? colours.muted : colours.text;
    const name = this.#nameOf(index);
    context.fillText(name, 28, 14, width - 34);
    // An alarm is also shown beside a worse state, because it means that the service has noticed.
    if (state < ALARM && ((this.#model.applying[index] ?? 0) & (1 << ALARM)) !== 0) {
      this.#paintGlyph(context, ALARM, Math.min(34 + context.measureText(name).width, width - 40));
    }
    this.#paintPulses(context, pulses, width);
    if (!isOff) this.#paintBattery(context, battery[index] ?? 0, state);
    context.font = this.#font(400, 11);
    context.fillStyle = colours.muted;
    const link = fleetNetworks[network[index] ?? 0] ?? "";
    context.fillText(isOff ? "Off" : `${battery[index] ?? 0}%${width > 118 ? ` · ${link}` : ""}`, isOff ? 12 : 31, 32);
    this.#paintQueue(context, index, width);
    context.restore();
  }

  #paintGlyph(context: CanvasRenderingContext2D, state: number, left: number): void {
    const shape = shapes[state];
    if (shape === undefined) return;
    context.save();
    context.translate(left, 9);
    context.scale(10 / 16, 10 / 16);
    context.fillStyle = this.#options.colours.states[state] ?? this.#options.colours.text;
    context.fill(shape, "evenodd");
    context.restore();
  }

  #paintBattery(context: CanvasRenderingContext2D, percent: number, state: number): void {
    const { colours } = this.#options;
    const isLow = handsetStates[state] === "low";
    context.strokeStyle = isLow ? (colours.states[state] ?? colours.text) : colours.muted;
    context.lineWidth = 1;
    context.strokeRect(12.5, 28.5, 13, 7);
    context.fillStyle = context.strokeStyle;
    context.fillRect(26, 30.5, 1.5, 3);
    context.fillRect(14, 30, (10 * percent) / 100, 4);
  }

  #paintQueue(context: CanvasRenderingContext2D, index: number, width: number): void {
    const queue = queueOf(this.#model.columns, index);
    if (queue === 0) return;
    const { colours } = this.#options;
    context.font = this.#font(600, 11);
    context.textAlign = "right";
    context.fillStyle = queue >= 5 ? (colours.states[QUEUEING] ?? colours.text) : colours.text;
    context.fillText(`${formatShort(queue)} ≡`, width - 6, 32);
    context.textAlign = "left";
  }

  /** Draws a dot for an arrived text, and a square for a sent event. */
  #paintPulses(context: CanvasRenderingContext2D, pulses: number, width: number): void {
    const { colours } = this.#options;
    if ((pulses & pulse.text) !== 0) {
      context.fillStyle = colours.arriving;
      context.beginPath();
      context.arc(width - 9, 9, 4, 0, 2 * Math.PI);
      context.fill();
    }
    if ((pulses & pulse.event) === 0) return;
    context.fillStyle = colours.leaving;
    context.fillRect(width - 24, 5, 8, 8);
  }

  #nameOf(index: number): string {
    let name = this.#names.get(index);
    if (name === undefined) {
      const { groups } = this.#model;
      const group = groups[groupOf(groups, index)];
      const isNumber = this.#options.isNumberEnough && group !== undefined;
      name = isNumber ? String(memberOf(group, index)) : nameOf(groups, index);
      this.#names.set(index, name);
    }
    return name;
  }

  #font(weight: number, size: number): string {
    return `${weight} ${size}px ${this.#options.font}`;
  }
}

const ALARM = handsetStates.indexOf("alarm");
const QUEUEING = handsetStates.indexOf("queueing");
