/** `+250788…` as the service writes it, `tel:+250788…`; what has a scheme stays. */
export function asUrn(text: string): string {
  const trimmed = text.trim();
  return /^[a-z]\w*:/i.test(trimmed) ? trimmed : `tel:${trimmed.replaceAll(/[\s()-]/g, "")}`;
}

/** The addresses of a list that is separated by commas, semicolons or new lines. */
export function urnsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .filter((part) => part.trim() !== "")
    .map(asUrn);
}
