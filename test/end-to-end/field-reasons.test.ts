import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openRecording, parseScenario, runScenario } from "../../src/index.js";
import { lifeOf } from "../../src/report/index.js";
import { temporaryFolder } from "../support/folder.js";

/** What `handset why` says about one event or message of a field failure. */
async function told(name: string, id: string): Promise<string> {
  const file = fileURLToPath(new URL(`../../scenarios/field/${name}.yaml`, import.meta.url));
  const { scenario } = parseScenario(readFileSync(file, "utf8"), { file, nowMs: 0 });
  if (scenario === undefined) throw new Error(`${name} is not sound`);
  const recording = join(temporaryFolder(), "run.db");
  await runScenario(scenario, { recording, receiver: "none" });
  const reader = openRecording(recording);
  try {
    const { headline, entries } = lifeOf(reader, id);
    return [...headline, ...entries.map(({ text }) => text)].join("\n");
  } finally {
    reader.close();
  }
}

it.each([
  ["silent-until-touched", "1048577", "until the radio takes it: the app has not been opened since the phone started"],
  ["send-limit-per-part", "1048596", "until the radio takes it: the app has used up its send limit"],
  ["pending-for-ever", "1048577", "Message 1048577 is still queued: no phone has reported an outcome"],
  ["never-offered", "1048577", "Message 1048577 is still queued: no phone has reported an outcome"],
  ["offered-to-the-other-phone", "1/2", "because it is not offered to the phone"],
  ["offered-to-the-other-phone", "1/2", "gulu/0 takes message 1048578 over, which is of lira/0"],
  ["incoming-sent-back", "1/1", "gets the text back: the service offered it to the phone as a message"],
  ["sent-never-on-air", "1/2", "was lost: fault `early-sent`: reported as sent, and the radio never sent it"],
  ["slow-sync-repeats", "1/3", "is a copy of 1/1: the sync took longer than the phone waits"],
])("%s: why %s says what happened", async (name, id, sentence) => {
  expect(await told(name, id)).toContain(sentence);
});

it("handled-ids-offered-again: reports that found no room in a batch waited for the network first, then for the quiet time", async () => {
  const text = await told("handled-ids-offered-again", "1048613");
  expect(text).toMatch(/it waits 18 min .* for the phone's next sync: the phone has no data network/);
  expect(text).toMatch(/it waits 10 min .* for the phone's next sync: the app waits between syncs/);
});
