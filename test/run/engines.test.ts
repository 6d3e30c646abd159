import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, shardOf } from "../../src/index.js";
import { engines } from "../../src/run/part/engines.js";
import { play, smallDay } from "../end-to-end/support.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";

type Variables = Readonly<Record<string, string>>;

/** The variables of a task in a Slurm array; `count` is what a hole leaves of it. */
function slurm(id: number, ids: string, { step = 1, count }: { step?: number; count?: number } = {}): Variables {
  const [first = 0, last = first] = ids.split("-").map(Number);
  return {
    SLURM_ARRAY_TASK_ID: String(id),
    SLURM_ARRAY_TASK_MIN: String(first),
    SLURM_ARRAY_TASK_MAX: String(last),
    SLURM_ARRAY_TASK_STEP: String(step),
    SLURM_ARRAY_TASK_COUNT: String(count ?? Math.floor((last - first) / step) + 1),
    // The batch script of every job has these.
    SLURM_PROCID: "0",
    SLURM_NTASKS: "1",
  };
}

function gridEngine(id: string, first = "1", last = "8", step = "1"): Variables {
  return { SGE_TASK_ID: id, SGE_TASK_FIRST: first, SGE_TASK_LAST: last, SGE_TASK_STEPSIZE: step };
}

describe("--shard auto finds its part", () => {
  it.each<[string, string, Variables, string, string]>([
    ["a Kubernetes Indexed Job", "auto/8", { JOB_COMPLETION_INDEX: "3" }, "4/8", "Kubernetes Indexed Job"],
    ["its number from HANDSET_SHARDS", "auto", { JOB_COMPLETION_INDEX: "0", HANDSET_SHARDS: "8" }, "1/8", "Kubernetes"],
    ["a Slurm array from 1", "auto", slurm(3, "1-8"), "3/8", "Slurm array, SLURM_ARRAY_TASK_ID=3"],
    ["a Slurm array from 0", "auto", slurm(3, "0-7"), "4/8", "Slurm array"],
    ["a Slurm array with steps", "auto", slurm(4, "0-14", { step: 2 }), "3/8", "Slurm array"],
    ["a resubmitted task", "auto/8", slurm(3, "3"), "3/8", "Slurm array"],
    ["a resubmitted task of an array from 0", "auto/0-7", slurm(3, "3"), "4/8", "Slurm array"],
    ["some resubmitted tasks", "auto/1-8", slurm(7, "3-7", { count: 2 }), "7/8", "Slurm array"],
    ["a resubmitted task of an array with steps", "auto/0-14:2", slurm(4, "4"), "3/8", "Slurm array"],
    ["a Slurm step", "auto", { SLURM_PROCID: "2", SLURM_STEP_NUM_TASKS: "4", SLURM_NTASKS: "4" }, "3/4", "Slurm step"],
    ["an AWS Batch array", "auto", { AWS_BATCH_JOB_ARRAY_INDEX: "0", AWS_BATCH_JOB_ARRAY_SIZE: "8" }, "1/8", "AWS"],
    ["Nomad", "auto/3", { NOMAD_ALLOC_INDEX: "2" }, "3/3", "Nomad, NOMAD_ALLOC_INDEX=2"],
    ["a Grid Engine array", "auto", gridEngine("8"), "8/8", "Grid Engine array"],
    ["a Grid Engine array with steps", "auto", gridEngine("5", "1", "9", "4"), "2/3", "Grid Engine array"],
    ["Open MPI", "auto", { OMPI_COMM_WORLD_RANK: "3", OMPI_COMM_WORLD_SIZE: "4" }, "4/4", "Open MPI"],
    ["GNU parallel", "auto/4", { PARALLEL_SEQ: "4" }, "4/4", "GNU parallel, PARALLEL_SEQ=4"],
    [
      "two engines that agree",
      "auto",
      { OMPI_COMM_WORLD_RANK: "1", OMPI_COMM_WORLD_SIZE: "4", SLURM_PROCID: "1", SLURM_STEP_NUM_TASKS: "4" },
      "2/4",
      "Slurm step, SLURM_PROCID=1, SLURM_STEP_NUM_TASKS=4; Open MPI",
    ],
    [
      "the array around a step of one task",
      "auto",
      { ...slurm(3, "1-8"), SLURM_STEP_NUM_TASKS: "1" },
      "3/8",
      "Slurm array",
    ],
    [
      "no array of Grid Engine",
      "auto",
      { ...gridEngine("undefined"), OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "2" },
      "1/2",
      "Open MPI",
    ],
  ])("of %s", (_, option, variables, part, foundBy) => {
    const found = shardOf(option, variables);
    expect(`${found?.index}/${found?.count}`).toBe(part);
    expect(found?.foundBy).toContain(foundBy);
  });

  it.each<[string, string, Variables, string, string]>([
    [
      "no engine",
      "auto",
      {},
      "--shard auto finds no cluster engine: none of JOB_COMPLETION_INDEX, SLURM_ARRAY",
      "name the part: --shard 2/8",
    ],
    [
      "no engine, with a number",
      "auto/8",
      { SLURM_PROCID: "0" },
      "--shard auto/8 finds no cluster engine",
      "--shard 2/8",
    ],
    [
      "a missing number",
      "auto",
      { NOMAD_ALLOC_INDEX: "0" },
      "Nomad does not give the number of parts",
      "--shard auto/8, or HANDSET_SHARDS=8",
    ],
    ["an index outside", "auto/4", { PARALLEL_SEQ: "5" }, "PARALLEL_SEQ is 5, which is outside 1..4", "as many tasks"],
    [
      "an index that is no number",
      "auto/4",
      { NOMAD_ALLOC_INDEX: "x" },
      "NOMAD_ALLOC_INDEX must be a whole number, got 'x'",
      "see https://",
    ],
    [
      "another number than the engine's",
      "auto/8",
      { AWS_BATCH_JOB_ARRAY_INDEX: "0", AWS_BATCH_JOB_ARRAY_SIZE: "4" },
      "has 4 tasks (AWS_BATCH_JOB_ARRAY_SIZE), but auto/8 has 8",
      "--shard auto",
    ],
    [
      "two engines that differ",
      "auto/8",
      { ...slurm(3, "1-8"), PARALLEL_SEQ: "1" },
      "engines that disagree: Slurm array, SLURM_ARRAY_TASK_ID=3, SLURM_ARRAY_TASK_COUNT=8 (part 3 of 8) and GNU parallel, PARALLEL_SEQ=1 (part 1 of 8)",
      "name the part",
    ],
    [
      "one task that may be resubmitted",
      "auto",
      slurm(1, "1"),
      "the array has only task 1: it may be one of a larger whole",
      "--shard auto/8 for tasks 1-8",
    ],
    ["tasks that begin later", "auto", slurm(3, "3-5"), "the array begins at 3", "as it was submitted first"],
    [
      "an array with holes",
      "auto",
      slurm(3, "1-7", { count: 3 }),
      "the array has 3 tasks among 1-7, so it is not the whole",
      "--shard auto/8",
    ],
    [
      "an array from 0 that is said to be from 1",
      "auto/8",
      slurm(3, "0-7"),
      "the array has tasks 0-7, but auto/8 means 1-8",
      "--shard auto/0-7",
    ],
    [
      "a task 0 of an array from 1",
      "auto/8",
      slurm(0, "0"),
      "SLURM_ARRAY_TASK_ID is 0, which is not among the tasks 1-8 of auto/8",
      "--shard auto/0-7",
    ],
    ["a task between steps", "auto/0-14:2", slurm(3, "3"), "not among the tasks 0-14:2", "whole array"],
    [
      "a range where the engine counts by itself",
      "auto/1-8",
      { JOB_COMPLETION_INDEX: "1" },
      "counts from 0, not from 1",
      "",
    ],
    [
      "a range that steps past its end",
      "auto/0-7:2",
      slurm(0, "0-7"),
      "must be such as 1-8 or 0-14:2, got '0-7:2'",
      "",
    ],
    ["too many parts", "auto/10001", { PARALLEL_SEQ: "1" }, "1..10000 parts, got 10001", ""],
  ])("and refuses %s", (_, option, variables, message, hint) => {
    let refusal: unknown;
    try {
      shardOf(option, variables);
    } catch (error) {
      refusal = error;
    }
    if (!(refusal instanceof LabError)) throw new Error("it was not refused");
    expect(refusal.isUsage).toBe(true);
    expect(refusal.message).toContain(message);
    expect(refusal.hint ?? "").toContain(hint);
  });

  it("in every engine of the documentation, which lists each with its variables", () => {
    const page = readFileSync("docs/scale.md", "utf8");
    for (const { index, count, ids } of engines) {
      for (const variable of [index, count, ids?.first]) {
        if (variable !== undefined) expect(page).toContain(`\`${variable}\``);
      }
    }
  });

  it("and result and summary name the engine", async () => {
    const shard = shardOf("auto/2", { PARALLEL_SEQ: "2" });
    const { result } = await play(smallDay, {
      receiver: "none",
      ...(shard && { shard }),
      set: ["lasts=5m", "story=[]"],
    });
    expect(result).toMatchObject({ shard: "2/2", shardFoundBy: "GNU parallel, PARALLEL_SEQ=2" });
    const folder = temporaryFolder();
    const [file, recording] = [join(folder, "day.yaml"), join(folder, "1.db")];
    writeFileSync(file, smallDay);
    const before = process.env["PARALLEL_SEQ"];
    process.env["PARALLEL_SEQ"] = "1";
    try {
      const { stdout } = await handset([
        "run",
        file,
        "--shard",
        "auto/2",
        "-r",
        "none",
        "--recording",
        recording,
        "--no-report",
      ]);
      expect(stdout).toContain("part 1/2, found by GNU parallel, PARALLEL_SEQ=1");
    } finally {
      if (before === undefined) delete process.env["PARALLEL_SEQ"];
      else process.env["PARALLEL_SEQ"] = before;
    }
  });
});
