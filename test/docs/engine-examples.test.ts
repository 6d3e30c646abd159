import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { handset } from "../cli/terminal.js";

interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string }[];
}

interface ReplicatedJob {
  readonly name: string;
  readonly dependsOn?: unknown;
  readonly template: {
    readonly spec: {
      readonly completionMode?: string;
      readonly completions?: number;
      readonly parallelism?: number;
      readonly template: {
        readonly spec: {
          readonly restartPolicy: string;
          readonly containers: readonly [Container];
          readonly volumes: readonly { readonly name: string }[];
        };
      };
    };
  };
}

/** Every option of `handset COMMAND` in a shell text is one of the command's. */
async function expectOptionsOf(command: string, shell: string): Promise<void> {
  const { stdout } = await handset([command, "--help"]);
  const [, call = ""] = new RegExp(String.raw`handset ${command} ((?:[^\n\\]|\\\n)*)`).exec(shell) ?? [];
  const used = call.match(/(?<= )--[a-z][a-z-]*/g) ?? [];
  expect(used.length).toBeGreaterThan(0);
  for (const option of used) expect(stdout).toMatch(new RegExp(`(^|[ ,])${option}[ ,]`, "m"));
}

describe("docs/examples/jobset.yaml", () => {
  const document = parseDocument(readFileSync("docs/examples/jobset.yaml", "utf8"));
  const { spec } = document.toJS() as { spec: { replicatedJobs: [ReplicatedJob, ReplicatedJob] } };
  const [fleet, merge] = spec.replicatedJobs;

  it("plays as many parts as it has pods, and joins them when all are complete", async () => {
    expect(document.errors).toEqual([]);
    const { completionMode, completions, parallelism, template } = fleet.template.spec;
    expect(completionMode).toBe("Indexed");
    expect(parallelism).toBe(completions);
    const [container] = template.spec.containers;
    expect(container.env).toContainEqual({ name: "HANDSET_SHARDS", value: String(completions) });
    expect(fleet.dependsOn).toBeUndefined();
    expect(merge.dependsOn).toEqual([{ name: fleet.name, status: "Complete" }]);
    await expectOptionsOf("run", container.command.at(-1) ?? "");
    await expectOptionsOf("merge", merge.template.spec.template.spec.containers[0].command.at(-1) ?? "");
  });

  it("mounts volumes that there are, with one image and one folder of the run", () => {
    const pods = [fleet, merge].map(({ template }) => template.spec.template.spec);
    for (const { containers, volumes, restartPolicy } of pods) {
      expect(restartPolicy).toBe("Never");
      expect(volumes.map(({ name }) => name)).toEqual(containers[0].volumeMounts.map(({ name }) => name));
    }
    const folders = pods.map(({ containers }) => containers[0].env.find(({ name }) => name === "RUN")?.value);
    expect(new Set(folders).size).toBe(1);
    expect(new Set(pods.map(({ containers }) => containers[0].image)).size).toBe(1);
  });
});

describe("docs/examples/slurm", () => {
  it.each(["submit.sh", "fleet.sbatch", "merge.sbatch"])(
    "%s is a sound script with options that there are",
    async (name) => {
      const path = `docs/examples/slurm/${name}`;
      execFileSync("bash", ["-n", path]);
      const text = readFileSync(path, "utf8");
      if (name === "submit.sh") expect(statSync(path).mode & 0o100).toBe(0o100);
      else
        await expectOptionsOf(
          name === "fleet.sbatch" ? "run" : "merge",
          text.replaceAll(/^ *handset run --resume.*$/gm, ""),
        );
    },
  );
});
