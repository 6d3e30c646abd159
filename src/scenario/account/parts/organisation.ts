import * as z from "zod";
import { type OrganisationData, roles, type TokenData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { count, flag, formed, word, zone } from "../../fields/fields.js";
import type { Sheet } from "../../sheet/sheet.js";
import { called, language, languages, uuid } from "../account-fields.js";
import { listEntries } from "../entries.js";

const organisation = keyed({
  name: called("What it is called.", { max: 128 }).optional(),
  uuid: uuid("Its UUID; without it, one that the seed determines.").optional(),
  country: formed(
    /^[A-Z]{2}$/,
    "a country code of two capital letters such as RW",
    "ISO 3166, two letters.",
  ).optional(),
  languages: languages("The languages that it writes in (ISO 639-3).").optional(),
  "primary-language": language("The language of plain texts; default: the first of languages.").optional(),
  timezone: zone("The time zone of local hours and dates.", { default: "UTC" }).optional(),
  "date-style": word(["day_first", "month_first", "year_first"], "How dates are read and written.", {
    default: "day_first",
  }).optional(),
  anonymous: flag("Addresses of contacts are hidden.", { default: false }).optional(),
  suspended: flag("Everything that writes is refused.", { default: false }).optional(),
  credits: keyed({
    used: count("Credits that are used up.", { min: 0, max: 1e12, default: 0 }).optional(),
    remaining: count("Credits that are left.", { min: 0, max: 1e12, default: 0 }).optional(),
  })
    .describe("Message credits, as org.json shows them.")
    .optional(),
});

const existing = word(["existing"], "The file adds to the account that is there.");

/** `account`: the organisation, or the word `existing`. */
export const accountSchema: z.ZodType = z.union([existing, organisation.nullable()]);

/** What `account` says. */
export interface AccountHead {
  readonly isAddition: boolean;
  readonly organisation?: Partial<OrganisationData>;
}

/** Reads `account`, which must be there; undefined where it does not fit. */
export function readHead(sheet: Sheet): AccountHead | undefined {
  const path = ["account"];
  const written = sheet.at(path);
  if (written === undefined) {
    sheet.missing(path, "write account: { name: … } at the top, or account: existing");
    return undefined;
  }
  if (written === null) return { isAddition: false };
  if (typeof written === "string") return sheet.read(existing, path) && { isAddition: true };
  const given = sheet.read(organisation, path);
  if (given === undefined) return undefined;
  const primary = given["primary-language"] ?? given.languages?.[0];
  if (primary !== undefined && given.languages?.includes(primary) === false) {
    sheet.tell([...path, "primary-language"], {
      code: "unknown-reference",
      message: `is not among the languages: '${primary}'`,
      hint: `one of: ${given.languages.join(", ")}`,
    });
  }
  return {
    isAddition: false,
    organisation: {
      ...(given.name !== undefined && { name: given.name }),
      ...(given.uuid !== undefined && { uuid: given.uuid }),
      ...(given.country !== undefined && { country: given.country }),
      ...((given.languages ?? primary) !== undefined && { languages: given.languages ?? [] }),
      ...(primary !== undefined && { primaryLanguage: primary }),
      ...(given.timezone !== undefined && { timezone: given.timezone }),
      ...(given["date-style"] !== undefined && { dateStyle: given["date-style"] }),
      ...(given.anonymous !== undefined && { isAnonymous: given.anonymous }),
      ...(given.suspended !== undefined && { isSuspended: given.suspended }),
      ...(given.credits !== undefined && {
        credits: { used: given.credits.used ?? 0, remaining: given.credits.remaining ?? 0 },
      }),
    },
  };
}

const token = keyed({
  role: word(roles, "What it may do."),
  token: formed(/^[\x21-\x7e]{8,128}$/, "8 to 128 printable characters without spaces", "The token itself."),
  active: flag("False: its user was deactivated, and it is refused.", { default: true }).optional(),
});

/** `tokens`. */
export const tokensSchema: z.ZodType = z.array(token).nullable();

/** Reads `tokens`. */
export function readTokens(sheet: Sheet): TokenData[] {
  return listEntries(sheet, ["tokens"]).flatMap(({ path }) => {
    const given = sheet.read(token, path);
    return given === undefined ? [] : [{ role: given.role, token: given.token, isActive: given.active ?? true }];
  });
}
