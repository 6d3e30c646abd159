import type { AccountReport } from "../ledger/index.js";

type Lost = AccountReport["lost"];

/** What the account does not forward is no loss to a reader; the ledger has it among the losses as a named cause. */
export function splitNotForwarded({ "not-forwarded": notForwarded = 0, ...lost }: Lost): {
  readonly lost: Lost;
  readonly notForwarded: number;
} {
  return { lost, notForwarded };
}
