import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAccount } from "../../src/index.js";
import { formatDiagnostics } from "../../src/scenario/index.js";

/**
 * Each account file and export in `broken/accounts` has its expected diagnostics in a `.txt`; `files` has what
 * they name. UPDATE_BROKEN=1 writes them again.
 */
const folder = join(import.meta.dirname, "broken", "accounts");
const names = readdirSync(folder).filter((file) => /\.(yaml|json)$/.test(file));

describe("broken accounts", () => {
  it.each(names)("%s", async (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const { account, diagnostics } = await readAccount(text, {
      file: name,
      readFile: (path) => {
        const file = join(folder, "files", path);
        if (!existsSync(file)) throw new Error("no such file");
        return readFileSync(file, "utf8");
      },
    });
    const seen = formatDiagnostics(diagnostics, text);
    expect(account === undefined).toBe(diagnostics.some((one) => one.severity === "error"));
    const expected = join(folder, name.replace(/\.\w+$/, ".txt"));
    if (process.env["UPDATE_BROKEN"] === "1") writeFileSync(expected, seen);
    expect(seen).toBe(readFileSync(expected, "utf8"));
    expect(seen).not.toBe("");
  });
});
