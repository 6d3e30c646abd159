import type { AccountReport } from "../ledger/index.js";

type Lost = AccountReport["lost"];

/**
 * Separates the events that the account does not forward from the real losses. The ledger counts both as `lost`, by
 * cause.
 */
export function splitNotForwarded({ "not-forwarded": notForwarded = 0, ...lost }: Lost): {
  readonly lost: Lost;
  readonly notForwarded: number;
} {
  return { lost, notForwarded };
}
