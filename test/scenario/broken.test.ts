import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkFakes, diagnosticCodes, formatDiagnostics, parseScenario } from "../../src/scenario/index.js";
import { verbs } from "../../src/scenario/verbs/index.js";
import { suggest } from "../../src/scenario/sheet/nearest.js";

/**
 * Each `broken/*.yaml` has its expected diagnostics in a `.txt` of its name, where `<all verbs>` is the list of verbs as
 * a hint has it. UPDATE_BROKEN=1 writes them again.
 */
const folder = join(import.meta.dirname, "broken");
const listOfVerbs = suggest("no verb is close to this", Object.keys(verbs)).replace(/^one of: /, "");
const names = readdirSync(folder).flatMap((file) => (file.endsWith(".yaml") ? [file.slice(0, -".yaml".length)] : []));

async function diagnose(name: string): Promise<string> {
  const text = readFileSync(join(folder, `${name}.yaml`), "utf8");
  const parsed = parseScenario(text, {
    file: `${name}.yaml`,
    nowMs: 0,
    readFile: (path) => {
      if (!["answers.csv", "times.csv", "late.csv", "who.csv"].includes(path)) throw new Error("no such file");
      return readFileSync(join(folder, path), "utf8");
    },
  });
  const { scenario, diagnostics } = await checkFakes(parsed);
  const hasErrors = diagnostics.some((one) => one.severity === "error");
  expect(scenario === undefined).toBe(hasErrors);
  expect(diagnostics).not.toEqual([]);
  return formatDiagnostics(diagnostics, text).replaceAll(listOfVerbs, "<all verbs>");
}

describe("broken scenarios", () => {
  it.each(names)("%s", async (name) => {
    const expected = join(folder, `${name}.txt`);
    const seen = await diagnose(name);
    if (process.env["UPDATE_BROKEN"] === "1") writeFileSync(expected, seen);
    expect(existsSync(expected)).toBe(true);
    expect(seen).toBe(readFileSync(expected, "utf8"));
  });

  it("every kind of diagnostic has a fixture, or a test in set.test.ts or bounds.test.ts", () => {
    const elsewhere = ["bad-set", "too-large", "too-many"];
    const all = [folder, join(import.meta.dirname, "broken", "accounts")]
      .flatMap((one) => readdirSync(one).map((file) => join(one, file)))
      .filter((file) => file.endsWith(".txt"))
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    const missing = Object.keys(diagnosticCodes).filter(
      (code) => !all.includes(`[${code}]`) && !elsewhere.includes(code),
    );
    expect(missing).toEqual([]);
  });
});
