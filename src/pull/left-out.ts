/** What a pulled account lacks or has otherwise than the service, and why. */
export interface LeftOut {
  /** In the plural: `contacts`, `groups`. */
  readonly what: string;
  readonly why: string;
  readonly count: number;
  /** Names or UUIDs of the first ones, as the service has them. */
  readonly of: readonly string[];
}

/** Names that are kept for each reason. */
const SHOWN_MAX = 3;

/** Counts what is left out or changed, by reason. */
export class LeftOuts {
  readonly #byReason = new Map<string, { what: string; why: string; count: number; of: string[] }>();

  /** @param of - name or UUID */
  add(what: string, why: string, of: string): undefined {
    const key = `${what}\n${why}`;
    const found = this.#byReason.get(key) ?? { what, why, count: 0, of: [] };
    found.count++;
    if (found.of.length < SHOWN_MAX) found.of.push(of);
    this.#byReason.set(key, found);
    return undefined;
  }

  all(): readonly LeftOut[] {
    return [...this.#byReason.values()];
  }
}
