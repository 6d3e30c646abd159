import type { ArrivalHandler, Arrivals, EntryContext } from "./arrivals.js";
import { Burst } from "./burst.js";
import { Even } from "./even.js";
import { Poisson } from "./poisson.js";
import { Timed } from "./timed.js";
import type { Cast, TrafficSpec } from "../cast/cast.js";
import type { TrafficChange, TrafficState } from "../input.js";
import { Layers } from "../layers.js";
import { AdjustableRate } from "./adjustable-rate.js";
import { Rate } from "./rate.js";
import { placesOf, type RosterSelection } from "../cast/roster.js";
import type { Selector } from "../cast/selector.js";
import type { Population } from "../population.js";
import { streamOf, type WorldContext } from "../world-context.js";

/** The state of all traffic together, without the changes of single entries. */
export interface TrafficStatus {
  /** Multiple of the scenario's rate. */
  readonly times: number;
  readonly state: TrafficState;
}

/** The values that a change can set. `perMs` undefined means the scenario's rate. */
interface Setting {
  times: number;
  state: TrafficState;
  perMs: number | undefined;
}

/** Default interval of bursts. */
const BURST_MS = 60_000;

interface TrafficOptions {
  readonly cast: Cast;
  readonly context: WorldContext;
  readonly population: Population;
  readonly handler: ArrivalHandler;
}

/** All traffic: its entries, and the changes made while they run. */
export class Traffic {
  readonly #context: WorldContext;
  readonly #entries: readonly Entry[];
  readonly #setting = new Layers<Setting>({ times: 1, state: "running", perMs: undefined });

  constructor({ cast, ...options }: TrafficOptions) {
    this.#context = options.context;
    this.#entries = cast.traffic.map((spec, index) => new Entry({ spec, index, cast, ...options }));
  }

  /** Starts at the kernel's now. In a continued world, arrivals due up to now are skipped. */
  start(): void {
    for (const entry of this.#entries) entry.start();
  }

  get status(): TrafficStatus {
    return { times: this.#setting.get("times"), state: this.#setting.get("state") };
  }

  /**
   * Changes single entries from now on, or all traffic, which multiplies the rates of the entries. Arrivals of other
   * entries keep their times.
   *
   * @param entries - places in the cast; absent for all traffic
   * @param forMs - when the change is withdrawn; absent: never
   */
  change(
    change: TrafficChange,
    { entries, forMs }: { readonly entries?: readonly number[]; readonly forMs?: number },
  ): void {
    const settings =
      entries === undefined
        ? [this.#setting]
        : entries.flatMap((index) => (this.#entries[index] === undefined ? [] : [this.#entries[index].setting]));
    const withdrawals = settings.flatMap((setting) => applyChange(change, setting, forMs !== undefined));
    this.#update();
    if (forMs === undefined) return;
    this.#context.kernel.in(
      forMs,
      () => {
        for (const withdraw of withdrawals) withdraw();
        this.#update();
      },
      undefined,
    );
  }

  #update(): void {
    for (const entry of this.#entries) entry.update(this.status);
  }
}

/** Applies a change to one setting. @returns functions that withdraw it, if it is temporary */
function applyChange(change: TrafficChange, setting: Layers<Setting>, isTemporary: boolean): (() => void)[] {
  const set = <K extends keyof Setting>(key: K, value: Setting[K]): (() => void)[] => {
    if (!isTemporary) {
      setting.set(key, value);
      return [];
    }
    const layer = setting.addLayer(key, value);
    return [() => void setting.removeLayer(layer)];
  };
  if ("times" in change) return set("times", change.times);
  return "perMs" in change ? set("perMs", change.perMs) : set("state", change.state);
}

/** One entry of `traffic` and its changes. */
class Entry {
  readonly setting: Layers<Setting> = new Layers<Setting>({ times: 1, state: "running", perMs: undefined });
  readonly #spec: TrafficSpec;
  readonly #cast: Cast;
  readonly #rate: Rate;
  readonly #adjustable: AdjustableRate;
  readonly #arrivals: Arrivals | undefined;
  /** The rate that a change has set in place of the scenario's. */
  #overriding: { readonly perMs: number; readonly rate: Rate } | undefined;
  #times = 1;
  #state: TrafficState = "running";
  #hasBegun = false;

  constructor(options: {
    readonly spec: TrafficSpec;
    readonly index: number;
    readonly cast: Cast;
    readonly context: WorldContext;
    readonly population: Population;
    readonly handler: ArrivalHandler;
  }) {
    const { spec, index, cast, context, population, handler } = options;
    this.#spec = spec;
    this.#cast = cast;
    this.#rate = this.#rateOf(spec.shape);
    this.#adjustable = new AdjustableRate(this.#rate);
    const { selection, nameOf, select, isHere } = population.sendersOf(spec);
    const entry: EntryContext = {
      context,
      senders: selection,
      isHere,
      rate: this.#adjustable,
      fromMs: spec.fromMs,
      untilMs: spec.untilMs,
      streamOf: (place) => streamOf(context, `${nameOf(place)}/traffic/${index}`),
      spec,
      handler,
    };
    this.#arrivals = selection.count === 0 ? undefined : this.#arrivalsOf(entry, select);
  }

  /** Starts arrivals. A change may have been applied before, such as a pause. */
  start(): void {
    this.#hasBegun = true;
    this.#arrivals?.start();
    if (this.#state !== "running") this.#arrivals?.pause();
  }

  /** Applies the settings of this entry and of all traffic. */
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

  /** The scenario's rate if it is the same, so that setting it is not a change. */
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

  #arrivalsOf(entry: EntryContext, select: (selector: Selector) => RosterSelection): Arrivals {
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
