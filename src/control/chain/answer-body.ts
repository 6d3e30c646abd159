import type { RecordedAttempt } from "../../store/index.js";

/** Bytes of an answer's body that a chain shows. A recording keeps the same number. */
const SHOWN_BYTES = 64 * 1024;

/** Bytes of a binary body that are shown, 16 a line. */
const DUMPED_BYTES = 256;

/** An answer's body as a chain shows it. */
export interface AnswerBody {
  /** The text, or a dump of the first bytes of a binary body. Null: the body is empty, or was not recorded. */
  readonly body: string | null;
  /** Length as received, possibly compressed. */
  readonly body_bytes: number;
  readonly is_binary: boolean;
  /** Whether `body` has only the beginning. */
  readonly is_cut: boolean;
}

/**
 * Decodes the body of an answer by the charset that its headers name, by default UTF-8.
 *
 * @param headers - with lower-case names
 */
export function answerBodyOf(
  { body, bodyBytes }: Pick<RecordedAttempt, "body" | "bodyBytes">,
  headers: ReadonlyMap<string, string>,
  shownBytes: number = SHOWN_BYTES,
): AnswerBody {
  if (body === null) return { body: null, body_bytes: bodyBytes, is_binary: false, is_cut: bodyBytes > 0 };
  const shown = body.subarray(0, shownBytes);
  // The recording stores a compressed body decompressed, so the lengths differ.
  const isWhole = headers.has("content-encoding") ? body.length < SHOWN_BYTES : body.length === bodyBytes;
  const isCut = !isWhole || shown.length < body.length;
  // Decoding as a stream leaves out an incomplete character at the end instead of replacing it.
  const text = decoderFor(headers.get("content-type")).decode(shown, { stream: isCut });
  return isBinary(text)
    ? { body: dumpOf(shown), body_bytes: bodyBytes, is_binary: true, is_cut: isCut || shown.length > DUMPED_BYTES }
    : { body: text, body_bytes: bodyBytes, is_binary: false, is_cut: isCut };
}

function decoderFor(contentType = ""): TextDecoder {
  const [, charset] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/**
 * Whether more than a tenth of the characters are control or replacement characters. Text in an unnamed charset has
 * fewer.
 */
function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- text has no control characters
  const broken = text.match(/[\u0000-\u0008\u000e-\u001f\uFFFD]/g)?.length ?? 0;
  return broken > text.length / 10;
}

/** `0000  89 50 4e 47 …  .PNG…` */
function dumpOf(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, DUMPED_BYTES); at += 16) {
    const row = [...bytes.subarray(at, Math.min(at + 16, DUMPED_BYTES))];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(4, "0")}  ${hex.padEnd(47)}  ${ascii}`);
  }
  return lines.join("\n");
}
