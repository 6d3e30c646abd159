import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flowOf } from "../account/flow-builder.js";
import { temporaryFolder } from "../support/folder.js";
import { type Ended, handset } from "./terminal.js";

const registration = "scenarios/flows/registration.json";

/** The registration with other texts. */
function changed(...edits: readonly (readonly [from: string, to: string])[]): string {
  const file = join(temporaryFolder(), "new.json");
  const text = edits.reduce((all, [from, to]) => all.replaceAll(from, to), readFileSync(registration, "utf8"));
  writeFileSync(file, text);
  return file;
}

function diff(file: string, ...more: string[]): Promise<Ended> {
  return handset(["flow", "diff", registration, file, ...more]);
}

describe("handset flow diff", () => {
  it("says that nothing changes, although UUIDs and places do", async () => {
    const { code, stdout } = await diff(changed(["cc7d2cd0-e63b", "cc7d2cd0-0000"]));
    expect([code, stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("9 conversations, none changes")]);
  });

  it("shows where conversations part, side by side, the same once", async () => {
    const { code, stdout } = await diff(changed(['"Adult"', '"Grown"']));
    expect(code).toBe(1);
    expect(stdout).toContain('  Registration 4: after "I think so", "73"\n');
    expect(stdout).toMatch(/· Age = 73 \(Adult\) +\| · Age = 73 \(Grown\)\n/);
    expect(stdout).toContain("the same in 4 more");
    const { stdout: json } = await diff(changed(['"Adult"', '"Grown"']), "--json", "--flow", "registration");
    const { talks, changed: parted } = JSON.parse(json) as {
      talks: number;
      changed: { acts: unknown[]; new: unknown[] }[];
    };
    expect([talks, parted.length]).toEqual([8, 5]);
    expect(parted[0]?.new[0]).toMatchObject({ kind: "result", category: "Grown" });
  });

  it("plays conversations that were saved", async () => {
    const talk = join(temporaryFolder(), "talk.yaml");
    const stdin = ["join", "mary poppins", "abc", "44", "/timeout", "hill road", `/save ${talk}`].join("\n");
    await handset(["flow", "chat", registration], { stdin });
    const talks = ["--talks", talk];
    expect((await diff(registration, ...talks)).code).toBe(0);
    expect((await diff(changed(["What is your full name?", "Who are you?"]), ...talks)).stdout).toContain(
      'after "join"',
    );
    const late = await diff(changed(["one question is left", "one more question"]), ...talks);
    expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('"abc", "44"')]);
    expect(late.stdout).toContain("one more question");
    const elsewhere = await diff(changed(["You have left the health line.", "Bye."]), ...talks);
    expect(elsewhere.code).toBe(0);
  });

  it("answers HTTP calls as the conversation has it: in order, and the last answer repeats", async () => {
    const call = { type: "call_webhook", method: "GET", url: "http://x.test/stock", result_name: "Stock" };
    const flow = (...texts: string[]): string => {
      const actions = texts.flatMap((text) => [call, { type: "send_msg", text }]);
      const file = join(temporaryFolder(), "stock.json");
      writeFileSync(file, JSON.stringify({ version: "13", flows: [flowOf(1, "Stock", [{ actions }]).definition] }));
      return file;
    };
    const talk = join(temporaryFolder(), "talk.yaml");
    const mocks = [
      { url: "/other/", status: 404 },
      { url: "/stock", body: { left: 3 }, times: 1 },
      { url: "http://x.test/stock", method: "GET", status: 500, times: 1 },
    ];
    const people = { someone: { phone: "+250788123123" } };
    const story = [{ at: "1m", flow: { person: "someone", flow: "Stock" } }];
    writeFileSync(talk, JSON.stringify({ people, mocks, story }));
    const expected = flow("3 left", "Failure", "Failure");
    const category = "@results.stock.category";
    const files = [flow("@webhook.left left", category, category), flow("3 left", category, "Success")];
    const codes = files.map(async (file) => (await handset(["flow", "diff", expected, file, "--talks", talk])).code);
    expect(await Promise.all(codes)).toEqual([0, 1]);
  });

  it("refuses what is no conversation", async () => {
    const { code, stderr } = await diff(registration, "--talks", registration);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is no scenario with a story")]);
    expect((await diff("nowhere.json")).code).toBe(2);
    const talk = join(temporaryFolder(), "talk.yaml");
    const story = [{ text: { from: "+250788123123", to: "clinic", body: "Hi" } }];
    writeFileSync(talk, JSON.stringify({ mocks: [{ url: "/(stock/" }], story }));
    const unclosed = await diff(registration, "--talks", talk);
    expect([unclosed.code, unclosed.stderr]).toEqual([2, expect.stringContaining("the mock's url /(stock/ ")]);
  });
});
