const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** One-letter escapes of Apache and of `escape=json`. */
const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v" };

/**
 * A value of an access log as it was sent. nginx writes `"`, `\`, control characters and bytes above 126 as `\xHH`;
 * Apache does too, with `\"`, `\\`, `\n`, `\t`; `escape=json` has `\uHHHH`. Bytes that are not UTF-8 become `%HH`, which
 * is the same in a form.
 */
export function unescapeLog(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  let isPlain = true;
  let out = "";
  const flush = (): void => {
    if (bytes.length > 0) out += textOf(bytes);
    bytes.length = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign !== "\\") {
      flush();
      out += sign;
      continue;
    }
    isPlain = false;
    const next = text[++at] ?? "\\";
    const hex = next === "x" ? text.slice(at + 1, at + 3) : "";
    if (/^[\da-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
      continue;
    }
    flush();
    const code = next === "u" ? text.slice(at + 1, at + 5) : "";
    if (/^[\da-f]{4}$/i.test(code)) {
      out += String.fromCharCode(Number.parseInt(code, 16));
      at += 4;
    } else out += letters[next] ?? next;
  }
  flush();
  return isPlain ? text : out;
}

function textOf(bytes: readonly number[]): string {
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return bytes.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `%${hexOf(byte)}`)).join("");
  }
}

function hexOf(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
