import type { DateTimeValue } from "./values/datetime-value.js";

/** Order of day, month and year in dates that contacts write. */
export type DateFormat = "YYYY-MM-DD" | "DD-MM-YYYY" | "MM-DD-YYYY";

/** Symbols of numbers in text. */
export interface NumberFormat {
  readonly decimal: string;
  readonly grouping: string;
}

/** The boundaries of a country. A path is `Country > State > District > Ward`. */
export interface LocationTree {
  /**
   * Boundaries of a level whose name or alias is the text, in any case.
   *
   * @param level - 1 state, 2 district, 3 ward
   * @param parent - path of the boundary just above; undefined: anywhere
   * @returns paths
   */
  find(level: number, text: string, parent?: string): readonly string[];
}

/** What evaluation depends on beside the context: the settings of an organisation, the clock and chance. */
export interface Environment {
  /** IANA name. */
  readonly timezone: string;
  readonly dateFormat: DateFormat;
  /** `tt:mm`, `tt:mm:ss`, `h:mm aa` or `h:mm:ss aa`. */
  readonly timeFormat: string;
  /** ISO 639-3; the first is the default. */
  readonly allowedLanguages: readonly string[];
  /** Of names of months and days, ISO 639-3; undefined: English. */
  readonly language?: string | undefined;
  /** ISO 3166-1, two letters. */
  readonly defaultCountry?: string | undefined;
  readonly numberFormat: NumberFormat;
  /** The present instant, in any zone; functions show it in {@link timezone}. */
  now(): DateTimeValue;
  /** At least 0, less than 1. */
  random(): number;
  readonly locations?: LocationTree | undefined;
}

/** The format of numbers unless an organisation has another. */
export const defaultNumberFormat: NumberFormat = { decimal: ".", grouping: "," };
