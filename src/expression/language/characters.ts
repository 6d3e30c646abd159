const letter = /^\p{L}$/u;
const letterOrNumber = /^[\p{L}\p{N}]$/u;

/** Whether names of variables in texts may have this character: letters, numbers, `_`. */
export function isNameCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 128 ? isAsciiNameCode(code) : letterOrNumber.test(character);
}

/** Whether a name inside an expression may begin with this character. */
export function beginsName(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 128 ? isAsciiNameCode(code) && !isDigitCode(code) : letter.test(character);
}

/** Whether a character code is one of 0 to 9. */
export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAsciiNameCode(code: number): boolean {
  return isDigitCode(code) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** The character (code point) that begins at an index; `""` at the end. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}
