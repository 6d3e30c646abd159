/**
 * The first `charactersMax` characters (code points) of a text; never splits a surrogate pair.
 *
 * @param charactersMax - >= 0
 */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = 0;
  for (let remaining = charactersMax; remaining > 0 && end < text.length; remaining--) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
