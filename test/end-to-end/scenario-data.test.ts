import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "../../src/index.js";
import { openRecording } from "../../src/store/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { serving } from "./served.js";
import { parse } from "./support.js";

const day = (data: string): string => `lasts: 1h
handsets: { clinic: { count: 2, phone: "+25078800{00}" } }
receiver: none
data: ${data}
`;

/** A folder with a scenario that names two accounts in a folder beside it. */
function files(account = 'account: { name: Farm line }\ncontacts: { Ann: "+250781999999" }\n'): {
  readonly scenario: string;
  readonly account: string;
} {
  const folder = temporaryFolder();
  const scenario = join(folder, "day.yaml");
  writeFileSync(scenario, day("[ann.yaml, bob.yaml]"));
  writeFileSync(join(folder, "ann.yaml"), account);
  writeFileSync(join(folder, "bob.yaml"), 'account: existing\ncontacts: { Bob: "+250781999998" }\n');
  return { scenario, account: join(folder, "ann.yaml") };
}

function contactsIn(recording: string): (string | null)[] {
  const reader = openRecording(recording);
  const names = [...reader.contacts()].map(({ name }) => name);
  reader.close();
  return names;
}

describe("a scenario with data", () => {
  it("begins a run with these accounts, before those of --data", async () => {
    const { scenario } = files();
    const more = join(temporaryFolder(), "cid.yaml");
    writeFileSync(more, 'account: existing\ncontacts: { Cid: "+250781999997" }\n');
    const recording = join(temporaryFolder(), "day.db");
    const run = ["run", scenario, "--data", more, "--recording", recording, "--no-report", "-q"];
    expect(await handset(run)).toMatchObject({ code: 0, stderr: "" });
    expect(contactsIn(recording)).toEqual(["Ann", "Bob", "Cid"]);
  });

  it("begins a served lab with them", async () => {
    const { scenario } = files();
    const lab = await serving({
      scenario: { ...parse(day("ann.yaml")), source: { file: scenario, text: day("ann.yaml") } },
    });
    const { results } = await lab.api.done("GET", "contacts.json");
    expect(results.map((one: { name: string }) => one.name)).toEqual(["Ann"]);
  });

  it("is checked with its accounts, whose problems have places of their own", async () => {
    const { scenario } = files();
    expect(await handset(["check", scenario])).toMatchObject({
      code: 0,
      stdout: `${scenario}: ok: 2 handsets, 0 people, 2 account files, 0 story steps, 0 expectations, lasts 01:00:00\n`,
    });
    const broken = files("account: { name: Farm line }\ngroups: [Mothers]\ncontacts: { Ann: 12 }\n");
    const { code, stderr } = await handset(["check", broken.scenario]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${broken.account}:3:`);
    const { code: ofRun, stderr: said } = await handset(["run", broken.scenario, "-q", "--recording", "none"]);
    expect(ofRun).toBe(2);
    expect(said).toContain(`${broken.account}:3:`);
  });

  it("is refused when a file is missing, and in a part of a fleet", async () => {
    const scenario = parse(day("nowhere.yaml"));
    await expect(runScenario(scenario, { recording: ":memory:" })).rejects.toMatchObject({
      code: "bad-account",
      message: expect.stringContaining("which the scenario names under 'data'") as string,
    });
    await expect(runScenario(scenario, { recording: ":memory:", shard: { index: 1, count: 2 } })).rejects.toMatchObject(
      { code: "bad-options", message: "'data' does not work in a part of a fleet" },
    );
  });
});
