import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const text = readFileSync("docs/architecture.md", "utf8");

describe("docs/architecture.md", () => {
  it("walks one text by functions that exist in the files named", () => {
    const walk = text.slice(text.indexOf("## One text's way"), text.indexOf("## Glossary"));
    const missing: string[] = [];
    let count = 0;
    let file = "";
    let source = "";
    for (const [, code = ""] of walk.matchAll(/`([^`]+)`/g)) {
      if (code.startsWith("src/")) {
        file = code;
        source = readFileSync(file, "utf8");
      } else {
        count++;
        if (!new RegExp(`(?<![\\w#])${code}(?!\\w)`).test(source)) missing.push(`${file} ${code}`);
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(30);
  });

  it("names files and folders of the sources that exist", () => {
    const paths = Array.from(text.matchAll(/`(src\/[\w./-]+)`/g), ([, path = ""]) => path);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});
