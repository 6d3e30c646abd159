import { endOf, type DotFlow, type Flight, positionOf, REFUSED_MS, STREAM_FROM } from "./dot-flow.js";
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

/** How long a shown rate stays, milliseconds: digits that change in each frame cannot be read. */
const RATE_MS = 500;

/** Draws dots and streams on a canvas over the picture, in animation frames, while something moves and can be seen. */
export class DotCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #flow: DotFlow;
  #scene: DotScene | undefined;
  #ways: readonly Curve[] = [];
  #trunk: Curve | undefined;
  #ratio = 1;
  /** The rates as they are shown, by village. */
  readonly #rates = new Map<number, { readonly words: string; readonly untilMs: number }>();
  #request = 0;
  /** The dots of a frame by colour: x, y and radius of each. */
  readonly #dots = new Map<string, number[]>();

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
    for (const flight of this.#flow.flights) this.#addFlight(scene, flight, now);
    this.#fillDots(context, scene.colours.halo);
    this.#drawRates(context, scene, now);
    this.wake();
  }

  #drawStreams(context: CanvasRenderingContext2D, { colours, layout }: DotScene, now: number): void {
    let [up, down] = [0, 0];
    const scale = scaleOf(layout);
    for (const [village, way] of this.#ways.entries()) {
      const [texts, messages] = [this.#flow.up(village).rate, this.#flow.down(village).rate];
      up += texts;
      down += messages;
      this.#drawStream(context, way, { rate: texts, colour: colours.text, now, scale });
      this.#drawStream(context, way, {
        rate: messages,
        colour: colours.message,
        now: -now,
        scale: scale * 0.6,
        isBand: texts < STREAM_FROM,
      });
    }
    if (this.#trunk !== undefined) {
      this.#drawStream(context, this.#trunk, { rate: up, colour: colours.text, now, scale });
      this.#drawStream(context, this.#trunk, {
        rate: down,
        colour: colours.message,
        now: -now,
        scale: scale * 0.6,
        isBand: up < STREAM_FROM,
      });
    }
  }

  #drawRates(context: CanvasRenderingContext2D, { colours, layout }: DotScene, now: number): void {
    for (const [village, way] of this.#ways.entries()) {
      const rate = this.#flow.up(village).rate + this.#flow.down(village).rate;
      if (rate < STREAM_FROM) continue;
      let shown = this.#rates.get(village);
      if (shown === undefined || shown.untilMs < now) {
        this.#rates.set(village, (shown = { words: rateWords(rate), untilMs: now + RATE_MS }));
      }
      drawWords(context, onCurve(way, 0.45), shown.words, colours, scaleOf(layout));
    }
  }

  /** @param look - `now`: milliseconds; negative: it moves from the end to the start */
  #drawStream(
    context: CanvasRenderingContext2D,
    way: Curve,
    look: {
      readonly rate: number;
      readonly colour: string;
      readonly now: number;
      readonly scale: number;
      readonly isBand?: boolean;
    },
  ): void {
    const { rate, colour, now, scale, isBand = true } = look;
    if (rate < STREAM_FROM) return;
    const [from, bend, to] = way;
    const width = scale * Math.min(40, 10 + 7 * Math.log2(rate / STREAM_FROM));
    // One band for both directions: a second one would cover it.
    if (isBand) {
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.quadraticCurveTo(bend.x, bend.y, to.x, to.y);
      context.strokeStyle = colour;
      context.globalAlpha = Math.min(0.6, 0.36 + rate / 500);
      context.lineWidth = width;
      context.stroke();
      context.globalAlpha = 1;
    }
    const gap = 1 / Math.max(3, Math.hypot(to.x - from.x, to.y - from.y) / (width + 14));
    const shift = (((now * 0.00045) % gap) + gap) % gap;
    for (let part = shift; part < 1; part += gap) {
      const { x, y } = onCurve(way, part);
      this.#add(colour, x, y, Math.max(2.5, width * 0.26));
    }
  }

  #addFlight(scene: DotScene, flight: Flight, now: number): void {
    const village = scene.layout.villages[flight.village];
    const way = this.#ways[flight.village];
    const phones = scene.phones[flight.village];
    if (village === undefined || way === undefined || phones === undefined || this.#trunk === undefined) return;
    const radius = 6.5 * scaleOf(scene.layout);
    if (flight.isRefused && now >= endOf(flight)) {
      const [, , end] = this.#trunk;
      const part = Math.min(1, (now - endOf(flight)) / REFUSED_MS);
      this.#add(scene.colours.refused, end.x - part * 34, end.y + part * part * 60, radius * (1.2 - part * 0.8));
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
    this.#add(colour, x, y, at.leg === "near" ? radius * 0.8 : radius);
  }

  #add(colour: string, x: number, y: number, radius: number): void {
    let dots = this.#dots.get(colour);
    if (dots === undefined) this.#dots.set(colour, (dots = []));
    dots.push(x, y, radius);
  }

  /** Fills all dots of a colour as one path instead of one path a dot. */
  #fillDots(context: CanvasRenderingContext2D, halo: string): void {
    for (const [colour, dots] of this.#dots) {
      for (const [style, rim] of [[halo, 1.75] as const, [colour, 0] as const]) {
        context.fillStyle = style;
        context.beginPath();
        for (let at = 0; at < dots.length; at += 3) {
          const [x = 0, y = 0, radius = 0] = [dots[at], dots[at + 1], dots[at + 2]];
          context.moveTo(x + radius + rim, y);
          context.arc(x, y, radius + rim, 0, 2 * Math.PI);
        }
        context.fill();
      }
      dots.length = 0;
    }
  }
}

function scaleOf({ room, isPortrait }: PictureLayout): number {
  return isPortrait ? 0.85 : Math.min(1.5, Math.max(0.8, room.width / 1150));
}

/** A rate with two digits: its estimate varies by a tenth between two frames of the stream. */
function rateWords(rate: number): string {
  return `${formatShort(Number(rate.toPrecision(2)))}/s`;
}

/** The rate of a stream, on its way. */
function drawWords(
  context: CanvasRenderingContext2D,
  at: Point,
  text: string,
  colours: DotColours,
  scale: number,
): void {
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
