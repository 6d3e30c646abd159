import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("each test that a reference names exists", () => {
  const missing = readdirSync("docs/reference").flatMap((page) =>
    [...readFileSync(`docs/reference/${page}`, "utf8").matchAll(/`(test\/[\w/-]+\.test\.ts): ([^`]+)`/g)].filter(
      ([, file = "", name = ""]) => !existsSync(file) || !readFileSync(file, "utf8").includes(name),
    ),
  );
  expect(missing.map(([cited]) => cited)).toEqual([]);
});
