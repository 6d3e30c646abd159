import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isKnownFunction } from "../../src/expression/index.js";

const page = readFileSync(new URL("../../docs/reference/flows.md", import.meta.url), "utf8");

/** The text of a section, up to the next heading. */
function section(heading: string): string {
  const text = page.split(`### ${heading}\n`)[1]?.split("\n#")[0];
  if (text === undefined) throw new Error(`no section ${heading}`);
  return text;
}

/** Names in the second column of the section's table. */
const names = section("Functions")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .flatMap((row) => (row.split("|")[2] ?? "").replace(/\([^)]*\)|:.*/g, "").split(","))
  .map((name) => name.trim())
  .filter((name) => name !== "");

describe("the reference", () => {
  it("lists many functions", () => {
    expect(names.length).toBeGreaterThan(80);
  });

  it.each(names)("has %s, which exists", (name) => {
    expect(isKnownFunction(name)).toBe(true);
  });
});
