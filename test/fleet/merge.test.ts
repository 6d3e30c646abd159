import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openRecording, resultOf } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { mergeRecordings } from "../../src/fleet/index.js";
import { handset } from "../cli/terminal.js";
import { play, receiverThat, smallDay } from "../end-to-end/support.js";
import { sharedFolder, temporaryFolder } from "../support/folder.js";

const day = `${smallDay}
  - at: 50m
    note: half time
  - at: 1h
    expect: { event: mo_sms, of: clinic, count: "> 100" }
  - at: 1h
    expect: { event: mo_sms, of: clinic/0, count: "> 10" }
  - at: 40m
    send: { via: clinic, to: farmers, body: good morning }
  - at: 1h
    expect: { person: farmers, hears: good }
expect:
  - events.mo_sms > 200
  - events.mo_sms < 10
  - lost == 0
`;

/** Plays one part in a separate folder. @returns path of the recording */
async function part(index: number, count: number, set: readonly string[] = [], text = day): Promise<string> {
  const recording = join(temporaryFolder(), `part-${index}.db`);
  await play(text, { receiver: "none", recording, set, shard: { index, count } });
  return recording;
}

describe("handset merge", () => {
  it("evaluates the expectations on the whole, which no part can", async () => {
    const whole = await play(day, { receiver: "none" });
    const folder = temporaryFolder();
    const paths: string[] = [];
    for (const index of [1, 2, 3, 4]) {
      const recording = join(folder, `part-${index}.db`);
      const one = await play(day, { receiver: "none", recording, shard: { index, count: 4 } });
      expect(one.result.expectations).toEqual([]);
      expect(one.result.shard).toBe(`${index}/4`);
      expect(one.result.warnings?.join()).toContain("'handset merge' judges the scenario's expectations");
      expect(one.exitCode).toBe(0);
      paths.push(recording);
    }
    const output = join(folder, "all.db");
    const { code, stdout } = await handset(["merge", ...paths, "-o", output]);
    expect(code).toBe(1);
    expect(stdout).toContain("2 of 6 expectations broken");
    const reader = openRecording(output);
    const result = resultOf(reader);
    const notes = [...reader.notes()].filter(({ kind }) => kind === "note");
    const messages = [...reader.messages()].map(({ row, createdAtMs }) => [row, createdAtMs]);
    reader.close();
    expect(result.expectations).toEqual(whole.result.expectations);
    expect(result.digest).toBe(whole.result.digest);
    expect(result.cast).toEqual(whole.result.cast);
    expect(notes.length).toBe(1);
    // Numbered in order of time.
    expect(messages.map(([row]) => row)).toEqual(messages.map((_, index) => index + 1));
    expect(messages).toEqual(messages.toSorted(([, a], [, b]) => (a as number) - (b as number)));
    expect((await handset(["report", output, "--json"])).stdout).toContain(result.digest);
  });

  it("joins more parts than SQLite attaches at once", async () => {
    const text = smallDay.replace("count: 4", "count: 12").replace("lasts: 2h", "lasts: 10m");
    const whole = await play(text, { receiver: "none", set: ["story=[]"] });
    const paths: string[] = [];
    for (let index = 1; index <= 12; index++) paths.push(await part(index, 12, ["story=[]"], text));
    const folder = temporaryFolder();
    const { result } = mergeRecordings(paths, { output: join(folder, "all.db") });
    expect(result.digest).toBe(whole.result.digest);
    expect(result.ledger).toEqual(whole.result.ledger);
    expect(existsSync(join(folder, "all.db.0"))).toBe(false);
  });

  it("counts wall times of all parts from one instant", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const folder = temporaryFolder();
    const paths = [join(folder, "1.db"), join(folder, "2.db")];
    for (const [index, recording] of paths.entries()) {
      await play(smallDay, {
        receiver: receiver.url,
        recording,
        set: ["lasts=31m"],
        shard: { index: index + 1, count: 2 },
      });
    }
    const output = join(folder, "all.db");
    mergeRecordings(paths, { output });
    const startsOf = (path: string): { readonly startedWallMs: number; readonly sent: number } => {
      const reader = openRecording(path);
      const { startedWallMs } = reader.meta();
      const sent = Math.max(...[...reader.attempts()].map(({ sentWallMs }) => sentWallMs ?? 0));
      reader.close();
      return { startedWallMs, sent };
    };
    const [first, second, all] = [...paths, output].map(startsOf);
    expect(all?.startedWallMs).toBe(first?.startedWallMs);
    const offsetMs = (second?.startedWallMs ?? 0) - (first?.startedWallMs ?? 0);
    expect(all?.sent).toBeCloseTo((second?.sent ?? 0) + offsetMs, 6);
  });

  it("reports the findings of the whole", async () => {
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const folder = temporaryFolder();
    const text = smallDay.replace("lasts: 2h", "lasts: 80m");
    const paths = [join(folder, "1.db"), join(folder, "2.db")];
    for (const [index, recording] of paths.entries()) {
      await play(text, { receiver: receiver.url, recording, shard: { index: index + 1, count: 2 } });
    }
    const whole = await play(text, { receiver: receiver.url });
    const { result } = mergeRecordings(paths, { output: join(folder, "all.db") });
    const late = ({ findings = [] }: typeof result): unknown => findings.filter(({ kind }) => kind === "late");
    expect(late(result)).toEqual(late(whole.result));
    expect(whole.result.findings?.length).toBeGreaterThan(0);
  });
});

