/**
 * The texts and messages that move on the picture. A text takes milliseconds of real time at 120x, so each one is
 * held for two to three seconds, in the order of its steps. Where there are many, some stand for all and the rest are
 * gathered into a stream with a count. Pure: the caller passes the time.
 */

/** A step of the way, in the direction of a text. */
export type Leg = "near" | "far" | "post";

/** How long each step is shown, milliseconds: person to phone, phone to service, service to receiver. */
export const legMs: Readonly<Record<Leg, number>> = { near: 650, far: 1050, post: 700 };

const upLegs: readonly Leg[] = ["near", "far", "post"];
const downLegs: readonly Leg[] = ["post", "far", "near"];

/** A text or message on its way. */
export interface Flight {
  /** `text`: from a person; `message`: to a person. */
  readonly kind: "text" | "message";
  readonly village: number;
  readonly channel: number;
  /** Null: a text that is seen only at the phone, as its sender is not known yet. */
  readonly phone: string | null;
  readonly body: string | null;
  readonly startMs: number;
  readonly legs: readonly Leg[];
  /** Whether the receiver refused it. Known when it gets there. */
  isRefused: boolean;
  isJudged: boolean;
}

/** A text or message that the stream sampled. */
export interface SampledText {
  readonly kind: Flight["kind"];
  readonly village: number;
  readonly channel: number;
  readonly phone: string | null;
  readonly body: string | null;
}

/** What happened since the previous frame. */
export interface FlowFrame {
  readonly sample: readonly SampledText[];
  /** By village: texts that came to the service, messages that phones sent, texts that only reached a phone. */
  readonly counts: readonly {
    readonly village: number;
    readonly texts: number;
    readonly messages: number;
    readonly held: number;
  }[];
  /** Villages whose texts waited on the phones: they start there. */
  readonly hadQueue: (village: number) => boolean;
}

/** Many texts or messages between a village and the service. */
export interface Stream {
  /** Texts a second, smoothed. */
  rate: number;
  /** Since the stream began. */
  count: number;
}

/** Most flights at a time. */
export const FLIGHTS_MAX = 220;
/** Most flights of a village, kind and frame. */
const OF_FRAME = 3;
/** Time over which the flights of a frame start, milliseconds. */
const SPREAD_MS = 240;
/** Time constant of a stream's rate, milliseconds. */
const STREAM_MS = 1200;
/** A stream is visible from this rate on, a second, and forgotten below a tenth of it. */
export const STREAM_FROM = 14;
/** The next flight of a person begins when the previous one has arrived. It is left out if that takes longer than this. */
const ORDER_MS = 6000;

const noStream: Readonly<Stream> = { rate: 0, count: 0 };

/** The flights and streams of the picture. */
export class DotFlow {
  #flights: Flight[] = [];
  readonly #up = new Map<number, Stream>();
  readonly #down = new Map<number, Stream>();
  /** When the last flight of a person reached its end, by phone number. */
  readonly #arrivals = new Map<string, number>();
  #fadedMs = 0;
  /** Share of recent attempts that failed, and the fraction that is carried over, because only whole texts are refused. */
  #refusedShare = 0;
  #refusedRest = 0;

  /** The flights that have started or will, in the order of their start. */
  get flights(): readonly Flight[] {
    return this.#flights;
  }

  /** Texts from a village to the service. */
  up(village: number): Readonly<Stream> {
    return this.#up.get(village) ?? noStream;
  }

  /** Messages from the service to a village. */
  down(village: number): Readonly<Stream> {
    return this.#down.get(village) ?? noStream;
  }

