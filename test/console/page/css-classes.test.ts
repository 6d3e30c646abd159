import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../src/console/page/", import.meta.url);
const files = readdirSync(root, { recursive: true, encoding: "utf8" });

function textOf(names: RegExp): string {
  return files
    .filter((name) => names.test(name))
    .map((name) => readFileSync(new URL(name, root), "utf8"))
    .join("\n");
}

function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? []));
}

const source = textOf(/\.tsx?$/);
/** Classes that have rules. */
const styled = found(textOf(/\.css$/).replace(/\/\*[^]*?\*\//g, ""), /\.([a-z][\w-]*)/g);
/** `design-button-` of `design-button-${kind}`. */
const beginnings = [...found(source, /(?<![\w-])([a-z][\w-]*-)\$\{/g)];

it("each class of the style sheets is used", () => {
  const words = found(source, /(?<![\w-])([a-z][\w-]*)/g);
  const isUsed = (name: string): boolean => words.has(name) || beginnings.some((start) => name.startsWith(start));
  expect([...styled].filter((name) => !isUsed(name))).toEqual([]);
});

it("each class of an element has a rule", () => {
  const attributes = [...found(source, /\bclass=(?:"([^"]*)"|\{((?:[^{}]|\$\{[^{}]*\})*)\})/g)].join(" ");
  const named = found(attributes, /(?<![\w.-])([a-z]+(?:-\w+)+)(?![\w-])/g);
  expect(styled.size).toBeGreaterThan(300);
  expect([...named].filter((name) => !styled.has(name))).toEqual([]);
});
