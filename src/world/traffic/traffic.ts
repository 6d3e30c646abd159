import type { Stream } from "../../sim/index.js";
import type { Arrivals, EntryContext } from "./arrivals.js";
import { Burst } from "./burst.js";
import { Even } from "./even.js";
import { Poisson } from "./poisson.js";
import { Timed } from "./timed.js";
import type { Cast, TrafficSpec } from "../cast/cast.js";
import type { TrafficChange, TrafficState } from "../input.js";
import { Layers } from "../layers.js";
import { AdjustableRate } from "./adjustable-rate.js";
import { Rate } from "./rate.js";
import { placesOf, type Selection } from "../cast/roster.js";
import type { Selector } from "../cast/selector.js";
import { streamOf, type WorldContext } from "../world-context.js";

/** Who can send, and what it means that one of them does. */
export interface TrafficPorts {
  /** The senders of an entry: people, or handsets (by their places). */
  sendersOf(spec: TrafficSpec): {
    readonly selection: Selection;
    readonly nameOf: (place: number) => string;
    readonly select: (selector: Selector) => Selection;
    /** Whether a sender lives in this world: of the others only their turn is counted. */
    readonly isHere: (place: number) => boolean;
  };
  /** One text, call or send, by one of the senders. */
  act(spec: TrafficSpec, sender: number, stream: Stream): void;
}

/** How all traffic together stands, beside what was changed of single entries. */
export interface TrafficStatus {
  /** So many times what the scenario says. */
  readonly times: number;
  readonly state: TrafficState;
}

/** What can be changed for a while. `perMs` undefined: the scenario's rate. */
interface Setting {
  times: number;
  state: TrafficState;
  perMs: number | undefined;
}

/** Bursts come this far apart where nothing is said. */
const BURST_MS = 60_000;

/** The day's traffic: its entries, and what has been changed of them while they run. */
export class Traffic {
  readonly #context: WorldContext;
  readonly #entries: readonly Entry[];
  readonly #setting = new Layers<Setting>({ times: 1, state: "running", perMs: undefined });

  constructor(cast: Cast, context: WorldContext, ports: TrafficPorts) {
    this.#context = context;
    this.#entries = cast.traffic.map((spec, index) => new Entry({ spec, index, cast, context, ports }));
  }

