/** The accounts of a run: every text, call, event and attempt is accounted for, or there is a gap. */
export * from "./ledger.js";
