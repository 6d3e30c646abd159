import { ErrorValue } from "./error-value.js";

/** Longest text that an expression makes, in UTF-16 units. */
export const textLengthMax = 1_000_000;
/** Most items of an array that an expression makes. */
export const itemsMax = 100_000;
/** Deepest nesting of arrays and objects that is read or written. */
export const nestingMax = 500;

export const textTooLong = new ErrorValue(`text is longer than ${textLengthMax} characters`);
export const tooManyItems = new ErrorValue(`array has more than ${itemsMax} items`);
export const nestedTooDeeply = new ErrorValue("value is nested too deeply");
