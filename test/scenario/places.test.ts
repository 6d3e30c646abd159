import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { scenarioJsonSchema } from "../../src/scenario/index.js";
import { diagnostics, sound } from "./help.js";

const withPlace = (place: string, more = ""): string =>
  `lasts: 1h\nhandsets:\n  clinic: { phone: "+250788000001", place: ${place}${more} }\n`;
const groupOf = (text: string) => sound(text).cast.handsets[0];

describe("the place of a group", () => {
  it("is a point of a plane, which is not where the sun shines", () => {
    const group = groupOf(withPlace("{ x: -3.5, y: 4 }"));
    expect(group?.onPicture).toEqual({ x: -3.5, y: 4 });
    expect(group?.place).toBeUndefined();
    const sunny = withPlace("{ x: 1, y: 2 }", ", solar: { watts: 5 }");
    expect(diagnostics(sunny).map(({ code }) => code)).toEqual(["missing-key"]);
    expect(groupOf(`place: { latitude: 1, longitude: 2 }\n${sunny}`)?.place).toEqual({ lat: 1, lon: 2 });
  });

  it("is a point of the earth, for the sun, too", () => {
    const earth = { lat: -1.95, lon: 30.06 };
    for (const place of ["{ lat: -1.95, lon: 30.06 }", "{ latitude: -1.95, longitude: 30.06 }"]) {
      expect(groupOf(withPlace(place))).toMatchObject({ onPicture: earth, place: earth });
    }
  });

  it("is nowhere on the picture where only the scenario has one", () => {
    const group = groupOf('lasts: 1h\nplace: { lat: 1, lon: 2 }\nhandsets: { clinic: { phone: "+250788000001" } }\n');
    expect(group?.place).toEqual({ lat: 1, lon: 2 });
    expect(group).not.toHaveProperty("onPicture");
  });

  it("is checked by the JSON Schema", () => {
    interface Shape {
      readonly properties?: Readonly<Record<string, Shape>>;
      readonly additionalProperties?: Shape;
    }
    const { properties } = scenarioJsonSchema() as Shape;
    // The whole schema takes seconds to compile.
    const shape = properties?.["handsets"]?.additionalProperties?.properties?.["place"];
    const isValid = new Ajv({ strict: false }).compile(shape ?? {});
    expect(
      [
        { x: 1, y: 2 },
        { lat: 1, lon: 2 },
        { latitude: 1, longitude: 2 },
      ].map((place) => isValid(place)),
    ).toEqual([true, true, true]);
    expect(
      [{ x: 1 }, {}, { x: 1, y: 2, lat: 3 }, { lat: 1, longitude: 2 }, { x: 1, y: 2, z: 3 }].map((place) =>
        isValid(place),
      ),
    ).toEqual([false, false, false, false, false]);
  });
});
