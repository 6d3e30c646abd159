import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

const poll = "scenarios/flows/poll.json";

describe.each(["check", "walk"])("handset flow %s", (command) => {
  it("names a file that is no export, or is not there, and reads the others", async () => {
    const other = join(temporaryFolder(), "other.json");
    writeFileSync(other, '{"flows": 7}');
    const { code, stdout, stderr } = await handset(["flow", command, other, "nowhere.json", poll]);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain("not an export: it has no flows");
    expect(stderr).toContain("there is no file nowhere.json");
    expect(stdout).toContain(command === "check" ? `${poll}: 1 flow, 0 unsupported` : "Market Poll: completed");
  });
});
