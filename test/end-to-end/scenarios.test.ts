import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseScenario, runScenario } from "../../src/index.js";

const folder = new URL("../../scenarios/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const flowStories = readdirSync(new URL("flows/", folder)).filter(
  (name) => name.endsWith(".yaml") && !name.endsWith("-account.yaml"),
);

describe("scenarios/", () => {
  it("has at least twelve stories", () => expect(files.length).toBeGreaterThanOrEqual(12));

  it.each(files)("%s opens with its story and holds", async (file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const [schema, , ...story] = text.split("\n");
    expect(schema).toBe("# yaml-language-server: $schema=../dist/scenario/scenario.schema.json");
    expect(story.findIndex((line) => !line.startsWith("#"))).toBeGreaterThanOrEqual(3);
    const { scenario, diagnostics } = parseScenario(text, { file, nowMs: 0 });
    expect(diagnostics).toEqual([]);
    if (scenario === undefined) return;
    const { result, exitCode } = await runScenario(scenario, { recording: ":memory:" });
    expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
    expect(result.problems).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it.each(flowStories)("flows/%s holds, and its flows have no problem", async (file) => {
    const path = fileURLToPath(new URL(`flows/${file}`, folder));
    const { scenario, diagnostics } = parseScenario(readFileSync(path, "utf8"), { file: path, nowMs: 0 });
    expect(diagnostics).toEqual([]);
    if (scenario === undefined) return;
    const { result, exitCode } = await runScenario(scenario, { recording: ":memory:" });
    expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
    expect([result.problems, result.warnings]).toEqual([[], []]);
    expect(exitCode).toBe(0);
  });
});
