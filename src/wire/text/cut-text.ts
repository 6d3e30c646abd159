/**
 * The beginning of a text, at most so many characters (code points), so that no surrogate pair is broken.
 *
 * @param charactersMax - >= 0
 */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = 0;
  for (let left = charactersMax; left > 0 && end < text.length; left--) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
