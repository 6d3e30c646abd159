import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { replayRecording } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay, type TestReceiver } from "./support.js";

const CONNECTIONS = 20;
const TEXTS = 300;

const day = `
name: Slow receiver
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 10m
handsets:
  clinic: { count: 20, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: ${TEXTS}, of: clinic, phone: "+2507811{00000}" }
story:
  - at: 1m
    text: { from: farmers, to: clinic, body: hello }
`;

/** Answers one request each time all connections are busy, and the rest when the last text has come. */
async function receiverOfFullConnections(): Promise<TestReceiver> {
  const held: ServerResponse[] = [];
  const receiver = await receiverThat((_, response) => {
    held.push(response);
    if (receiver.got.length === TEXTS) for (const one of held.splice(0)) one.end();
    // It answers the newest request, so the other connections stay busy.
    else if (held.length === CONNECTIONS) held.pop()?.end();
  });
  return receiver;
}

it("max: all connections are busy while attempts wait", async () => {
  const recording = join(temporaryFolder(), "run.db");
  const options = { pace: "max", connections: CONNECTIONS } as const;
  const first = await receiverOfFullConnections();
  const { result } = await play(day, { ...options, recording, receiver: first.url });
  expect(result.attempts.accepted).toBe(TEXTS);
  const again = await receiverOfFullConnections();
  const replayed = await replayRecording(recording, { ...options, receiver: again.url, recording: ":memory:" });
  expect(replayed.result.attempts.accepted).toBe(TEXTS);
});

it("a bound on lateness is refused at max, which has no schedule, and accepted by a paced run", async () => {
  const day = `${smallDay}expect: ["lateness.p99 < 10s"]\n`;
  await expect(play(day, { receiver: "none", pace: "max" })).rejects.toMatchObject({
    code: "bad-options",
    message: "'lateness.p99 < 10s' is about the schedule of a paced run, and max keeps none",
  });
  const recording = join(temporaryFolder(), "run.db");
  const { result } = await play(day, { pace: "6000x", recording });
  expect(result.expectations).toMatchObject([{ text: "lateness.p99 < 10s" }]);
  // A replay at max ignores the bound, with a warning.
  const receiver = await receiverThat((_, response) => response.end());
  const replayed = await replayRecording(recording, { receiver: receiver.url, recording: ":memory:" });
  expect(replayed).toMatchObject({ exitCode: 0, result: { expectations: [] } });
  expect(replayed.result.warnings).toEqual([
    "'lateness.p99 < 10s' was not judged: max keeps no schedule, --pace as-recorded does",
  ]);
});
