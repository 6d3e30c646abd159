/** The result of a typed phone number: the number in E.164, or the problem. */
export type TypedNumber = { readonly number: string } | { readonly problem: string };

/** Fewest and most digits of a number with its country code. */
const [DIGITS_MIN, DIGITS_MAX] = [7, 15];

/** Parses a number with a + or 00, in any grouping. Pure. */
export function readNumber(typed: string): TypedNumber {
  const compact = typed.normalize("NFKC").replaceAll(/[\s()./\-\u2010-\u2015\u200E\u200F\u202A-\u202E]/g, "");
  const wrong = /[^+\d]/.exec(compact)?.[0];
  if (wrong !== undefined) return { problem: `“${wrong}” is not part of a number: write + and digits.` };
  const number = compact.replace(/^00/, "+");
  if (!number.startsWith("+")) {
    return {
      problem: `The country code is missing: write + and the code first, such as +250${number.replace(/^0/, "")}.`,
    };
  }
  const digits = number.slice(1);
  if (digits.includes("+")) return { problem: "Write one +, at the start." };
  if (digits.startsWith("0")) return { problem: "No country code begins with 0: remove the 0 after the +." };
  if (digits.length < DIGITS_MIN) {
    return { problem: `It has ${digits.length} digits, and needs ${DIGITS_MIN} to ${DIGITS_MAX}.` };
  }
  if (digits.length > DIGITS_MAX) {
    return { problem: `It has ${digits.length} digits, ${DIGITS_MAX} at most: remove some.` };
  }
  return { number };
}
