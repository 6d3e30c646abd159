import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const text = readFileSync("docs/architecture.md", "utf8");
const walk = text.slice(text.indexOf("## One text's way"), text.indexOf("## Glossary"));

/** A method, a function, or a property or constant that holds one; a call is none. */
function definitionOf(name: string): RegExp {
  const words = "(?:export |async |static |override |readonly |get )*";
  return new RegExp(`^ *${words}(?:function ${name}\\b|(?:const )?${name}(?: =|: \\(|\\(.*[{(,]$|\\($))`, "m");
}

describe("docs/architecture.md", () => {
  it("walks one text by functions that the files named define", () => {
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
        if (!definitionOf(code).test(source)) missing.push(`${file} ${code}`);
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(30);
  });

  it("numbers the places at which the walk leads through the lab", () => {
    const numbers = Array.from(walk.matchAll(/`(src\/[^`]+)` `[^`]+` \(\*\*(\d)\*\*\)/g));
    expect(numbers.map(([, , number]) => number)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(numbers.filter(([, file = ""]) => !file.startsWith("src/lab/"))).toEqual([]);
    expect(walk).toContain("the seven bold numbers");
  });

  it("names files and folders of the sources that exist", () => {
    const paths = Array.from(text.matchAll(/`(src\/[\w./-]+)`/g), ([, path = ""]) => path);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});
