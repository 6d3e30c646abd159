import type { ServicePreset } from "./preset.js";
import { documented } from "./documented.js";
import { rapidpro2016 } from "./rapidpro-2016.js";

/** The registry of presets: a new one is a data file and a line here. The first is the default. */
const registry = {
  documented: documented as ServicePreset,
  "rapidpro-2016": rapidpro2016 as ServicePreset,
};

/** The name of a preset. */
export type PresetName = keyof typeof registry;

/** The presets that `service:` of a scenario can name, by their names. */
export const servicePresets: ReadonlyMap<string, ServicePreset> = new Map(Object.entries(registry));

/** Their names, in the order of the registry. */
export const presetNames: readonly PresetName[] = Object.keys(registry) as PresetName[];
