import type { HostPressure, WallSpan } from "./host-pressure.js";
import { Latency, type PackedLatency } from "./latency.js";
import type { Meter } from "./meter.js";
import type { SpanFamily } from "./metric.js";
import { SpanWindow } from "./span-window.js";
import type { Tags } from "./tags.js";

/** After this time no later busy second changes whether a second counts. */
const SETTLED_AFTER_MS = 10_000;

/**
 * Durations that were measured while other programs did not keep this machine busy. The caller ends each second. The
 * durations of a second wait until the record of the machine is complete for it; then they are added or dropped.
 */
export class ClearSpan {
  readonly #host: HostPressure;
  readonly #window: SpanWindow;
  readonly #total = new Latency();
  readonly #pending: (WallSpan & { readonly values: PackedLatency })[] = [];

  /** @param of - the family and tags of the durations, which `meter` records from now on */
  constructor(meter: Meter, host: HostPressure, of: { readonly family: SpanFamily; readonly tags: Tags }) {
    this.#host = host;
    this.#window = new SpanWindow({ ...of, seconds: 0 });
    meter.addWindow(this.#window);
  }

  /** Ends the current second. @param second - when it was, wall milliseconds since the sender was made */
  endSecond(second: WallSpan): void {
    const values = this.#window.takeSecond();
    if (values.count > 0) this.#pending.push({ ...second, values });
    if (second.untilMs - (this.#pending[0]?.fromMs ?? Infinity) >= 2 * SETTLED_AFTER_MS) {
      this.#settle(second.untilMs - SETTLED_AFTER_MS);
    }
  }

  /** Drops what was measured in the current second. */
  dropSecond(): void {
    this.#window.clear();
  }

  /** All durations so far, except those of busy seconds. */
  total(): Latency {
    this.#settle(Infinity);
    return this.#total;
  }

  #settle(untilMs: number): void {
    const leftOut = this.#host.leftOut();
    for (let second = this.#pending[0]; second !== undefined && second.untilMs <= untilMs; second = this.#pending[0]) {
      this.#pending.shift();
      if (!overlapsAny(second, leftOut)) this.#total.addPacked(second.values);
    }
  }
}

/** Whether a span shares time with any of others. */
export function overlapsAny({ fromMs, untilMs }: WallSpan, others: readonly WallSpan[]): boolean {
  return others.some((other) => other.fromMs < untilMs && other.untilMs > fromMs);
}
