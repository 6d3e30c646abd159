import type { PersonDetails, TextEntry } from "../../protocol/index.js";

/** Most suggestions; the row scrolls on narrow screens. */
const OFFERED_MAX = 6;

/**
 * What to offer to send after the newest text: the quick replies of a flow that waits for this person, answers to a
 * question, texts of people like them, keywords.
 */
export function suggestionsAfter(
  newest: Pick<TextEntry, "from" | "text"> | undefined,
  { texts, replies, quick_replies: quickReplies, keywords }: PersonDetails["suggested"],
): readonly string[] {
  // Once the person has written, nothing of what was asked is open.
  const isTold = newest?.from === "handset";
  const answers = [
    ...(isTold ? quickReplies : []),
    ...(isTold && newest.text.includes("?") ? replies.slice(0, 3) : []),
  ];
  const words = answers.length === 0 ? texts : texts.slice(0, 2);
  const shortened = words.slice(0, OFFERED_MAX - Math.min(2, keywords.length));
  return distinct([...answers, ...shortened, ...keywords]).slice(0, OFFERED_MAX);
}

/** Without those that differ only in capitals: flows do not tell them apart. */
function distinct(texts: readonly string[]): string[] {
  const known = new Set<string>();
  return texts.filter((text) => {
    const isNew = !known.has(text.toLowerCase());
    known.add(text.toLowerCase());
    return isNew;
  });
}