  /** Takes what happened since the previous frame. */
  take({ sample, counts, hadQueue }: FlowFrame, nowMs: number): void {
    this.#fade(nowMs);
    for (const { village, texts, messages, held } of counts) {
      addTo(this.#up, village, texts);
      addTo(this.#down, village, messages);
      for (let nth = 0; nth < Math.min(held, OF_FRAME); nth++) {
        this.#start({ kind: "text", village, channel: 0, phone: null, body: null }, ["near"], nowMs + nth * 80);
      }
    }
    const started = new Map<string, number>();
    for (const [place, one] of sample.entries()) {
      const key = `${one.kind} ${one.village}`;
      const nth = started.get(key) ?? 0;
      // A stream stands for most of its texts.
      const stream = one.kind === "text" ? this.up(one.village) : this.down(one.village);
      if (nth >= (stream.rate > 2 * STREAM_FROM ? 1 : OF_FRAME)) continue;
      started.set(key, nth + 1);
      const atMs = nowMs + (place / Math.max(1, sample.length)) * SPREAD_MS;
      if (one.kind === "text") this.#start(one, hadQueue(one.village) ? upLegs.slice(1) : upLegs, atMs);
      else this.#start(one, this.#hasAsked(one.phone, nowMs) ? downLegs : downLegs.slice(1), atMs);
    }
  }

  /** Share of the recent attempts that the receiver refused, 0..1. */
  set refusedShare(share: number) {
    this.#refusedShare = share;
  }

  /** Ends what has arrived. @returns whether anything still moves */
  advance(nowMs: number): boolean {
    this.#fade(nowMs);
    for (const flight of this.#flights) {
      if (flight.kind === "text" && !flight.isJudged && endOf(flight) - nowMs < 60 && flight.legs.includes("post")) {
        flight.isJudged = true;
        this.#refusedRest += this.#refusedShare;
        flight.isRefused = this.#refusedRest >= 1;
        if (flight.isRefused) this.#refusedRest -= 1;
      }
    }
    // A refused text stays for a moment at the receiver.
    this.#flights = this.#flights.filter((flight) => endOf(flight) + (flight.isRefused ? REFUSED_MS : 0) > nowMs);
    return this.#flights.length > 0 || this.#up.size > 0 || this.#down.size > 0;
  }

  clear(): void {
    this.#flights = [];
    this.#up.clear();
    this.#down.clear();
    this.#arrivals.clear();
  }

  #hasAsked(phone: string | null, nowMs: number): boolean {
    return phone !== null && nowMs - (this.#arrivals.get(phone) ?? -Infinity) < ORDER_MS;
  }

  #start(one: SampledText, legs: readonly Leg[], wantedMs: number): void {
    if (this.#flights.length >= FLIGHTS_MAX) return;
    const earliest = one.phone === null ? 0 : (this.#arrivals.get(one.phone) ?? 0);
    if (earliest - wantedMs > ORDER_MS) return;
    const startMs = Math.max(wantedMs, earliest);
    const flight: Flight = { ...one, legs, startMs, isRefused: false, isJudged: false };
    this.#flights.push(flight);
    if (one.phone === null) return;
    this.#arrivals.delete(one.phone);
    this.#arrivals.set(one.phone, endOf(flight));
    if (this.#arrivals.size > 4 * FLIGHTS_MAX) {
      const [oldest] = this.#arrivals.keys();
      if (oldest !== undefined) this.#arrivals.delete(oldest);
    }
  }

  #fade(nowMs: number): void {
    const factor = Math.exp(-Math.max(0, nowMs - this.#fadedMs) / STREAM_MS);
    this.#fadedMs = nowMs;
    for (const streams of [this.#up, this.#down]) {
      for (const [village, stream] of streams) {
        stream.rate *= factor;
        if (stream.rate < STREAM_FROM / 10) streams.delete(village);
      }
    }
  }
}

/** How long a refused text stays at the receiver, milliseconds. */
export const REFUSED_MS = 700;

/** When a flight arrives. */
export function endOf({ startMs, legs }: Flight): number {
  return legs.reduce((sum, leg) => sum + legMs[leg], startMs);
}

/** Where a flight is; undefined: it has not started, or has arrived. `part` is 0..1, in its direction. */
export function positionOf({ startMs, legs }: Flight, nowMs: number): { leg: Leg; part: number } | undefined {
  let left = nowMs - startMs;
  if (left < 0) return undefined;
  for (const leg of legs) {
    if (left < legMs[leg]) return { leg, part: left / legMs[leg] };
    left -= legMs[leg];
  }
  return undefined;
}

function addTo(streams: Map<number, Stream>, village: number, count: number): void {
  if (count === 0) return;
  let stream = streams.get(village);
  if (stream === undefined) streams.set(village, (stream = { rate: 0, count: 0 }));
  // A constant rate converges to itself.
  stream.rate += count * (1000 / STREAM_MS);
  stream.count += count;
}
