import { detailError, schema } from "../../api/index.js";
import type { PageAsked } from "../phones/phone-lookup.js";

/** Shapes and parameters that the routes of handsets and people share. */

const LIMIT_MAX = 100;
const LIMIT_USUAL = 30;

export const pageParameters = {
  limit: { type: "integer", minimum: 1, maximum: LIMIT_MAX, description: `Default ${LIMIT_USUAL}` },
  behind: { type: "string", description: "`next` of the page before" },
} as const;

const nullableTime = schema.nullable(schema.timestamp);
const nullableText = schema.nullable(schema.text);

export const textEntry: schema.JsonSchema = schema.objectOf({
  id: { ...schema.nullable(schema.integer), description: "null: the service has not got it" },
  from: schema.oneOf(["person", "handset"]),
  text: schema.text,
  state: schema.oneOf([
    "on-the-way",
    "held",
    "on-phone",
    "reported",
    "at-service",
    "pending",
    "retry",
    "sent",
    "delivered",
    "failed",
    "lost",
  ]),
  note: { ...nullableText, description: "Why it is held or waits; for retry: the failed tries; for lost: the cause" },
  at: { ...schema.timestamp, description: "When this end shows it" },
  sent_at: nullableTime,
  phone_at: { ...nullableTime, description: "The handset had it" },
  service_at: { ...nullableTime, description: "The service stored it" },
  heard_at: { ...nullableTime, description: "The person's phone showed it" },
  event: { ...nullableText, description: "channel/number of the event about it" },
});

export const callEntry: schema.JsonSchema = schema.objectOf({
  id: { ...schema.nullable(schema.integer), description: "null: the service has not got it" },
  phone: schema.text,
  name: nullableText,
  type: schema.oneOf(["mo_call", "mo_miss", "mt_call", "mt_miss", "lost"]),
  at: schema.timestamp,
  duration_s: schema.integer,
  state: schema.oneOf(["ongoing", "on-phone", "reported", "lost"]),
  cause: { ...nullableText, description: "Why it was lost: a cause of the ledger" },
});

/** A page of a list. */
export function listOf(item: schema.JsonSchema): schema.JsonSchema {
  return schema.objectOf({
    results: schema.arrayOf(item),
    next: { ...nullableText, description: "For `behind`; null: there is no further page" },
  });
}

/** The page that a request asks for. */
export function pageOf(query: URLSearchParams): PageAsked {
  const limit = Number(query.get("limit") ?? LIMIT_USUAL);
  const behind = query.get("behind") ?? "";
  return {
    limit: Number.isSafeInteger(limit) ? Math.min(LIMIT_MAX, Math.max(1, limit)) : LIMIT_USUAL,
    ...(behind !== "" && { behind }),
  };
}

/** A parameter that a request must have. */
export function needed(query: URLSearchParams, name: string, example: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw detailError(400, `Give '${name}', such as ${example}.`);
  // A space is a + that was not encoded: `+250788000001`.
  return /^ \d/.test(value) ? `+${value.slice(1)}` : value;
}
