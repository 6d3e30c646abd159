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

/** Names in a language (docs/reference/flows.md#date-layouts); English if it is unknown. @param language - ISO 639-3 */
export function namesIn(language: string | undefined): DateNames {
  const code = language ?? "eng";
  const known = byLanguage.get(code);
  if (known !== undefined) return known;
  const names = { ...makeNames(localeOf(code)), ...serviceNames[code] };
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
  const months = (length: "long" | "short"): string[] =>
    Info.monthsFormat(length, { locale, numberingSystem: "latn" }).map(withoutPoint);
  const [before = "", after = ""] = Info.meridiems({ locale });
  return {
    months: months("long"),
    shortMonths: months("short"),
    days: weekdays("long"),
    shortDays: weekdays("short"),
    halves: before === "" || before.includes(".") ? ["AM", "PM"] : [before, after],
  };
}

function withoutPoint(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

function list(names: string): readonly string[] {
  return names.split(" ");
}

/** Names that the service writes and that differ from those of Unicode's data, which the others come from. */
const serviceNames: Readonly<Record<string, Partial<DateNames>>> = {
  ara: {
    shortMonths: list("ينا فبر مار أبر ماي يون يول أغس سبت أكت نوف ديس"),
    shortDays: list("ح ن ث ر خ ج س"),
  },
  fra: { shortMonths: list("jan fév mar avr mai jun jui aoû sep oct nov déc") },
  kin: {
    shortDays: list("Mwe Mbe Kab Gtu Kan Gnu Gnd"),
  },
  por: { days: list("domingo segunda terça quarta quinta sexta sábado") },
  rus: {
    days: list("Воскресенье Понедельник Вторник Среда Четверг Пятница Суббота"),
    shortDays: list("Вс Пн Вт Ср Чт Пт Сб"),
    shortMonths: list("янв фев мар апр мая июн июл авг сен окт ноя дек"),
  },
  spa: { shortMonths: list("ene feb mar abr may jun jul ago sep oct nov dic") },
  zho: {
    months: list("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"),
    shortMonths: list("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"),
    shortDays: list("日 一 二 三 四 五 六"),
  },
};
