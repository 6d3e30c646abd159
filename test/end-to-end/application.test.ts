import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScenario } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { serving } from "./served.js";

const STORY = `name: Counted
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
receiver: { application: counter.mjs }
handsets: { clinic: { count: 1, phone: "+25078800{00}", network: WIFI } }
people: { farmers: { count: 1, phone: "+25078110{00}", of: clinic } }
story:
  - { at: 1m, text: { from: farmers/0, to: clinic/0, body: hello } }
  - { at: 10m, text: { from: farmers/0, to: clinic/0, body: again } }
  - { at: 1m, expect: { person: farmers/0, hears: text 1 hello, within: 5m } }
  - { at: 10m, expect: { person: farmers/0, hears: text 2 again, within: 5m } }
`;

const COUNTER = `export function application() {
  let count = 0;
  return ({ type, text }) => (type === "mo_sms" ? \`text \${++count} \${text}\` : undefined);
}
`;

/** A folder with the scenario, its application and a place for a recording. */
function files(): { readonly scenario: string; readonly application: string; readonly recording: string } {
  const folder = temporaryFolder();
  const scenario = join(folder, "counted.yaml");
  const application = join(folder, "counter.mjs");
  writeFileSync(scenario, STORY);
  writeFileSync(application, COUNTER);
  return { scenario, application, recording: join(folder, "counted.db") };
}

describe("a scenario with an application", () => {
  it("is played with its replies, from a file beside the scenario", async () => {
    const { scenario, recording } = files();
    const run = ["run", scenario, "--recording", recording, "--no-report", "-q"];
    expect(await handset(run)).toMatchObject({ code: 0, stderr: "" });
  });

  it("is refused when the file is absent, with its place in the scenario", async () => {
    const { scenario, application } = files();
    rmSync(application);
    for (const command of ["check", "run"]) {
      const { code, stderr } = await handset([command, scenario]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/counted\.yaml:4:26: error\[bad-file\]: 'counter\.mjs' cannot be read: ENOENT/);
    }
  });

  it("does not need it with another receiver", async () => {
    const { scenario, application, recording } = files();
    writeFileSync(application, "this is no JavaScript");
    const run = ["run", scenario, "--recording", recording, "--no-report", "-q"];
    const refused = await handset(run);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/application .*counter\.mjs cannot be loaded: /);
    expect(await handset([...run, "--receiver", "none"])).toMatchObject({ code: 1 });
  });

  it("begins its application again with the scenario", async () => {
    const { scenario: file } = files();
    const { scenario } = parseScenario(STORY, { file, nowMs: 0 });
    const lab = await serving({ scenario, receiver: "bundled", folder: temporaryFolder() });
    const states = async (): Promise<readonly string[]> => {
      const { expectations } = (await lab.lab.done("GET", "/story")) as { expectations: readonly { state: string }[] };
      return expectations.map(({ state }) => state);
    };
    await lab.lab.done("POST", "/story", { at: "30m" });
    await expect.poll(states).toEqual(["held", "held"]);
    await lab.lab.done("POST", "/story", { at: "0s" });
    await expect.poll(states).toEqual(["waiting", "waiting"]);
    await lab.lab.done("POST", "/story", { at: "30m" });
    await expect.poll(states).toEqual(["held", "held"]);
  });

  it("is named by a recording: it is served with its application, or with another receiver", async () => {
    const { scenario, application, recording } = files();
    await handset(["run", scenario, "--recording", recording, "--no-report", "-q"]);
    const served = await serving({ recording, receiver: undefined });
    expect(served.served.isBundled).toBe(true);
    rmSync(application);
    await expect(serving({ recording, receiver: undefined })).rejects.toThrow(/there is no application .*counter\.mjs/);
    expect((await serving({ recording, receiver: "none" })).served.isBundled).toBe(false);
  });
});
