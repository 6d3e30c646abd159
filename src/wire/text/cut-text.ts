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

/**
 * A text of at most `charactersMax` characters (code points): a longer one is cut, and ends with three points.
 *
 * @param charactersMax - >= 3
 */
export function cutTextVisibly(text: string, charactersMax: number): string {
  if (cutText(text, charactersMax).length === text.length) return text;
  return `${cutText(text, charactersMax - ending.length)}${ending}`;
}

const ending = "...";
