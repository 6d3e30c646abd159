import type { FunctionValue } from "../values/value.js";

/** The tests of switch routers, callable as functions: docs/reference/flows.md#tests. */
export const testFunctions: readonly FunctionValue[] = [];