describe("handset merge refuses", () => {
  const small = smallDay.replace("lasts: 2h", "lasts: 50m");
  const folder = sharedFolder();
  const [one, two] = [join(folder, "1.db"), join(folder, "2.db")];
  beforeAll(async () => {
    await play(small, { receiver: "none", recording: one, shard: { index: 1, count: 2 } });
    await play(small, { receiver: "none", recording: two, shard: { index: 2, count: 2 } });
  });

  async function refusal(...paths: string[]): Promise<string> {
    const output = join(temporaryFolder(), "all.db");
    const { code, stderr } = await handset(["merge", ...paths, "-o", output]);
    expect(code).toBe(2);
    expect(existsSync(output)).toBe(false);
    return stderr;
  }

  it("an incomplete set of parts", async () => {
    expect(await refusal(one)).toContain("part 2 of 2 is missing");
    expect(await refusal(one, one)).toContain("are both of part 1/2");
    expect(await refusal(one, two, two)).toContain("are both of part 2/2");
  });

  it("parts of different runs", async () => {
    expect(await refusal(one, await part(2, 2, ["seed=8"], small))).toContain("their seeds are");
    expect(await refusal(one, await part(2, 2, ["lasts=40m"], small))).toContain("'set' is");
    expect(await refusal(one, await part(2, 2, [], small.replace("yes", "maybe")))).toContain("their scenarios differ");
    expect(await refusal(one, await part(2, 3, [], small))).toContain("one is of 3 parts, the other of 2");
  });

  it("a recording that is not a part, or that did not end", async () => {
    const whole = join(temporaryFolder(), "whole.db");
    await play(small, { receiver: "none", recording: whole });
    expect(await refusal(one, whole)).toContain("is of a whole run, not of a part");
    expect(await refusal(one, join(temporaryFolder(), "none.db"))).toContain("there is no such file");
    const cutOff = join(temporaryFolder(), "cut-off.db");
    copyFileSync(two, cutOff);
    const database = new Connection(cutOff);
    database.exec("DELETE FROM run WHERE key IN ('digest', 'result', 'endedWallMs', 'part')");
    database.close();
    expect(await refusal(one, cutOff)).toContain("part 2/2 has not ended");
  });

  it("an output that exists, or is one of the parts", async () => {
    const output = join(temporaryFolder(), "all.db");
    expect((await handset(["merge", one, two, "-o", output, "-q"])).code).toBe(0);
    expect((await handset(["merge", one, two, "-o", output, "-q"])).stderr).toContain("the file exists already");
    expect((await handset(["merge", one, two, "-o", output, "-q", "--overwrite"])).code).toBe(0);
    expect((await handset(["merge", one, two, "-o", one, "--overwrite"])).stderr).toContain("is one of the recordings");
    expect(existsSync(one)).toBe(true);
  });
});
