import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";

const node = (number: number): string => `6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a0${number}`;

const flow = {
  uuid: node(0),
  name: "Survey",
  type: "messaging",
  spec_version: "13.1.0",
  language: "eng",
  nodes: [
    {
      uuid: node(1),
      actions: [{ type: "send_msg", uuid: node(3), text: "How old are you?" }],
      router: {
        type: "switch",
        operand: "@input.text",
        wait: { type: "msg" },
        result_name: "Age",
        categories: [
          { uuid: node(4), name: "Number", exit_uuid: node(5) },
          { uuid: node(6), name: "Other", exit_uuid: node(7) },
        ],
        cases: [{ uuid: node(8), type: "has_number", arguments: [], category_uuid: node(4) }],
        default_category_uuid: node(6),
      },
      exits: [
        { uuid: node(5), destination_uuid: node(2) },
        { uuid: node(7), destination_uuid: node(1) },
      ],
    },
    { uuid: node(2), actions: [], exits: [{ uuid: node(9), destination_uuid: null }] },
  ],
};

const account = `account: { name: Farm line }
contacts: { Anna: "+250781100000", Bea: "+250781100001" }
flows: [survey.json, { definition: { uuid: 6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2b00, name: Idle, type: messaging, spec_version: 13.1.0, language: eng, nodes: [] } }]
runs:
  - flow: Survey
    contact: "+250781100000"
    ago: 2h
    lasted: 1h
    exit: completed
    path: [${node(1)}, ${node(2)}]
    results: { Age: { value: "45", category: Number, node: ${node(1)} } }
  - { flow: Survey, contact: "+250781100001", ago: 1h, path: [${node(1)}] }
`;

async function recorded(): Promise<string> {
  const folder = temporaryFolder();
  const recording = join(folder, "day.db");
  writeFileSync(join(folder, "survey.json"), JSON.stringify(flow));
  writeFileSync(join(folder, "account.yaml"), account);
  writeFileSync(
    join(folder, "day.yaml"),
    'lasts: 1h\nreceiver: none\ndata: account.yaml\nhandsets: { clinic: { phone: "+250788000000" } }\n',
  );
  const run = ["run", join(folder, "day.yaml"), "--recording", recording, "--no-report", "-q"];
  expect(await handset(run)).toMatchObject({ code: 0 });
  return recording;
}

describe("handset flow coverage", () => {
  it("lists what a run never reached, and with --all everything", async () => {
    const recording = await recorded();
    expect(await handset(["flow", "coverage", recording])).toMatchObject({
      code: 0,
      stdout: `Survey: 71.4% in 2 runs: nodes 2/2, exits 2/3, categories 1/2
       2x  "How old are you?"; wait for Age
      never  category Other

1 flow without a run (--all lists it)
71.4% of 2 flows was reached
`,
    });
    const { stdout } = await handset(["flow", "coverage", recording, "--all"]);
    expect(stdout).toContain("1x  category Number");
    expect(stdout).toContain("Idle: 100% in 0 runs");
  });

  it("prints JSON, of the flows that are named", async () => {
    const recording = await recorded();
    const { stdout } = await handset(["flow", "coverage", recording, "--json", "--flow", "survey"]);
    expect(JSON.parse(stdout)).toMatchObject({
      covered: 5 / 7,
      counts: { nodes: { reached: 2, all: 2 }, exits: { reached: 2, all: 3 }, categories: { reached: 1, all: 2 } },
      flows: [{ uuid: flow.uuid, name: "Survey", runs: 2, nodes: [{ visits: 2 }, { visits: 1 }] }],
    });
  });

  it("exits with 1 below --min, and with 2 for an unknown flow", async () => {
    const recording = await recorded();
    expect(await handset(["flow", "coverage", recording, "--min", "70%"])).toMatchObject({ code: 0 });
    const low = await handset(["flow", "coverage", recording, "--min", "80%"]);
    expect(low).toMatchObject({ code: 1, stderr: "handset: 71.4% of the flows was reached, less than 80%\n" });
    const unknown = await handset(["flow", "coverage", recording, "--flow", "Nothing"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("its flows: Survey, Idle");
  });
});
