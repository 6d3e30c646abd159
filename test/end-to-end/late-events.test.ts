import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openRecording, parseForm, type RunResult } from "../../src/index.js";
import { EventFilter } from "../../src/inspect/index.js";
import { affectedEvents, commonOfRecording } from "../../src/report/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { handset } from "../cli/terminal.js";
import { sharedFolder } from "../support/folder.js";
import { play } from "./support.js";

/** @param story - further steps */
const day = (story = ""): string => `
name: Late
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 4h
handsets:
  harbour: { count: 2, phone: "+2507880{00000}", network: LTE, mains: on }
  hills: { count: 2, phone: "+2507881{00000}", network: LTE, mains: on }
people:
  fishers: { count: 15, of: harbour, phone: "+2507822{00000}" }
  herders: { count: 15, of: hills, phone: "+2507833{00000}" }
traffic:
  - texts: { from: fishers, to: harbour, body: { pick: [join, stop, "maize 12kg"] } }
    rate: 1/m
  - texts: { from: herders, to: hills, body: { pick: [join, stop, "goats 3"] } }
    rate: 1/m
${story}`;

const outage = `story: [{ at: 1h, network: { of: hills, type: none, for: 1h } }]`;

const folder = sharedFolder();

function lateIn(result: RunResult): { readonly text: string; readonly where: string } | undefined {
  return result.findings?.find(({ kind }) => kind === "late");
}

describe("late events", () => {
  const recording = join(folder, "outage.db");
  let finding: ReturnType<typeof lateIn>;
  beforeAll(async () => {
    const { result } = await play(day(outage), { recording });
    finding = lateIn(result);
  });

  it("are a finding that names the group whose network was down and the hour in which its events came", () => {
    expect(finding?.where).toBe("handset events RECORDING --late");
    expect(finding?.text).toMatch(
      /^\d+ events \(\d[\d.]* %\) came to the receiver 5 min or more after the phone had them, the latest by (1 h|5\d min)( \d+ s)?\. /,
    );
    expect(finding?.text).toMatch(/ late events .*come between 8:00 and 9:00 \(UTC\)/);
    expect(finding?.text).toMatch(/(All \d+ late events|all) come from the group hills/);
  });

  it("are listed by a filter, also those of another duration, and no others", async () => {
    const listed = async (
      ...options: string[]
    ): Promise<readonly { readonly event: string; readonly at: string }[]> => {
      const { code, stdout } = await handset(["events", recording, ...options]);
      expect(code).toBe(0);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { event: string; at: string });
    };
    const reader = openRecording(recording);
    try {
      // Phones of the hills have the right time, so the field tells when they had the text.
      const truly = Array.from(reader.eventRows()).filter(
        ({ body, atMs, type }) =>
          type === "mo_sms" &&
          Date.parse("2026-03-04T06:00:00Z") + atMs - Date.parse(new Map(parseForm(body)).get("time") ?? "") > 305_000,
      );
      const { selection } = new EventFilter(reader, { affected: ["late"] });
      const late = Array.from(reader.events(selection));
      expect(late.length).toBeGreaterThan(40);
      expect(late.map(({ row }) => row)).toEqual(expect.arrayContaining(truly.map(({ row }) => row)));
      expect(late.every(({ channel }) => channel > 2)).toBe(true);
    } finally {
      reader.close();
    }
    const [all, half] = [await listed("--late"), await listed("--late", "30m")];
    expect(half.length).toBeGreaterThan(10);
    expect(half.length).toBeLessThan(all.length);
    expect(await listed("--late", "--of", "harbour")).toEqual([]);
    const { code, stderr } = await handset(["events", "--late", recording]);
    expect(code).toBe(2);
    expect(stderr).toContain("is no duration such as 10s or 30m; write --late after the recording.");
  });

  it("are those with a late answer, too, but for busy seconds of this machine: the word is named that slow answers share", async () => {
    const slow = join(folder, "slow.db");
    const { result } = await play(day(), { recording: slow });
    expect(lateIn(result)).toBeUndefined();
    const database = new Connection(slow);
    const ofStop = `(channel, number) IN (SELECT channel, number FROM event WHERE body LIKE '%stop%')`;
    database.exec(`UPDATE attempt SET duration_ms = 1900 WHERE ${ofStop}; DELETE FROM host_second`);
    const reader = openRecording(slow);
    try {
      const stops = Array.from(reader.eventRows()).filter(({ body }) => body.includes("stop"));
      expect(affectedEvents(reader, "late").size).toBe(stops.length);
      expect(affectedEvents(reader, "late", { lateMs: 2000 }).size).toBe(0);
      expect(commonOfRecording(reader, "UTC")("late")).toEqual([
        expect.stringMatching(/^All \d+ late events have the word "stop" in their text, and none of the \d+ others\.$/),
      ]);
      const seconds = Array.from({ length: 120 }, (_, second) => `(NULL, ${second * 1000}, 1, 9)`);
      database.exec(`INSERT INTO host_second VALUES ${seconds.join(", ")}`);
      expect(affectedEvents(reader, "late").size).toBe(0);
    } finally {
      reader.close();
      database.close();
    }
  });

  it("are not found where all answers take long", async () => {
    const even = join(folder, "even.db");
    await play(day(), { recording: even });
    const database = new Connection(even);
    database.exec("UPDATE attempt SET duration_ms = 1500");
    database.close();
    const reader = openRecording(even);
    try {
      expect(affectedEvents(reader, "late").size).toBe(0);
    } finally {
      reader.close();
    }
  });
});
