/** Kind of the note that a person's phone has shown a long text with its parts in another order. */
export const PARTS_DISORDERED = "parts-disordered";

/** The text of such a note. @param order - the places of the parts in the text, from 1, as they were shown */
export function disorderNote(message: number, order: readonly number[]): string {
  return `message ${message} was shown with its parts in the order ${order.join(", ")}`;
}
