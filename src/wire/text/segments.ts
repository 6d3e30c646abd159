/** How a text is sent: its encoding, its units (septets or UTF-16 code units) and its SMS segments. */
export interface Segments {
  readonly encoding: "GSM-7" | "UCS-2";
  readonly units: number;
  /** At least 1. */
  readonly count: number;
}

/** Units in one SMS and in each part of a longer text (docs/reference/handset.md#android-limits). */
const gsm7 = { alone: 160, part: 153 };
const ucs2 = { alone: 70, part: 67 };

/** The default alphabet of 3GPP TS 23.038, 6.2.1, without the escape. */
const basicCharacters =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Its extension table (6.2.1.1): each is written as escape and character. */
const extensionCharacters = "\f^{}\\[~]|€";

/** Septets of each UTF-16 code unit up to the euro sign; 0: not in GSM-7. */
const septets = new Uint8Array(0x20ad);
for (const character of basicCharacters) septets[character.charCodeAt(0)] = 1;
for (const character of extensionCharacters) septets[character.charCodeAt(0)] = 2;

/**
 * Splits a text into segments: 160 septets or 70 code units in one, else 153 or 67 in each part.
 * An escape pair or a surrogate pair is never cut in two, so a part may stay one unit short.
 */
export function segmentsOf(text: string): Segments {
  let units = 0;
  for (let index = 0; index < text.length; index++) {
    const width = septets[text.charCodeAt(index)] ?? 0;
    if (width === 0) return cut(text, "UCS-2", text.length, ucs2);
    units += width;
  }
  return cut(text, "GSM-7", units, gsm7);
}

/** The texts of the segments of a text, in order. */
export function partsOf(text: string): string[] {
  const { encoding, count } = segmentsOf(text);
  if (count === 1) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = endOfPart(text, from, encoding);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

function cut(text: string, encoding: Segments["encoding"], units: number, room: typeof gsm7): Segments {
  if (units <= room.alone) return { encoding, units, count: 1 };
  let count = 0;
  for (let from = 0; from < text.length; count++) from = endOfPart(text, from, encoding);
  return { encoding, units, count };
}

/** The end (exclusive) of the segment of a long text that begins at `from`. */
function endOfPart(text: string, from: number, encoding: Segments["encoding"]): number {
  const room = encoding === "GSM-7" ? gsm7.part : ucs2.part;
  let used = 0;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isPair = encoding === "UCS-2" && isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1));
    const width = encoding === "GSM-7" ? (septets[code] ?? 1) : isPair ? 2 : 1;
    if (used + width > room) return index;
    used += width;
    if (isPair) index++;
  }
  return text.length;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
