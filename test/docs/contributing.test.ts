import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { copyCauses, lossCauses } from "../../src/wire/index.js";
import { handset } from "../cli/terminal.js";

const delivery = readFileSync("docs/delivery.md", "utf8");

/** The names at the begin of list items between a line and the next heading, without backticks. */
function namesAfter(text: string, start: string): string[] {
  const part = text.split(`\n${start}`)[1]?.split("\n## ")[0] ?? "";
  return [...part.matchAll(/^- `([^`]+)` \(/gm)].map(([, name = ""]) => name);
}

describe("docs/contributing.md", () => {
  const page = readFileSync("docs/contributing.md", "utf8");

  it("names files that exist", () => {
    const paths = page.match(/(?<=[` ])(?:src|test|docs)\/[\w./-]*\w\/?(?=`|[ ]{2,}|\s*$)/gm) ?? [];
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("names scripts of the package", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    for (const [, name = ""] of page.matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(name);
  });
});

describe("docs/delivery.md", () => {
  it("has every cause of a loss, with its meaning, and no other", () => {
    expect(namesAfter(delivery, "Losses:")).toEqual(Object.keys(lossCauses));
    const text = delivery.replaceAll(/\s+/g, " ");
    for (const meaning of Object.values(lossCauses)) expect(text).toContain(`): ${meaning}`);
  });

  it("has every cause of a copied event, and no other", () => {
    expect(namesAfter(delivery, "## Copies of events").toSorted()).toEqual(Object.keys(copyCauses).toSorted());
  });
});

describe("README.md", () => {
  it("has a row for every command", async () => {
    const { stdout } = await handset(["--help"]);
    const commands = [...(stdout.split("Commands:")[1] ?? "").matchAll(/^ {2}([a-z]+)(?: \[| <| {2}|$)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(commands.length).toBeGreaterThan(10);
    const readme = readFileSync("README.md", "utf8");
    expect(commands.filter((name) => name !== "help" && !readme.includes(`| \`handset ${name}`))).toEqual([]);
  });
});
