import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mergeRecordings } from "../../src/fleet/index.js";
import { openRecording, runScenario, type Scenario } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { MarkedReceiver, RunProcess, scenarioFile } from "./killed-run.js";
import { parse } from "./support.js";

interface Copied {
  readonly key: string;
  readonly type: string;
  readonly of: number | undefined;
  readonly cause: string | undefined;
}

function copiesIn(path: string): Copied[] {
  const reader = openRecording(path);
  try {
    return [...reader.events()].map(({ channel, number, type, copy }) => ({
      key: `${channel}/${number}`,
      type,
      of: copy?.of,
      cause: copy?.cause,
    }));
  } finally {
    reader.close();
  }
}

/** Plays a scenario and reads back which of its events are copies. */
async function copiesOf(scenario: Scenario): Promise<Copied[]> {
  const recording = join(temporaryFolder(), "run.db");
  await runScenario(scenario, { recording, receiver: "none" });
  return copiesIn(recording);
}

/** A handset, a person and a story. */
function tale(story: string, { handset: more = "", carrier = "" } = {}): string {
  return `
name: Tale
seed: 5
starts: 2026-03-04T09:00:00.000Z
lasts: 2h
carriers:
  net: { delay: 1s..3s, reports-delivery: 100% ${carrier} }
handsets:
  farm: { count: 2, phone: "+2507880008{00}", carrier: net, battery: 80%, network: LTE ${more} }
people:
  workers: { count: 2, of: farm, phone: "+2507820{00000}" }
story:
${story}
`;
}

/** The explanation that `handset why` prints, by cause. */
const explained: Readonly<Record<string, string>> = {
  "early-sent": "the app reported the message as sent before the radio answered (fault early-sent), and again after it",
  "offered-again": "the service offered the message again, so the phone repeated its outcome",
};

const aText = `  - { at: 10m, text: { from: workers/0, to: farm/0, body: "12 bags" } }`;

/** Scenarios by cause: each makes only copies with this cause, and their original is the first event. */
const causes: readonly (readonly [cause: string, type: string, scenario: string])[] = [
  ["answer-lost", "mo_sms", tale(`  - { at: 9m, sync: { of: farm/0, loses: response, times: 1 } }\n${aText}`)],
  ["sync-timeout", "mo_sms", tale(`  - { at: 9m, network: { of: farm/0, latency: 80s, for: 4m } }\n${aText}`)],
  ["carrier", "mo_sms", tale(aText, { carrier: ", duplicates: 100%" })],
  [
    "link-lost",
    "mo_sms",
    tale(
      `  - { at: 9m, network: { of: farm/0, latency: 20s } }\n${aText}\n  - { at: 10m25s, network: { of: farm/0, type: none, for: 5m } }`,
    ),
  ],
  [
    "switched-off",
    "mo_sms",
    tale(`  - { at: 9m, network: { of: farm/0, latency: 20s } }\n${aText}\n  - { at: 10m25s, reboot: { of: farm/0 } }`),
  ],
  [
    "app-stopped",
    "mo_sms",
    tale(
      `  - { at: 9m, network: { of: farm/0, latency: 20s } }\n${aText}\n  - { at: 10m25s, kill: { of: farm/0, for: 5m } }`,
    ),
  ],
  [
    "part-reported",
    "mt_dlvd",
    tale(`  - { at: 10m, send: { via: farm/0, to: workers/0, body: "${"long ".repeat(50)}" } }`, {
      carrier: ", reports-parts: true",
      handset: ", faults: [delivered-per-part]",
    }),
  ],
  ["answer-late", "mo_sms", tale(aText, { handset: ", faults: [answer-late]" })],
  [
    "early-sent",
    "mt_sent",
    tale(
      `  - { at: 10m, send: { via: farm/0, to: workers/0, body: hello } }\n  - { at: 12m, sync: { of: farm/0, now: true } }`,
      { handset: ", profile: { preset: plain, sent-after: 5m, early-sent-after: 1m }, faults: [early-sent]" },
    ),
  ],
  [
    "call-log-repeats",
    "mo_miss",
    tale(
      `  - { at: 10m, call: { from: workers/0, to: farm/0, rings: 20s } }\n  - { at: 20m, reboot: { of: farm/0 } }`,
      { handset: ", faults: [call-log-repeats]" },
    ),
  ],
  [
    "call-log-observers",
    "mo_miss",
    tale(
      `  - { at: 8m, sync: { of: farm/0, now: true } }\n  - { at: 10m, call: { from: workers/0, to: farm/0, rings: 20s } }`,
      { handset: ", faults: [call-log-observers]" },
    ),
  ],
  [
    "answer-lost",
    "mt_sent",
    tale(`  - { at: 10m, send: { via: farm/0, to: workers/0, body: hello } }
  - { at: 10m3s, sync: { of: farm/0, loses: response, times: 1 } }`),
  ],
];

