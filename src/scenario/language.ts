import { selectorKeys } from "./cast-names.js";
import type { Language } from "./sheet/language.js";

/** The language of scenario files. */
export const scenarioLanguage: Language = {
  noun: "scenario",
  qualifiedKeys: new Set(["exp", "normal", "lognormal", "pick", "weighted", "fake", "csv"]),
  dataMaps: new Set(["headers", "fields", "where", "weighted", "arrivals", "extra"]),
  shorthands: { receiver: "url", service: "preset", profile: "preset" },
  hintForComma: (key, afterComma) =>
    selectorKeys.some((one) => one === key)
      ? `several groups are a list: write ${key}: [ …, ${afterComma}]`
      : undefined,
};
