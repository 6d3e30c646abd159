import type { Cursor, List, Page, Value } from "../store/index.js";
import type { Call } from "./call.js";
import { refusal } from "./error.js";
import { type Filters, isTrue } from "./filters.js";

/** Records of a page: fixed, no parameter changes it (service-api.md 1.8). */
export const PAGE_SIZE = 250;

/** How a resource is listed. */
export interface Listing<Row extends object> {
  readonly list: (call: Call) => List<Row>;
  /** Name of the list's order. */
  readonly order: string | ((call: Call) => string);
  readonly filters: Filters;
  /** Filters that the real system does not take together; refused strictly only (service-api.md 4, row 3). */
  readonly exclusive?: readonly string[];
  /** Whether `reverse=true` lists the oldest first. */
  readonly canReverse?: boolean;
  /** What is asked of the list beside the filters that the client names. */
  readonly always?: (call: Call) => readonly (readonly [name: string, ...values: Value[]])[];
}

/** One page, with the addresses of its neighbours. */
export interface LinkedPage<Row> {
  readonly next: string | null;
  readonly previous: string | null;
  readonly rows: readonly Row[];
}

/**
 * The page that a request asks for.
 *
 * @throws ApiError 400 for bad filters, 404 for a bad cursor
 */
export function readPage<Row extends object>(listing: Listing<Row>, call: Call): LinkedPage<Row> {
  refuseExclusive(listing, call);
  const filters: (readonly [string, ...Value[]])[] = [...(listing.always?.(call) ?? [])];
  let isEmpty = false;
  for (const [name, filter] of Object.entries(listing.filters)) {
    const value = call.param(name);
    if (value === undefined) continue;
    // Neither is in any record, and SQLite does not take them as they are.
    const match = value.includes("\0") || !value.isWellFormed() ? "nothing" : filter.read(value, call);
    if (match === "nothing") isEmpty = true;
    else if (match !== "anything") filters.push(match);
  }
  const cursor = readCursor(call.param("cursor"));
  if (isEmpty) return { next: null, previous: null, rows: [] };
  const order = typeof listing.order === "string" ? listing.order : listing.order(call);
  const isReversed = listing.canReverse === true && isTrue(call.param("reverse") ?? "");
  const page: Page<Row> = listing.list(call).page({ order, isReversed, filters, cursor, size: PAGE_SIZE });
  return { rows: page.rows, next: linkTo(page.next, call), previous: linkTo(page.previous, call) };
}

function refuseExclusive({ exclusive = [] }: { readonly exclusive?: readonly string[] }, call: Call): void {
  if (!call.isStrict || exclusive.filter((name) => call.param(name) !== undefined).length < 2) return;
  throw refusal(400, `Use only one of: ${exclusive.join(", ")}`);
}

/** The same address with all its parameters, and the cursor in place of the one that was there. */
function linkTo(cursor: Cursor | undefined, { url, query }: Call): string | null {
  if (cursor === undefined) return null;
  const parameters = new URLSearchParams(query);
  parameters.delete("cursor");
  parameters.set("cursor", writeCursor(cursor));
  return `${url}?${parameters.toString()}`;
}

/** Opaque to clients. Letters, digits, `-` and `_` only. */
function writeCursor({ position, tie, isBackwards }: Cursor): string {
  return Buffer.from(JSON.stringify([position, tie, isBackwards ? 1 : 0])).toString("base64url");
}

function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = text.length > 1000 ? undefined : parseCursor(text);
  if (cursor === undefined) throw refusal(404, "Invalid cursor");
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
  return isPlace(position) && isPlace(tie) && typeof position === typeof tie && (way === 0 || way === 1)
    ? { position, tie, isBackwards: way === 1 }
    : undefined;
}

function isPlace(value: unknown): value is number | string {
  return Number.isSafeInteger(value) || (typeof value === "string" && value.isWellFormed() && !value.includes("\0"));
}
