/** The text in its base language. */
export function baseText(text: Readonly<Record<string, string>>, base?: string): string {
  return text[base ?? "base"] ?? text["base"] ?? Object.values(text)[0] ?? "";
}
