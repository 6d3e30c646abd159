import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario, type RunResult } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { serving } from "./served.js";
import { parse } from "./support.js";

const flow = {
  uuid: "6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a01",
  name: "Survey",
  type: "messaging",
  spec_version: "13.1.0",
  language: "eng",
  nodes: [
    {
      uuid: "6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a02",
      actions: [],
      exits: [{ uuid: "6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a03", destination_uuid: null }],
    },
  ],
};

const account = `account: { name: Farm line }
groups: [Mothers, { name: Annas, query: name = "Anna" }]
contacts:
  - { name: Anna, phone: "+250781100000", groups: [Mothers] }
  - { name: Bea, phone: "+250781100001" }
flows: [survey.json]
runs:
  - flow: Survey
    contact: "+250781100000"
    ago: 2h
    lasted: 1h
    exit: completed
    path: [${flow.nodes[0]?.uuid}]
    results:
      Age Group: { value: "45", category: Adult, node: ${flow.nodes[0]?.uuid} }
  - { flow: Survey, contact: "+250781100001", ago: 1h }
`;

const day = (story: readonly string[]): string => `lasts: 1h
handsets: { clinic: { phone: "+250788000000" } }
people: { women: { count: 3, phone: "+2507811000{00}" } }
receiver: none
data: account.yaml
story:
${story.map((expectation) => `  - { at: 5m, expect: ${expectation} }`).join("\n")}
`;

/** The results of a story's expectations. */
async function judged(story: readonly string[]): Promise<RunResult["expectations"]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "account.yaml"), account);
  writeFileSync(join(folder, "survey.json"), JSON.stringify(flow));
  const scenario = parse(day(story));
  const source = { ...scenario.source, file: join(folder, "day.yaml") };
  const { result } = await runScenario({ ...scenario, source }, { recording: ":memory:" });
  return result.expectations;
}

describe("expectations on the account", () => {
  const cases: readonly (readonly [expectation: string, held: boolean, seen: string])[] = [
    ["{ group: mothers, contains: women/0 }", true, "women/0 is in mothers, at 00:05:00"],
    ["{ group: Mothers, contains: women/1 }", false, "women/1 is not in Mothers"],
    ["{ group: Mothers, lacks: women/1 }", true, "women/1 is not in Mothers, at 00:05:00"],
    ["{ group: Mothers, lacks: women/0 }", false, "women/0 is in Mothers"],
    ["{ group: Annas, contains: +250781100000 }", true, "women/0 is in Annas, at 00:05:00"],
    ["{ group: Mothers, contains: women }", false, "1 of 3 people; women/1 is not in Mothers"],
    ["{ group: Mothers, lacks: women/1..2 }", true, "2 of 2 people"],
    ["{ group: Fathers, lacks: women/0 }", false, "there is no group Fathers"],
    ["{ group: Mothers, contains: women/2 }", false, "women/2 is no contact"],
    ["{ person: women/0, result: Age Group, is: 45 }", true, "result Age Group of women/0 is '45' (category Adult), at 00:05:00"],
    ["{ person: women/0, result: age_group, is: /^4\\d$/, category: adult }", true, "result age_group of women/0 is '45' (category Adult), at 00:05:00"],
    ["{ person: women/0, result: Age Group }", true, "result Age Group of women/0 is '45' (category Adult), at 00:05:00"],
    ["{ person: women/0, result: Age Group, is: 4 }", false, "result Age Group of women/0 is '45' (category Adult)"],
    ["{ person: women/0, result: Age Group, category: Child }", false, "result Age Group of women/0 is '45' (category Adult)"],
    ["{ person: women/1, result: Age Group, within: 10m }", false, "women/1 never answered: there is no result Age Group"],
    ["{ person: women/0, result: Age Group, is: 45, flow: survey }", true, "result Age Group of women/0 is '45' (category Adult), at 00:05:00"],
    ["{ person: women/0, result: Age Group, flow: Registration }", false, "there is no flow Registration"],
    ["{ person: women/2, result: Age Group }", false, "women/2 is no contact"],
  ]; // prettier-ignore

  it("read results and members, and say what was seen instead", async () => {
    const results = await judged(cases.map(([expectation]) => expectation));
    expect(results.map(({ held, seen }) => [held, seen])).toEqual(cases.map(([, held, seen]) => [held, seen]));
  });

  it("of a contact without runs say so", async () => {
    const text = account.replace(/ {2}- \{ flow: Survey, contact: "\+250781100001".*\n/, "");
    expect(text).not.toBe(account);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "account.yaml"), text);
    writeFileSync(join(folder, "survey.json"), JSON.stringify(flow));
    const scenario = parse(day(["{ person: women/1, result: Age }", "{ person: women/1, result: Age, flow: Survey }"]));
    const source = { ...scenario.source, file: join(folder, "day.yaml") };
    const { result, exitCode } = await runScenario({ ...scenario, source }, { recording: ":memory:" });
    expect(result.expectations.map(({ seen }) => seen)).toEqual([
      "there is no flow run of women/1",
      "there is no flow run of women/1 in Survey",
    ]);
    expect(exitCode).toBe(1);
  });

  it("hold at any instant of their window, which a contact's first text may bring", async () => {
    const text = `lasts: 1h
handsets: { clinic: { phone: "+250788000000" } }
people: { women: { count: 2, phone: "+2507811000{00}", name: Anna } }
receiver: none
data: account.yaml
story:
  - at: 10m
    text: { from: women/1, to: clinic, body: hello }
  - at: 5m
    expect: { group: Newcomers, contains: women/1 }
  - at: 5m
    expect: { group: Newcomers, contains: women/1, within: 10m }
  - at: 5m
    expect: { group: Newcomers, contains: women/1, within: 2m }
  - at: 20m
    expect: { group: Newcomers, contains: women }
`;
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "account.yaml"),
      'account: { name: Farm line }\ngroups: [{ name: Newcomers, query: name = "Anna" }]\n',
    );
    const scenario = parse(text);
    const source = { ...scenario.source, file: join(folder, "day.yaml") };
    const { result } = await runScenario({ ...scenario, source }, { recording: ":memory:" });
    expect(result.expectations.map(({ held, seen }) => [held, seen.replace(/at 00:1\d:\d\d/, "at 00:1x:xx")])).toEqual([
      [false, "women/1 is no contact"],
      [true, "women/1 is in Newcomers, at 00:1x:xx"],
      [false, "women/1 is no contact"],
      [false, "1 of 2 people; women/0 is no contact"],
    ]);
  });

  it("do not disturb a served lab, which plays the rest of the story", async () => {
    const scenario = parse(day(["{ group: Mothers, contains: women }"]).replace("data: account.yaml\n", ""));
    const lab = await serving({ scenario });
    await lab.step("10m");
    expect((await lab.lab.done("GET", "/clock")).paused).toBe(true);
  });
});
