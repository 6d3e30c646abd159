import type { FunctionValue } from "../values/value.js";
import { contactTests } from "./contact-tests.js";
import { dateTests } from "./date-tests.js";
import { locationTests } from "./location-tests.js";
import { numberTests } from "./number-tests.js";
import { resultTests } from "./result-tests.js";
import { textTests } from "./text-tests.js";

/** The tests of switch routers, callable as functions: docs/reference/flows.md#tests. */
export const testFunctions: readonly FunctionValue[] = [
  ...textTests,
  ...numberTests,
  ...dateTests,
  ...contactTests,
  ...resultTests,
  ...locationTests,
];

/** The tests that a case may name. */
export const testNames: ReadonlySet<string> = new Set(testFunctions.map(({ name }) => name));
