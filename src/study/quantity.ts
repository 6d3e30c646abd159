import { durationLiteral, parseDuration } from "../scenario/index.js";

/** A value of a scenario that can be varied: a number, and how it is spelled. */
export interface Quantity {
  readonly kind: "count" | "number" | "rate" | "duration" | "share" | "members";
  /** In its own unit: so many, so many in the rate's span, milliseconds, percent, or members of a group. */
  readonly value: number;
  /** The highest that makes sense; absent: none. */
  readonly most?: number;
  /** What follows the number: `/s`, `%`, `% of clinic`; empty for counts and durations. */
  readonly unit: string;
  /** The group that is selected from. */
  readonly group?: string;
  /** As the scenario has it. */
  readonly spell: (value: number) => string;
  /** The nearest value that can be spelled: whole, or to three digits. */
  readonly round: (value: number) => number;
}

/**
 * Reads a value as a quantity: a count, a rate, a duration, a share, a share of a group (`10% of clinic`) or the members of
 * one (`clinic/0..19`; `clinic` is all of them). Durations are whole milliseconds.
 *
 * @param countOf - how many members a group has; undefined where there is no such group
 * @returns undefined when it is none of these
 */
export function quantityOf(text: string, countOf: (group: string) => number | undefined): Quantity | undefined {
  if (/^\d+$/.test(text)) return { kind: "count", value: Number(text), unit: "", spell: String, round: whole };
  if (/^\d+\.\d+$/.test(text)) return { kind: "number", value: Number(text), unit: "", spell: plain, round: rounded };
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)(\/[smhd]|%(?: of \S+)?)$/.exec(text.replace(/\s+/g, " ")) ?? [];
  if (unit !== undefined) return withUnit(Number(number), unit, countOf);
  const ms = parseDuration(text);
  if (ms !== undefined) {
    return { kind: "duration", value: ms, unit: "", spell: (value) => durationLiteral(whole(value)), round: wholeMs };
  }
  return membersOf(text, countOf);
}

/**
 * A bound that somebody gives for a quantity: spelled as the value is, or the number alone.
 *
 * @returns undefined when it is neither
 */
export function boundOf(text: string, quantity: Quantity): number | undefined {
  const bare = quantity.kind === "duration" ? undefined : /^(\d+(?:\.\d+)?)(%|\/[smhd])?/.exec(text);
  if (bare !== undefined && bare !== null) {
    const [, number, unit = ""] = bare;
    const isSame = bare[0] === text && (unit === "" || quantity.unit.startsWith(unit));
    return isSame || text === `${number}${quantity.unit}` ? Number(number) : undefined;
  }
  const other = quantityOf(text, () => quantity.most);
  return other?.kind === quantity.kind ? other.value : undefined;
}

function withUnit(value: number, unit: string, countOf: (group: string) => number | undefined): Quantity {
  const spell = (one: number): string => `${plain(one)}${unit}`;
  if (unit.startsWith("/")) return { kind: "rate", value, unit, spell, round: rounded };
  const group = / of (\S+)$/.exec(unit)?.[1];
  const share = { kind: "share", value, most: 100, unit, spell } as const;
  const members = group === undefined ? undefined : countOf(group);
  if (group === undefined || members === undefined) return { ...share, round: rounded };
  // Shares that select the same number of members are one and the same.
  return { ...share, group, round: (one) => (Math.max(1, whole((members * one) / 100)) / members) * 100 };
}

function membersOf(text: string, countOf: (group: string) => number | undefined): Quantity | undefined {
  const [, group, from, to = from] = /^([A-Za-z][A-Za-z0-9_-]*)(?:\/(\d+)(?:\.\.(\d+))?)?$/.exec(text) ?? [];
  const count = group === undefined ? undefined : countOf(group);
  if (group === undefined || count === undefined) return undefined;
  const first = Number(from ?? 0);
  return {
    kind: "members",
    value: (to === undefined ? count - 1 : Number(to)) - first + 1,
    most: count - first,
    unit: "",
    group,
    spell: (value) => `${group}/${first}..${first + whole(value) - 1}`,
    round: whole,
  };
}

function whole(value: number): number {
  return value < 1 ? 0 : Number(Math.round(value).toPrecision(3));
}

function wholeMs(value: number): number {
  return Math.round(rounded(value));
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Without an exponent, which no scenario reads. */
function plain(value: number): string {
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 12 });
}
