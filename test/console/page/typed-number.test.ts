import { expect, it } from "vitest";
import { readNumber } from "../../../src/console/page/person/typed-number.js";

it.each([
  ["+250788123456", "+250788123456"],
  ["+250 788 123-456", "+250788123456"],
  ["00250 (788) 123.456", "+250788123456"],
  ["＋２５０７８８１２３４５６", "+250788123456"],
])("%s is a number", (typed, number) => {
  expect(readNumber(typed)).toEqual({ number });
});

it.each([
  ["0788123456", "such as +250788123456"],
  ["788", "The country code is missing"],
  ["+25078a", "“a” is not part of a number"],
  ["+0788123456", "begins with 0"],
  ["+25078", "It has 5 digits, and needs 7 to 15."],
  ["+1234567890123456", "It has 16 digits, 15 at most"],
  ["+250+788123456", "Write one +"],
])("%s says what to write", (typed, problem) => {
  expect(readNumber(typed)).toEqual({ problem: expect.stringContaining(problem) });
});
