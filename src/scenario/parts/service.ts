import * as z from "zod";
import { presetFields, type PresetName, presetNames, servicePresets, type ServicePreset } from "../../wire/index.js";
import { keyed } from "../sheet/field.js";
import { word } from "../fields/fields.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { durationLiteral } from "../fields/values/duration.js";
import { isMap } from "../sheet/raw-value.js";
import { settingFields, settingsGiven, type SettingsInput } from "./overrides.js";

const [defaultName = "documented"] = presetNames;

const presetName = word(presetNames, "How the service behaves where the reference is silent.", {
  noun: "a service preset",
  code: "unknown-preset",
}).prefault(defaultName);

const presetMap = keyed({ preset: presetName, ...settingFields(presetFields) });

/** `service`: a preset's name, or a map with a name that overrides some of its settings. */
export const serviceSchema: z.ZodType = z.union([
  presetName,
  // The compiler cannot derive the keys from the table of settings.
  presetMap as unknown as z.ZodType<unknown, ServiceInput>,
]);

/** What the typed builder takes for `service`: a preset's name, or a map with changes to its settings. */
export type ServiceInput =
  PresetName | ({ readonly preset?: PresetName | undefined } & SettingsInput<Omit<ServicePreset, "name">>);

/** Reads `service`. */
export function readService(reader: DocumentReader, lookaheadMs: number): ServicePreset | undefined {
  const path = ["service"];
  const given = isMap(reader.at(path)) ? reader.read(presetMap, path) : { preset: reader.read(presetName, path) };
  const base = given?.preset === undefined ? undefined : servicePresets.get(given.preset);
  if (given === undefined || base === undefined) return undefined;
  // `settingFields` has read each setting by its unit in the table.
  const preset = { ...base, ...(settingsGiven(presetFields, given) as Partial<ServicePreset>) };
  checkSettings(reader, preset, lookaheadMs);
  return preset;
}

function checkSettings(reader: DocumentReader, preset: ServicePreset, lookaheadMs: number): void {
  if (preset.waitsMs.length === 0 && preset.attempts > 1) {
    reader.reportProblem(["service", "waits"], {
      code: "out-of-range",
      message: "must hold at least one wait, got an empty list",
    });
  }
  if (preset.timeoutMs === 0 || preset.alarmLookEveryMs === 0) {
    const key = preset.timeoutMs === 0 ? "timeout" : "alarm-look-every";
    reader.reportProblem(["service", key], { code: "out-of-range", message: "must be above 0s, got 0s" });
  }
  const used = preset.waitsMs.slice(0, Math.max(0, preset.attempts - 1));
  const place = used.findIndex((waitMs) => waitMs < lookaheadMs);
  const short = used[place];
  if (short === undefined) return;
  const isWritten = isMap(reader.at(["service"])) && reader.at(["service", "waits"]) !== undefined;
  const path = isWritten
    ? ["service", "waits", place]
    : reader.at(["lookahead"]) === undefined
      ? ["service"]
      : ["lookahead"];
  reader.reportProblem(path, {
    code: "wait-below-lookahead",
    message: `the retry wait of ${durationLiteral(short)} is shorter than the lookahead of ${durationLiteral(lookaheadMs)}`,
    whole: true,
    hint: `wait at least ${durationLiteral(lookaheadMs)}, or set 'lookahead: ${durationLiteral(Math.max(1, short))}'`,
  });
}
