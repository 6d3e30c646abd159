import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowedHosts } from "../../src/http/index.js";
import { Lab, type Pace, prepareScenarioFakes } from "../../src/lab/index.js";
import { openRecording, Recording, type RecordedFlowCall, type RecordingReader } from "../../src/store/index.js";
import { parse } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

/** A call of a flow: method and URL. */
type Call = readonly [method: string, url: string];

const shop = "http://shop.example.org/orders/";

const day = (mocks: string): string => `
name: Mocked day
lasts: 3m
drain: 1m
receiver: none
handsets: { clinic: { phone: "+250788000001" } }
mocks:
${mocks}
`;

interface PlayOptions {
  readonly pace?: Pace;
  readonly recording?: Recording;
  readonly resumedFrom?: RecordingReader;
}

const lockstep: Pace = { kind: "lockstep", lookaheadMs: 5000 };

/** A lab whose account makes the calls, each when the one before is answered. */
async function makeLab(mocks: string, calls: readonly Call[], options: PlayOptions): Promise<Lab> {
  const scenario = parse(day(mocks));
  const { pace = lockstep, recording = newRecording(mocks), resumedFrom } = options;
  const lab = new Lab({
    scenario,
    recording,
    url: "none",
    sender: undefined,
    pace,
    drainMs: 60_000,
    fakes: await prepareScenarioFakes(scenario),
    giveUpAfterMs: Infinity,
    isAllowed: allowedHosts([]),
    resumed: resumedFrom && { killedRun: resumedFrom, roundTrips: resumedFrom.roundTrips() },
    beforeStart: async () => callNext(0),
  });
  const callNext = (index: number): void => {
    const [method, url] = calls[index] ?? [];
    if (method === undefined || url === undefined) return;
    const origin = { contact: 1, run: "run", flow: 1, node: `node-${index}` };
    lab.account.flowCalls.make({ origin, method, url, headers: {}, body: "" }, () => callNext(index + 1));
  };
  return lab;
}

function newRecording(mocks: string): Recording {
  const scenario = parse(day(mocks));
  const recording = Recording.create(":memory:", {
    name: "mocks",
    seed: 1,
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

/** The recorded calls of a whole run. */
async function callsOf(mocks: string, calls: readonly Call[], pace = lockstep): Promise<RecordedFlowCall[]> {
  const recording = newRecording(mocks);
  const lab = await makeLab(mocks, calls, { pace, recording });
  const { warnings } = await lab.play();
  expect(warnings.filter((one) => one.includes("may not call"))).toEqual([]);
  return [...recording.reader().flowCalls()];
}

const bodyOf = ({ answerBody }: RecordedFlowCall): string => Buffer.from(answerBody ?? []).toString();

async function serveEcho(): Promise<{ readonly url: string; readonly got: string[] }> {
  const got: string[] = [];
  const { url } = await serveHttp((request, response) => {
    got.push(request.url ?? "");
    response.end("from the network");
  });
  return { url, got };
}

const paces: readonly (readonly [string, Pace])[] = [
  ["lockstep", lockstep],
  ["paced", { kind: "paced", speed: 600 }],
  ["max", { kind: "max", connections: 4 }],
];

describe.each(paces)("mocks, %s", (_kind, pace) => {
  it("answer in virtual time, from the first entry that matches and is not used up", async () => {
    const mocks = `  - { url: orders/2, status: 404, body: unknown, times: 1 }
  - { url: orders/2, method: PUT, status: 503, after: 90s }
  - { url: '/ORDERS\\/\\d$/i', body: { status: sent }, headers: { X-Shop: north }, after: 10s }`;
    const calls: Call[] = [
      ["POST", `${shop}1`],
      ["PUT", `${shop}2`],
      ["POST", `${shop}2`],
      ["PUT", `${shop}2`],
    ];
    const rows = await callsOf(mocks, calls, pace);
    expect(rows.map((row) => [row.atMs, row.effectAtMs, row.status, bodyOf(row)])).toEqual([
      [0, 10_000, 200, '{"status":"sent"}'],
      [10_000, 15_000, 404, "unknown"],
      [15_000, 25_000, 200, '{"status":"sent"}'],
      [25_000, 115_000, 503, ""],
    ]);
    expect(rows[0]).toMatchObject({
      method: "POST",
      url: `${shop}1`,
      error: null,
      sentWallMs: null,
      durationMs: 0,
      answerHeaders: "Content-Type: application/json\nX-Shop: north",
    });
  });

  it("leave other calls to the network", async () => {
    const { url, got } = await serveEcho();
    const rows = await callsOf(
      "  - { url: /orders, method: POST, body: mocked }",
      [
        ["POST", `${url}orders`],
        ["GET", `${url}orders`],
        ["POST", `${url}stock`],
      ],
      pace,
    );
    expect(rows.map(bodyOf)).toEqual(["mocked", "from the network", "from the network"]);
    expect(got).toEqual(["/orders", "/stock"]);
    expect(rows.map(({ sentWallMs }) => sentWallMs === null)).toEqual([true, false, false]);
  });

  it("answer again in a run that was killed and is resumed", async () => {
    const mocks = `  - { url: orders, status: 0, times: 1 }
  - { url: orders, body: mocked }`;
    const { url } = await serveEcho();
    let asked = 0;
    const silent = await serveHttp(() => asked++);
    const calls = (server: string): Call[] => [
      ["GET", `${url}orders`],
      ["GET", `${url}orders`],
      ["GET", `${server}stock`],
      ["GET", `${url}orders`],
    ];
    const first = newRecording(mocks);
    const killed = await makeLab(mocks, calls(silent.url), { pace, recording: first });
    const playing = killed.play();
    await until(() => asked === 1, "the call that no mock answers is out");
    const path = join(temporaryFolder(), "killed.db");
    writeFileSync(path, first.snapshot());
    killed.stop();
    killed.abortAttempts();
    await playing;

    const recording = Recording.reopen(path);
    onTestFinished(() => recording.close());
    const resumedFrom = openRecording(path);
    onTestFinished(() => resumedFrom.close());
    recording.reexecute();
    const lab = await makeLab(mocks, calls(url), { pace, recording, resumedFrom });
    await lab.play();
    const rows = [...recording.reader().flowCalls()];
    expect(rows.map((row) => row.error ?? bodyOf(row))).toEqual([
      "mocked: no connection",
      "mocked",
      "from the network",
      "mocked",
    ]);
  });
});

it("a mock without a connection is an error, and HEAD has no body", async () => {
  const rows = await callsOf("  - { url: dead, status: 0, after: 1s }\n  - { url: orders, body: some }", [
    ["GET", "http://dead.example.org/"],
    ["HEAD", `${shop}1`],
  ]);
  expect(rows).toMatchObject([
    { status: null, error: "mocked: no connection", answerHeaders: null, answerBody: null, effectAtMs: 1000 },
    { status: 200, error: null },
  ]);
  expect(rows.map(bodyOf)).toEqual(["", ""]);
});

it("a run without the time for an answer ends without it", async () => {
  expect(await callsOf("  - { url: orders, after: 1h }", [["GET", `${shop}1`]])).toEqual([]);
});
