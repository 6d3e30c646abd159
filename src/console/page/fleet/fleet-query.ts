import { fleetNetworks, handsetStates, type HandsetState } from "../../protocol/index.js";

/** Filters, order and level of the fleet view. The URL's query contains them, so a link shows the same view. */
export interface FleetQuery {
  readonly by: Grouping;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly level: DetailLevel | "auto";
  /** Part of a name such as `clinic/3`, or a range such as `clinic/0..9`; empty: all. */
  readonly name: string;
  /** Empty: all. */
  readonly states: readonly HandsetState[];
  /** Indexes in `fleetNetworks`; empty: all. */
  readonly networks: readonly number[];
  /** Percent; undefined: all. */
  readonly batteryBelow: number | undefined;
  /** Messages and reports that wait on the phone; undefined: all. */
  readonly queueAbove: number | undefined;
}

export const groupings = ["group", "state", "network", "none"] as const;
export type Grouping = (typeof groupings)[number];

/** The levels of detail, and the table. */
export const levels = ["cards", "tiles", "cells", "table"] as const;
export type DetailLevel = (typeof levels)[number];

export const sortKeys = [
  "name",
  "state",
  "battery",
  "network",
  "queue",
  "pending",
  "retry",
  "unsynced",
  "events",
  "texts",
  "seen",
] as const;
export type SortKey = (typeof sortKeys)[number];

/** The default view. */
export const plainQuery: FleetQuery = {
  by: "group",
  sort: "name",
  isDescending: false,
  level: "auto",
  name: "",
  states: [],
  networks: [],
  batteryBelow: undefined,
  queueAbove: undefined,
};

/** Reads a query. Unknown words are ignored. */
export function readFleetQuery(query: URLSearchParams): FleetQuery {
  const sort = query.get("sort") ?? "";
  const networkNames = listOf(query.get("network"));
  return {
    by: oneOf(groupings, query.get("by")) ?? plainQuery.by,
    sort: oneOf(sortKeys, sort.replace(/^-/, "")) ?? plainQuery.sort,
    isDescending: sort.startsWith("-"),
    level: oneOf(levels, query.get("show")) ?? "auto",
    name: query.get("name") ?? "",
    states: handsetStates.filter((state) => listOf(query.get("state")).includes(state)),
    networks: fleetNetworks.flatMap((name, index) => (networkNames.includes(name) ? [index] : [])),
    batteryBelow: numberOf(query.get("below")),
    queueAbove: numberOf(query.get("above")),
  };
}

/** The query as parameters of a URL, without those that equal `plainQuery`. */
export function writeFleetQuery(query: FleetQuery): Record<string, string> {
  const words: Record<string, string> = {};
  if (query.by !== plainQuery.by) words["by"] = query.by;
  if (query.sort !== plainQuery.sort || query.isDescending)
    words["sort"] = (query.isDescending ? "-" : "") + query.sort;
  if (query.level !== "auto") words["show"] = query.level;
  if (query.name !== "") words["name"] = query.name;
  if (query.states.length > 0) words["state"] = query.states.join(",");
  if (query.networks.length > 0) words["network"] = query.networks.map((index) => fleetNetworks[index]).join(",");
  if (query.batteryBelow !== undefined) words["below"] = String(query.batteryBelow);
  if (query.queueAbove !== undefined) words["above"] = String(query.queueAbove);
  return words;
}

/** Whether there is a filter. */
export function isFiltered({ name, states, networks, batteryBelow, queueAbove }: FleetQuery): boolean {
  return (
    name.trim() !== "" ||
    states.length > 0 ||
    networks.length > 0 ||
    batteryBelow !== undefined ||
    queueAbove !== undefined
  );
}

/** The query without filters. */
export function unfiltered({ by, sort, isDescending, level }: FleetQuery): FleetQuery {
  return { ...plainQuery, by, sort, isDescending, level };
}

/** Whether filter or order depends on changing values. */
export function isMoving({ by, sort, states, networks, batteryBelow, queueAbove }: FleetQuery): boolean {
  const isByValue = by === "state" || by === "network" || sort !== "name";
  return (
    isByValue || states.length > 0 || networks.length > 0 || batteryBelow !== undefined || queueAbove !== undefined
  );
}

function oneOf<T extends string>(words: readonly T[], given: string | null): T | undefined {
  return words.find((word) => word === given);
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === "" ? [] : text.split(",");
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
