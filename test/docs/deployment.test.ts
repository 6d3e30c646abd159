import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseScenario } from "../../src/index.js";
import { handset } from "../cli/terminal.js";

/** The instructions of a Dockerfile, lines that are continued joined. */
function instructions(file: string): { readonly word: string; readonly args: string[] }[] {
  return readFileSync(file, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [word = "", ...args] = line.trim().split(/\s+/);
      return { word, args };
    });
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Job;
}

interface Job {
  readonly completionMode?: string;
  readonly completions?: number;
  readonly parallelism?: number;
  readonly template: { readonly spec: Pod };
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

function manifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, "utf8")).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

function jobIn(all: readonly Manifest[]): Job {
  const job = all.find(({ kind }) => kind === "Job");
  if (job === undefined) throw new Error("there is no job");
  return job.spec;
}

/** Every option in a shell text is one of the command's. */
async function expectOptionsOf(command: string, shell: string): Promise<void> {
  const { stdout } = await handset([command, "--help"]);
  const used = shell.match(/(?<= )--?[a-z][a-z-]*/g) ?? [];
  expect(used.length).toBeGreaterThan(0);
  for (const option of used) expect(stdout).toMatch(new RegExp(`(^|[ ,])${option}[ ,]`, "m"));
}

describe("the Dockerfile", () => {
  const all = instructions("Dockerfile");

  it("copies what is there, and what the builder is given", () => {
    const ignored = readFileSync(".dockerignore", "utf8");
    const sources = all
      .filter(({ word, args }) => word === "COPY" && !args[0]?.startsWith("--from"))
      .flatMap(({ args }) => args.slice(0, -1));
    expect(sources).toEqual(expect.arrayContaining(["package.json", "package-lock.json", "src", "scenarios"]));
    for (const source of sources) {
      expect(existsSync(source), source).toBe(true);
      expect(ignored.split("\n")).toContain(`!${source}`);
    }
  });

  it("runs the command as a user of its own, on a version of Node that CI tests", () => {
    const last = (word: string): readonly string[] | undefined => all.findLast((one) => one.word === word)?.args;
    expect(last("USER")).toEqual(["node"]);
    expect(last("ENTRYPOINT")).toEqual(['["handset"]']);
    const { bin, engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
      bin: { handset: string };
      engines: { node: string };
    };
    expect(all.filter(({ word }) => word === "RUN").at(-1)?.args).toContain(`/app/${bin.handset.slice(2)}`);
    const [, tested] = /test-on-node (\d+)/.exec(readFileSync(".ci/run", "utf8")) ?? [];
    for (const { args } of all.filter(({ word }) => word === "FROM")) {
      expect(args[0]?.split("-")[0]).toBe(`node:${tested}`);
    }
    expect(engines.node).toBe(">=20.19");
  });
});

describe("docs/examples/indexed-job.yaml", () => {
  const all = manifests("docs/examples/indexed-job.yaml");
  const { completionMode, completions, parallelism, template } = jobIn(all);
  const [container] = template.spec.containers;

  it("plays as many parts as it has pods", () => {
    expect(completionMode).toBe("Indexed");
    expect(parallelism).toBe(completions);
    expect(container?.env).toContainEqual({ name: "HANDSET_SHARDS", value: String(completions) });
  });

  it("has a scenario that is sound, and names options, volumes and claims that there are", async () => {
    const text = all.find(({ kind }) => kind === "ConfigMap")?.data?.["day.yaml"] ?? "";
    expect(parseScenario(text, { file: "day.yaml", nowMs: 0 }).diagnostics).toEqual([]);
    const run = container?.command.at(-1)?.split("code=$?")[0] ?? "";
    expect(run).toContain("handset run /scenario/day.yaml");
    await expectOptionsOf("run", run);
    const volumes = template.spec.volumes.map(({ name }) => name);
    expect(volumes).toEqual(expect.arrayContaining(container?.volumeMounts.map(({ name }) => name) ?? ["none"]));
    expect(JSON.stringify(template.spec.volumes)).toContain('"claimName":"handset-recordings"');
    expect(template.spec.securityContext.runAsNonRoot).toBe(true);
  });

  it("is joined by docs/examples/merge-job.yaml, from the same claim with the same image", async () => {
    const merge = jobIn(manifests("docs/examples/merge-job.yaml")).template.spec;
    expect(merge.containers[0]?.image).toBe(container?.image);
    expect(JSON.stringify(merge.volumes)).toContain('"claimName":"handset-recordings"');
    await expectOptionsOf("merge", merge.containers[0]?.command.at(-1)?.split("code=$?")[0] ?? "");
  });
});
