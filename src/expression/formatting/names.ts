import { Info } from "luxon";

/** Names of months and days in a language. */
export interface DateNames {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** Sunday first. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  /** Before and after noon. */
  readonly halves: readonly [string, string];
}

const byLanguage = new Map<string, DateNames>();
const languagesMax = 200;

/** Names in a language; English if it is unknown. @param language - ISO 639-3 */
export function namesIn(language: string | undefined): DateNames {
  const code = language ?? "eng";
  const known = byLanguage.get(code);
  if (known !== undefined) return known;
  const names = makeNames(localeOf(code));
  if (byLanguage.size >= languagesMax) byLanguage.clear();
  byLanguage.set(code, names);
  return names;
}

function localeOf(code: string): string {
  try {
    const [locale] = Intl.DateTimeFormat.supportedLocalesOf(code);
    return locale ?? "en";
  } catch {
    return "en";
  }
}

function makeNames(locale: string): DateNames {
  const weekdays = (length: "long" | "short"): string[] => {
    const fromMonday = Info.weekdaysFormat(length, { locale });
    return [fromMonday.at(-1) ?? "", ...fromMonday.slice(0, -1)].map(withoutPoint);
  };
  const [before = "AM", after = "PM"] = Info.meridiems({ locale });
  return {
    months: Info.monthsFormat("long", { locale, numberingSystem: "latn" }),
    shortMonths: Info.monthsFormat("short", { locale, numberingSystem: "latn" }).map(withoutPoint),
    days: weekdays("long"),
    shortDays: weekdays("short"),
    halves: [before, after],
  };
}

function withoutPoint(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
