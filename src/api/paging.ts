import type { Cursor, List, Page } from "../store/index.js";
import type { ApiRequest } from "./api-request.js";
import { detailError } from "./error.js";
import { type Filters, isTrue, type ListFilter } from "./filters.js";

/** Records on a page; no parameter changes it (docs/reference/service-api.md#pagination). */
export const PAGE_SIZE = 250;

/** How a resource is listed. */
export interface Listing<Row extends object> {
  readonly list: (request: ApiRequest) => List<Row>;
  /** Name of the list's order. */
  readonly order: string | ((request: ApiRequest) => string);
  readonly filters: Filters;
  /**
   * Filters that the real system does not combine; only `--strict` refuses them
   * (docs/reference/service-api.md#documentation-and-real-systems).
   */
  readonly exclusive?: readonly string[];
  /** Whether `reverse=true` lists the oldest first. */
  readonly canReverse?: boolean;
  /** Filters that hold for every request, in addition to those of the query; "none" empties the list. */
  readonly fixedFilters?: (request: ApiRequest) => readonly ListFilter[] | "none";
}

/** One page, with links to the next and the previous one. */
export interface LinkedPage<Row> {
  readonly next: string | null;
  readonly previous: string | null;
  readonly rows: readonly Row[];
}

/**
 * Reads the page that a request names.
 *
 * @throws ApiError 400 for bad filters, 404 for a bad cursor
 */
export function readPage<Row extends object>(listing: Listing<Row>, request: ApiRequest): LinkedPage<Row> {
  refuseExclusive(listing, request);
  const fixed = listing.fixedFilters?.(request) ?? [];
  const filters: ListFilter[] = fixed === "none" ? [] : [...fixed];
  let isEmpty = fixed === "none";
  for (const [name, filter] of Object.entries(listing.filters)) {
    const value = request.param(name);
    if (value === undefined) continue;
    // No record holds such text, and SQLite does not accept it as a parameter.
    const match = value.includes("\0") || !value.isWellFormed() ? "none" : filter.parse(value, request);
    if (match === "none") isEmpty = true;
    else if (match !== "all") filters.push(match);
  }
  const cursor = readCursor(request.param("cursor"));
  if (isEmpty) return { next: null, previous: null, rows: [] };
  const order = typeof listing.order === "string" ? listing.order : listing.order(request);
  const isReversed = listing.canReverse === true && isTrue(request.param("reverse") ?? "");
  const page: Page<Row> = listing.list(request).page({ order, isReversed, filters, cursor, size: PAGE_SIZE });
  return { rows: page.rows, next: linkTo(page.next, request), previous: linkTo(page.previous, request) };
}

function refuseExclusive({ exclusive = [] }: { readonly exclusive?: readonly string[] }, request: ApiRequest): void {
  if (!request.isStrict || exclusive.filter((name) => request.param(name) !== undefined).length < 2) return;
  throw detailError(400, `Use only one of: ${exclusive.join(", ")}`);
}

/** The request's URL with all its parameters and another cursor. */
function linkTo(cursor: Cursor | undefined, { url, query }: ApiRequest): string | null {
  if (cursor === undefined) return null;
  const parameters = new URLSearchParams(query);
  parameters.delete("cursor");
  parameters.set("cursor", writeCursor(cursor));
  return `${url}?${parameters.toString()}`;
}

/** Encodes a cursor, opaque to clients, as base64url. */
function writeCursor({ position, tie, isBackwards }: Cursor): string {
  return Buffer.from(JSON.stringify([position, tie, isBackwards ? 1 : 0])).toString("base64url");
}

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = text.length > 1000 ? undefined : parseCursor(text);
  if (cursor === undefined) throw detailError(404, "Invalid cursor");
  return cursor;
}

function parseCursor(text: string): Cursor | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [position, tie, way] = value as readonly unknown[];
  return isCursorKey(position) && isCursorKey(tie) && typeof position === typeof tie && (way === 0 || way === 1)
    ? { position, tie, isBackwards: way === 1 }
    : undefined;
}

function isCursorKey(value: unknown): value is number | string {
  return Number.isSafeInteger(value) || (typeof value === "string" && value.isWellFormed() && !value.includes("\0"));
}
