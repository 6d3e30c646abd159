import { LabError } from "../../base/index.js";
import { type ColumnRole, columnRoles, NO_COLUMN } from "./columns/column-roles.js";
import { canMatchByContent } from "./match/match-rows.js";
import type { Recognition } from "./columns/recognise-columns.js";
import type { SentEvents } from "./events/sent-events.js";

/** How most rows are matched with events: by event id, by number of the message or call, or by content and time. */
export type MatchedBy = "id" | "number" | "phone, text and time" | "phone and time";

/** A role that was not compared, and why. */
export interface NotCompared {
  readonly role: ColumnRole;
  readonly why: string;
}

/** The basis of a reconciliation: how rows were matched, and what was compared. */
export interface MatchBasis {
  readonly matchedBy: MatchedBy;
  /** The roles by which rows and events were matched or compared. */
  readonly compared: readonly ColumnRole[];
  /**
   * Roles whose column the log lacks or that were not used; a role is left out if no compared event has such a value.
   */
  readonly notCompared: readonly NotCompared[];
}

/** @param list - the events of the compared types */
export function comparisonOf(
  { columns, absent }: Recognition,
  { events, list }: { readonly events: SentEvents; readonly list: readonly number[] },
): MatchBasis {
  const has = (role: ColumnRole): boolean => columns[role] !== undefined;
  const matchedBy = matchedByOf({ has });
  const isKeyed = matchedBy === "id" || matchedBy === "number";
  const compared = columnRoles.filter((role) => {
    if (columns[role] === undefined) return false;
    return role === "number" ? matchedBy === "number" : role !== "time" || !isKeyed;
  });
  const notCompared = columnRoles.flatMap((role): NotCompared[] => {
    if (compared.includes(role)) return [];
    if (columns[role] !== undefined) return [{ role, why: `rows are matched by ${matchedBy}` }];
    const isNeeded =
      (role === "text" && list.some((event) => events.textIndex(event) !== -1)) ||
      (role === "phone" && list.some((event) => events.phoneIndex(event) !== -1)) ||
      (role === "time" && !isKeyed);
    return isNeeded ? [{ role, why: absent[role] ?? NO_COLUMN }] : [];
  });
  return { matchedBy, compared, notCompared };
}

function matchedByOf(log: { has(role: ColumnRole): boolean }): MatchedBy {
  if (log.has("id")) return "id";
  if (log.has("number")) return "number";
  return log.has("phone") && !log.has("text") ? "phone and time" : "phone, text and time";
}

/**
 * @param names - of the log's columns
 * @throws LabError `bad-options` if rows cannot be matched
 */
export function requireColumns(
  { columns, absent }: Recognition,
  { log, names }: { readonly log: string; readonly names: readonly string[] },
): void {
  const has = (role: ColumnRole): boolean => columns[role] !== undefined;
  if (has("id") || has("number") || canMatchByContent({ has })) return;
  const reasons = columnRoles.flatMap((role) => {
    const why = absent[role];
    return why === undefined || why === NO_COLUMN ? [] : [`; ${role}: ${why}`];
  });
  throw new LabError(
    "bad-options",
    `${log} has no column for an event's id or number, and none for phone and text${reasons.join("")}`,
    { hint: `it has ${names.join(", ")}; name their roles: --columns phone=COLUMN,text=COLUMN,time=COLUMN` },
  );
}
