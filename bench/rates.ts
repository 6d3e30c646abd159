import { medianOf } from "./table.js";

/**
 * Alternately measured rates of the command and its peers. A shared machine's speed changes within minutes, so our rate
 * is compared with the mean of the peer's rates just before and just after it.
 */
export class Rates {
  readonly #rates = new Map<string, number[]>();

  record(name: string, rate: number): void {
    const rates = this.#rates.get(name);
    if (rates === undefined) this.#rates.set(name, [rate]);
    else rates.push(rate);
  }

  /** Measures the peer again, and records the ratio of `rate` to the mean of the peer's last two rates. */
  compare(name: string, rate: number, peer: string, measurePeer: () => number): void {
    const before = this.#rates.get(peer)?.at(-1) ?? NaN;
    const after = measurePeer();
    this.record(peer, after);
    this.record(`${name} / ${peer}`, (2 * rate) / (before + after));
  }

  median(name: string): number {
    return medianOf(this.#rates.get(name) ?? []);
  }

  /** The median of the compared ratios; where none was compared, the ratio of the medians. */
  ratio(name: string, peer: string): number {
    const compared = this.#rates.get(`${name} / ${peer}`);
    return compared === undefined ? this.median(name) / this.median(peer) : medianOf(compared);
  }

  /** The ratio of the last comparison, as text. */
  lastRatio(name: string, peer: string): string {
    return formatRatio(this.#rates.get(`${name} / ${peer}`)?.at(-1) ?? NaN);
  }
}

export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}
