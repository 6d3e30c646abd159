import * as z from "zod";
import { type OrganisationData, roles, type TokenData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { count, flag, formed, word, zone } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { nameField, language, languages, uuid } from "../account-fields.js";
import { listEntries } from "../entries.js";

const organisationSchema = keyed({
  name: nameField("What it is called.", { max: 128 }).optional(),
  uuid: uuid("Its UUID; without it, one that the seed determines.").optional(),
  country: formed(
    /^[A-Z]{2}$/,
    "a country code of two capital letters such as RW",
    "ISO 3166, two letters.",
  ).optional(),
  languages: languages("The languages that it writes in (ISO 639-3).").optional(),
  "primary-language": language("The language of plain texts; default: the first of languages.").optional(),
  timezone: zone("The time zone of local hours and dates.").prefault("UTC"),
  "date-style": word(["day_first", "month_first", "year_first"], "How dates are read and written.").prefault(
    "day_first",
  ),
  anonymous: flag("Addresses are hidden from clients and templates; events have them.").prefault(false),
  suspended: flag("Everything that writes is refused.").prefault(false),
  credits: keyed({
    used: count("Credits that are used up.", { min: 0, max: 1e12 }).prefault(0),
    remaining: count("Credits that are left.", { min: 0, max: 1e12 }).prefault(0),
  })
    .describe("Message credits, as org.json shows them.")
    .optional(),
});

const existing = word(["existing"], "The file adds to the account that is there.");

/** `account`: the organisation, or the word `existing`. */
export const accountSchema: z.ZodType = z.union([existing, organisationSchema.nullable()]);

/** The value of `account`. */
export interface AccountHead {
  readonly isAddition: boolean;
  readonly organisation?: Partial<OrganisationData>;
}

/** Reads `account`, which is required; undefined if it is missing or invalid. */
export function readHead(reader: DocumentReader): AccountHead | undefined {
  const path = ["account"];
  const written = reader.at(path);
  if (written === undefined) {
    reader.reportMissing(path, "write account: { name: … } at the top, or account: existing");
    return undefined;
  }
  if (written === null) return { isAddition: false };
  if (typeof written === "string") return reader.read(existing, path) && { isAddition: true };
  const given = reader.read(organisationSchema, path);
  if (given === undefined) return undefined;
  const primary = given["primary-language"] ?? given.languages?.[0];
  if (primary !== undefined && given.languages?.includes(primary) === false) {
    reader.reportProblem([...path, "primary-language"], {
      code: "unknown-reference",
      message: `is not among the languages: '${primary}'`,
      hint: `one of: ${given.languages.join(", ")}`,
    });
  }
  const isWritten = (key: keyof typeof given): boolean => reader.at([...path, key]) !== undefined;
  // A key that the file omits keeps its value when the account is loaded again, so its default is not set.
  const organisation: Partial<OrganisationData> = {
    name: given.name,
    uuid: given.uuid,
    country: given.country,
    languages: given.languages ?? (primary === undefined ? undefined : []),
    primaryLanguage: primary,
    timezone: isWritten("timezone") ? given.timezone : undefined,
    dateStyle: isWritten("date-style") ? given["date-style"] : undefined,
    isAnonymous: isWritten("anonymous") ? given.anonymous : undefined,
    isSuspended: isWritten("suspended") ? given.suspended : undefined,
    credits: given.credits,
  };
  const named = Object.entries(organisation).filter(([, value]) => value !== undefined);
  return { isAddition: false, organisation: Object.fromEntries(named) };
}

const token = keyed({
  role: word(roles, "What it may do."),
  token: formed(/^[\x21-\x7e]{8,128}$/, "8 to 128 printable characters without spaces", "The token itself."),
  active: flag("False: its user was deactivated, and it is refused.").prefault(true),
});

/** `tokens`. */
export const tokensSchema: z.ZodType = z.array(token).nullable();

/** Reads `tokens`. */
export function readTokens(reader: DocumentReader): TokenData[] {
  return listEntries(reader, ["tokens"]).flatMap(({ path }) => {
    const given = reader.read(token, path);
    return given === undefined ? [] : [{ role: given.role, token: given.token, isActive: given.active }];
  });
}
