import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PartStatus } from "../../src/run/barrier/part-status.js";
import { receiverThat } from "../end-to-end/support.js";
import { answerTo, fleetDay, installCommand, logOf, resultIn, startReceiver, wholeRun } from "./fleet-on-engine.js";
import { until } from "../support/until.js";
import { Slurm } from "./slurm.js";

const folder = mkdtempSync(join(tmpdir(), "handset-slurm-"));
// A test is skipped before its hooks run, so the engine is started here.
const started = await Slurm.start(folder);
const slurm = typeof started === "string" ? undefined : started;
if (typeof started === "string") process.stderr.write(`Slurm's tests are skipped: ${started}\n`);

const examples = resolve("docs/examples/slurm");

afterAll(async () => {
  await slurm?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The variables of docs/examples/slurm for a run of its own. */
function variables(run: string, parts: number, receiver: string): Record<string, string> {
  return {
    RUN: join(folder, run),
    SCENARIO: join(folder, "day.yaml"),
    RECEIVER: receiver,
    PARTS: String(parts),
    PACE: "lockstep",
    LOCAL: join(folder, "local"),
    USER: "test",
    // Another part may be resumed while the merge waits.
    WAIT: "5m",
    READY_WITHIN: "5m",
  };
}

describe.skipIf(slurm === undefined)("docs/examples/slurm on a real Slurm", () => {
  beforeAll(() => {
    installCommand(folder);
    writeFileSync(join(folder, "day.yaml"), fleetDay);
  });

  it("plays an array of 16 parts, and its dependent merge has the digest of the single run", async () => {
    const receiver = await startReceiver();
    const given = variables("sixteen", 16, receiver.url);
    const [, merge = ""] = (await slurm?.call(join(examples, "submit.sh"), [], given))?.split(" ") ?? [];
    await slurm?.ended(merge);
    const log = logOf(join(given["RUN"] ?? "", "merge.log"));
    expect(log).toContain("2 expectations held");
    const joined = resultIn(join(given["RUN"] ?? "", "all.db"));
    const whole = await wholeRun();
    expect(joined.digest, log).toBe(whole.digest);
    expect(joined.ledger).toEqual(whole.ledger);
    const first = logOf(join(given["RUN"] ?? "", "part-1.log"));
    expect(first).toContain('"shardFoundBy":"Slurm array, SLURM_ARRAY_TASK_ID=1, SLURM_ARRAY_TASK_COUNT=16"');
  });

  it("resumes parts that were killed or cancelled, while the merge waits: the same digest", async () => {
    const run = join(folder, "four");
    let kills = 0;
    let ofSecond = 0;
    let ofThird = 0;
    let fleet = "";
    const cancel = async (): Promise<void> => {
      // Slurm sends SIGTERM, and SIGKILL after KillWait.
      await until(() => fleet !== "", "the array is submitted");
      await slurm?.call("scancel", [`${fleet}_2`]);
    };
    const receiver = await receiverThat((body, response) => {
      // Part 2 of 4 has channels 9 to 16, part 3 has 17 to 24. In lockstep no part passes a request without an answer.
      const channel = Number(new URLSearchParams(body).get("relayer"));
      if (channel >= 9 && channel <= 16 && ++ofSecond === 20) void cancel();
      else if (channel >= 17 && channel <= 24 && ++ofThird === 30) {
        const { pid } = JSON.parse(readFileSync(join(run, "status-3.json"), "utf8")) as PartStatus;
        process.kill(pid, "SIGKILL");
        kills++;
        response.destroy();
      } else answerTo(body, response);
    });
    const given = variables("four", 4, receiver.url);
    const submitted = (await slurm?.call(join(examples, "submit.sh"), [], given))?.split(" ") ?? [];
    fleet = submitted[0] ?? "";
    const merge = submitted[1] ?? "";
    await slurm?.ended(fleet);
    expect(kills).toBe(1);
    expect(logOf(join(run, "part-2.log"))).toMatch(
      /part 2 of 4 was stopped before its end\n {2}resume it: handset run --resume/,
    );
    const again = ["--parsable", "--array=2-3", `--output=${run}/part-%a.log`, join(examples, "fleet.sbatch")];
    // Started on another disk, it is refused: it has begun.
    const elsewhere = { ...given, LOCAL: join(folder, "elsewhere") };
    const refused = (await slurm?.call("sbatch", again, elsewhere)) ?? "";
    await slurm?.ended(refused);
    expect(logOf(join(run, "part-3.log"))).toMatch(
      /part 3 of 4 has begun already.*\n {2}resume it: handset run --resume/,
    );
    expect((await slurm?.tasksOf(refused))?.join()).toContain("ExitCode=2:0");
    await slurm?.ended((await slurm?.call("sbatch", again, given)) ?? "");
    await slurm?.ended(merge);
    expect(logOf(join(run, "merge.log"))).toMatch(/waiting for 2 of 4 parts: part 2: it was stopped .*; part 3: it /);
    expect(resultIn(join(run, "all.db")).digest, logOf(join(run, "merge.log"))).toBe((await wholeRun()).digest);
  });
});
