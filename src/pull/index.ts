/**
 * Reads the account of a real service by its REST API and writes it as an account file: a client that pages, waits and
 * tries again; a state file from which an interrupted pull continues; records into an account; pseudonyms; texts.
 */
export { type PullOptions, type PullSummary, pullAccount } from "./pull-account.js";
