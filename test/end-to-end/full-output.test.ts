import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { command, ServerProcess } from "./server-process.js";

/** Runs a bash command line, in which `$handset` is the built command. */
function shell(line: string): { code: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, handset: `${process.execPath} ${command}`, XDG_RUNTIME_DIR: temporaryFolder() };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `set -o pipefail; ${line}`], { encoding: "utf8", env });
  return { code: status, stdout, stderr };
}

describe.runIf(existsSync("/dev/full"))("an output that cannot be written", () => {
  it("stdout: exit 3 and one line", () => {
    expect(shell("$handset schema > /dev/full")).toEqual({
      code: 3,
      stdout: "",
      stderr: expect.stringMatching(/^handset: cannot write to stdout: .*ENOSPC.*\n$/),
    });
  });

  it("stderr: exit 3, without a word", () => {
    expect(shell("$handset check /nowhere.yaml 2> /dev/full")).toEqual({ code: 3, stdout: "", stderr: "" });
  });

  it("a reader that has enough, such as head: a quiet end", () => {
    const { code, stdout, stderr } = shell("$handset schema | head -1");
    expect([code, stdout, stderr]).toEqual([0, "{\n", ""]);
  });

  it("either, in a run: its recording is complete", () => {
    for (const redirection of ["> /dev/full", "2> /dev/full", "> /dev/full 2>&1"]) {
      const recording = join(temporaryFolder(), "run.db");
      const line = `$handset run scenarios/lost-answers.yaml --json --no-report --recording ${recording} ${redirection}`;
      const { code, stderr } = shell(line);
      expect([redirection, code]).toEqual([redirection, 3]);
      expect(stderr).not.toMatch(/\n\s+at /);
      const reader = openRecording(recording);
      expect([redirection, reader.end()]).toEqual([redirection, expect.anything()]);
      reader.close();
    }
  });
});

describe("a served lab on a disk that takes no more", () => {
  it("answers 507 with the reason, and ends with it", async () => {
    const database = join(temporaryFolder(), "account.db");
    const server = await ServerProcess.start(["--empty", "--db", database], temporaryFolder(), [
      "bash",
      "-c",
      'ulimit -f 2048; exec "$0" "$@"',
    ]);
    const ended = once(server.child, "exit");
    const text = "x".repeat(200_000);
    let answered = await server.lab.post("/do/note", { text });
    for (let round = 0; round < 40 && answered.status === 200; round++) {
      answered = await server.lab.post("/do/note", { text });
    }
    expect(answered.status).toBe(507);
    expect(answered.body).toEqual({ detail: expect.stringContaining(`cannot write the recording ${database}`) });
    expect((await ended)[0]).toBe(3);
    expect(server.stderr).toContain("cannot write the recording");
    expect(server.stderr).not.toContain("defect");
  });
});
