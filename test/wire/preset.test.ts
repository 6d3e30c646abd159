import { describe, expect, it } from "vitest";
import { presetFields, servicePresets, statusIn, type ServicePreset } from "../../src/wire/index.js";

const preset = (name: string): ServicePreset => {
  const found = servicePresets.get(name);
  if (found === undefined) throw new Error(`no preset ${name}`);
  return found;
};

describe.each([...servicePresets.keys()])("%s", (name) => {
  it("has a field for each setting, and a name", () => {
    expect(["name", ...Object.keys(presetFields)].toSorted()).toEqual(Object.keys(preset(name)).toSorted());
    expect(preset(name).name).toBe(name);
  });

  it("keeps to the units of the fields", () => {
    for (const [property, field] of Object.entries(presetFields)) {
      const value = preset(name)[property as keyof ServicePreset];
      expect(property.endsWith("Ms"), property).toBe(field.unit === "duration" || field.unit === "durations");
      if (field.unit === "word") expect(field.words).toContain(value);
      if (field.unit === "flag") expect(value).toBeTypeOf("boolean");
      if (field.unit === "count") expect(value).toBeGreaterThanOrEqual(field.least);
      if (field.unit === "durations") expect(value).toBeInstanceOf(Array);
    }
  });

  it("neither retries nor refuses what it accepts", () => {
    for (let status = 100; status < 1000; status++) {
      expect(statusIn(preset(name).accepted, status) && statusIn(preset(name).retried, status)).toBe(false);
    }
  });
});

it.each([
  ["documented", 200, "accepted"],
  ["documented", 201, "accepted"],
  ["documented", 204, "refused"],
  ["documented", 302, "refused"],
  ["documented", 400, "retried"],
  ["documented", 404, "refused"],
  ["documented", 500, "retried"],
  ["documented", 503, "refused"],
  ["rapidpro-2016", 200, "accepted"],
  ["rapidpro-2016", 204, "accepted"],
  ["rapidpro-2016", 304, "accepted"],
  ["rapidpro-2016", 399, "accepted"],
  ["rapidpro-2016", 400, "retried"],
  ["rapidpro-2016", 404, "retried"],
  ["rapidpro-2016", 599, "retried"],
])("%s: %i is %s", (name, status, expected) => {
  const { accepted, retried } = preset(name);
  const seen = statusIn(accepted, status) ? "accepted" : statusIn(retried, status) ? "retried" : "refused";
  expect(seen).toBe(expected);
});
