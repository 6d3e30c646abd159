import type { SimTime, Stream } from "../sim/index.js";
import type { Cast, TrafficSpec } from "./cast.js";
import { Rate } from "./rate.js";
import { placesOf, type Selection } from "./roster.js";
import { streamOf, type Surroundings } from "./surroundings.js";

/** Who can send, and what it means that one of them does. */
export interface TrafficPorts {
  /** The senders of an entry: people, or handsets (by their places). */
  sendersOf(spec: TrafficSpec): {
    readonly selection: Selection;
    readonly nameOf: (place: number) => string;
    /** Whether a sender lives in this world: of the others only their turn is counted. */
    readonly isHere: (place: number) => boolean;
  };
  /** One text, call or send, by one of the senders. */
  act(spec: TrafficSpec, sender: number, stream: Stream): void;
}

/** A sender with a Poisson stream of its own. */
interface Caller {
  readonly entry: Entry;
  readonly place: number;
  readonly stream: Stream;
  /** Where it stands, in expected arrivals of the whole entry. */
  amount: number;
}

/** Bursts come this far apart: all that is due in the time up to the next comes at once. */
const BURST_MS = 60_000;

/** Expected arrivals are sums of fractions: so little does not make one more. */
const ROUNDING = 1e-6;

/** One entry of `traffic`, under way. */
class Entry {
  readonly #spec: TrafficSpec;
  readonly #index: number;
  readonly #rate: Rate;
  readonly #around: Surroundings;
  readonly #ports: TrafficPorts;
  readonly #senders: Selection;
  readonly #nameOf: (place: number) => string;
  readonly #isHere: (place: number) => boolean;
  /** even and burst: the senders' streams, made when their turn comes. */
  readonly #streams = new Map<number, Stream>();
  #dealt = 0;

  constructor(spec: TrafficSpec, index: number, cast: Cast, around: Surroundings, ports: TrafficPorts) {
    this.#spec = spec;
    this.#index = index;
    this.#around = around;
    this.#ports = ports;
    this.#rate = new Rate(spec.shape, {
      fromMs: spec.fromMs,
      untilMs: Math.min(spec.untilMs, cast.lastsMs),
      startsAtMs: cast.startsAtMs,
      timezone: cast.timezone,
    });
    const { selection, nameOf, isHere } = ports.sendersOf(spec);
    this.#senders = selection;
    this.#nameOf = nameOf;
    this.#isHere = isHere;
  }

  /** From an instant later than 0 on, what was due up to that instant has been. */
  start(): void {
    if (this.#senders.count === 0) return;
    const { begunAtMs } = this.#around;
    const passed = begunAtMs === 0 ? 0 : this.#rate.amountAt(begunAtMs);
    switch (this.#spec.arrivals) {
      case "poisson":
        // It has no memory: what is to come does not depend on when the last one was.
        for (const place of placesOf(this.#senders).filter(this.#isHere)) {
          this.#scheduleCaller({ entry: this, place, stream: this.#streamOf(place), amount: passed });
        }
        return;
      case "even":
        if (begunAtMs > 0 && begunAtMs >= this.#spec.fromMs) this.#dealt = Math.floor(passed + ROUNDING) + 1;
        this.#scheduleEven();
        return;
      case "burst":
        this.#scheduleBurst(this.#firstBurstMs(begunAtMs));
    }
  }

  #firstBurstMs(begunAtMs: SimTime): SimTime {
    const { fromMs } = this.#spec;
    if (begunAtMs === 0 || begunAtMs < fromMs) return fromMs;
    const nextMs = fromMs + (Math.floor((begunAtMs - fromMs) / BURST_MS) + 1) * BURST_MS;
    this.#dealt = Math.ceil(this.#rate.amountAt(nextMs));
    return nextMs;
  }

  /**
   * A sender's next arrival comes when an exponential share of its expected arrivals has passed: that is its own
   * Poisson stream, exact for a rate of any shape.
   */
  #scheduleCaller(caller: Caller): void {
    caller.amount += caller.stream.exponential(this.#senders.count);
    this.#at(this.#rate.timeOf(caller.amount), Entry.#called, caller);
  }

  static #called(this: void, caller: Caller): void {
    const { entry } = caller;
    entry.#ports.act(entry.#spec, caller.place, caller.stream);
    entry.#scheduleCaller(caller);
  }

  #scheduleEven(): void {
    this.#at(this.#rate.timeOf(this.#dealt), Entry.#evenDue, this);
  }

  static #evenDue(this: void, entry: Entry): void {
    entry.#deal();
    entry.#scheduleEven();
  }

  #scheduleBurst(atMs: SimTime): void {
    if (this.#rate.timeOf(this.#dealt) !== Infinity) this.#at(atMs, Entry.#burstDue, this);
  }

  static #burstDue(this: void, entry: Entry): void {
    const { now } = entry.#around.kernel;
    const due = entry.#rate.amountAt(now + BURST_MS);
    while (entry.#dealt < due) entry.#deal();
    entry.#scheduleBurst(now + BURST_MS);
  }

  /**
   * The next one, by the sender whose turn it is. A world that is a part of a fleet counts every turn, and does so at the
   * instant of each, so that its own senders have the places in time and order that they have in the whole.
   */
  #deal(): void {
    const place = this.#senders.at(this.#dealt % this.#senders.count);
    this.#dealt++;
    if (!this.#isHere(place)) return;
    let stream = this.#streams.get(place);
    if (stream === undefined) {
      stream = this.#streamOf(place);
      this.#streams.set(place, stream);
    }
    this.#ports.act(this.#spec, place, stream);
  }

  #streamOf(place: number): Stream {
    return streamOf(this.#around, `${this.#nameOf(place)}/traffic/${this.#index}`);
  }

  #at<T>(atMs: number, fire: (arg: T) => void, arg: T): void {
    const { kernel } = this.#around;
    const whole = Math.ceil(atMs);
    if (whole !== Infinity && whole < this.#spec.untilMs) kernel.at(Math.max(whole, kernel.now), fire, arg);
  }
}

/** Starts the day's traffic. */
export function startTraffic(cast: Cast, around: Surroundings, ports: TrafficPorts): void {
  for (const [index, spec] of cast.traffic.entries()) new Entry(spec, index, cast, around, ports).start();
}
