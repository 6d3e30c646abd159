import { durationLiteral, parseDuration } from "../scenario/index.js";

/** A value of a scenario that can be varied: a number and its spelling. */
export interface Quantity {
  readonly kind: "count" | "number" | "rate" | "duration" | "share" | "members";
  /**
   * In the unit of its kind: a count, a count per the rate's time unit, milliseconds, percent, or members of a group.
   */
  readonly value: number;
  /** Upper bound; absent: none. */
  readonly most?: number;
  /** Suffix of the number: `/s`, `%`, `% of clinic`; empty for counts and durations. */
  readonly unit: string;
  /** The group of a share or of members. */
  readonly group?: string;
  /** Writes a value as the scenario spells it. */
  readonly spell: (value: number) => string;
  /** Rounds to the nearest value that can be spelled: whole, or with three digits. */
  readonly round: (value: number) => number;
}

/**
 * Reads a value as a quantity: a count, a rate, a duration, a share, a share of a group (`10% of clinic`) or the
 * members of one (`clinic/0..19`; `clinic` is all of them). Durations are whole milliseconds.
 *
 * @param countOf - number of members of a group; undefined: no such group
 * @returns undefined: the text is none of these
 */
export function quantityOf(text: string, countOf: (group: string) => number | undefined): Quantity | undefined {
  if (/^\d+$/.test(text)) return { kind: "count", value: Number(text), unit: "", spell: String, round: roundWhole };
  if (/^\d+\.\d+$/.test(text))
    return { kind: "number", value: Number(text), unit: "", spell: decimalText, round: roundDigits };
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)(\/[smhd]|%(?: of \S+)?)$/.exec(text.replace(/\s+/g, " ")) ?? [];
  if (unit !== undefined) return withUnit(Number(number), unit, countOf);
  const ms = parseDuration(text);
  if (ms !== undefined) {
    return {
      kind: "duration",
      value: ms,
      unit: "",
      spell: (value) => durationLiteral(roundWhole(value)),
      round: roundMs,
    };
  }
  return membersOf(text, countOf);
}

/**
 * Parses a bound for a quantity: in the spelling of the value, or the number alone.
 *
 * @returns undefined: neither
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
  const spell = (one: number): string => `${decimalText(one)}${unit}`;
  if (unit.startsWith("/")) return { kind: "rate", value, unit, spell, round: roundDigits };
  const group = / of (\S+)$/.exec(unit)?.[1];
  const share = { kind: "share", value, most: 100, unit, spell } as const;
  const members = group === undefined ? undefined : countOf(group);
  if (group === undefined || members === undefined) return { ...share, round: roundDigits };
  // Shares that select the same number of members are equal.
  return { ...share, group, round: (one) => (Math.max(1, roundWhole((members * one) / 100)) / members) * 100 };
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
    spell: (value) => `${group}/${first}..${first + roundWhole(value) - 1}`,
    round: roundWhole,
  };
}

function roundWhole(value: number): number {
  return value < 1 ? 0 : Number(Math.round(value).toPrecision(3));
}

function roundMs(value: number): number {
  return Math.round(roundDigits(value));
}

function roundDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** A decimal without exponent: scenarios cannot read exponents. */
function decimalText(value: number): string {
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 12 });
}
