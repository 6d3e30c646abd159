/** Characters of the GSM 7-bit default alphabet (3GPP TS 23.038). */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Characters that take two septets. */
const EXTENDED = new Set("^{}\\[~]|€\f");

export interface SmsLength {
  /** Number of user-perceived characters. */
  readonly characters: number;
  /** Number of SMS that the phone sends. */
  readonly segments: number;
  /** UCS-2, with shorter segments, if a character is not in the GSM alphabet. */
  readonly encoding: "GSM-7" | "UCS-2";
}

/**
 * The number of SMS segments of a text. One segment has 160 septets or 70 UTF-16 units; each of several has 153 or 67.
 */
export function smsLength(text: string): SmsLength {
  const letters = Array.from(text);
  const isGsm = letters.every((letter) => BASIC.has(letter) || EXTENDED.has(letter));
  const units = isGsm
    ? letters.map((letter) => (EXTENDED.has(letter) ? 2 : 1))
    : letters.map((letter) => letter.length);
  const [whole, part] = isGsm ? [160, 153] : [70, 67];
  const sum = units.reduce((total, unit) => total + unit, 0);
  return {
    characters: letters.length,
    segments: sum === 0 ? 0 : sum <= whole ? 1 : splitInto(units, part),
    encoding: isGsm ? "GSM-7" : "UCS-2",
  };
}

/** Counts segments without splitting a character. */
function splitInto(units: readonly number[], size: number): number {
  let segments = 1;
  let used = 0;
  for (const unit of units) {
    if (used + unit > size) {
      segments++;
      used = 0;
    }
    used += unit;
  }
  return segments;
}
