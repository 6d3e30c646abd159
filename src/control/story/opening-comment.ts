/** The comment at the beginning of a scenario file: its title and the text below it. */
export interface OpeningComment {
  readonly title: string | null;
  /** Paragraphs are divided by a line feed. */
  readonly about: string | null;
}

/** Longest text that is shown. */
const CHARACTERS_MAX = 1200;

/** Reads the opening comment: the `#` lines before the first key, without the editor's `yaml-language-server` line. */
export function openingComment(text: string): OpeningComment {
  const lines: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n", 200)) {
    if (!/^\s*(#|$)/.test(line)) break;
    if (!/^\s*#\s*yaml-language-server:/.test(line)) lines.push(line.replace(/^\s*#?\s?/, "").trim());
  }
  const paragraphs = lines
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " ").trim())
    .filter((paragraph) => paragraph !== "");
  const [title, ...rest] = paragraphs;
  // A single long paragraph is not a title.
  if (title !== undefined && rest.length === 0 && title.length > 80) return { title: null, about: cut(title) };
  return { title: title ?? null, about: rest.length === 0 ? null : cut(rest.join("\n")) };
}

function cut(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}
