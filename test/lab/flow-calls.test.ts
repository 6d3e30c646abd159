import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FlowCallAnswer } from "../../src/account/index.js";
import { allowedHosts } from "../../src/http/index.js";
import { Lab, type Pace, prepareScenarioFakes, type RunTotals, senderFor } from "../../src/lab/index.js";
import { harPieces } from "../../src/report/index.js";
import { openRecording, Recording, type RecordingReader } from "../../src/store/index.js";
import { parse } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

/** 6 people, each of whom a flow calls for 4 times, beside a world that has its own events. */
const PEOPLE = 6;
const ROUNDS = 4;

const day = (receiver: string): string => `
name: Called day
seed: 11
lasts: 3m
receiver: { url: "${receiver}" }
handsets:
  clinic: { count: 2, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: ${PEOPLE}, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP"] } }
    rate: 20/m
`;

/** A server for calls: it answers each by its body, as late as `delayMs` says; undefined: never. */
async function serveCalls(
  delayMs: (count: number) => number | undefined = () => 0,
): Promise<{ readonly url: string; readonly got: string[] }> {
  const got: string[] = [];
  const { url } = await serveHttp((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const late = delayMs(got.length);
      got.push(body);
      const answer = (): void => void response.end(`echo ${body}`);
      if (late === 0) answer();
      else if (late !== undefined) setTimeout(answer, late);
    });
  });
  return { url, got };
}

async function serveReceiver(): Promise<string> {
  return (await serveHttp((_request, response) => response.end("{}"))).url;
}

interface PlayOptions {
  readonly calls: string;
  readonly receiver: string;
  readonly pace?: Pace;
  readonly recording?: Recording;
  readonly resumedFrom?: RecordingReader;
  readonly answered?: (answer: FlowCallAnswer) => void;
}

const lockstep: Pace = { kind: "lockstep", lookaheadMs: 5000 };

/** A lab whose account makes the calls: each answer is sent to its person, and makes the next call. */
async function makeLab(options: PlayOptions): Promise<Lab> {
  const { calls, receiver, pace = lockstep, resumedFrom } = options;
  const scenario = parse(day(receiver));
  const sender = senderFor(scenario, { url: receiver });
  onTestFinished(() => sender.close());
  const recording = options.recording ?? newRecording(":memory:");
  const lab = new Lab({
    scenario,
    recording,
    url: receiver,
    sender,
    pace,
    drainMs: pace.kind === "paced" ? 60_000 : 0,
    fakes: await prepareScenarioFakes(scenario),
    giveUpAfterMs: Infinity,
    isAllowed: allowedHosts([]),
    resumed: resumedFrom && { killedRun: resumedFrom, roundTrips: resumedFrom.roundTrips() },
    beforeStart: async () => {
      for (let person = 0; person < PEOPLE; person++) call(person, 1);
    },
  });
  const call = (person: number, round: number): void => {
    const origin = { contact: person + 1, run: `run-${person}`, flow: 1, node: `node-${round}` };
    const order = { origin, method: "PUT", url: `${calls}hook`, headers: {}, body: `${person}/${round}` };
    lab.account.flowCalls.make(order, (answer) => {
      options.answered?.(answer);
      const phone = `+25078110000${person}`;
      const text = Buffer.from(answer.body ?? []).toString() || String(answer.error);
      lab.gateway.send(1 + (person % 2), { phone, text, origin: "hand" });
      if (round < ROUNDS) call(person, round + 1);
    });
  };
  return lab;
}

function newRecording(path: string): Recording {
  const scenario = parse(day("http://127.0.0.1/"));
  const recording = Recording.create(path, {
    name: "calls",
    seed: 11,
    version: "0",
    scenario: scenario.source,
    startsAtMs: 0,
    lastsMs: scenario.cast.lastsMs,
    preset: scenario.service,
    startedWallMs: 0,
    options: {},
  });
  onTestFinished(() => recording.close());
  return recording;
}

/** Bodies of all calls of a whole run, sorted. */
const allBodies = Array.from({ length: PEOPLE * ROUNDS }, (_, index) => {
  return `${Math.floor(index / ROUNDS)}/${1 + (index % ROUNDS)}`;
});

