import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording, resumable, runScenario, type RunStart } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { parse, receiverThat } from "./support.js";
import { temporaryFolder } from "../support/folder.js";

/** Numbers of texts. MANY: the recording commits many answers while one is awaited. FEW: for the other tests. */
const [MANY, FEW] = [700, 250];
const LASTS_MS = 30 * 60_000;

/** One text per farmer, all at once. At `max` the world does not wait for answers, so it ends before they come. */
const day = (url: string, texts: number): string => `
name: Refused
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 30m
receiver: { url: "${url}", marks: true }
handsets:
  clinic: { count: 20, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: ${texts}, of: clinic, phone: "+2507811{00000}" }
story:
  - at: 1m
    text: { from: farmers, to: clinic, body: hello }
  - at: 30m
    note: the end
`;

interface Request {
  /** The event, a space, and the number of the try. */
  readonly attempt: string;
  readonly isMarked: boolean;
}

/** A receiver that answers 500. It holds its answers until `answer` is called. */
class Refusing {
  readonly requests: Request[] = [];
  readonly #held: ServerResponse[] = [];
  url = "";
  #isHolding = true;

  static async start(texts: number): Promise<Refusing> {
    const refusing = new Refusing();
    const { url } = await receiverThat((_, response, { headers }) => {
      const attempt = `${String(headers["x-handset-event"])} ${String(headers["x-handset-attempt"])}`;
      refusing.requests.push({ attempt, isMarked: headers["x-handset-repeat"] === "1" });
      const isHeld = refusing.#isHolding || refusing.requests.length === texts;
      if (isHeld) refusing.#held.push(response);
      else response.writeHead(500).end();
    });
    refusing.url = url;
    return refusing;
  }

  /** Answers from now on, except for request number `texts`. */
  answer(): void {
    this.#isHolding = false;
    this.answerHeld();
  }

  answerHeld(): void {
    for (const response of this.#held.splice(0)) response.writeHead(500).end();
  }
}

function attemptsIn(path: string): number {
  const reader = openRecording(path);
  try {
    return reader.counts().attempts;
  } finally {
    reader.close();
  }
}

it("max: a run that was killed after its world had ended sends no further retry", async () => {
  const receiver = await Refusing.start(MANY);
  const [recording, cut] = [join(temporaryFolder(), "run.db"), join(temporaryFolder(), "cut.db")];
  let start: RunStart | undefined;
  const playing = runScenario(parse(day(receiver.url, MANY)), { pace: "max", recording, onStart: (s) => (start = s) });
  let steps: number | undefined;
  // Until the world has ended, the lab takes steps in each turn of the event loop, so also between two polls.
  const hasEnded = (): boolean => {
    const before = steps;
    const { atMs } = start?.progress() ?? {};
    steps = start?.progress().steps;
    return atMs === LASTS_MS && steps === before;
  };
  await expect.poll(hasEnded).toBe(true);
  receiver.answer();
  // A copy of the database while one answer is awaited is what a kill would leave.
  await expect.poll(() => attemptsIn(recording)).toBeGreaterThan(MANY / 2);
  const connection = new Connection(recording);
  connection.exec(`VACUUM INTO '${cut}'`);
  connection.close();
  await expect.poll(() => receiver.requests.length).toBe(MANY);
  receiver.answerHeld();
  const whole = await playing;
  expect(receiver.requests).toHaveLength(MANY);

  const before = new Set(receiver.requests.map(({ attempt }) => attempt));
  receiver.requests.splice(0);
  const inFlight = MANY - attemptsIn(cut);
  const { scenario, options } = resumable(cut);
  const { result, exitCode } = await runScenario(scenario, options);
  expect(receiver.requests).toHaveLength(inFlight);
  for (const { attempt, isMarked } of receiver.requests) expect([before.has(attempt), isMarked]).toEqual([true, true]);
  expect(attemptsIn(cut)).toBe(MANY);
  expect(exitCode).toBe(whole.exitCode);
  expect(result.ledger).toEqual(whole.result.ledger);
});

it.each(["max", "lockstep"] as const)(
  "%s: a run that was killed before its result was written sends nothing more",
  async (pace) => {
    const receiver = await Refusing.start(FEW);
    const recording = join(temporaryFolder(), "run.db");
    const onStart = (start: RunStart): void =>
      void expect
        .poll(() => start.progress().events)
        .toBe(FEW)
        .then(() => receiver.answer())
        .then(() => expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(FEW))
        .then(() => receiver.answerHeld());
    const whole = await runScenario(parse(day(receiver.url, FEW)), { pace, recording, onStart });
    const sent = receiver.requests.length;
    // Undoes the last commit of the run, which records its end.
    const connection = new Connection(recording);
    connection.exec("DELETE FROM run WHERE key IN ('digest', 'result', 'endedWallMs')");
    connection.close();
    const { scenario, options } = resumable(recording);
    const { result, exitCode } = await runScenario(scenario, options);
    expect(receiver.requests).toHaveLength(sent);
    expect(exitCode).toBe(whole.exitCode);
    expect(result).toMatchObject({ digest: whole.result.digest, events: whole.result.events });
    expect(result.ledger).toEqual(whole.result.ledger);
    expect(attemptsIn(recording)).toBe(sent);
  },
);

it("a run that was stopped and then killed before its result was written stays stopped", async () => {
  const receiver = await Refusing.start(FEW);
  const recording = join(temporaryFolder(), "run.db");
  const stop = new AbortController();
  const onStart = (start: RunStart): void =>
    void expect
      .poll(() => start.progress().events)
      .toBe(FEW)
      .then(() => {
        stop.abort();
        receiver.answer();
      });
  const whole = await runScenario(parse(day(receiver.url, FEW)), {
    pace: "600x",
    recording,
    onStart,
    signal: stop.signal,
  });
  const sent = receiver.requests.length;
  expect(sent).toBeLessThan(FEW);
  const connection = new Connection(recording);
  connection.exec("DELETE FROM run WHERE key IN ('digest', 'result', 'endedWallMs')");
  connection.close();
  const { scenario, options } = resumable(recording);
  const { result } = await runScenario(scenario, options);
  expect(receiver.requests).toHaveLength(sent);
  expect(result.ledger).toEqual(whole.result.ledger);
  expect(result.virtualMs).toBe(whole.result.virtualMs);
});
