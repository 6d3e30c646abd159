import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flowOf, flowUuid } from "../account/flow-builder.js";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

const registration = "scenarios/flows/registration.json";
const say = (text: string): Record<string, unknown> => ({ type: "send_msg", text });

/** Writes an export. */
function exportOf(flows: readonly unknown[], more: object = {}): string {
  const file = join(temporaryFolder(), "export.json");
  writeFileSync(file, JSON.stringify({ version: "13", flows, ...more }));
  return file;
}

interface Cover {
  readonly reached: number;
  readonly all: number;
  readonly walks: readonly { readonly acts: readonly object[]; readonly ended: string }[];
  readonly unreached: readonly { readonly category: string | null; readonly why: string }[];
}

async function coverOf(file: string, ...more: string[]): Promise<Cover> {
  const { stdout } = await handset(["flow", "walk", file, "--cover", "--json", ...more]);
  return JSON.parse(stdout.split("\n")[0] ?? "") as Cover;
}

describe("handset flow walk --transcript", () => {
  it("prints who says what, results and changes", async () => {
    const { code, stdout } = await handset(["flow", "walk", registration, "--flow", "Leave", "--transcript"]);
    expect([code, stdout]).toEqual([
      0,
      "Leave: completed after 0 answers\n  flow    You have left the health line. Send JOIN to come back.\n\n",
    ]);
  });

  it("names flow and node of an error", async () => {
    const file = exportOf([flowOf(1, "Main", [{ actions: [say("Hi @(1 / 0)")] }]).definition]);
    const { stdout } = await handset(["flow", "walk", file, "--transcript"]);
    expect(stdout).toContain('· ERROR: error evaluating @(1 / 0): division by zero (flow Main: "Hi');
  });
});

describe("handset flow walk --contact", () => {
  const split = { operand: "@fields.age", cases: [["has_number_gt", ["17"], "Adult"] as const] };
  const plans: Parameters<typeof flowOf>[2] = [
    { split, to: { Other: "child" } },
    { actions: [say("@contact.name is grown")], to: { "": null } },
    { name: "child", actions: [say("@contact.name is not")] },
  ];
  const walk = async (contact: string): Promise<string> => {
    const groups = [{ uuid: flowUuid(9), name: "Mothers" }];
    const file = exportOf([flowOf(1, "Main", plans).definition], { groups });
    const path = join(temporaryFolder(), "contact.yaml");
    writeFileSync(path, contact);
    const { stdout, stderr } = await handset(["flow", "walk", file, "--transcript", "--contact", path]);
    return stdout + stderr;
  };

  it("walks with the contact's name, fields and groups", async () => {
    expect(await walk("name: Bea\nfields: { age: 20 }\ngroups: [mothers]")).toContain("Bea is grown");
    expect(await walk('{"name": "Bea", "fields": {"age": "12"}}')).toContain("Bea is not");
  });

  it.each([
    ["nam: Bea", "contact.yaml: a contact has no 'nam'", "did you mean 'name'?"],
    ["fields: { agee: 3 }", "the export has no field 'agee'", "did you mean 'age'?"],
    ["groups: [Mother]", 'the export has no group "Mother"', "did you mean 'Mothers'?"],
    ["urns: [123]", "an address is written tel:+250788123123, got 123", ""],
    ["name: [", "contact.yaml:1:8: ", ""],
  ])("refuses %s", async (contact, ...said) => {
    const text = await walk(contact);
    for (const one of said) expect(text).toContain(one);
  });
});

describe("handset flow walk --cover", () => {
  it("reaches every category of a registration: answers, timeouts, a photo instead of a text", async () => {
    const { reached, all, unreached, walks } = await coverOf(registration, "--flow", "Registration");
    expect([reached, all, unreached]).toEqual([23, 23, []]);
    expect(walks.length).toBeLessThan(10);
    expect(walks.every(({ ended }) => ended === "completed")).toBe(true);
  });

  it("changes the contact, chance and the answers of calls for splits without a question", async () => {
    const webhook = { type: "call_webhook", method: "GET", url: "http://x.test/", result_name: "Call" };
    const file = exportOf([
      flowOf(1, "Main", [
        {
          split: {
            operand: "@fields.age",
            cases: [
              ["has_number_gt", ["17"], "Adult"],
              ["has_number", [], "Child"],
            ],
          },
        },
        { split: { operand: "@contact.groups", cases: [["has_group", [flowUuid(9), "Mothers"], "Mother"]] } },
        {
          actions: [webhook],
          split: {
            operand: "@results.call.category",
            cases: [["has_only_text", ["Success"], "Success"]],
            other: "Failure",
          },
        },
        { ask: { result: "Count", cases: [] } },
        { split: { operand: "@results.count", cases: [["has_number_between", ["5", "9"], "Some"]] } },
      ]).definition,
    ]);
    expect(await coverOf(file)).toMatchObject({ reached: 15, all: 15, unreached: [] });
  });

  it("says why the rest cannot be reached", async () => {
    const file = exportOf([
      flowOf(1, "Main", [
        {
          ask: {
            result: "Age",
            cases: [
              ["has_number", [], "Number"],
              ["has_number_eq", ["5"], "Five"],
              ["has_state", [], "State"],
            ],
          },
        },
        {
          split: { operand: "@webhook.status", cases: [["has_only_text", ["shipped"], "Shipped"]] },
          to: { Shipped: "end" },
        },
        { actions: [say("not yet")], to: { "": null } },
        { name: "end", actions: [say("on its way")], to: { "": null } },
        { actions: [say("lost")] },
      ]).definition,
    ]);
    const { unreached } = await coverOf(file);
    expect(unreached.map(({ category, why }) => [category, why])).toEqual([
      ["Five", "answers that pass its test go to 'Number' first"],
      ["State", "it needs the boundaries of an account"],
      ["Shipped", "it needs another answer of the HTTP call than {}"],
      [null, "only 'Shipped' of split @webhook.status leads to it"],
      [null, "no path from the start leads to it"],
    ]);
    const { stdout, code } = await handset(["flow", "walk", file, "--cover"]);
    expect(code).toBe(0);
    expect(stdout).toContain("  not reached:\n");
  });

  it("ends with 1 when a walk fails, and is the same each time", async () => {
    const loop = exportOf([
      flowOf(1, "Loop", [
        { ask: { result: "Go", cases: [["has_any_word", ["yes"], "Yes"]] }, to: { Other: null } },
        { name: "a", actions: [say("round")], to: { "": "a" } },
      ]).definition,
    ]);
    const first = await handset(["flow", "walk", loop, "--cover"]);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain("reached maximum number of steps per sprint");
    expect(first.stdout).toContain("1. yes -> failed");
    expect(await handset(["flow", "walk", loop, "--cover"])).toEqual(first);
  });
});
