const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

const escape = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-7][0-9a-fA-F])|([0-1][0-7]{2})|(.)|$)/gsu;

/**
 * The text that a literal stands for. If one of its escapes is invalid, or it has a line break, all of it is taken as
 * written, so that patterns such as `"\w+"` need no doubled backslashes (docs/reference/flows.md#grammar).
 *
 * @param literal - with its quotes
 */
export function textOfLiteral(literal: string): string {
  const raw = literal.slice(1, -1);
  if (!raw.includes("\\") || raw.includes("\n")) return raw;
  let isValid = true;
  const text = raw.replace(
    escape,
    (_, short?: string, long?: string, hex?: string, octal?: string, simple?: string) => {
      const digits = short ?? long ?? hex;
      const code = digits === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(digits, 16);
      const character = Number.isNaN(code) ? simpleEscapes[simple ?? ""] : characterOf(code);
      isValid &&= character !== undefined;
      return character ?? "";
    },
  );
  return isValid ? text : raw;
}

function characterOf(code: number): string | undefined {
  const isCharacter = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
