import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { parse } from "./support.js";

it("people answer by what they heard: the first entry whose pattern matches", async () => {
  const recording = join(temporaryFolder(), "run.db");
  const scenario = parse(`
lasts: 3h
handsets:
  clinic: { count: 2, phone: "+2507880{00000}" }
people:
  farmers:
    count: 6
    phone: "+2507811{00000}"
    replies:
      - { to: /age/i, with: 20..60 }
      - { to: yes or no, with: [yes, no] }
story:
  - { at: 1m, send: { via: clinic, to: farmers, body: What is your age? yes or no } }
  - { at: 1h, send: { via: clinic, to: farmers, body: yes or no } }
  - { at: 2h, send: { via: clinic, to: farmers, body: thank you } }
`);
  await runScenario(scenario, { receiver: "none", recording });
  const reader = openRecording(recording);
  const texts = [...reader.events()]
    .filter(({ type }) => type === "mo_sms")
    .map(({ atMs, body }) => ({
      hour: Math.floor(atMs / 3_600_000),
      text: new URLSearchParams(body).get("text") ?? "",
    }));
  reader.close();
  const saidIn = (hour: number): string[] => texts.filter((one) => one.hour === hour).map(({ text }) => text);
  expect(saidIn(0)).toHaveLength(6);
  for (const age of saidIn(0)) expect(age).toMatch(/^([2-5]\d|60)$/);
  expect(saidIn(1)).toHaveLength(6);
  expect(new Set(saidIn(1))).toEqual(new Set(["yes", "no"]));
  expect(saidIn(2)).toEqual([]);
});
