import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { flowOf } from "../account/flow-builder.js";
import { temporaryFolder } from "../support/folder.js";
import { type Ended, handset } from "./terminal.js";

const registration = "scenarios/flows/registration.json";

/** Talks with the flows of an export: what was typed, a line each. */
function chat(file: string, lines: readonly string[], ...more: string[]): Promise<Ended> {
  return handset(["flow", "chat", file, ...more], { stdin: lines.join("\n") });
}

function exportOf(plans: Parameters<typeof flowOf>[2], more: object = {}): string {
  const file = join(temporaryFolder(), "export.json");
  writeFileSync(file, JSON.stringify({ version: "13", flows: [flowOf(1, "Main", plans).definition], ...more }));
  return file;
}

const say = (text: string): Record<string, unknown> => ({ type: "send_msg", text });

describe("handset flow chat", () => {
  it("offers the flows of an export, and takes a number, a name or a keyword", async () => {
    const byNumber = await chat(registration, ["7", "Leav", "2"]);
    expect(byNumber.stdout).toContain("   1  Registration (keyword join)\n   2  Leave (keyword stop)\n");
    expect(byNumber.stdout).toContain("'Leav' is neither a flow nor a keyword; did you mean 'Leave'?");
    expect(byNumber.stdout).toContain("flow    You have left the health line.");
    expect((await chat(registration, ["join us"])).stdout).toContain("Ann     join us\n  flow    Welcome");
    expect((await chat(registration, [], "leave")).stdout).toContain("You have left the health line.");
    expect((await chat(registration, [])).code).toBe(2);
  });

  it("plays timeouts and the expiry, and says when there is none", async () => {
    const { stdout } = await chat(
      registration,
      ["/timeout", "Ann", "30", "/timeout", "/timeout", "/expire", "/nothing", "/quit", "never"],
      "Registration",
    );
    expect(stdout).toContain("this question has no timeout; /expire ends the run");
    expect(stdout).toContain("· (no answer in time)");
    expect(stdout).toContain("no flow waits for an answer");
    expect(stdout).toContain("there is no command /nothing");
    expect(stdout).not.toContain("never");
  });

  it("saves a scenario that handset run plays and that passes", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "talk.yaml");
    const { stdout, code } = await chat(
      registration,
      ["mary poppins", "abc", "44", "/timeout", "hill road", `/save ${file}`, `/save ${file}`],
      "Registration",
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`saved; play it: handset run ${file}.`);
    expect(stdout).toContain("talk.yaml exists already");
    const run = await handset(["run", file, "--recording", "none", "--json"]);
    const { expectations } = JSON.parse(run.stdout) as { expectations: { held: boolean }[] };
    expect([run.code, expectations.length, expectations.filter(({ held }) => !held)]).toEqual([0, 11, []]);
  });

  it("saves what the contact has, and how HTTP calls were answered", async () => {
    const webhook = { type: "call_webhook", method: "GET", url: "http://x.test/stock", result_name: "Stock" };
    const file = exportOf(
      [
        { ask: { result: "Item", cases: [] } },
        { actions: [webhook, say("@fields.village has @webhook.left of @results.item")] },
      ],
      { fields: [{ key: "village", name: "Village", type: "text" }] },
    );
    const talk = join(temporaryFolder(), "talk.yaml");
    const { stdout } = await chat(file, [
      "/field vilage Hill",
      "/field village Hill",
      '/http 200 {"left": 3}',
      "soap",
      `/save ${talk}`,
    ]);
    expect(stdout).toContain("the export has no field 'vilage'; did you mean 'village'?");
    expect(stdout).toContain("Hill has 3 of soap");
    expect(parse(readFileSync(talk, "utf8"))).toMatchObject({ mocks: [{ status: 200, body: '{"left": 3}' }] });
    expect((await handset(["run", talk, "--recording", "none", "-q"])).code).toBe(0);
  });

  it("refuses to save fields that were set too late for it, until the conversation starts over", async () => {
    const file = exportOf(
      [{ actions: [say("From @fields.village?")], ask: { result: "Yes", cases: [] } }, { actions: [say("Bye")] }],
      { fields: [{ key: "village", name: "Village", type: "text" }] },
    );
    const talk = join(temporaryFolder(), "talk.yaml");
    const { stdout } = await chat(file, [
      "/field village Hill",
      "yes",
      `/save ${talk}`,
      "/again",
      "yes",
      `/save ${talk}`,
    ]);
    expect(stdout).toContain("the conversation would differ: /again starts over with them");
    expect(stdout).toContain("From Hill?");
    expect((await handset(["run", talk, "--recording", "none", "-q"])).code).toBe(0);
  });
});
