import { toLowerCase, wordsOf } from "../expression/index.js";

/** The condition of a trigger (docs/reference/flows.md#triggers). `Id` identifies channels and groups. */
export interface TriggerRule<Id> {
  /** A letter: K keyword, C catch-all, M missed call… */
  readonly type: string;
  /** Lower case; null where the type has none. */
  readonly keyword: string | null;
  /** For keyword triggers. F: the text begins with the keyword; O: the text is only the keyword. */
  readonly matchType: "F" | "O";
  /** Null matches any channel. */
  readonly channel: Id | null;
  /** The contact must be in one of them; empty matches any contact. */
  readonly groups: readonly Id[];
  /** The contact must be in none of them. */
  readonly excludeGroups: readonly Id[];
}

/** An occurrence that can fire a trigger. */
export interface TriggerOccasion<Id> {
  /** The letter of the triggers that may start. */
  readonly type: string;
  /** The message, for keywords. */
  readonly text?: string | undefined;
  /** Where it happened; null when it did not happen on a channel. */
  readonly channel: Id | null;
  /** Groups of the contact. */
  readonly groups: ReadonlySet<Id>;
}

/**
 * The trigger that fires: the one with the highest score among those whose condition holds
 * (docs/reference/flows.md#triggers). A channel counts 4, a group 2, excluded groups 1.
 *
 * @param triggers - active ones, oldest first: between equal scores the older one fires
 * @returns undefined when no condition holds
 */
export function chooseTrigger<Id, T extends TriggerRule<Id>>(
  triggers: Iterable<T>,
  occasion: TriggerOccasion<Id>,
): T | undefined {
  const words = toLowerCase(occasion.text ?? "");
  const said = wordsOf(words);
  let best: T | undefined;
  let bestScore = -1;
  for (const trigger of triggers) {
    if (!holds(trigger, occasion, said)) continue;
    const score = scoreOf(trigger);
    if (score <= bestScore) continue;
    best = trigger;
    bestScore = score;
  }
  return best;
}

function holds<Id>(
  trigger: TriggerRule<Id>,
  { type, channel, groups }: TriggerOccasion<Id>,
  said: readonly string[],
): boolean {
  if (trigger.type !== type) return false;
  if (trigger.channel !== null && trigger.channel !== channel) return false;
  if (trigger.groups.length > 0 && !trigger.groups.some((group) => groups.has(group))) return false;
  if (trigger.excludeGroups.some((group) => groups.has(group))) return false;
  return trigger.type !== "K" || beginsWithKeyword(trigger, said);
}

/**
 * Whether a text begins with the keyword. Compared word by word, because an emoji with a variation selector is two
 * words.
 */
function beginsWithKeyword<Id>({ keyword, matchType }: TriggerRule<Id>, said: readonly string[]): boolean {
  const wanted = wordsOf(toLowerCase(keyword ?? ""));
  if (wanted.length === 0 || (matchType === "O" && said.length !== wanted.length)) return false;
  return wanted.every((word, index) => said[index] === word);
}

function scoreOf<Id>({ channel, groups, excludeGroups }: TriggerRule<Id>): number {
  return (channel === null ? 0 : 4) + (groups.length > 0 ? 2 : 0) + (excludeGroups.length > 0 ? 1 : 0);
}
