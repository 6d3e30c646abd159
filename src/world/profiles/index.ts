import type { Profile } from "./profile.js";
import { profile2017 } from "./2017.js";
import { profile2024 } from "./2024.js";
import { plain } from "./plain.js";

/** To add a profile, write a data file and register it here. */
const registry = { plain: plain as Profile, "2017": profile2017 as Profile, "2024": profile2024 as Profile };

/** The name of a profile. */
export type ProfileName = `${keyof typeof registry}`;

/** The profiles that a scenario may name. */
export const profiles: Readonly<Record<string, Profile>> = registry;

/** The profile of a group that names none. */
export const defaultProfile: ProfileName = "plain";
