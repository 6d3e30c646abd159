import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRecording, renderSummary, resumable, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { command } from "./server-process.js";
import { play, receiverThat, smallDay } from "./support.js";

it("a killed run is resumed: every event comes, and the result counts those that may have come twice", async () => {
  const folder = temporaryFolder();
  const [file, recording] = [join(folder, "day.yaml"), join(folder, "day.db")];
  writeFileSync(file, smallDay);
  const sender: { kill?: () => void } = {};
  const receiver = await receiverThat((_, response) => {
    // The fiftieth request gets no answer: its sender is killed.
    if (receiver.got.length === 50) sender.kill?.();
    else response.end("{}");
  });
  const args = ["run", file, "--recording", recording, "--no-report", "-q", "-r", receiver.url];
  const child = spawn(process.execPath, [command, ...args], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  sender.kill = () => void child.kill("SIGKILL");
  await once(child, "exit");

  const { scenario, options } = resumable(recording);
  const { result, exitCode } = await runScenario(scenario, options);
  expect(exitCode).toBe(0);
  const whole = await play(smallDay, { receiver: "none" });
  expect(result.digest).toBe(whole.result.digest);
  const bodies = receiver.got.map(({ body }) => body);
  const twice = bodies.length - new Set(bodies).size;
  const [, told] = /; (\d+) attempts? .* may have reached the receiver twice/.exec(result.warnings?.join() ?? "") ?? [];
  expect(twice).toBeGreaterThan(0);
  expect(Number(told)).toBeGreaterThanOrEqual(twice);
  expect(new Set(bodies).size).toBe(result.ledger.events.delivered);
  expect(renderSummary(result, { colour: false, width: 200 })).toContain("the run was interrupted and resumed; ");

  const reader = openRecording(recording);
  onTestFinished(() => reader.close());
  const looks = [...reader.samples()].map(({ wallMs }) => wallMs);
  expect(looks, "the wall clock continues").toEqual(looks.toSorted((a, b) => a - b));
});
