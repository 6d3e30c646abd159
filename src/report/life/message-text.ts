import type { Lookup, RecordedMessage } from "../../store/index.js";
import { formField } from "../../wire/index.js";

/**
 * The text of a message. Deleting it, or its contact, erases it from the account, while events about it keep it.
 *
 * @returns undefined if no event has it either
 */
export function messageText(lookup: Lookup, { id, text }: Pick<RecordedMessage, "id" | "text">): string | undefined {
  if (text !== "") return text;
  const [outcome] = lookup.outcomesOf(id);
  return outcome && formField(outcome.body, "text");
}
