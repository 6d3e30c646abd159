import type { MetricUnit } from "../../../measure/index.js";
import type { ReportProblem } from "../../sheet/raw-value.js";
import { parseDuration } from "./duration.js";

interface UnitReader {
  /** What messages call it. */
  readonly noun: string;
  /** How to write it. */
  readonly hint: (written: string) => string;
  readonly example: string;
  readonly read: (written: string) => number | undefined;
}

const perSecond: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const byteUnits: Readonly<Record<string, number>> = { "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const decimal = String.raw`\d{1,15}(?:\.\d+)?`;

/** The pattern of a bound for each unit of a metric, for the JSON Schema; without anchors. */
export const boundForms: Readonly<Record<Exclude<MetricUnit, "duration">, string>> = {
  count: "[0-9]{1,15}",
  share: String.raw`0|[0-9]{1,3}(\.[0-9]+)?%`,
  rate: String.raw`[0-9]{1,15}(\.[0-9]+)?/[smhd]`,
  bytes: String.raw`[0-9]{1,15}(\.[0-9]+)?\s*(B|kB|MB|GB|TB)?`,
};

const readers: Readonly<Record<MetricUnit, UnitReader>> = {
  duration: {
    noun: "a duration",
    hint: (written) => (/^\d+(\.\d+)?$/.test(written) ? `write ${written}ms` : "write it as 500ms or 2s"),
    example: "500ms",
    read: (written) => {
      const ms = parseDuration(written);
      return ms !== undefined && ms >= 0 ? ms : undefined;
    },
  },
  count: {
    noun: "a count",
    hint: () => "write a whole number without unit",
    example: "0",
    read: (written) => (/^\d{1,15}$/.test(written) ? Number(written) : undefined),
  },
  share: {
    noun: "a percentage",
    hint: (written) => (/^\d+(\.\d+)?$/.test(written) ? `write ${written}%` : "write it as 1%"),
    example: "1%",
    read: (written) => {
      if (written === "0") return 0;
      const share = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(written)?.[1]) / 100;
      return share <= 1 ? share : undefined;
    },
  },
  rate: {
    noun: "a rate",
    hint: (written) => (/^\d+(\.\d+)?$/.test(written) ? `write ${written}/s` : "write it as 200/s"),
    example: "200/s",
    read: (written) => {
      const [, number, unit = ""] = new RegExp(`^(${decimal})/([smhd])$`).exec(written) ?? [];
      return number === undefined ? undefined : Number(number) / (perSecond[unit] ?? 1);
    },
  },
  bytes: {
    noun: "a size",
    hint: () => "write it as 500kB or 10MB",
    example: "10MB",
    read: (written) => {
      const [, number, unit = ""] = new RegExp(String.raw`^(${decimal})\s*(B|kB|MB|GB|TB)?$`).exec(written) ?? [];
      return number === undefined ? undefined : Number(number) * (byteUnits[unit] ?? 1);
    },
  },
};

/** A bound as it is written for a metric of a unit. */
export function exampleOf(unit: MetricUnit): string {
  return readers[unit].example;
}

/**
 * Reads the bound of a metric: milliseconds, a count, a share 0..1, a rate per second, or bytes. Undefined for another
 * spelling, which is then reported.
 *
 * @param metric - its name and unit, for the message
 * @param within - the place of the bound in the text that is read
 */
export function readBound(
  metric: { readonly name: string; readonly unit: MetricUnit },
  written: string,
  within: { readonly from: number; readonly to: number },
  report: ReportProblem,
): number | undefined {
  const { noun, hint, read } = readers[metric.unit];
  const value = read(written);
  if (value !== undefined) return value;
  if (/^-\d+$/.test(written) && metric.unit === "count") {
    report({
      code: "out-of-range",
      message: `compares ${metric.name} with ${written}, but a count is never below 0`,
      within,
    });
    return undefined;
  }
  report({
    code: "wrong-unit",
    message: `needs ${noun} to compare ${metric.name} with, got '${written}'`,
    hint: hint(written),
    within,
  });
  return undefined;
}
