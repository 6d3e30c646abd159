import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lintRules } from "../../src/flow/index.js";
import { flowOf, flowUuid, nodeUuid } from "../account/flow-builder.js";
import { actionSet, flow, rule, ruleSet } from "../flow/legacy/definitions.js";
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

/** Writes an export. */
function exportOf(flows: readonly unknown[], more: object = {}): string {
  const file = join(temporaryFolder(), "export.json");
  writeFileSync(file, JSON.stringify({ version: "13", site: "https://lab.test", flows, ...more }, null, 1));
  return file;
}

const subFlows = Array.from({ length: 11 }, (_, index) => flowOf(index + 2, `Sub ${index + 1}`, [{}]).definition);
const mainFlow = flowOf(
  1,
  "Main",
  subFlows.map(({ uuid, name }) => ({ actions: [{ type: "enter_flow", flow: { uuid, name } }] })),
).definition;

describe("handset flow check of references", () => {
  it("names each flow that is started and missing, and a trigger's", async () => {
    const trigger = { trigger_type: "K", keyword: "lost", flow: { uuid: flowUuid(77), name: "Lost" } };
    const file = exportOf([mainFlow], { triggers: [trigger] });
    const { code, stdout } = await handset(["flow", "check", file]);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe(`${file}: 1 flow, 0 unsupported, 12 missing`);
    expect(lines[1]).toMatch(/^ {2}11 flows are missing: .*; add them to the export, or load a file that has them$/);
    expect(lines.slice(2, 13)).toEqual(
      subFlows.map(({ uuid, name }) => `    '${String(name)}' (${String(uuid)}): flow 'Main', at enter_flow`),
    );
    expect(lines[13]).toContain("1 flow of a trigger or campaign is missing: what starts it is left out");
    expect(lines[14]).toBe(`    'Lost' (${flowUuid(77)}): trigger K 'lost'`);
  });

  it("looks in all files that it is given", async () => {
    const { stdout } = await handset(["flow", "check", exportOf([mainFlow]), exportOf(subFlows)]);
    expect(stdout).toContain(": 1 flow, 0 unsupported\n");
    expect(stdout).toContain(": 11 flows, 0 unsupported\n");
    expect(stdout).not.toContain("missing");
  });

  it("tells what no export can have from what is missing in it", async () => {
    const state = { ask: { result: "State", cases: [["has_state", [], "Yes"] as const] } };
    const text = { type: "send_msg", text: "@globals.org @fields.nick" };
    const file = exportOf([flowOf(1, "Where", [{ actions: [text], ...state }]).definition]);
    const place = { flow: { uuid: flowUuid(1), name: "Where" }, node: nodeUuid(1, 0) };
    const { stdout: json } = await handset(["flow", "check", "--json", file]);
    expect(JSON.parse(json)).toEqual({
      file,
      flows: 1,
      faults: [],
      unsupported: [],
      missing: [{ kind: "field", uuid: null, name: "nick", places: [{ ...place, by: "@fields.nick" }] }],
      needs: [
        {
          kind: "boundaries",
          uuid: null,
          name: "state",
          places: [{ ...place, by: "has_state", otherwise: "Other" }],
        },
        { kind: "global", uuid: null, name: "org", places: [{ ...place, by: "@globals.org" }] },
      ],
      findings: [],
    });
    const { stdout } = await handset(["flow", "check", file]);
    expect(stdout).toContain(": 1 flow, 0 unsupported\n");
    expect(stdout).toContain("  needs 1 field, else");
    expect(stdout).toContain("  needs 1 level of boundaries, else no answer names a place; load boundaries");
    expect(stdout).toContain("wait for State (has_state), so answers take 'Other'\n");
  });

  it("knows what an import makes: groups, labels and fields that flows name", async () => {
    const actions = [
      { type: "add_contact_groups", groups: [{ uuid: flowUuid(30), name: "Staff" }] },
      { type: "add_input_labels", labels: [{ uuid: flowUuid(31), name: "Urgent" }] },
      { type: "set_contact_field", field: { key: "nick", name: "Nick" }, value: "1" },
      { type: "send_msg", text: "@fields.nick" },
    ];
    const { stdout } = await handset(["flow", "check", exportOf([flowOf(1, "Make", [{ actions }]).definition])]);
    expect(stdout).toMatch(/: 1 flow, 0 unsupported\n$/);
  });

  it("resolves the numbers and types of the flows of an old export", async () => {
    const start = actionSet("one", [{ type: "flow", id: 7, name: "Sub" }]);
    const gone = actionSet("one", [{ type: "flow", id: 8, name: "Gone" }]);
    const sub = flow({ version: 8, metadata: { id: 7, uuid: flowUuid(7), name: "Sub" } });
    const set = ruleSet("sub", [rule("done", "Completed", { type: "subflow", exit_type: "completed" })], {
      ruleset_type: "subflow",
      operand: "@step.value",
      config: { flow: { name: "Gone too", uuid: flowUuid(9) } },
    });
    const main = (actions: object): object =>
      flow({ version: 8, metadata: { id: 6, uuid: flowUuid(6), name: "Main" }, action_sets: [actions] });
    const whole = await handset(["flow", "check", exportOf([main(start), sub], { version: 8 })]);
    expect(whole.stdout).toMatch(/: 2 flows, 0 unsupported\n$/);
    const broken = await handset(["flow", "check", exportOf([main(gone), flow({ rule_sets: [set] })], { version: 8 })]);
    expect(broken.stdout).toContain("2 flows are missing");
    expect(broken.stdout).toContain("'Gone' (");
    expect(broken.stdout).toContain("'Gone too' (");
  });

  it("misses nothing in the exports that the package has", async () => {
    const files = ["scenarios/flows", "scenarios/accounts"].flatMap((folder) =>
      readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? [join(folder, name)] : [])),
    );
    const { code, stdout } = await handset(["flow", "check", "--rule", "dead-end=off", ...files]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(files.length + 1);
    expect(stdout).not.toMatch(/missing|needs/);
  });
});

