import type { Happening } from "../lab/index.js";

/** The listeners of a lab's live log. */
export class Followers {
  readonly #listeners = new Set<(happening: Happening) => void>();

  /** @returns stops the calls of `listener` */
  follow(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening);
  }
}
