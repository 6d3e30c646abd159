import { describe, expect, it } from "vitest";
import { jsonPositions, lintExports, placeInFile, readExportFlows } from "../../../src/flow/index.js";
import { actionSet, flow as legacyFlow } from "../legacy/definitions.js";

describe("positions in JSON", () => {
  it("are those of the values, whatever is before them", () => {
    const value = {
      'a "]} \\\\': [{ b: "x" }, [], {}, 'y\\"]', -1.5e3, null, { c: { d: [true, "here"] } }],
      e: { f: "end" },
    };
    const text = JSON.stringify(value, null, 2);
    const [key = ""] = Object.keys(value);
    const found = jsonPositions(text, [[], [key, 6, "c", "d", 1], ["e", "f"], ["e", "g"], [key, 9], ["e", "f", "h"]]);
    const lines = text.split("\n");
    expect(found[0]).toEqual({ line: 1, column: 1 });
    expect(found.slice(1, 3).map((one) => lines[(one?.line ?? 0) - 1]?.slice((one?.column ?? 0) - 1))).toEqual([
      '"here"',
      '"end"',
    ]);
    expect(found.slice(3)).toEqual([undefined, undefined, undefined]);
    expect(jsonPositions('{"a":[1,{"b":2}]}', [["a", 1, "b"]])).toEqual([{ line: 1, column: 14 }]);
    const deep = `{"a":1,"b":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    expect(jsonPositions(deep, [["a"]])).toEqual([{ line: 1, column: 6 }]);
  });

  it("of a finding in a legacy flow are those of its action or rule set", () => {
    const sets = { action_sets: [actionSet("one", [{ type: "reply", msg: { eng: "@flow.agee" } }])] };
    const whole = {
      version: "11.12",
      flows: [legacyFlow(), legacyFlow({ ...sets, metadata: { uuid: "b", name: "B" } })],
    };
    const read = readExportFlows(whole);
    const [linted] = lintExports([read], { missing: [] });
    expect(linted?.findings.map((finding) => placeInFile(finding, read, whole))).toEqual([
      ["flows", 1, "action_sets", 0],
    ]);
  });
});
