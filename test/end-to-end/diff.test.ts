import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { diffReceivers, type DiffResult, type DiffSource } from "../../src/study/index.js";
import { handset } from "../cli/terminal.js";
import { type AnswersEvent, replying, rightApp } from "../support/answering-apps.js";
import { sharedFolder } from "../support/folder.js";
import { parse, play, receiverThat, smallDay } from "./support.js";

const folder = sharedFolder();
let recorded: Promise<string> | undefined;

function day(): Promise<string> {
  return (recorded ??= record());
}

async function record(): Promise<string> {
  const recording = join(folder, "day.db");
  const receiver = await receiverThat(rightApp);
  await play(smallDay, { receiver: receiver.url, recording });
  return recording;
}

async function recordingSource(): Promise<DiffSource> {
  return { kind: "recording", path: await day() };
}

const scenarioSource: DiffSource = { kind: "scenario", scenario: parse(smallDay) };

/** Compares a receiver with the right one. */
async function diffWith(source: DiffSource, answers: AnswersEvent): Promise<DiffResult> {
  const [a, b] = [await receiverThat(rightApp), await receiverThat(answers)];
  return diffReceivers({ source, receivers: [a.url, b.url], ignore: ["latency"] });
}

/** The body of the nth text of the day; the scenario makes the same texts until an answer differs. */
async function textOfDay(index: number): Promise<{ readonly id: string; readonly body: string }> {
  const reader = openRecording(await day());
  const text = [...reader.events()].filter(({ type }) => type === "mo_sms")[index];
  reader.close();
  return { id: `${text?.channel}/${text?.number}`, body: text?.body ?? "" };
}

describe("two builds of a receiver", () => {
  it("that answer alike do not differ, at a recording and at a scenario", async () => {
    for (const source of [await recordingSource(), scenarioSource]) {
      const result = await diffWith(source, rightApp);
      expect(result.differences).toEqual([]);
      expect(result.consequences).toEqual({ onlyFirst: 0, onlySecond: 0, answers: 0 });
      expect(result.answers).toMatchObject({ differing: 0, unrecorded: 0 });
      expect(result.answers.compared).toBeGreaterThan(400);
    }
  });

  it("that differ in one reply part at its event; in a scenario what follows is counted, not listed", async () => {
    const { id, body } = await textOfDay(20);
    const other: AnswersEvent = (got, response) => (got === body ? replying(() => "Sorry") : rightApp)(got, response);
    const fixed = await diffWith(await recordingSource(), other);
    expect(fixed.differences).toMatchObject([{ event: id, what: "reply", now: "Sorry" }]);
    expect(fixed.consequences).toEqual({ onlyFirst: 0, onlySecond: 0, answers: 0 });
    const lived = await diffWith(scenarioSource, other);
    expect(lived.differences).toMatchObject([{ event: id, what: "reply", now: "Sorry" }]);
    expect(lived.answers.first).toMatchObject({ body, recorded: { status: 200 }, now: { reply: "Sorry" } });
    // The service sent another text: only one receiver gets its events.
    expect(lived.consequences.onlyFirst).toBeGreaterThan(0);
    expect(lived.consequences.onlySecond).toBeGreaterThan(0);
  });

  it("that differ in one status part there", async () => {
    const { id, body } = await textOfDay(5);
    const refusing: AnswersEvent = (got, response) => {
      if (got === body) response.statusCode = 400;
      rightApp(got, response);
    };
    for (const source of [await recordingSource(), scenarioSource]) {
      const { differences } = await diffWith(source, refusing);
      expect(differences).toMatchObject([{ event: id, what: "status", recorded: 200, now: 400 }]);
    }
  });

  it("of which one forgets the order part at the first text that it answers late", async () => {
    const { id } = await textOfDay(0);
    let last = "nothing";
    const late = replying((text) => {
      const reply = `Got ${last}`;
      last = text;
      return reply;
    });
    expect((await diffWith(await recordingSource(), late)).differences[0]).toMatchObject({
      event: id,
      now: "Got nothing",
    });
  });

  it("are compared by a command with exit code 1, text and JSON", async () => {
    const { id, body } = await textOfDay(7);
    const [a, b] = [
      await receiverThat(rightApp),
      await receiverThat((got, response) => (got === body ? replying(() => "Sorry") : rightApp)(got, response)),
    ];
    const scenario = join(folder, "day.yaml");
    writeFileSync(scenario, smallDay);
    const receivers = ["--receiver", a.url, "--receiver", b.url, "--ignore", "latency"];
    const text = await handset(["diff", scenario, ...receivers]);
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(/✘ the two receivers answer differently/);
    expect(text.stdout).toMatch(
      new RegExp(`First divergence\n {2}event +${id} at .*\n {2}A .*"Got .*\n {2}B .*"Sorry"`),
    );
    const json = await handset(["diff", await day(), ...receivers, "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ differences: [{ event: id, what: "reply", now: "Sorry" }] });
    const same = await handset(["diff", await day(), "-r", a.url, "-r", a.url, "--ignore", "latency"]);
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("✔ no difference")]);
  });

  it("must both be given, and answer", async () => {
    const { url } = await receiverThat(rightApp);
    expect(await handset(["diff", await day(), "-r", url])).toMatchObject({ code: 2 });
    expect(await handset(["diff", await day(), "-r", url, "-r", "http://127.0.0.1:9/"])).toMatchObject({ code: 3 });
    expect(await handset(["diff", await day(), "-r", url, "-r", "http://203.0.113.7/"])).toMatchObject({ code: 2 });
    expect((await handset(["diff", "package.json", "-r", url, "-r", url])).stderr).toContain("is not a recording");
  });
});
