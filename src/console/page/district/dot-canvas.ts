import { endOf, type DotFlow, type Flight, positionOf, STREAM_FROM, type Stream } from "./dot-flow.js";
import type { PictureLayout } from "./layout.js";
import type { Point } from "./places.js";
import { formatShort } from "../format/index.js";
import { type Curve, onCurve, phoneSpot, pointOnLeg, spotOfPerson, trunkOf, wayOf } from "./ways.js";

/** Colours of what moves. */
export interface DotColours {
  readonly text: string;
  readonly message: string;
  readonly refused: string;
  readonly halo: string;
  /** Font family of numbers. */
  readonly font: string;
}

/** What the canvas draws on. */
export interface DotScene {
  readonly layout: PictureLayout;
  readonly colours: DotColours;
  /** First channel and number of phones of each village. */
  readonly phones: readonly { readonly firstChannel: number; readonly count: number }[];
}

/** Longest distance of dashes in a stream, CSS pixels. */
const DASH = 26;

/** Draws dots and streams on a canvas over the picture, in animation frames, while something moves and can be seen. */
export class DotCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #flow: DotFlow;
  #scene: DotScene | undefined;
  #ways: readonly Curve[] = [];
  #trunk: Curve | undefined;
  #ratio = 1;
  #request = 0;

  constructor(canvas: HTMLCanvasElement, flow: DotFlow) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#flow = flow;
  }

  show(scene: DotScene): void {
    this.#scene = scene;
    this.#ways = scene.layout.villages.map((village) => wayOf(scene.layout, village));
    this.#trunk = trunkOf(scene.layout);
    const { width, height } = scene.layout.room;
    // More pixels would cost frames on large screens, and dots need none.
    this.#ratio = Math.min(devicePixelRatio, width * height > 1_000_000 ? 1 : 2);
    this.#canvas.width = Math.round(width * this.#ratio);
    this.#canvas.height = Math.round(height * this.#ratio);
    this.wake();
  }

  /** Draws from the next animation frame on, until nothing moves. A hidden page has no animation frames. */
  wake(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame((now) => this.#draw(now));
  }

  close(): void {
    cancelAnimationFrame(this.#request);
    this.#request = -1;
  }

  #draw(now: number): void {
    if (this.#request === -1) return;
    this.#request = 0;
    const [context, scene] = [this.#context, this.#scene];
    if (context === null || scene === undefined) return;
    const moves = this.#flow.advance(now);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    if (!moves) return;
    this.#drawStreams(context, scene, now);
    for (const flight of this.#flow.flights) this.#drawFlight(context, scene, flight, now);
    this.wake();
  }

  #drawStreams(context: CanvasRenderingContext2D, { colours, layout }: DotScene, now: number): void {
    let [up, down] = [0, 0];
    const scale = scaleOf(layout);
    for (const [village, way] of this.#ways.entries()) {
      const [texts, messages] = [this.#flow.up(village), this.#flow.down(village)];
      up += texts.rate;
      down += messages.rate;
      drawStream(context, way, { stream: texts, colour: colours.text, now, scale });
      drawStream(context, way, { stream: messages, colour: colours.message, now: -now, scale: scale * 0.6 });
    }
    for (const [village, way] of this.#ways.entries()) {
      const rate = this.#flow.up(village).rate + this.#flow.down(village).rate;
      if (rate >= STREAM_FROM) drawRate(context, onCurve(way, 0.45), rate, colours, scale);
    }
    if (this.#trunk === undefined) return;
    drawStream(context, this.#trunk, { stream: { rate: up, count: 0 }, colour: colours.text, now, scale });
    const back = { stream: { rate: down, count: 0 }, colour: colours.message, now: -now, scale: scale * 0.6 };
    drawStream(context, this.#trunk, back);
  }

  #drawFlight(context: CanvasRenderingContext2D, scene: DotScene, flight: Flight, now: number): void {
    const village = scene.layout.villages[flight.village];
    const way = this.#ways[flight.village];
    const phones = scene.phones[flight.village];
    if (village === undefined || way === undefined || phones === undefined || this.#trunk === undefined) return;
    const radius = 6.5 * scaleOf(scene.layout);
    if (flight.isRefused && now >= endOf(flight)) {
      const [, , end] = this.#trunk;
      const part = Math.min(1, (now - endOf(flight)) / 700);
      context.globalAlpha = 1 - part;
      dot(
        context,
        end.x - part * 30,
        end.y + part * part * 60,
        radius * 1.1,
        scene.colours.refused,
        scene.colours.halo,
      );
      context.globalAlpha = 1;
      return;
    }
    const at = positionOf(flight, now);
    if (at === undefined) return;
    const eased = at.part < 0.5 ? 2 * at.part * at.part : 1 - 2 * (1 - at.part) ** 2;
    const part = flight.kind === "text" ? eased : 1 - eased;
    const index = Math.max(0, flight.channel - phones.firstChannel);
    const { x, y } = pointOnLeg(at.leg, part, {
      village,
      way,
      trunk: this.#trunk,
      person: spotOfPerson(flight.phone ?? String(Math.round(flight.startMs))),
      phone: phoneSpot(index, phones.count),
    });
    const colour = flight.kind === "text" ? scene.colours.text : scene.colours.message;
    dot(context, x, y, at.leg === "near" ? radius * 0.8 : radius, colour, scene.colours.halo);
  }
}

function scaleOf({ room, isPortrait }: PictureLayout): number {
  return isPortrait ? 0.85 : Math.min(1.5, Math.max(0.8, room.width / 1150));
}

function dot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  halo: string,
): void {
  context.beginPath();
  context.arc(x, y, radius + 1.75, 0, 7);
  context.fillStyle = halo;
  context.fill();
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = colour;
  context.fill();
}

/** The rate of a stream, on its way. */
function drawRate(
  context: CanvasRenderingContext2D,
  at: Point,
  rate: number,
  colours: DotColours,
  scale: number,
): void {
  const text = `${formatShort(Math.round(rate))}/s`;
  const size = 15 * scale;
  context.font = `600 ${size}px ${colours.font}`;
  const width = context.measureText(text).width + size;
  context.beginPath();
  context.roundRect(at.x - width / 2, at.y - size * 0.8, width, size * 1.6, size * 0.8);
  context.fillStyle = colours.halo;
  context.fill();
  context.fillStyle = colours.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, at.x, at.y + 1);
}

/** @param look - `now`: milliseconds; negative: it moves from the end to the start */
function drawStream(
  context: CanvasRenderingContext2D,
  [from, bend, to]: Curve,
  look: { readonly stream: Readonly<Stream>; readonly colour: string; readonly now: number; readonly scale: number },
): void {
  const { rate } = look.stream;
  if (rate < STREAM_FROM) return;
  const width = look.scale * Math.min(40, 10 + 7 * Math.log2(rate / STREAM_FROM));
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.quadraticCurveTo(bend.x, bend.y, to.x, to.y);
  context.lineCap = "round";
  context.strokeStyle = look.colour;
  context.globalAlpha = Math.min(0.6, 0.36 + rate / 500);
  context.lineWidth = width;
  context.stroke();
  context.globalAlpha = 0.95;
  context.lineWidth = Math.max(2.5, width * 0.55);
  context.setLineDash([0.1, Math.max(context.lineWidth * 1.35, DASH - rate / 8)]);
  context.lineDashOffset = -look.now * 0.16;
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}
