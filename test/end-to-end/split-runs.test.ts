import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseScenario, type Scenario } from "../../src/index.js";
import type { RunTotals } from "../../src/lab/run-totals.js";
import { gaps } from "../../src/ledger/index.js";
import { refuseCrossings } from "../../src/lab/part/crossings.js";
import { openRecording, Recording } from "../../src/store/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { Answers } from "../support/answers.js";
import { runs } from "../support/effort.js";
import { temporaryFolder } from "../support/folder.js";
import { playAndRead, recordingOf } from "../support/played-in-memory.js";
import { randomScenario } from "./random-story.js";
import { storyWithinParts } from "./story-within-parts.js";
import { parse } from "./support.js";

interface Run {
  readonly totals: RunTotals;
  /** Instant, channel, number and body of each event. */
  readonly events: readonly string[];
}

type How = Parameters<typeof playAndRead>[1];

function play(scenario: Scenario, how: How): Promise<Run> {
  return playAndRead(scenario, how, ({ totals, reader }) => ({
    totals,
    events: Array.from(reader.events(), ({ atMs, channel, number, body }) => `${atMs} ${channel}/${number} ${body}`),
  }));
}

/** A receiver that counts the posts. */
class CountedAnswers extends Answers {
  count = 0;
  readonly #onPost: ((count: number) => void) | undefined;

  constructor(onPost?: (count: number) => void) {
    super({ isMoody: true });
    this.#onPost = onPost;
  }

  override post(...given: Parameters<Answers["post"]>): void {
    this.count++;
    this.#onPost?.(this.count);
    super.post(...given);
  }
}

/** Plays a scenario that is killed at one of its posts, and resumes it. */
async function playKilled(scenario: Scenario, atPost: number): Promise<Run> {
  const folder = temporaryFolder();
  const [path, cut] = [join(folder, "run.db"), join(folder, "cut.db")];
  const recording = recordingOf(scenario, path);
  const receiver = new CountedAnswers((count) => {
    if (count !== atPost) return;
    recording.flush();
    // What is committed is what a kill leaves.
    const connection = new Connection(path);
    connection.exec(`VACUUM INTO '${cut}'`);
    connection.close();
  });
  await play(scenario, { recording, receiver });
  const resumed = Recording.reopen(cut);
  resumed.reexecute();
  const killedRun = openRecording(cut);
  try {
    return await play(scenario, { recording: resumed, killedRun, receiver: new CountedAnswers() });
  } finally {
    killedRun.close();
  }
}

function scenarioOf(written: object): Scenario {
  const { scenario, diagnostics } = parseScenario(JSON.stringify(written), { file: "random.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return scenario;
}

const numRuns = runs(4, 2000);

/** The step comes at the instant of events whose posts are not answered yet. */
const receiverAtAlarms = `
seed: 1
lasts: 41m
starts: 2026-03-04T05:30:00.000Z
service: { clock-window: 1m }
handsets: { clinic: { count: 3, phone: "+2507880{00000}", profile: { preset: 2017 }, mains: on, clock: -20m..20m } }
people: { farmer: { phone: "+250781100000", of: clinic } }
story: [{ when: { event: alarm }, receiver: { answers: 500 } }]
`;

describe("a run that is killed before its receiver is switched", () => {
  it.each([1, 2, 3])("posts what came before the step first when it is resumed (post %i)", async (atPost) => {
    const scenario = parse(receiverAtAlarms);
    const receiver = new CountedAnswers();
    const whole = await play(scenario, { receiver });
    expect([receiver.count, whole.totals.ledger.events.delivered]).toEqual([3, 3]);
    expect((await playKilled(scenario, atPost)).totals.ledger).toEqual(whole.totals.ledger);
  });
});

describe("a random story", () => {
  it("gives the same result when it is played again, and when it is killed and resumed", async () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    await fc.assert(
      fc.asyncProperty(randomScenario, share, async (written, killedAt) => {
        const scenario = scenarioOf(written);
        const receiver = new CountedAnswers();
        const whole = await play(scenario, { receiver });
        const again = await play(scenario, { receiver: new CountedAnswers() });
        expect(again.totals.digest).toBe(whole.totals.digest);
        if (receiver.count === 0) return;
        const resumed = await playKilled(scenario, 1 + Math.floor(killedAt * receiver.count));
        expect(resumed.events).toEqual(whole.events);
        expect(resumed.totals.digest).toBe(whole.totals.digest);
        expect(resumed.totals.ledger).toEqual(whole.totals.ledger);
      }),
      { numRuns },
    );
  });

  it("gives the same events when it is played in two parts", async () => {
    const receiver = (): Answers => new Answers({ isMoody: true, asksOthers: false });
    await fc.assert(
      fc.asyncProperty(randomScenario, async (written) => {
        const scenario = scenarioOf(storyWithinParts(written));
        refuseCrossings(scenario, { count: 2, hasReceiver: true, isReceiverShared: false });
        const whole = await play(scenario, { receiver: receiver() });
        const parts: Run[] = [];
        for (const index of [1, 2])
          parts.push(await play(scenario, { receiver: receiver(), shard: { index, count: 2 } }));
        expect(parts.flatMap(({ events }) => events).toSorted()).toEqual(whole.events.toSorted());
        for (const { totals } of parts) expect(gaps(totals.ledger)).toBe(0);
      }),
      { numRuns },
    );
  });
});
