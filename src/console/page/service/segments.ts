/** Characters of the GSM 7-bit default alphabet (3GPP TS 23.038). */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** They take two places. */
const EXTENDED = new Set("^{}\\[~]|€\f");

export interface SmsLength {
  /** Characters as a reader counts them. */
  readonly characters: number;
  /** Text messages that the phone sends. */
  readonly segments: number;
  /** A character outside the GSM alphabet makes the segments shorter. */
  readonly encoding: "GSM-7" | "UCS-2";
}

/** How many text messages a text takes: 160 septets or 70 UTF-16 units, or 153 and 67 of each where it is split. */
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

/** No character is split over two segments. */
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
