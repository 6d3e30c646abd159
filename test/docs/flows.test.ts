import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nativeActions } from "../../src/account/definitions/vocabulary.js";
import { actionWords } from "../../src/console/page/service/flow/action-words.js";
import { testNames } from "../../src/expression/index.js";

/** The text of a section of a page. */
function section(page: string, heading: string): string {
  const text = readFileSync(page, "utf8").split(`\n## ${heading}\n`)[1]?.split("\n## ")[0];
  if (text === undefined) throw new Error(`${page} has no section ${heading}`);
  return text;
}

describe.each(Object.keys(nativeActions))("the action %s", (name) => {
  it("has a row in the reference", () => {
    expect(section("docs/reference/flows.md", "Actions")).toContain(`\`${name}\``);
  });

  it("is in the list of what is supported", () => {
    expect(section("docs/flows.md", "What is supported")).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it("has words on the page", () => {
    expect(actionWords({ type: name }).text).not.toBe(name.replaceAll("_", " "));
  });
});

it.each([...testNames])("the test %s has a row in the reference", (name) => {
  expect(section("docs/reference/flows.md", "Tests")).toContain(`\`${name}\``);
});
