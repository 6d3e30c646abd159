/** One `key=value` of a body, decoded. */
export type FormPair = readonly [key: string, value: string];

/**
 * Reads a form-encoded body (docs/reference/webhook.md#encoding) as browsers and `URLSearchParams` do. Never throws:
 * a raw `:` or `$` is literal and a bad percent escape stays unchanged. Bytes that are not UTF-8 become U+FFFD; a key
 * without `=` has an empty value.
 *
 * @returns the pairs in order, including repeated keys
 */
export function parseForm(body: string): FormPair[] {
  // The "&" protects a leading "?", which URLSearchParams would strip.
  return [...new URLSearchParams(`&${body}`)];
}

/** The first value of a key in a form-encoded body; undefined: it has none. Decodes only this value. */
export function formField(body: string, key: string): string | undefined {
  for (let from = body.indexOf(`${key}=`); from !== -1; from = body.indexOf(`${key}=`, from + 1)) {
    if (from > 0 && body[from - 1] !== "&") continue;
    const end = body.indexOf("&", from);
    return unescapeForm(body.slice(from + key.length + 1, end === -1 ? body.length : end));
  }
  return undefined;
}

/** One key or value of a form, decoded as `parseForm` does. `URLSearchParams` takes four times as long. */
function unescapeForm(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  try {
    return (spaced.includes("%") ? decodeURIComponent(spaced) : spaced).toWellFormed();
  } catch {
    // Escapes that are malformed or not UTF-8: only URLSearchParams reads these.
    return parseForm(`=${text}`)[0]?.[1] ?? "";
  }
}

/**
 * Writes a form-encoded body (docs/reference/webhook.md#encoding): UTF-8, space as `+`, upper-case hex. Letters, digits
 * and `* - . _` stay, as with JavaScript's `URLSearchParams`; so `:` is `%3A`. A lone surrogate becomes U+FFFD. Never
 * throws.
 */
export function encodeForm(pairs: readonly FormPair[]): string {
  return pairs.map(([key, value]) => `${escapeForm(key)}=${escapeForm(value)}`).join("&");
}

const hex: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);
/** By character code: 1 for characters that need no escape. */
const unescaped = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9*._-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** One key or value, encoded as `encodeForm` says. */
export function escapeForm(text: string): string {
  let encoded = "";
  let copied = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unescaped[unit] === 1) continue;
    if (index > copied) encoded += text.slice(copied, index);
    if (unit < 0x80) {
      encoded += unit === 0x20 ? "+" : byte(unit);
    } else {
      const codePoint = text.codePointAt(index) ?? unit;
      encoded += escapeCodePoint(codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint);
      if (codePoint > 0xffff) index++;
    }
    copied = index + 1;
  }
  return copied === 0 ? text : encoded + text.slice(copied);
}

/** The UTF-8 bytes of a code point >= 128, each as `%XX`. */
function escapeCodePoint(codePoint: number): string {
  const last = byte(0x80 | (codePoint & 0x3f));
  if (codePoint < 0x800) return byte(0xc0 | (codePoint >> 6)) + last;
  const middle = byte(0x80 | ((codePoint >> 6) & 0x3f));
  if (codePoint < 0x10000) return byte(0xe0 | (codePoint >> 12)) + middle + last;
  return byte(0xf0 | (codePoint >> 18)) + byte(0x80 | ((codePoint >> 12) & 0x3f)) + middle + last;
}

function byte(value: number): string {
  return hex[value] ?? "";
}
