/** The placeholder for a count in a body. */
const PLACE = "{n}";

/**
 * Numbers the texts of each sender: `{n}` in a body becomes 1 in the sender's first text with this body, 2 in the
 * second. Each sender has its own count, so that the parts of a fleet give the same texts as the whole.
 */
export class BodyCounts {
  /** By the scenario's body (the object, not its text), then by sender. */
  readonly #counts = new WeakMap<object, Map<number, number>>();

  /**
   * Replaces `{n}` in a text by the sender's next count.
   *
   * @param body - the distribution from which the text was drawn: it has a count of its own for each sender
   * @param sender - the place of a person or of a handset
   */
  fill(text: string, body: object, sender: number): string {
    if (!text.includes(PLACE)) return text;
    let counts = this.#counts.get(body);
    if (counts === undefined) this.#counts.set(body, (counts = new Map()));
    const count = (counts.get(sender) ?? 0) + 1;
    counts.set(sender, count);
    return text.replaceAll(PLACE, String(count));
  }
}
