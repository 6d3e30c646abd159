/** Stands for a number in a body. */
const PLACE = "{n}";

/**
 * Numbers the texts of each sender: in a body of the scenario, `{n}` is the sender's number of texts with this body, from
 * 1. A sender counts alone, so that the parts of a fleet give the same texts as the whole.
 */
export class BodyCounts {
  /** By body as the scenario has it, then by sender. */
  readonly #counts = new WeakMap<object, Map<number, number>>();

  /**
   * @param body - what the text was drawn from
   * @param sender - the place of a person, or the channel of a handset
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
