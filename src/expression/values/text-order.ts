/** -1, 0 or 1: order of two texts by their characters (code points). */
export function compareTexts(first: string, second: string): number {
  const length = Math.min(first.length, second.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [first.charCodeAt(index), second.charCodeAt(index)];
    if (one !== other) return Math.sign(rankOf(one) - rankOf(other));
  }
  return Math.sign(first.length - second.length);
}

/** Surrogates stand for characters above all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
