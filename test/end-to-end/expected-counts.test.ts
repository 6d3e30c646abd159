import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";

/** The exit code and output of `expect` steps, after both/0 has heard "hello" twice and both/1 once. */
async function judged(...steps: readonly string[]): Promise<{ code: number; seen: string[] }> {
  const folder = temporaryFolder();
  const file = join(folder, "day.yaml");
  const story = steps.map((step) => `  - { at: 1h, expect: ${step} }\n`).join("");
  writeFileSync(
    file,
    `lasts: 2h
carriers: { mtn: { delay: 1s } }
handsets: { clinic: { phone: "+250788000001", carrier: mtn } }
people:
  both: { count: 2, phone: "+2507881000{00}", of: clinic }
story:
  - { at: 10m, send: { via: clinic, to: both/0, body: hello } }
  - { at: 20m, send: { via: clinic, to: both, body: hello } }
${story}`,
  );
  const { code, stdout, stderr } = await handset([
    "run",
    file,
    "--receiver",
    "none",
    "--json",
    "--recording",
    join(folder, "run.db"),
  ]);
  if (stdout === "") throw new Error(stderr);
  const { expectations } = JSON.parse(stdout) as { expectations: { held: boolean; seen: string }[] };
  return { code, seen: expectations.map(({ held, seen }) => `${held ? "held" : "broken"}: ${seen}`) };
}

const at = String.raw`\d\d:\d\d:\d\d`;

describe("how often a person hears a text", () => {
  it("count, at-least and at-most bound it, and the judgement says how often and when", async () => {
    const { code, seen } = await judged(
      "{ person: both/0, hears: hello, count: 2 }",
      "{ person: both/0, hears: hello, count: 1 }",
      "{ person: both/1, hears: hello, at-most: 1 }",
      "{ person: both/0, hears: hello, at-most: 1 }",
      "{ person: both/1, hears: hello, at-least: 2 }",
      "{ person: both/1, hears: goodbye, at-most: 0 }",
    );
    expect(code).toBe(1);
    const expected = [
      `held: twice, at ${at}, ${at}`,
      `broken: twice, at ${at}, ${at}`,
      `held: once, at ${at}`,
      `broken: twice, at ${at}, ${at}`,
      `broken: once, at ${at}`,
      "held: never",
    ];
    expected.forEach((form, place) => expect(seen[place]).toMatch(new RegExp(`^${form}$`)));
    expect(seen).toHaveLength(expected.length);
  });

  it("of several people each is meant", async () => {
    const { seen } = await judged(
      "{ person: both, hears: hello, at-least: 1 }",
      "{ person: both, hears: hello, at-most: 1 }",
      "{ person: both, hears: hello }",
    );
    expect(seen[0]).toMatch(/^held: 2 of 2 people as often as expected; 3 times, at /);
    expect(seen[1]).toMatch(/^broken: 1 of 2 people as often as expected; 3 times, at /);
    expect(seen[2]).toBe("held: 2 of 2 people");
  });

  it("events take the same bounds", async () => {
    const { seen } = await judged("{ event: mt_sent, at-most: 3 }", "{ event: mt_sent, at-least: 4 }");
    expect(seen).toEqual([
      expect.stringMatching(/^held: 3 times, at /),
      expect.stringMatching(/^broken: 3 times, at /),
    ]);
  });
});
