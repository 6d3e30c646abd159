import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../end-to-end/support.js";
import { handset } from "./terminal.js";

describe("the progress of a run", () => {
  it("says beforehand how long a paced run takes, until when, and what makes it shorter", async () => {
    const file = join(newFolder(), "quiet.yaml");
    writeFileSync(file, 'name: Quiet\nlasts: 3h\nhandsets:\n  clinic: { count: 1, phone: "+250788000000" }\n');
    const argv = ["run", file, "-r", "none", "--recording", "none", "--no-report", "--pace"];
    // It is stopped before it begins to play.
    const stopped = { interrupts: (press: () => void) => press() };
    const slow = await handset([...argv, "1x"], stopped);
    expect(slow.stderr).toMatch(/This takes 3 h of wall time at 1x, until \d\d:\d\d\n--pace 60x plays it in 3 min\n/);
    const fast = await handset([...argv, "600x"], stopped);
    expect(fast.stderr).not.toContain("This takes");
  });
});
