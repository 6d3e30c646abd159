/*
 * Reads one text with account data and ends: parsing a megabyte of YAML takes seconds, and would block the main thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import { LabError } from "../../base/index.js";
import type { AccountSource, ReaderAnswer } from "./account-source.js";
import { readSource } from "./read-source.js";

let answer: ReaderAnswer;
try {
  answer = { read: await readSource(workerData as Extract<AccountSource, { kind: "text" }>) };
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  answer = { fault: { message: error.message, hint: error.hint } };
}
parentPort?.postMessage(answer);
