import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

/** The table of docs/reference/kubernetes.md: what a field of a type may be. */
interface Field {
  readonly value: string;
  readonly isRequired: boolean;
}

const page = readFileSync("docs/reference/kubernetes.md", "utf8");
const types = new Map<string, Map<string, Field>>();
for (const [, type = "", field = "", value = ""] of page.matchAll(/^\| (\w+) +\| `(\w+)` +\| (.+?) +\|$/gm)) {
  const fields = types.get(type) ?? new Map<string, Field>();
  types.set(type, fields.set(field, { value: value.replace(/ !$/, ""), isRequired: value.endsWith(" !") }));
}

const QUANTITY = /^\d+(\.\d+)?(m|k|Ki|Mi|Gi|Ti|M|G|T)?$/;

/** What is wrong with a value by the table, a sentence each. */
function faultsOf(value: unknown, expected: string, place: string): string[] {
  const [, kind, of = ""] = /^(list|map) of (\w+)$/.exec(expected) ?? [];
  if (kind === "list") {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((one, index) => faultsOf(one, of, `${place}[${index}]`));
  }
  if (kind === "map") return objectOf(value).flatMap(([key, one]) => faultsOf(one, of, `${place}.${key}`));
  const fields = types.get(expected);
  if (fields !== undefined) {
    const given = new Map(objectOf(value));
    const missing = [...fields].filter(([name, { isRequired }]) => isRequired && !given.has(name));
    return [
      ...missing.map(([name]) => `${place}.${name} is missing`),
      ...[...given].flatMap(([name, one]) => {
        const field = fields.get(name);
        if (field === undefined) return [`${place}.${name} is not a field of ${expected}`];
        return faultsOf(one, field.value, `${place}.${name}`);
      }),
    ];
  }
  const isRight =
    expected === "integer"
      ? Number.isSafeInteger(value)
      : expected === "Quantity"
        ? QUANTITY.test(String(value))
        : expected === "string" || expected === "boolean"
          ? typeof value === expected
          : expected.includes(`\`${String(value)}\``);
  return isRight ? [] : [`${place} is ${JSON.stringify(value)}, not ${expected}`];
}

function objectOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function faultsIn(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as { readonly kind: string };
    return types.has(object.kind) ? faultsOf(object, object.kind, object.kind) : [`unknown kind ${object.kind}`];
  });
}

const files = ["indexed-job.yaml", "merge-job.yaml", "jobset.yaml"];
const text = (file: string): string => readFileSync(`docs/examples/${file}`, "utf8");

describe("the fields of docs/reference/kubernetes.md that the examples use", () => {
  it.each(files)("%s has only these, at their places, with values of their types", (file) => {
    expect(faultsIn(text(file))).toEqual([]);
  });

  it.each<[from: string, to: string, fault: string]>([
    ["completions: 8", 'completions: "8"', 'spec.completions is "8", not integer'],
    ["parallelism: 8", "paralelism: 8", "paralelism is not a field of JobSpec"],
    ["operator: In", "operator: Equals", 'operator is "Equals", not `In`, `NotIn`'],
    ["status: Complete", "status: Completed", 'status is "Completed", not `Ready`, `Complete`'],
    ["values: [1, 2]", "values: 1", "values is no list"],
    ["claimName: handset-recordings", "name: handset-recordings", "persistentVolumeClaim.claimName is missing"],
    ["memory: 512Mi", "memory: 512 MiB", 'requests.memory is "512 MiB", not Quantity'],
    ["kind: JobSet", "kind: Jobset", "unknown kind Jobset"],
  ])("finds the fault when %s becomes %s", (from, to, fault) => {
    expect(text("jobset.yaml")).toContain(from);
    expect(faultsIn(text("jobset.yaml").replace(from, to)).join("\n")).toContain(fault);
  });

  it("are joined as the API demands", () => {
    for (const file of files) {
      for (const [, spec = ""] of text(file).matchAll(/^ *spec:\n((?: +.*\n)*)/gm)) {
        if (/backoffLimitPerIndex|FailIndex/.test(spec)) expect(spec).toContain("completionMode: Indexed");
        if (spec.includes("podFailurePolicy")) expect(spec).toContain("restartPolicy: Never");
      }
    }
  });
});
