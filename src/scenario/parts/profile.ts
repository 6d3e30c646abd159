import * as z from "zod";
import {
  defaultProfile,
  type Fault,
  faults,
  type Profile,
  type ProfileFieldName,
  profileFields,
  profiles,
} from "../../world/index.js";
import { field, type Field, keyed } from "../sheet/field.js";
import { word, words } from "../fields/fields.js";
import { readCount } from "../fields/values/number.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { isMap, type Path } from "../sheet/raw-value.js";
import { settingFields, settingsGiven, type SettingsInput } from "./overrides.js";

const names = Object.keys(profiles);

const profileName = word(names, "How the phone behaves.", {
  noun: "a phone profile",
  code: "unknown-profile",
}).prefault(defaultProfile);

const profileMap = keyed({ preset: profileName, ...settingFields(profileFields) });

/** `profile`: a name, or a map with a name that overrides some of its numbers. */
export const profileSchema = z.union([
  profileName,
  // The compiler cannot derive the keys from the table of settings.
  profileMap as unknown as z.ZodType<unknown, ProfileInput>,
]);

/** What the typed builder takes for `profile`: a profile's name, or a map with changes to its numbers. */
export type ProfileInput =
  | string
  | number
  | ({ readonly preset?: string | number | undefined } & SettingsInput<Pick<Profile, ProfileFieldName>>);

const faultNames = Object.keys(faults) as Fault[];

/** `faults`: replaces the faults of the profile. */
export const faultsField: Field<readonly Fault[], readonly Fault[]> = words(
  faultNames,
  "The faults of real relayer apps that the phone has: exactly these, instead of the profile's own.",
  { noun: "a fault", code: "unknown-fault" },
);

/** `packs`: a number of packs, or none. */
export const packsField: Field<number | "none", number | "none"> = packs();

function packs(): Field<number | "none", number | "none"> {
  const about = "How many packages the phone sends through, each with its own send limit; none: no limit.";
  const read = readCount({ min: 1, max: 11 });
  const shape = z.union([z.literal("none"), z.int().min(1).max(11), z.string().regex(/^([1-9]|1[01])$/)]);
  return field(shape, (value, report) => (value === "none" ? "none" : read(value, report)), about);
}

/** Reads the `profile` of a group of handsets, with the overrides in its `packs` and `faults`. */
export function readProfile(
  reader: DocumentReader,
  group: Path,
  extra: { readonly packs?: number | "none" | undefined; readonly faults?: readonly Fault[] | undefined },
): Profile | undefined {
  const path = [...group, "profile"];
  const given = isMap(reader.at(path)) ? reader.read(profileMap, path) : { preset: reader.read(profileName, path) };
  const base = given?.preset === undefined ? undefined : profiles[given.preset];
  if (given === undefined || base === undefined) return undefined;
  const { packs: ownPacks, ...rest } = base;
  const usedPacks = extra.packs ?? ownPacks ?? "none";
  const profile: Profile = {
    ...rest,
    // `settingFields` has read each number by its unit in the table.
    ...(settingsGiven(profileFields, given) as Partial<Profile>),
    ...(extra.faults !== undefined && { faults: new Set(extra.faults) }),
    ...(usedPacks !== "none" && { packs: usedPacks }),
  };
  for (const [key, value] of [
    ["poll-every", profile.pollEveryMs],
    ["batch", profile.batch],
  ] as const) {
    if (value === 0) reader.reportProblem([...path, key], { code: "out-of-range", message: "must be above 0, got 0" });
  }
  return profile;
}