describe("calls of flows in lockstep", () => {
  it("take effect after the lookahead, however late the answers are: two runs have one digest", async () => {
    const receiver = await serveReceiver();
    const runs: { totals: RunTotals; times: unknown[] }[] = [];
    for (const delayMs of [() => 0, (count: number) => (count * 37) % 90]) {
      const { url, got } = await serveCalls(delayMs);
      const recording = newRecording(":memory:");
      const lab = await makeLab({ calls: url, receiver, recording });
      const totals = await lab.play();
      const times = [...recording.reader().flowCalls()].map((one) => [one.id, one.atMs, one.effectAtMs, one.body]);
      runs.push({ totals, times });
      expect(got.toSorted()).toEqual(allBodies);
    }
    const [fast, slow] = runs;
    expect(slow?.totals.digest).toBe(fast?.totals.digest);
    expect(slow?.times).toEqual(fast?.times);
    expect(fast?.times.slice(0, 7)).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((person) => [person + 1, 0, 5000, `${person}/1`]),
      [7, 5000, 10_000, "0/2"],
    ]);
    expect(fast?.totals.events.get("mt_sent")).toBe(PEOPLE * ROUNDS);
  });

  it("that are in flight at the end are awaited, and what follows from them", async () => {
    const receiver = await serveReceiver();
    const { url, got } = await serveCalls(() => 50);
    const recording = newRecording(":memory:");
    // The answers would take effect after the end.
    const lab = await makeLab({ calls: url, receiver, recording, pace: { kind: "lockstep", lookaheadMs: 170_000 } });
    await lab.play();
    expect(got.toSorted()).toEqual(allBodies);
    const calls = [...recording.reader().flowCalls()];
    expect(calls.map(({ effectAtMs }) => effectAtMs)).toEqual([
      ...Array.from({ length: PEOPLE }, () => 170_000),
      ...Array.from({ length: PEOPLE * (ROUNDS - 1) }, () => 180_000),
    ]);
  });
});

it("a run that is stopped awaits the answers of the calls that were sent, and makes no other", async () => {
  const receiver = await serveReceiver();
  const { url, got } = await serveCalls(() => 200);
  const recording = newRecording(":memory:");
  const lab = await makeLab({ calls: url, receiver, recording, pace: { kind: "paced", speed: 1 } });
  const playing = lab.play();
  await until(() => got.length === PEOPLE, "the first calls are sent");
  lab.stop();
  expect((await playing).wasStopped).toBe(true);
  expect(got).toHaveLength(PEOPLE);
  expect([...recording.reader().flowCalls()].map(({ status }) => status)).toEqual(got.map(() => 200));
});

it("a call is recorded with its answer", async () => {
  const receiver = await serveReceiver();
  const { url } = await serveCalls();
  const recording = newRecording(":memory:");
  const answers: FlowCallAnswer[] = [];
  const lab = await makeLab({
    calls: url.replace("//", "//user:secret@"),
    receiver,
    recording,
    answered: (one) => answers.push(one),
  });
  await lab.play();
  const [first] = recording.reader().flowCalls();
  expect(first).toMatchObject({
    id: 1,
    contact: 1,
    run: "run-0",
    node: "node-1",
    method: "PUT",
    url: `${url}hook`,
    body: "0/1",
    status: 200,
    error: null,
    answerHeaders: expect.stringMatching(/^Connection: /m),
  });
  expect(Buffer.from(first?.answerBody ?? []).toString()).toBe("echo 0/1");
  expect(first?.sentWallMs).toBeGreaterThanOrEqual(0);
  expect(first?.durationMs).toBeGreaterThan(0);
  expect(answers[0]).toMatchObject({ status: 200, error: null });
});

