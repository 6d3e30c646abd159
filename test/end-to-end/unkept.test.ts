import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openRecording, replayRecording, runScenario } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { parse, play, receiverThat, smallDay } from "./support.js";

it("--recording none with --api: the API reads and writes as with a recording, and no file is made", async () => {
  const statuses: number[] = [];
  let api: { url: string; token: string } | undefined;
  const receiver = await receiverThat((_, response) => {
    if (receiver.got.length !== 3 || api === undefined) return void response.end();
    const headers = { authorization: `Token ${api.token}`, "content-type": "application/json" };
    const contacts = `${api.url}/api/v2/contacts.json`;
    void fetch(contacts, {
      method: "POST",
      headers,
      body: JSON.stringify({ urns: ["tel:+250789999999"], name: "Ann" }),
    })
      .then(({ status }) => statuses.push(status))
      .then(() => fetch(`${contacts}?urn=tel:%2B250789999999`, { headers }))
      .then((answer) => answer.json() as Promise<{ results: { name: string }[] }>)
      .then(({ results }) => expect(results.map(({ name }) => name)).toEqual(["Ann"]))
      .finally(() => response.end());
  });
  vi.stubEnv("XDG_RUNTIME_DIR", temporaryFolder());
  const { result, exitCode } = await play(smallDay, {
    recording: "none",
    receiver: receiver.url,
    api: { port: 0 },
    // After each answer the clock stands still for a tenth of a second, in case the receiver calls back.
    set: ["lasts=5m", "story=[]"],
    onStart: (start) => (api = start.api),
  });
  vi.unstubAllEnvs();
  expect(statuses).toEqual([201]);
  expect([exitCode, result.recording, result.problems]).toEqual([0, null, []]);
});

it("replay --recording none writes no file", async () => {
  const recording = join(temporaryFolder(), "run.db");
  const receiver = await receiverThat((_, response) => void response.end());
  await play(smallDay, { recording, receiver: receiver.url });
  const { code, stdout } = await handset([
    "replay",
    recording,
    "-r",
    receiver.url,
    "--recording",
    "none",
    "--json",
    "-q",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ recording: null });
  expect(existsSync("none")).toBe(false);
});

it("a recording that is deleted while the run plays is written again at its end, and the run ends with 3", async () => {
  const folder = temporaryFolder();
  const recording = join(folder, "runs", "run.db");
  const receiver = await receiverThat((_, response) => {
    if (receiver.got.length === 50) rmSync(join(folder, "runs"), { recursive: true });
    response.end();
  });
  const { result, exitCode } = await runScenario(parse(smallDay), { recording, receiver: receiver.url, pace: "max" });
  expect(exitCode).toBe(3);
  expect(result.problems.join()).toContain(`${recording} was deleted while the run played`);
  const reader = openRecording(recording);
  expect([...reader.attempts()]).toHaveLength(receiver.got.length);
  expect(reader.end()).toBeDefined();
  reader.close();
  const { code, stdout } = await handset(["report", recording]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("was deleted while the run played");

  const again = join(folder, "again.db");
  const second = await receiverThat((_, response) => {
    if (second.got.length === 50) rmSync(again);
    response.end();
  });
  const replayed = await replayRecording(recording, { receiver: second.url, recording: again });
  expect(replayed.exitCode).toBe(3);
  const written = openRecording(again);
  expect([...written.attempts()]).toHaveLength(second.got.length);
  written.close();
});
