import { ownValue } from "../../wire/index.js";

/** ISO 639-3 of the languages that faker has locales for, by the two letters (ISO 639-1) that locales begin with. */
const codes: Readonly<Record<string, string>> = {
  af: "afr", ar: "ara", az: "aze", bn: "ben", cs: "ces", cy: "cym", da: "dan", de: "deu", dv: "div", el: "ell",
  en: "eng", eo: "epo", es: "spa", fa: "fas", fi: "fin", fr: "fra", he: "heb", hr: "hrv", hu: "hun", hy: "hye",
  id: "ind", it: "ita", ja: "jpn", ka: "kat", ko: "kor", ku: "kur", lv: "lav", mk: "mkd", mn: "mon", nb: "nob",
  ne: "nep", nl: "nld", pl: "pol", pt: "por", ro: "ron", ru: "rus", sk: "slk", sl: "slv", sr: "srp", sv: "swe",
  ta: "tam", th: "tha", tr: "tur", uk: "ukr", ur: "urd", uz: "uzb", vi: "vie", yo: "yor", zh: "zho", zu: "zul",
}; // prettier-ignore

/** The language of a locale of faker, ISO 639-3; null if it is unknown. */
export function languageOfLocale(locale: string): string | null {
  const [language = ""] = locale.split("_");
  return ownValue(codes, language) ?? null;
}
