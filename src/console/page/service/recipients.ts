/** Number of contacts of a broadcast or flow start. */
export interface RecipientCount {
  readonly count: number;
  /** Whether groups may overlap, so that the number may be lower. */
  readonly isUpperBound: boolean;
}

/** Counts the members of groups and the individual contacts. */
export function recipientCount(
  groups: readonly { readonly count: number }[],
  contacts: readonly string[],
): RecipientCount {
  const sets = [...groups.map(({ count }) => count), new Set(contacts).size].filter((count) => count > 0);
  return { count: sets.reduce((sum, count) => sum + count, 0), isUpperBound: sets.length > 1 };
}

/** `1 contact`, `up to 12 contacts`, `nobody`. */
export function recipientWords({ count, isUpperBound }: RecipientCount): string {
  if (count === 0) return "nobody";
  const counted = count === 1 ? "1 contact" : `${count.toLocaleString("en")} contacts`;
  return isUpperBound ? `up to ${counted}` : counted;
}