/** The phone applies an answer one sync late. By then it has sent the message that the answer offers again. */
const offeredAgain = tale(
  `  - { at: 10m, send: { via: farm/0, to: workers/0, body: hello } }
  - { at: 10m5s, send: { via: farm/0, to: workers/1, body: hello } }
  - { at: 12m, sync: { of: farm/0, now: true } }`,
  { handset: ", faults: [answer-late]" },
);

describe("a copy of an event", () => {
  it("names its original and its cause: offered-again of mt_sent", async () => {
    const copies = (await copiesOf(parse(offeredAgain))).filter(({ cause }) => cause === "offered-again");
    expect(copies).toEqual([{ key: "1/3", type: "mt_sent", of: 1, cause: "offered-again" }]);
  });

  it.each([
    ["early-sent", causes.find(([cause]) => cause === "early-sent")?.[2] ?? "", "1/2"],
    ["offered-again", offeredAgain, "1/3"],
  ])("is explained by handset why: %s", async (cause, text, id) => {
    const recording = join(temporaryFolder(), "run.db");
    await runScenario(parse(text), { recording, receiver: "none" });
    const { code, stdout } = await handset(["why", recording, id], { columns: 300 });
    expect(code).toBe(0);
    expect(stdout).toContain(`Event ${id} is a copy of 1/1: ${explained[cause] ?? ""}.`);
    const json = JSON.parse((await handset(["why", recording, id, "--json"])).stdout) as { entries: object[] };
    expect(json.entries).toContainEqual(expect.objectContaining({ event: id, copyOf: "1/1", copyCause: cause }));
  });

  it.each(causes)("names its original and its cause: %s of %s", async (cause, type, text) => {
    const events = (await copiesOf(parse(text))).filter((event) => event.type === type && event.key.startsWith("1/"));
    const [first, ...copies] = events;
    expect(first).toMatchObject({ of: undefined, cause: undefined });
    expect(copies.length).toBeGreaterThan(0);
    for (const copy of copies) expect(copy).toMatchObject({ of: Number(first?.key.split("/")[1]), cause });
  });

  it.each(causes)("is counted by its cause in the ledger of the run: %s of %s", async (_, __, text) => {
    const recording = join(temporaryFolder(), "run.db");
    const { result } = await runScenario(parse(text), { recording, receiver: "none" });
    const copied = copiesIn(recording).flatMap(({ cause }) => cause ?? []);
    const count = (wanted: string): number => copied.filter((cause) => cause === wanted).length;
    const byCause = Object.fromEntries(copied.toSorted().map((cause) => [cause, count(cause)]));
    expect(copied.length).toBeGreaterThan(0);
    expect(result.ledger.events).toMatchObject({ copies: byCause, gap: 0 });
    const { in: born, lost } = result.ledger.events;
    expect(lost).toEqual({ "no-receiver": born + copied.length });
  });

  it("is in the summary where the network loses answers, and only there", async () => {
    const summary = async (story: string): Promise<string> => {
      const { scenario, recording } = scenarioFile(tale(story));
      return (await handset(["run", scenario, "--receiver", "none", "--recording", recording])).stdout;
    };
    const told = await summary(`  - { at: 9m, sync: { of: farm/0, loses: response, times: 1 } }\n${aText}`);
    expect(told).toMatch(/events +1 in \+ 1 copy = 2 lost\n +copies: answer-lost 1/);
    const untold = await summary(aText);
    expect(untold).toMatch(/events +1 in = 1 lost/);
    expect(untold).not.toContain("cop");
  });

  it("is none where a person writes the same words twice", async () => {
    const events = await copiesOf(parse(tale(`${aText}\n${aText.replace("10m", "10m1s")}`)));
    expect(events.filter(({ type }) => type === "mo_sms").map(({ of }) => of)).toEqual([undefined, undefined]);
  });

  it("is none where the request was lost: the service has the text once", async () => {
    const events = await copiesOf(
      parse(tale(`  - { at: 9m, sync: { of: farm/0, loses: request, times: 2 } }\n${aText}`)),
    );
    expect(events.filter(({ type }) => type === "mo_sms").map(({ of }) => of)).toEqual([undefined]);
  });

  it("is in `handset events`, where each event has its id, and in what is replayed", async () => {
    const folder = temporaryFolder();
    const recording = join(folder, "run.db");
    const text = readFileSync("scenarios/lost-answers.yaml", "utf8");
    await runScenario(parse(text), { recording, receiver: "none" });
    const { stdout } = await handset(["events", recording]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === "mo_sms");
    const copy = { copyOf: "1/1", copyCause: "answer-lost" };
    expect(lines).toMatchObject([
      { id: "1/1" },
      { id: "1/2", ...copy },
      { id: "1/3", ...copy },
      { id: "1/4", ...copy },
    ]);
    expect(lines[0]).not.toHaveProperty("copyOf");
  });

  it("keeps its original where parts of a fleet are merged", async () => {
    const folder = temporaryFolder();
    const lost = (farm: number): string => `  - { at: 9m, sync: { of: farm/${farm}, loses: response, times: 1 } }
  - { at: 10m, text: { from: workers/${farm}, to: farm/${farm}, body: "12 bags" } }`;
    const scenario = parse(tale(`${lost(0)}\n${lost(1)}`));
    const paths = [];
    for (const index of [1, 2]) {
      const recording = join(folder, `${index}.db`);
      await runScenario(scenario, { recording, receiver: "none", shard: { index, count: 2 } });
      paths.push(recording);
    }
    mergeRecordings(paths, { output: join(folder, "all.db") });
    const merged = copiesIn(join(folder, "all.db"));
    expect(merged).toEqual(await copiesOf(scenario));
    expect(merged.filter(({ cause }) => cause === "answer-lost").map(({ key, of }) => [key, of])).toEqual([
      ["1/2", 1],
      ["2/2", 1],
    ]);
  });

  it("keeps its original where a run is killed and resumed", async () => {
    const receiver = await MarkedReceiver.start();
    const text = `
name: Lossy day
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 20m
receiver: { url: "${receiver.url}", marks: true }
handsets:
  clinic: { count: 5, phone: "+2507880{00000}", battery: 55%..100%, network: LTE }
people:
  farmers: { count: 50, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP"] } }
    rate: 20/m
story:
  - { at: 0s, network: { of: clinic, loses: 20% } }
`;
    const files = scenarioFile(text);
    const cut = new RunProcess([files.scenario, "--recording", files.recording, "--no-report", "-q"]);
    receiver.at(120, () => cut.kill());
    expect((await cut.ended).signal).toBe("SIGKILL");
    const resumed = await handset(["run", "--resume", files.recording, "--no-report", "-q"]);
    expect(resumed.stderr).toBe("");
    const copies = copiesIn(files.recording);
    expect(copies.filter(({ cause }) => cause !== undefined).length).toBeGreaterThan(10);
    const whole = join(temporaryFolder(), "whole.db");
    await runScenario(parse(text), { recording: whole });
    expect(copies).toEqual(copiesIn(whole));
  });
});
