import { profileFields, faults } from "../world/index.js";
import { presetFields } from "../wire/index.js";
import { settingKey } from "./parts/overrides.js";
import { verbs } from "./verbs/index.js";

/** A word of the language and its meaning. */
export interface ReferenceEntry {
  readonly name: string;
  readonly about: string;
}

/** The verbs, each with an example on one line. */
export function verbReference(): (ReferenceEntry & { readonly example: string })[] {
  return Object.values(verbs).map(({ name, about, example }) => ({ name, about, example }));
}

/** The settings that `service: { … }` may override. */
export function serviceReference(): ReferenceEntry[] {
  return Object.entries(presetFields).map(([property, { about }]) => ({ name: settingKey(property), about }));
}

/** The numbers that `profile: { … }` may override. */
export function profileReference(): ReferenceEntry[] {
  return Object.entries(profileFields).map(([property, { about }]) => ({ name: settingKey(property), about }));
}

/** The faults that `faults: [ … ]` may name. */
export function faultReference(): ReferenceEntry[] {
  return Object.entries(faults).map(([name, about]) => ({ name, about }));
}
