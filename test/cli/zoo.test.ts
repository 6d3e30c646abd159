import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { receiverThat } from "../end-to-end/support.js";
import { sharedFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

const folder = sharedFolder();

describe("handset zoo", () => {
  it("lists stories, sources and bugs in 80 columns", async () => {
    const { code, stdout } = await handset(["zoo", "--list"]);
    expect(code).toBe(0);
    expect(stdout).toContain("wakes-in-1970\n  A phone that wakes in 1970\n");
    expect(stdout).toContain("sources: docs/reference/handset.md#");
    expect(stdout).toContain("fails with: handset receive --bug no-time-before-2000");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const json = JSON.parse((await handset(["zoo", "--list", "--json"])).stdout) as readonly unknown[];
    expect(json.length).toBeGreaterThanOrEqual(30);
    expect(json[0]).toMatchObject({ name: "a-day-ahead", bug: "far-ahead-500", right: ["failures == 0"] });
  });

  it("plays at the bundled receiver by default, and exits 0", async () => {
    const { code, stdout } = await handset(["zoo", "leap-day", "scenarios/field/wakes-in-1970.yaml"]);
    expect(stdout).toMatch(
      /^✔ leap-day +passed\n✔ wakes-in-1970 +passed\n\n✔ 2 field failures: 2 passed, 0 failed, in /,
    );
    expect(code).toBe(0);
  });

  it("says what is wrong with a receiver, keeps the recording, and exits 1", async () => {
    const { url } = await receiverThat((body, response) => {
      response.statusCode = /time=19/.test(body) ? 500 : 200;
      response.end();
    });
    const junit = join(folder, "zoo.xml");
    const argv = ["zoo", "leap-day", "wakes-in-1970", "-r", url, "--keep", folder, "--junit", junit];
    const { code, stdout } = await handset(argv);
    expect(code).toBe(1);
    expect(stdout).toContain("✘ failures == 0: seen 80%; the answers were 200 1x, 500 4x");
    expect(stdout).toContain(`play alone  handset zoo wakes-in-1970 -r '${url}'`);
    expect(existsSync(join(folder, "zoo-wakes-in-1970.db"))).toBe(true);
    expect(existsSync(join(folder, "zoo-leap-day.db"))).toBe(false);
    expect(readFileSync(junit, "utf8")).toContain('<testcase name="wakes-in-1970" classname="handset.zoo"');
    const { stdout: json } = await handset(["zoo", "wakes-in-1970", "-r", url, "--no-keep", "--json"]);
    expect(JSON.parse(json)).toMatchObject({
      receiver: url,
      passed: 0,
      failed: 1,
      untested: 0,
      left: 0,
      files: [
        {
          name: "wakes-in-1970",
          verdict: "failed",
          broken: [{ text: "failures == 0" }],
          play: `handset zoo wakes-in-1970 -r '${url}'`,
        },
      ],
    });
  });

  it("exits with 2 for wrong names, and with 3 for receivers that cannot be judged", async () => {
    const wrong = await handset(["zoo", "leapdayy"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean 'leap-day'?")]);
    const { url } = await receiverThat((_, response) => response.writeHead(404).end());
    const refused = await handset(["zoo", "-r", url]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("it answers 404 to an ordinary text")]);
    expect((await handset(["zoo", "--reset", "POST /reset"])).code).toBe(2);
    expect((await handset(["zoo", "-r", "http://example.org/"])).code).toBe(2);
  });
});