it("follows redirects by the rules of hosts, and records where they led", async () => {
  const receiver = await serveReceiver();
  const { url } = await serveHttp((request, response) => {
    const isLost = request.url === "/lost";
    if (request.url === "/here") response.end("found");
    else response.writeHead(302, { location: isLost ? "http://hooks.example.org/" : "/here" }).end();
  });
  const recording = newRecording(":memory:");
  const answers: FlowCallAnswer[] = [];
  const lab = await makeLab({ calls: url, receiver, recording, answered: (one) => answers.push(one) });
  const origin = { contact: 1, run: "run-lost", flow: 1, node: "node-lost" };
  const lost = { origin, method: "GET", url: `${url}lost`, headers: {}, body: "" };
  lab.account.flowCalls.make(lost, (answer) => answers.push(answer));
  const { warnings } = await lab.play();
  const calls = [...recording.reader().flowCalls()];
  expect(calls).toHaveLength(PEOPLE * ROUNDS + 1);
  expect(calls.find(({ run }) => run === "run-lost")).toMatchObject({
    status: null,
    error: "redirect-not-allowed: hooks.example.org is not this machine, and --allow-host does not name it",
    redirects: [],
  });
  expect(calls.find(({ run }) => run === "run-0")).toMatchObject({ status: 200, redirects: [`${url}here`] });
  expect(warnings).toEqual([expect.stringContaining("may not call hooks.example.org")]);
  const har = [...harPieces(recording.reader())].join("");
  expect(har).toContain(`of run run-0, redirected to ${url}here"`);
});

it("a host that is not allowed gets no call: each is an error, and the run warns once", async () => {
  const receiver = await serveReceiver();
  const answers: FlowCallAnswer[] = [];
  const lab = await makeLab({ calls: "http://hooks.example.org/", receiver, answered: (one) => answers.push(one) });
  const { warnings } = await lab.play();
  expect(answers).toHaveLength(PEOPLE * ROUNDS);
  for (const { status, error } of answers) {
    expect([status, error]).toEqual([
      null,
      "host-not-allowed: hooks.example.org is not this machine, and --allow-host does not name it",
    ]);
  }
  expect(warnings).toEqual([
    "flows and resthooks may not call hooks.example.org, which is not this machine: --allow-host hooks.example.org allows it",
  ]);
});

const paces: readonly (readonly [string, Pace])[] = [
  ["lockstep", lockstep],
  ["paced", { kind: "paced", speed: 120 }],
  ["max", { kind: "max", connections: 4 }],
];

describe.each(paces)("a run that is killed and resumed, %s", (kind, pace) => {
  it("makes no call again that was answered, and awaits those that were not", async () => {
    const receiver = await serveReceiver();
    const path = join(temporaryFolder(), "killed.db");
    // Two calls of the second round are answered; outside lockstep they make a call of the third.
    const silent = await serveCalls((count) => (count < PEOPLE + 2 ? 0 : undefined));
    const sentBefore = kind === "lockstep" ? 2 * PEOPLE : 2 * PEOPLE + 2;
    const first = newRecording(":memory:");
    const killed = await makeLab({ calls: silent.url, receiver, recording: first, pace });
    const playing = killed.play();
    await until(() => silent.got.length === sentBefore, "all calls are made that can be made");
    writeFileSync(path, first.snapshot());
    killed.stop();
    killed.abortAttempts();
    await playing;

    const recording = Recording.reopen(path);
    onTestFinished(() => recording.close());
    const resumedFrom = openRecording(path);
    onTestFinished(() => resumedFrom.close());
    const before = [...resumedFrom.flowCalls()].map(({ body }) => body);
    expect(before.length).toBeGreaterThanOrEqual(PEOPLE);
    recording.reexecute();
    const { url, got } = await serveCalls(() => 1);
    const lab = await makeLab({ calls: url, receiver, recording, resumedFrom, pace });
    const totals = await lab.play();

    expect([...before, ...got].toSorted()).toEqual(allBodies);
    const calls = [...recording.reader().flowCalls()];
    expect(calls.map(({ body }) => body).toSorted()).toEqual(allBodies);
    expect(calls.every(({ status }) => status === 200)).toBe(true);
    if (kind !== "lockstep") return;
    const whole = await makeLab({ calls: url, receiver });
    expect(totals.digest).toBe((await whole.play()).digest);
  });
});
