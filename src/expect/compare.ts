import type { ComparisonOp } from "../scenario/index.js";

/** Whether `seen op value` is true. */
export function compare(seen: number, op: ComparisonOp, value: number): boolean {
  switch (op) {
    case "==":
      return seen === value;
    case "!=":
      return seen !== value;
    case "<":
      return seen < value;
    case "<=":
      return seen <= value;
    case ">":
      return seen > value;
    case ">=":
      return seen >= value;
  }
}
