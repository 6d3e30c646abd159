import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording } from "../../src/store/index.js";
import { play } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

const crowd = (count: number): string => `
name: Crowd
lasts: 20m
starts: 2026-03-04T06:00:00.000Z
handsets:
  clinic: { count: ${count}, phone: "+2507880{00000}", battery: 40%..60%, network: LTE }
story:
  - at: 10m
    network: { of: clinic/0..${count / 2 - 1}, type: none }
`;

it("a sample reads 2,000 phones of a large group, and scales counts to the whole group", async () => {
  const path = join(temporaryFolder(), "run.db");
  await play(crowd(5000), { receiver: "none", recording: path });
  const recording = openRecording(path);
  const samples = [...recording.samples()];
  recording.close();
  expect(samples).toHaveLength(301);
  expect(samples.every(({ handsets, name }) => handsets === 5000 && name === "clinic")).toBe(true);
  expect(samples.at(0)).toMatchObject({ atMs: 0, offline: 0 });
  expect(samples.at(-1)).toMatchObject({ atMs: 1_200_000, offline: 2500 });
  expect(samples[0]?.batteryMean).toBeGreaterThan(45);
  expect(samples[0]?.batteryMin).toBeGreaterThanOrEqual(40);
});
