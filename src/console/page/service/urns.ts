/** Adds the scheme to a number, `tel:+250788…`; a URN stays unchanged. */
export function asUrn(text: string): string {
  const trimmed = text.trim();
  return /^[a-z]\w*:/i.test(trimmed) ? trimmed : `tel:${trimmed.replaceAll(/[\s()-]/g, "")}`;
}

/** Splits addresses at commas, semicolons and line ends. */
export function urnsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .filter((part) => part.trim() !== "")
    .map(asUrn);
}

/** The number of a contact's phone. */
export function phoneOf(urns: readonly string[]): string | undefined {
  return urns
    .find((urn) => urn.startsWith("tel:"))
    ?.slice("tel:".length)
    .replace(/#.*$/s, "");
}
