import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { handset } from "../cli/terminal.js";
import { farmScenario, registration } from "./flow-samples.js";

const day = `lasts: 6h
seed: 5
receiver: none
data: account.yaml
carriers: { slow: { delay: 2s..9s } }
handsets: { clinic: { count: 3, phone: "+25078800000{0}", carrier: slow } }
people: { farmers: { count: 9, phone: "+2507811000{00}", name: Ann, language: eng } }
story:
  - { at: 1m, text: { from: farmers/3, to: clinic, body: Join us } }
  - { at: 5m, text: { from: farmers/3, to: clinic, body: a few } }
  - { at: 5m, text: { from: farmers/5, to: clinic, body: "join" } }
  - { at: 9m, text: { from: farmers/3, to: clinic, body: "45" } }
  - { at: 11m, send: { via: clinic, to: farmers/3, body: "/a, or b/" } }
  - { at: 15m, text: { from: farmers/3, to: clinic, body: "YES: \\"of course\\"" } }
  - { at: 30m, flow: { person: farmers/4, flow: Registration } }
`;

/** Plays the day. @returns its folder and the path of its recording */
async function recorded(): Promise<{ readonly folder: string; readonly recording: string }> {
  const { folder } = farmScenario(day);
  const recording = join(folder, "day.db");
  const run = ["run", join(folder, "day.yaml"), "--recording", recording, "--no-report", "-q"];
  expect(await handset(run)).toMatchObject({ code: 0 });
  return { folder, recording };
}

describe("handset flow record", () => {
  it("writes a scenario that passes as it is, and fails when the flow changes", async () => {
    const { folder, recording } = await recorded();
    const talk = join(folder, "talk.yaml");
    const made = await handset(["flow", "record", recording, "--person", "farmers/3", "-o", talk]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const { data, story } = parse(readFileSync(talk, "utf8")) as { data: string; story: Record<string, unknown>[] };
    expect(data).toBe("account.yaml");
    expect(story.filter((step) => "text" in step)).toHaveLength(4);
    expect(story.flatMap((step) => step["expect"] ?? [])).toEqual(
      expect.arrayContaining([
        { person: "person", hears: "How old are you?", within: "2m" },
        { person: "person", hears: "//a, or b//", within: "2m" },
        { person: "person", result: "Age", is: "45", category: "Adult", flow: "Registration", within: "2m" },
      ]),
    );
    const run = ["run", talk, "--recording", "none", "--json"];
    const { code, stdout } = await handset(run);
    const { expectations, problems } = JSON.parse(stdout) as { expectations: { held: boolean }[]; problems: string[] };
    expect(expectations.filter(({ held }) => !held)).toEqual([]);
    expect([code, problems, expectations.length > 8]).toEqual([0, [], true]);
    const changed = JSON.stringify(registration).replace("Do you farm?", "Do you fish?");
    writeFileSync(join(folder, "registration.json"), changed);
    expect((await handset(run)).code).toBe(1);
  });

  it("starts a flow that began without a text, and expects its timeout", async () => {
    const { folder, recording } = await recorded();
    const { stdout } = await handset(["flow", "record", recording, "--person", "+250781100004"]);
    const { story } = parse(stdout) as { story: Record<string, unknown>[] };
    expect(story[0]).toEqual({ at: "30m", flow: { person: "person", flow: "Registration" } });
    expect(story.at(-1)).toEqual({
      at: "1h30m",
      expect: { person: "person", result: "Age", category: "No Response", flow: "Registration", within: "2m" },
    });
    const talk = join(folder, "timeout.yaml");
    writeFileSync(talk, stdout.replace(/^data: .*$/m, "data: account.yaml"));
    expect((await handset(["run", talk, "--recording", "none", "-q"])).code).toBe(0);
  });

  it("refuses several people, strangers and files that are there", async () => {
    const { folder, recording } = await recorded();
    const record = (...more: string[]): Promise<{ code: number; stderr: string }> =>
      handset(["flow", "record", recording, ...more]);
    expect((await record("--person", "farmers")).stderr).toContain("selects 9 people");
    expect((await record("--person", "farmers/7")).stderr).toContain("said and heard nothing");
    expect((await record("--person", "farmers/12")).stderr).toContain("has 9 members");
    const taken = await record("--person", "farmers/3", "-o", join(folder, "day.yaml"));
    expect(taken).toMatchObject({ code: 3, stderr: expect.stringContaining("exists already") as string });
  });
});
