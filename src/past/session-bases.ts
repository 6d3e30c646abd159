/** Most bytes of all cached recordings. The last used one stays even if it is larger. */
const BYTES_MAX = 128 * 1024 * 1024;

/** LRU cache of the recordings with which sessions after the first begin. */
export class SessionBases {
  /** By the session's index, the least recently used first. */
  readonly #kept = new Map<number, Uint8Array>();

  /** @returns undefined when it must be computed */
  of(session: number): Uint8Array | undefined {
    const bytes = this.#kept.get(session);
    if (bytes !== undefined) this.keep(session, bytes);
    return bytes;
  }

  keep(session: number, bytes: Uint8Array): void {
    this.#kept.delete(session);
    this.#kept.set(session, bytes);
    let total = [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#kept) {
      if (total <= BYTES_MAX || oldest === session) return;
      this.#kept.delete(oldest);
      total -= length;
    }
  }
}
