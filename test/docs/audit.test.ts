import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { auditFamilies } from "../../src/study/index.js";

describe("docs/audit.md", () => {
  it("lists every trial with its severity, in the order of the registry", () => {
    const rows = [...readFileSync("docs/audit.md", "utf8").matchAll(/^\| `([a-z\d-]+)`\s*\| (high|medium|low)/gm)];
    const trials = auditFamilies.flatMap((family) => family.trials.map(({ id, severity }) => [id, severity]));
    expect(rows.map(([, id, severity]) => [id, severity])).toEqual(trials);
  });

  it("names trials once", () => {
    const ids = auditFamilies.flatMap((family) => family.trials.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
