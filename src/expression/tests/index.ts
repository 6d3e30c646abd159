import type { FunctionValue } from "../values/function-value.js";

/** The tests of switch routers, callable as functions: docs/reference/flows.md#tests. */
export const testFunctions: readonly FunctionValue[] = [];
