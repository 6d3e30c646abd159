import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, replayRecording, type RunResult } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { type AnswersEvent, replying, rightApp } from "../support/answering-apps.js";
import { sharedFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

const folder = sharedFolder();
let recorded: Promise<string> | undefined;

/** A day that the right receiver answered. */
function day(): Promise<string> {
  return (recorded ??= record());
}

async function record(): Promise<string> {
  const recording = join(folder, "day.db");
  const receiver = await receiverThat(rightApp);
  await play(smallDay, { receiver: receiver.url, recording });
  return recording;
}

interface Compared {
  readonly result: RunResult;
  readonly exitCode: number;
}

/** Replays the day, and compares the answers of a receiver with the recorded ones. */
async function compareWith(answers: AnswersEvent, ignore: readonly string[] = []): Promise<Compared> {
  const receiver = await receiverThat(answers);
  const options = { receiver: receiver.url, recording: "none", pace: "lockstep", answers: "compare" } as const;
  return replayRecording(await day(), { ...options, ignore: ["latency", ...ignore] });
}

/** The events of the day in order: ids, texts and phones. */
async function textsOfDay(): Promise<{ readonly id: string; readonly body: string }[]> {
  const reader = openRecording(await day());
  const events = [...reader.events()].filter(({ type }) => type === "mo_sms");
  reader.close();
  return events.map(({ channel, number, body }) => ({ id: `${channel}/${number}`, body }));
}

describe("the answers of a replay", () => {
  it("of the same receiver do not differ", async () => {
    const { result, exitCode } = await compareWith(rightApp);
    expect(exitCode).toBe(0);
    expect(result.differences).toEqual([]);
    expect(result.answers).toMatchObject({ differing: 0, unrecorded: 0, unanswered: 0 });
    expect(result.answers?.compared).toBe(Object.values(result.events).reduce((sum, count) => sum + count, 0));
  });

  it("of a receiver with one other reply differ in that reply", async () => {
    const texts = await textsOfDay();
    const { id, body } = texts[texts.length >> 1] ?? { id: "", body: "" };
    const { result, exitCode } = await compareWith((got, response) =>
      (got === body ? replying(() => "Sorry") : rightApp)(got, response),
    );
    expect(exitCode).toBe(1);
    const recordedReply = `Got ${new URLSearchParams(body).get("text")}`;
    expect(result.differences).toMatchObject([{ event: id, what: "reply", recorded: recordedReply, now: "Sorry" }]);
    expect(result.answers?.first).toMatchObject({ event: id, now: { status: 200, reply: "Sorry" } });
  });

  it("of a receiver with one other status differ in that status, once, although it is tried again", async () => {
    const [, , third] = await textsOfDay();
    const { result, exitCode } = await compareWith((got, response) => {
      if (got === third?.body) response.statusCode = 500;
      rightApp(got, response);
    });
    expect(exitCode).toBe(1);
    expect(result.differences).toMatchObject([{ event: third?.id, what: "status", recorded: 200, now: 500, try: 1 }]);
  });

  it("of a receiver that answers in another order differ from the first that is out of order", async () => {
    const texts = await textsOfDay();
    // It answers each text as if it had got the one before.
    let last = "nothing";
    const { result } = await compareWith(
      replying((text) => {
        const reply = `Got ${last}`;
        last = text;
        return reply;
      }),
    );
    expect(result.differences?.[0]).toMatchObject({ event: texts[0]?.id, now: "Got nothing" });
    const times = result.differences?.map(({ atMs }) => atMs) ?? [];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("do not differ in what a pattern ignores", async () => {
    let count = 1000;
    const withTickets = replying((text) => `Got ${text} (ticket ${count++}, thanks)`);
    expect((await compareWith(withTickets)).exitCode).toBe(1);
    const { result, exitCode } = await compareWith(withTickets, [String.raw`id,/ \(ticket \d{4}, thanks\)/`]);
    expect([exitCode, result.differences]).toEqual([0, []]);
  });

  it("are not compared for events that the filters leave out", async () => {
    const receiver = await receiverThat(replying(() => "Sorry"));
    const { result, exitCode } = await replayRecording(await day(), {
      receiver: receiver.url,
      recording: "none",
      answers: "compare",
      filters: { type: ["mt_sent"] },
      ignore: ["latency"],
    });
    expect([exitCode, result.differences]).toEqual([0, []]);
    expect(result.answers?.compared).toBe(result.events["mt_sent"]);
  });

  it("are printed with the first divergence in detail, and end with exit code 1", async () => {
    const receiver = await receiverThat(replying(() => "Sorry"));
    const argv = ["replay", await day(), "-r", receiver.url, "--recording", "none", "--answers", "compare"];
    const { code, stdout } = await handset([...argv, "--pace", "lockstep", "--ignore", "latency"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^First divergence\n {2}event .*mo_sms from \+\d+: ".*"\n {2}recorded .*200, "Got .*\n {2}now .*200, "Sorry"/m,
    );
    expect(stdout).toMatch(/more: --json has all/);
    expect((await handset([...argv, "--ignore", "ids"])).stderr).toContain("'ids' is unknown");
    const plain = ["replay", await day(), "-r", receiver.url, "--ignore", "id"];
    expect((await handset(plain)).stderr).toContain("--answers compare");
  });
});

describe("a replay in lockstep", () => {
  it("sends one event after the other, in the recorded order", async () => {
    let [open, most] = [0, 0];
    const receiver = await receiverThat((_, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        response.end();
      });
    });
    await replayRecording(await day(), { receiver: receiver.url, recording: "none", pace: "lockstep" });
    const reader = openRecording(await day());
    expect(receiver.got.map(({ body }) => body)).toEqual(Array.from(reader.events(), ({ body }) => body));
    reader.close();
    expect(most).toBe(1);
  });
});

describe("a replay with the times of now", () => {
  it("keeps the distances of times, and lets the last event be now", async () => {
    const startedAt = Date.now();
    const receiver = await receiverThat((_, response) => void response.end());
    await replayRecording(await day(), { receiver: receiver.url, recording: "none", pace: "lockstep", times: "now" });
    const reader = openRecording(await day());
    const bodies = Array.from(reader.events(), ({ body }) => body);
    reader.close();
    const timeOf = (body: string): number => Date.parse(`${new URLSearchParams(body).get("time")}Z`);
    const shifts = receiver.got.map(({ body }, index) => timeOf(body) - timeOf(bodies[index] ?? ""));
    const known = shifts.filter((shift) => !Number.isNaN(shift));
    expect(known.length).toBeGreaterThan(100);
    expect(new Set(known).size).toBe(1);
    const latest = Math.max(...receiver.got.map(({ body }) => timeOf(body)).filter((time) => !Number.isNaN(time)));
    expect(latest).toBeLessThanOrEqual(Date.now());
    expect(latest).toBeGreaterThan(startedAt - 600_000);
  });
});
