import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, openRecording, resultOf } from "../../src/index.js";
import { mergeRecordings } from "../../src/fleet/index.js";
import { handset } from "../cli/terminal.js";
import { MarkedReceiver, RunProcess } from "../end-to-end/killed-run.js";
import { play, receiverThat, smallDay } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

const set = ["lasts=10m", "story=[]"];

async function messageOf(run: Promise<unknown>): Promise<{ readonly message: string; readonly hint: string }> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LabError)) throw new Error(`it was not refused: ${String(error)}`);
  expect(error.isUsage).toBe(true);
  return { message: error.message, hint: error.hint ?? "" };
}

describe("a part that has begun", () => {
  it("is not started again, even with --overwrite, until its marker is removed", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const recording = join(temporaryFolder(), "1.db");
    const options = { receiver: receiver.url, set, recording, shard: { index: 1, count: 2 }, overwrite: true };
    await play(smallDay, options);
    const count = receiver.got.length;
    expect(count).toBeGreaterThan(5);
    const { message, hint } = await messageOf(play(smallDay, options));
    expect(message).toMatch(/^part 1 of 2 has begun already, \d{4}-.*: started again, it would send its events twice$/);
    expect(hint).toBe(
      `it has ended: handset report ${recording}; to play all parts again, remove ${recording} with ` +
        `${recording}.begun, and let the receiver forget their events`,
    );
    expect(receiver.got.length).toBe(count);
    // Another run may take the place of this one.
    await play(smallDay, { ...options, set: [...set, "seed=8"] });
    rmSync(`${recording}.begun`);
    expect((await play(smallDay, options)).exitCode).toBe(0);
  });

  it("is recorded as such before its first event leaves, and not where nothing outlives it", async () => {
    const recording = join(temporaryFolder(), "1.db");
    const seen: boolean[] = [];
    const receiver = await receiverThat((_, response) => {
      seen.push(existsSync(`${recording}.begun`));
      response.end("{}");
    });
    const shard = { index: 1, count: 2 };
    await play(smallDay, { receiver: receiver.url, set, recording, shard });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.every(Boolean)).toBe(true);
    const other = join(temporaryFolder(), "1.db");
    for (const receiver of ["none", "bundled"]) {
      await play(smallDay, { receiver, set, recording: other, shard, overwrite: true });
      expect(existsSync(`${other}.begun`)).toBe(false);
    }
    await play(smallDay, { receiver: receiver.url, set, recording: other, overwrite: true });
    expect(existsSync(`${other}.begun`)).toBe(false);
  });

  it("and was killed, or stopped by SIGTERM, is not started again but resumed: the digest is the single run's", async () => {
    const receiver = await MarkedReceiver.start();
    const folder = temporaryFolder();
    const start = join(folder, "start");
    const file = join(folder, "day.yaml");
    writeFileSync(file, smallDay.replace("lasts: 2h", "lasts: 40m"));
    const argv = (index: number): string[] => {
      const receiving = [file, "-r", receiver.url, "--shard", `${index}/2`, "--start-when-all-ready", start];
      return receiving.concat("--recording", join(folder, `part-${index}.db`), "--no-report", "-q", "--overwrite");
    };
    const killed = new RunProcess(argv(2));
    receiver.at(40, () => killed.kill());
    const [other, { signal }] = await Promise.all([handset(["run", ...argv(1)]), killed.ended]);
    expect([other.code, signal]).toEqual([0, "SIGKILL"]);
    const again = await handset(["run", ...argv(2)]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("handset: part 2 of 2 has begun already");
    const resume = ["run", "--resume", join(folder, "part-2.db")];
    expect(again.stderr).toContain(
      `resume it: handset ${resume.join(" ")}; to play all parts again, remove the folder`,
    );
    // A restart on another machine, without the recording.
    const elsewhere = argv(2).map((word) => word.replace("part-2.db", "elsewhere.db"));
    expect((await handset(["run", ...elsewhere])).stderr).toContain(resume.join(" "));
    // An engine preempts the resumed part.
    const preempted = new RunProcess([...resume.slice(1), "-q", "--no-report"]);
    receiver.at(receiver.got.length + 15, () => preempted.child.kill("SIGTERM"));
    expect(await preempted.ended).toMatchObject({ code: 3, signal: null });
    expect(preempted.stderr()).toBe(
      `handset: part 2 of 2 was stopped before its end\n  resume it: handset ${resume.join(" ")} (it sends again what has no answer yet)\n`,
    );
    expect((await handset([...resume, "-q", "--no-report"])).code).toBe(0);
    const status = JSON.parse(readFileSync(join(start, "status-2.json"), "utf8")) as Record<string, unknown>;
    expect(status).toMatchObject({ state: "ended", exitCode: 0 });
    const whole = join(folder, "whole.db");
    await handset(["run", file, "-r", receiver.url, "--recording", whole, "--no-report", "-q"]);
    const reader = openRecording(whole);
    const { digest } = resultOf(reader);
    reader.close();
    const parts = [1, 2].map((index) => join(folder, `part-${index}.db`));
    const { result } = mergeRecordings(parts, { output: join(folder, "all.db") });
    expect(result.digest).toBe(digest);
    expect(readdirSync(start).toSorted()).toEqual(
      ["begun-1.json", "begun-2.json", "run.json", "start.json", "status-1.json", "status-2.json"].toSorted(),
    );
  });
});
