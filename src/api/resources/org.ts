import type { ApiRequest } from "../api-request.js";
import type { Resource, GetMethod } from "../resource.js";
import { schema } from "../../schema/index.js";

/** The account itself (docs/reference/service-api.md#organisation). */
const organisation: GetMethod = {
  about: "The account: its name, country, languages, time zone and credits.",
  parameters: {},
  schema: schema.objectOf({
    uuid: schema.uuid,
    name: schema.text,
    country: schema.nullable({ type: "string", minLength: 2, maxLength: 2, examples: ["KE"] }),
    languages: { ...schema.arrayOf(schema.text), examples: [["eng", "swa"]] },
    primary_language: schema.nullable({ type: "string", examples: ["eng"] }),
    timezone: { type: "string", examples: ["Africa/Nairobi"] },
    date_style: schema.oneOf(["day_first", "month_first", "year_first"]),
    credits: schema.objectOf({ used: schema.integer, remaining: schema.integer }),
    anon: { ...schema.boolean, description: "Whether the contacts' URNs are hidden" },
  }),
  read: ({ context }: ApiRequest) => {
    const { uuid, name, country, languages, primaryLanguage, timezone, dateStyle, credits, isAnonymous } =
      context.organisation;
    return {
      uuid,
      name,
      country,
      languages: languages.toSorted(),
      primary_language: primaryLanguage,
      timezone,
      date_style: dateStyle,
      credits: { used: credits.used, remaining: credits.remaining },
      anon: isAnonymous,
    };
  },
};

/** The name of the resource in the reference. */
export const org: Resource = {
  name: "org",
  about: "The account that the token belongs to.",
  scope: "others",
  forSurveyors: true,
  single: organisation,
};

/**
 * The same resource under its newer name, for newer clients
 * (docs/reference/service-api.md#documentation-and-real-systems).
 */
export const workspace: Resource = { ...org, name: "workspace" };
