import { expect, it } from "vitest";
import { lookOfOutcome, type ShownOutcome } from "../../../src/console/page/domain/outcome-look.js";

it.each<[string, ShownOutcome]>([
  ["Accepted, good", { outcome: "accepted" }],
  ["Answer ignored, warning", { outcome: "accepted", ignored: "the body is not JSON" }],
  ["Will retry, warning", { outcome: "retried", next: "due" }],
  ["Retried, warning", { outcome: "retried", next: "made" }],
  ["Not retried, bad", { outcome: "retried", next: "none" }],
  ["No connection, bad", { outcome: "connection", error: "ECONNREFUSED", next: "none" }],
  ["No connection, warning", { outcome: "connection", error: "ECONNREFUSED", next: "due" }],
  ["No answer, bad", { outcome: "connection", error: "no-answer" }],
  ["Cut answer, bad", { outcome: "connection", error: "incomplete-answer" }],
  ["Not HTTP, warning", { outcome: "connection", error: "HPE_INVALID_STATUS", next: "due" }],
  ["No answer, bad", { outcome: "connection", error: "a code of tomorrow" }],
  ["Timed out, warning", { outcome: "timeout", error: "ETIMEDOUT", next: "due" }],
])("an outcome's badge: %s", (words, shown) => {
  const { word, tone } = lookOfOutcome(shown);
  expect(`${word}, ${tone}`).toBe(words);
});
