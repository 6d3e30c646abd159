import { medianOf } from "./table.js";

/**
 * Rates that are measured by turns. The machine's speed changes within minutes, so what is ours is compared with what a peer
 * made just before and just after it.
 */
export class Rates {
  readonly #rates = new Map<string, number[]>();

  note(name: string, rate: number): void {
    const rates = this.#rates.get(name);
    if (rates === undefined) this.#rates.set(name, [rate]);
    else rates.push(rate);
  }

  /** Compares what was just measured with the peer's last rate, and with the one that `again` measures now. */
  beside(peer: string, name: string, rate: number, again: () => number): void {
    const before = this.#rates.get(peer)?.at(-1) ?? NaN;
    const after = again();
    this.note(peer, after);
    this.note(`${name} / ${peer}`, (2 * rate) / (before + after));
  }

  median(name: string): number {
    return medianOf(this.#rates.get(name) ?? []);
  }

  /** The median of what was compared; of rates where nothing was. */
  ratio(name: string, peer: string): number {
    const paired = this.#rates.get(`${name} / ${peer}`);
    return paired === undefined ? this.median(name) / this.median(peer) : medianOf(paired);
  }

  /** What the last comparison gave. */
  lastRatio(name: string, peer: string): string {
    return times(this.#rates.get(`${name} / ${peer}`)?.at(-1) ?? NaN);
  }
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
