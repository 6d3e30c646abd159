/** What people write: dates, times, numbers, words, addresses and places in free text. Pure functions of the text. */
export * from "./dates.js";
export { parseTime } from "./times.js";
export * from "./numbers.js";
export * from "./tokens.js";
export * from "./emails.js";
export * from "./phones.js";
export * from "./locations.js";
export * from "./patterns.js";