describe("handset flow check as a linter", () => {
  const say = (text: string): Record<string, unknown> => ({ type: "send_msg", text });
  const ask = { result: "Happy", cases: [["has_any_word", ["yes"], "Yes"] as const] };
  const flawed = flowOf(1, "Survey", [
    { actions: [say("Happy?")] },
    { ask, to: { Other: null } },
    { actions: [say("@results.hapy"), say("@results.hapy again"), say("a".repeat(170))] },
  ]).definition;

  it("lists findings by flow, the same once with its places, and ends with 1 for errors", async () => {
    const file = exportOf([flawed]);
    const lines = readFileSync(file, "utf8").split("\n");
    const lineOf = (part: string): number => lines.findIndex((line) => line.includes(part)) + 1;
    const { code, stdout } = await handset(["flow", "check", file]);
    expect(code).toBe(1);
    const actionAt = (action: number, text: string): string =>
      `at "@results.hapy"; "@results.hapy again"; "aaaaaaaaaaaaaaaaaa… (action ${action}), ${file}:${lineOf(text)}:16`;
    // The length of the file's name decides where lines are wrapped.
    expect(stdout.replaceAll(/\s+/g, " ").trim()).toBe(
      [
        `${file}: 1 flow, 0 unsupported, 2 errors, 1 warning`,
        "Survey",
        "error: @results.hapy: no node of this flow saves the result 'hapy' [unknown-result]",
        actionAt(1, '"@results.hapy"'),
        actionAt(2, '"@results.hapy again"'),
        "-> did you mean 'happy'?",
        "warning: answers of category 'Other' get no reply: the conversation ends [dead-end]",
        `at wait for Happy (category Other), ${file}:${lineOf(`"uuid": "${nodeUuid(1, 1)}"`) - 1}:5`,
        "-> connect 'Other' to a message that asks again",
        "not listed: 1 long-text (--level info lists them)",
      ].join(" "),
    );
  });

  it("switches rules and levels, and the exit code follows", async () => {
    const file = exportOf([flawed]);
    const codeOf = async (...more: string[]): Promise<number> => (await handset(["flow", "check", file, ...more])).code;
    expect(await codeOf("--rule", "unknown-result=off")).toBe(0);
    expect(await codeOf("--rule", "unknown-result=warning", "--fail-on", "warning")).toBe(1);
    expect(await codeOf("--fail-on", "never")).toBe(0);
    const { stdout } = await handset(["flow", "check", file, "--json", "--level", "info", "--rule", "long-text=error"]);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; level: string; path: string }[] };
    expect(findings.map(({ rule, level, path }) => [rule, level, path])).toEqual([
      ["unknown-result", "error", "nodes[2].actions[0].text"],
      ["unknown-result", "error", "nodes[2].actions[1].text"],
      ["dead-end", "warning", "nodes[1]"],
      ["long-text", "error", "nodes[2].actions[2].text"],
    ]);
  });

  it("lists its rules, and refuses others", async () => {
    const { stdout } = await handset(["flow", "check", "--rules", "--rule", "dead-end=off"]);
    expect(stdout).toMatch(/^dead-end +off /m);
    const { code, stderr } = await handset(["flow", "check", poll, "--rule", "dead-ends=off"]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no rule 'dead-ends'; did you mean 'dead-end'?");
    expect((await handset(["flow", "check", poll, "--rule", "dead-end=no"])).stderr).toContain("write dead-end=error");
  });

  it("has all rules with their levels in the manual", () => {
    const manual = readFileSync("docs/flows.md", "utf8");
    for (const { name, level } of lintRules)
      expect(manual).toMatch(new RegExp(`^\\| \`${name}\` +\\| ${level} +\\|`, "m"));
  });
});
