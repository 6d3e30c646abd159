import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join("test", "behaviours");
const page = readFileSync("docs/reference/handset.md", "utf8");

/** The tests of `test/behaviours/`, as `file: name`. */
const tests = readdirSync(folder)
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => {
    const code = readFileSync(join(folder, file), "utf8");
    return Array.from(
      code.matchAll(/^\s*it(?:\.each\([^\n]*\))?\(\s*"([^"]+)"/gm),
      ([, name]) => `${folder}/${file}: ${name}`,
    );
  });
const cited = Array.from(page.matchAll(/`(test\/behaviours\/[\w-]+\.test\.ts: [^`]+)`/g), ([, test = ""]) => test);

it("the reference of the phone cites each test of a behaviour once, and none that does not exist", () => {
  expect(cited.toSorted()).toEqual(tests.toSorted());
});

it("each test of a behaviour is written so that it can be cited", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".test.ts"))) {
    const calls = readFileSync(join(folder, file), "utf8").match(/^\s*(?:it|test)[.(]/gm) ?? [];
    expect([file, tests.filter((test) => test.includes(`/${file}: `)).length]).toEqual([file, calls.length]);
  }
});
