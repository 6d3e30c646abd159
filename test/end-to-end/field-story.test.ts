import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { freePort } from "../support/server.js";

const page = readFileSync("docs/field-bugs.md", "utf8");
const story = page.slice(page.indexOf("## From an access log to a test"), page.indexOf("## Import"));
const [imported = "", verdict = "", broken = ""] = Array.from(
  story.matchAll(/```text\n([\s\S]*?)```/g),
  ([, text = ""]) => oneLine(text),
);
const at = "docs/examples/tuesday";

/** The words of an output, without its line breaks. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** Plays a scenario at the story's receiver, and returns its output with the recording as the page names it. */
async function run(file: string, name: string, flags: readonly string[] = [], receiver: readonly string[] = []) {
  const port = String(await freePort());
  const recording = join(temporaryFolder(), name);
  const url = `http://127.0.0.1:${port}/hook`;
  const command = ["--", process.execPath, `${at}/receiver.mjs`, port, ...receiver];
  const { code, stdout } = await handset(["run", file, "-r", url, "--recording", recording, ...flags, ...command]);
  return { code, text: oneLine(stdout).replaceAll(recording, name) };
}

describe("the story of docs/field-bugs.md", () => {
  it("begins with the causes of the access log", async () => {
    const { code, stdout } = await handset(["import", `${at}/access.log`]);
    expect([code, oneLine(stdout)]).toEqual([0, imported]);
  });

  it("finds in the day, played by its causes, who was registered twice", async () => {
    const scenario = join(temporaryFolder(), "tuesday.yaml");
    const flags = ["--scenario", scenario, "--no-sends", "--pseudonyms", "keep-texts"];
    expect((await handset(["import", `${at}/access.log`, ...flags])).stdout).toContain("73 of the 73 events again");
    const { code, text } = await run(scenario, "tuesday.db", ["--expect", "never-twice"]);
    expect(code).toBe(1);
    expect(text).toContain(verdict);
  });

  it("ends with a test that fails until the receiver is fixed", async () => {
    const { code, text } = await run(`${at}/once.yaml`, "once.db");
    expect(code).toBe(1);
    expect(text).toContain(broken);
    const fixed = await run(`${at}/once.yaml`, "once.db", [], ["--fixed"]);
    expect(fixed.code).toBe(0);
    // The copy that the fixed receiver ignores is no text without effect.
    expect(fixed.text).not.toContain("had no effect");
  });
});
