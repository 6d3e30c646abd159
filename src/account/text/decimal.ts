/** More significant digits make no number (flows.md 7.3). */
const digitsMax = 36;

/**
 * Reads a number in plain decimal notation, `-12.50`, and writes it the shortest way, `-12.5`. It never becomes a
 * binary fraction, so no digit is lost. Space around it and a `+` before it are dropped.
 *
 * @returns undefined when the whole text is no such number or has more than 36 digits
 */
export function normaliseDecimal(text: string): string | undefined {
  // Most numbers are in their normal form already.
  if (/^[1-9]\d{0,14}$/.test(text)) return text;
  const match = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return undefined;
  const whole = (match[2] ?? "").replace(/^0+/, "");
  const fraction = trimEndZeros(match[3] ?? "");
  if (whole.length + fraction.length > digitsMax) return undefined;
  const plain = (whole === "" ? "0" : whole) + (fraction === "" ? "" : `.${fraction}`);
  return match[1] === "-" && plain !== "0" ? `-${plain}` : plain;
}

/**
 * Negative, 0 or positive as the first number is less than, equal to or greater than the second; both in normal form.
 */
export function compareDecimals(left: string, right: string): number {
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

/** By hand: a regular expression for zeros at the end takes quadratic time where zeros abound. */
function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
