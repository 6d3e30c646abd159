import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat } from "./support.js";

const day = `lasts: 1h
handsets:
  clinic: { phone: "+2507880{00000}" }
people:
  farmers: { phone: "+2507811{00000}" }
story:
  - { at: 5m, text: { from: farmers/0, to: clinic/0, body: join } }
`;

function written(text: string, name = "day.yaml"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe("handset explore", () => {
  it("writes a bug file that fails until the receiver is fixed", async () => {
    let isFixed = false;
    const receiver = await receiverThat((body, response) => {
      const isMissed = new URLSearchParams(body).get("event") === "mo_miss";
      response.writeHead(!isFixed && isMissed ? 500 : 200).end("{}");
    });
    const output = join(temporaryFolder(), "bugs");
    const at = ["-r", receiver.url, "--reset", "POST /reset"];
    const ends = ["--trials", "200", "--failures", "1"];
    const { code, stdout, stderr } = await handset(["explore", written(day), ...at, ...ends, "--json", "-o", output]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const bug = join(output, "day-1.bug.yaml");
    expect(JSON.parse(stdout)).toMatchObject({
      failures: [{ condition: "status >= 500", oneMinimal: true, bug }],
      seed: 1,
      endedBy: "failures",
      fresh: true,
    });
    expect(readFileSync(bug, "utf8")).toMatch(/- \{ at: \S+, call: /);
    const play = async (): Promise<number> =>
      (await handset(["run", bug, "-r", receiver.url, "--recording", "none", "-q"])).code;
    expect(await play()).toBe(1);
    isFixed = true;
    expect(await play()).toBe(0);
  });

  it("says where a condition is wrong, what is not there, and what cannot be varied", async () => {
    const file = written(day);
    const misspelt = await handset(["explore", file, "-r", "http://127.0.0.1:9/", "--while", "stauts 500"]);
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain("--while 'stauts 500', column 1:");
    const away = await handset(["explore", file, "-r", "http://127.0.0.1:9/", "--wait", "0s"]);
    expect(away.code).toBe(3);
    expect(away.stderr).toContain("nothing listens at 127.0.0.1:9");
    const exact = await handset(["explore", written("requests: []\n", "a.bug.yaml"), "-r", "http://127.0.0.1:9/"]);
    expect(exact.code).toBe(2);
    expect(exact.stderr).toContain("exact requests, which cannot be varied");
    const nowhere = await handset(["explore", file]);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain("-r URL");
  });
});
