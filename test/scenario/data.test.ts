import { describe, expect, it } from "vitest";
import { scenario, scenarioYaml } from "../../src/scenario/index.js";
import { base, diagnostics, sound } from "./help.js";

const texts: Readonly<Record<string, string>> = {
  "account.yaml": "account: { name: Farm line }\n",
  "export.json": '{ "version": "13", "flows": [] }',
  "day.yaml": base(),
  "notes.txt": "nothing of the kind\n",
};

function readData(path: string): string {
  const text = texts[path];
  if (text === undefined) throw new Error("there is no such file");
  return text;
}

describe("data", () => {
  it.each([
    ["data: account.yaml", ["account.yaml"]],
    ["data: [account.yaml, export.json]", ["account.yaml", "export.json"]],
  ])("%s names account files and exports", (line, files) => {
    expect(sound(base(line), { readData }).data).toEqual(files);
  });

  it("names files that are read only where the caller can read them", () => {
    expect(sound(base("data: elsewhere.yaml")).data).toEqual(["elsewhere.yaml"]);
    expect(sound(base()).data).toBeUndefined();
  });

  it.each([
    ["data: missing.yaml", 7, 7, "'missing.yaml' cannot be read: there is no such file"],
    ["data: [account.yaml, day.yaml]", 7, 22, "'day.yaml' is a scenario, not an account"],
    ["data:\n  - notes.txt", 8, 5, "'notes.txt' is no account file"],
  ])("%s is a problem at its place", (line, row, column, message) => {
    expect(diagnostics(base(line), { readData })).toMatchObject([
      { code: "bad-file", severity: "error", line: row, column, message },
    ]);
  });

  it("is not kept with the source, unlike other named files", () => {
    expect(sound(base("data: account.yaml"), { readData, readFile: readData }).source.files).toBeUndefined();
  });

  it("is a key of the builder, too", () => {
    const input = { lasts: "1h", handsets: { clinic: { phone: "+250788000001" } }, data: ["account.yaml"] };
    expect(scenario(input).data).toEqual(["account.yaml"]);
    expect(scenarioYaml(input)).toContain("data:");
  });
});
