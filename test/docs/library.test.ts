import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../support/folder.js";

const root = process.cwd();

afterEach(() => process.chdir(root));

describe("docs/library.md", () => {
  it("shows an example that runs unchanged", async () => {
    const example = readFileSync("docs/examples/first-run.ts", "utf8");
    expect(readFileSync("docs/library.md", "utf8")).toContain(example);
    process.chdir(temporaryFolder());
    const lines: string[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((text: string) => void lines.push(text));
    await import("../../docs/examples/first-run.js");
    log.mockRestore();
    expect(process.exitCode ?? 0).toBe(0);
    expect(lines.join("\n")).toContain("A morning at the clinic");
    expect(existsSync("morning.db")).toBe(true);
  });

  it("names every call of the public face that is a function", async () => {
    const face = await import("handset-lab");
    const text = readFileSync("docs/library.md", "utf8");
    const functions = Object.entries(face).filter(
      ([name, value]) => typeof value === "function" && /^[a-z]/.test(name),
    );
    expect(functions.map(([name]) => name).filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });
});
