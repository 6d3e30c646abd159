import type { Profile } from "../profile.js";
import { profile2017 } from "./2017.js";
import { profile2024 } from "./2024.js";
import { plain } from "./plain.js";

/** The profiles that a scenario may name. */
export const profiles: Readonly<Record<string, Profile>> = { plain, "2017": profile2017, "2024": profile2024 };
