/** Maximum number of significant digits (docs/reference/flows.md#types-and-conversion). */
const digitsMax = 36;

/**
 * Normalises a number in plain decimal notation to its shortest form: `-12.50` becomes `-12.5`. Works on the text, so
 * no digit is lost to binary floating point. Surrounding space and a leading `+` are dropped.
 *
 * @returns undefined when the text is not such a number or has more than 36 digits
 */
export function normaliseDecimal(text: string): string | undefined {
  // Fast path: most numbers are in normal form already.
  if (/^[1-9]\d{0,14}$/.test(text)) return text;
  const match = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return undefined;
  const whole = (match[2] ?? "").replace(/^0+/, "");
  const fraction = trimEndZeros(match[3] ?? "");
  if (whole.length + fraction.length > digitsMax) return undefined;
  const plain = (whole === "" ? "0" : whole) + (fraction === "" ? "" : `.${fraction}`);
  return match[1] === "-" && plain !== "0" ? `-${plain}` : plain;
}

/** Two different numbers with at most this many characters are also different as binary floats. */
const exactLength = 15;

/**
 * Compares two numbers in normal form: negative, 0 or positive when the first is less than, equal to or greater than
 * the second.
 */
export function compareDecimals(left: string, right: string): number {
  // Fast path: a binary float is exact enough to order short numbers.
  if (left.length <= exactLength && right.length <= exactLength) return Number(left) - Number(right);
  const places = Math.max(placesOf(left), placesOf(right));
  const difference = scaled(left, places) - scaled(right, places);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function placesOf(decimal: string): number {
  const point = decimal.indexOf(".");
  return point === -1 ? 0 : decimal.length - point - 1;
}

function scaled(decimal: string, places: number): bigint {
  return BigInt(decimal.replace(".", "") + "0".repeat(places - placesOf(decimal)));
}

/** A loop, because a regular expression for trailing zeros takes quadratic time on long runs of zeros. */
function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
