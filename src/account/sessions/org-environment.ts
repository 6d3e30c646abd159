import type { OrgEnvironment } from "../../flow/index.js";
import type { OrganisationData } from "../../wire/index.js";

const dateFormats: Readonly<Record<OrganisationData["dateStyle"], OrgEnvironment["dateFormat"]>> = {
  day_first: "DD-MM-YYYY",
  month_first: "MM-DD-YYYY",
  year_first: "YYYY-MM-DD",
};

/** Cache with one entry: an organisation's data object is replaced when it changes. */
let last: { readonly of: OrganisationData; readonly environment: OrgEnvironment } | undefined;

/** The organisation's settings on which templates depend (docs/reference/flows.md#environment). */
export function orgEnvironment(organisation: OrganisationData): OrgEnvironment {
  if (last?.of !== organisation) last = { of: organisation, environment: environmentOf(organisation) };
  return last.environment;
}

function environmentOf(organisation: OrganisationData): OrgEnvironment {
  const { timezone, dateStyle, languages, primaryLanguage, country, isAnonymous } = organisation;
  const first = primaryLanguage === null ? [] : [primaryLanguage];
  return {
    timezone,
    dateFormat: dateFormats[dateStyle],
    timeFormat: "tt:mm",
    allowedLanguages: [...new Set([...first, ...languages])],
    // An export contains no languages, so without this rule its translations would never be used.
    allowsAnyLanguage: first.length + languages.length === 0,
    ...(country !== null && { defaultCountry: country }),
    hidesUrns: isAnonymous,
  };
}
