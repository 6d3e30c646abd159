import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeForm, formField, parseForm } from "../../src/wire/index.js";
import { anyPairs, anyText } from "./arbitraries.js";

describe("formField", () => {
  it("reads what parseForm does, of any body", () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom("%", "%2", "%zz", "%C3%A9", "%C3", "+", "&", "=", "text=", "\ufeff"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const value = pieces.join("").replaceAll("&", "");
        expect(formField(`event=mo_sms&text=${value}&text=second`, "text")).toBe(parseForm(`text=${value}`)[0]?.[1]);
      }),
    );
  });

  it("finds the first value of each plain key that was encoded", () => {
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        const body = encodeForm([...pairs, ["phone", "+250"], ["phone", "second"]]);
        if (pairs.some(([key]) => key === "phone")) return;
        expect(formField(body, "phone")).toBe("+250");
        expect(formField(body, "no such key")).toBeUndefined();
      }),
    );
  });
});