  /** Begins at the kernel's now. Later than 0, what was due up to that instant has been. */
  start(): void {
    for (const entry of this.#entries) entry.start();
  }

  get status(): TrafficStatus {
    return { times: this.#setting.get("times"), state: this.#setting.get("state") };
  }

  /**
   * Changes traffic from now on: single entries, or all together, which multiplies what single ones have. Nobody's
   * arrivals are moved but those of the entries meant.
   *
   * @param entries - places in the cast; absent: all together
   * @param forMs - until it is again as before; absent: it stays
   */
  change(
    change: TrafficChange,
    { entries, forMs }: { readonly entries?: readonly number[]; readonly forMs?: number },
  ): void {
    const settings =
      entries === undefined
        ? [this.#setting]
        : entries.flatMap((index) => (this.#entries[index] === undefined ? [] : [this.#entries[index].setting]));
    const lifts = settings.flatMap((setting) => apply(change, setting, forMs !== undefined));
    this.#update();
    if (forMs === undefined) return;
    this.#context.kernel.in(
      forMs,
      () => {
        for (const lift of lifts) lift();
        this.#update();
      },
      undefined,
    );
  }

  #update(): void {
    for (const entry of this.#entries) entry.update(this.status);
  }
}

/** @returns what takes it back again, where it passes */
function apply(change: TrafficChange, setting: Layers<Setting>, passes: boolean): (() => void)[] {
  const set = <K extends keyof Setting>(key: K, value: Setting[K]): (() => void)[] => {
    if (!passes) {
      setting.set(key, value);
      return [];
    }
    const layer = setting.addLayer(key, value);
    return [() => void setting.removeLayer(layer)];
  };
  if ("times" in change) return set("times", change.times);
  return "perMs" in change ? set("perMs", change.perMs) : set("state", change.state);
}

/** One entry of `traffic`, under way. */
class Entry {
  readonly setting: Layers<Setting> = new Layers<Setting>({ times: 1, state: "running", perMs: undefined });
  readonly #spec: TrafficSpec;
  readonly #cast: Cast;
  readonly #rate: Rate;
  readonly #adjustable: AdjustableRate;
  readonly #arrivals: Arrivals | undefined;
  /** The rate that somebody has set instead of the scenario's. */
  #overriding: { readonly perMs: number; readonly rate: Rate } | undefined;
  #times = 1;
  #state: TrafficState = "running";
  #hasBegun = false;

  constructor(options: {
    readonly spec: TrafficSpec;
    readonly index: number;
    readonly cast: Cast;
    readonly context: WorldContext;
    readonly ports: TrafficPorts;
  }) {
    const { spec, index, cast, context, ports } = options;
    this.#spec = spec;
    this.#cast = cast;
    this.#rate = this.#rateOf(spec.shape);
    this.#adjustable = new AdjustableRate(this.#rate);
    const { selection, nameOf, select, isHere } = ports.sendersOf(spec);
    const entry: EntryContext = {
      context,
      senders: selection,
      isHere,
      rate: this.#adjustable,
      fromMs: spec.fromMs,
      untilMs: spec.untilMs,
      streamOf: (place) => streamOf(context, `${nameOf(place)}/traffic/${index}`),
      act: (place, stream) => ports.act(spec, place, stream),
    };
    this.#arrivals = selection.count === 0 ? undefined : this.#arrivalsOf(entry, select);
  }

  /** Somebody may have changed it before. */
  start(): void {
    this.#hasBegun = true;
    this.#arrivals?.start();
    if (this.#state !== "running") this.#arrivals?.pause();
  }

  /** Brings the entry to what is set of it, and of all traffic together. */
  update(all: TrafficStatus): void {
    const before = this.#state;
    const arrivals = this.#arrivals;
    if (arrivals === undefined || before === "stopped") return;
    this.#times = this.setting.get("times") * all.times;
    this.#state = stricterState(this.setting.get("state"), all.state);
    const change = { rate: this.#rateInForce(), times: this.#times };
    const isChanged = this.#adjustable.change(arrivals.changesFromMs, change);
    if (!this.#hasBegun) return;
    if (this.#state === "running") {
      if (before === "paused") arrivals.endPause();
      else if (isChanged) arrivals.reschedule();
    } else if (before === "running") arrivals.pause();
  }

  #rateInForce(): Rate {
    const perMs = this.setting.get("perMs");
    if (perMs === undefined) return this.#rate;
    if (this.#overriding?.perMs !== perMs) this.#overriding = { perMs, rate: this.#constantRate(perMs) };
    return this.#overriding.rate;
  }

  /** One that the scenario has already is no change. */
  #constantRate(perMs: number): Rate {
    const { shape } = this.#spec;
    return shape.kind === "constant" && shape.perMs === perMs ? this.#rate : this.#rateOf({ kind: "constant", perMs });
  }

  #rateOf(shape: TrafficSpec["shape"]): Rate {
    return new Rate(shape, {
      fromMs: this.#spec.fromMs,
      untilMs: Math.min(this.#spec.untilMs, this.#cast.lastsMs),
      startsAtMs: this.#cast.startsAtMs,
      timezone: this.#cast.timezone,
    });
  }

  #arrivalsOf(entry: EntryContext, select: (selector: Selector) => Selection): Arrivals {
    const { arrivals, everyMs = BURST_MS, at = [] } = this.#spec;
    switch (arrivals) {
      case "poisson":
        return new Poisson(entry);
      case "even":
        return new Even(entry);
      case "burst":
        return new Burst(entry, everyMs);
      case "times":
        return new Timed(entry, {
          arrivals: at,
          placesOf: ({ senders }) => (senders === undefined ? undefined : placesOf(select(senders))),
          times: () => this.#times,
        });
    }
  }
}

function stricterState(one: TrafficState, other: TrafficState): TrafficState {
  if (one === "stopped" || other === "stopped") return "stopped";
  return one === "paused" || other === "paused" ? "paused" : "running";
}
