const localCharacter = /[-_+$~.\p{L}\p{N}]/u;
const letterOrDigit = /[\p{L}\p{N}]/u;
/** At least two labels, each of which begins with a letter or digit. */
const domain = /[\p{L}\p{N}][-_\p{L}\p{N}]*(?:\.[\p{L}\p{N}][-_\p{L}\p{N}]*)+/uy;

/** The first e-mail address in a text (docs/reference/flows.md#tests); undefined when it has none. */
export function findEmail(text: string): string | undefined {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const from = localStart(text, at);
    domain.lastIndex = at + 1;
    const match = from === at ? null : domain.exec(text);
    if (match !== null) return text.slice(from, at + 1) + match[0];
  }
  return undefined;
}

/** Where the part before the `@` starts, found backwards so that the search takes linear time; `at` if there is none. */
function localStart(text: string, at: number): number {
  let start = at;
  for (let index = at; index > 0;) {
    const character = lastCharacter(text, index);
    if (!localCharacter.test(character)) break;
    index -= character.length;
    if (letterOrDigit.test(character)) start = index;
  }
  return start;
}

/** The character, of one or two code units, that ends before an index. */
function lastCharacter(text: string, end: number): string {
  const isPair = end > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 2, end));
  return text.slice(end - (isPair ? 2 : 1), end);
}
