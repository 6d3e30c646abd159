import { detailError } from "../../api/index.js";
import type { PageAsked } from "../phones/phone-lookup.js";

/** Most entries on a page of handsets' or people's lists. */

const LIMIT_MAX = 100;
const LIMIT_USUAL = 30;

export const pageParameters = {
  limit: { type: "integer", minimum: 1, maximum: LIMIT_MAX, description: `Default ${LIMIT_USUAL}` },
  behind: { type: "string", description: "`next` of the previous page" },
} as const;

/** The page that a request asks for. */
export function pageOf(query: URLSearchParams): PageAsked {
  const limit = Number(query.get("limit") ?? LIMIT_USUAL);
  const behind = query.get("behind") ?? "";
  return {
    limit: Number.isSafeInteger(limit) ? Math.min(LIMIT_MAX, Math.max(1, limit)) : LIMIT_USUAL,
    ...(behind !== "" && { behind }),
  };
}

/** Reads a required parameter. */
export function needed(query: URLSearchParams, name: string, example: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw detailError(400, `Give '${name}', such as ${example}.`);
  // A leading space was an unencoded +: `+250788000001`.
  return /^ \d/.test(value) ? `+${value.slice(1)}` : value;
}
