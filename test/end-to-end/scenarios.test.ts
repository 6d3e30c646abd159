import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { kindOfFile, parseScenario, runScenario } from "../../src/index.js";

const folder = new URL("../../scenarios/", import.meta.url);
const files = scenariosIn("");
const conversations = scenariosIn("flows/");
const fieldStories = scenariosIn("field/");

/** The scenarios of a folder; account files beside them are none. */
function scenariosIn(inner: string): string[] {
  return readdirSync(new URL(inner, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => `${inner}${name}`)
    .filter((file) => kindOfFile(textOf(file)) === "scenario");
}

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), "utf8");
}

/** @returns the warnings of the run */
async function expectToHold(file: string): Promise<readonly string[]> {
  const { scenario, diagnostics } = parseScenario(textOf(file), {
    file: fileURLToPath(new URL(file, folder)),
    nowMs: 0,
    readData: (data) => readFileSync(new URL(data, new URL(file, folder)), "utf8"),
  });
  expect(diagnostics).toEqual([]);
  if (scenario === undefined) return [];
  const { result, exitCode } = await runScenario(scenario, { recording: ":memory:" });
  expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
  expect(result.problems).toEqual([]);
  expect(exitCode).toBe(0);
  return result.warnings ?? [];
}

describe("scenarios/", () => {
  it("has at least twelve stories", () => expect(files.length).toBeGreaterThanOrEqual(12));

  it.each(files)("%s opens with its story and holds", async (file) => {
    const [schema, , ...story] = textOf(file).split("\n");
    expect(schema).toBe("# yaml-language-server: $schema=../dist/scenario/scenario.schema.json");
    expect(story.findIndex((line) => !line.startsWith("#"))).toBeGreaterThanOrEqual(3);
    await expectToHold(file);
  });
});

describe("scenarios/field/", () => {
  it.each(fieldStories)("%s names its source, and the failure happens as told", async (file) => {
    const [schema, , title = ""] = textOf(file).split("\n");
    expect(schema).toBe("# yaml-language-server: $schema=../../dist/scenario/scenario.schema.json");
    expect(title).toMatch(/^# [A-Z].* \([\w.-]+\/[\w.-]+#\d+(, [\w.-]+\/[\w.-]+#\d+)*\)$/);
    expect(await expectToHold(file)).toEqual([]);
  });
});

describe("scenarios/flows/", () => {
  it("has a story for each export", () => {
    const exports = readdirSync(new URL("flows/", folder)).filter((name) => name.endsWith(".json"));
    expect(conversations).toEqual(exports.map((name) => `flows/${name.replace(/json$/, "yaml")}`));
  });

  it.each(conversations)("%s opens with its story and holds, and its flows have no problem", async (file) => {
    expect(textOf(file)).toMatch(/^# [A-Z].*\n# .*\n/);
    expect(await expectToHold(file)).toEqual([]);
  });

  it("order-status.yaml: its result counts the calls", async () => {
    const file = fileURLToPath(new URL("flows/order-status.yaml", folder));
    const { scenario } = parseScenario(textOf("flows/order-status.yaml"), { file, nowMs: 0 });
    if (scenario === undefined) throw new Error("the scenario is not sound");
    const { result } = await runScenario(scenario, { recording: ":memory:" });
    expect(result.flowCalls).toEqual({ answered: 4, failed: 2 });
  });
});
