import type * as z from "zod";
import type { ProfileField } from "../../world/index.js";
import type { PresetField, StatusSet } from "../../wire/index.js";
import { type Field } from "../sheet/field.js";
import { count, duration, durations, flag, percent, share, statuses, word } from "../fields/fields.js";
import { span, type VaryingInput } from "../fields/varying-fields.js";

/** `PollEveryMs` is `-poll-every`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/** The type of a setting in the typed builder, which spells it as the file does. */
type SettingInput<Value> = Value extends boolean
  ? boolean
  : Value extends number
    ? string | number
    : Value extends string
      ? Value
      : Value extends readonly number[]
        ? readonly string[]
        : Value extends StatusSet
          ? string | number | readonly (string | number)[]
          : VaryingInput<string>;

/** The settings of a preset or profile as the typed builder takes them: names as a scenario writes them. */
export type SettingsInput<Settings> = {
  readonly [Name in keyof Settings & string as Kebab<Name extends `${infer Base}Ms` ? Base : Name>]?:
    SettingInput<Settings[Name]> | undefined;
};

/** A setting of a preset or profile as a scenario writes it: `pollEveryMs` is `poll-every`. */
export function settingKey(property: string): string {
  return property
    .replace(/Ms$/, "")
    .replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`)
    .toLowerCase();
}

/** The field of a setting, by its unit. */
export function settingField(setting: PresetField | ProfileField): Field<unknown, unknown> {
  const { unit, about } = setting;
  switch (unit) {
    case "duration":
      return duration(about);
    case "durations":
      return durations(about);
    case "span":
      return span(about);
    case "count":
      return count(about, { min: "least" in setting ? setting.least : 0, max: 1_000_000_000 });
    case "share":
      return share(about);
    case "percent":
      return percent(about, { max: 1000 });
    case "statuses":
      return statuses(about);
    case "flag":
      return flag(about);
    case "word":
      return word(setting.words, about);
  }
}

/** The schema of all settings of a table, each optional. */
export function settingFields(
  settings: Readonly<Record<string, PresetField | ProfileField>>,
): Record<string, z.ZodOptional<Field<unknown, unknown>>> {
  return Object.fromEntries(
    Object.entries(settings).map(([property, setting]) => [settingKey(property), settingField(setting).optional()]),
  );
}

/** The overridden settings, by property name. */
export function settingsGiven(
  settings: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const overrides: Record<string, unknown> = {};
  for (const property of Object.keys(settings)) {
    const value = given[settingKey(property)];
    if (value !== undefined) overrides[property] = value;
  }
  return overrides;
}
