import { join } from "node:path";
import { expect, it } from "vitest";
import {
  openRecording,
  replayRecording,
  renderHtml,
  renderSummary,
  resultOf,
  type Progress,
  type RunResult,
  verdictOf,
} from "../../src/index.js";
import type { Finding } from "../../src/report/index.js";
import { type HostMeasures, isTooBusy } from "../../src/report/findings/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat } from "./support.js";

/** The summary at 80 columns, on one line. */
function summaryOf(result: RunResult): string {
  return renderSummary(result, { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
}

const load = `
name: Load
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 4s
handsets:
  clinic: { count: 10, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 100, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: "hello" }
    rate: 60/s
expect: ["failures == 0%"]
`;

/**
 * Rates of a saturation. Its other words depend on how steadily this machine plays: the tests of the report pin them on
 * a simulated clock.
 */
const rates = /\d\d\/s of the \d\d\/s due/;

it("a receiver that answers a third of what is due: the headline says so, though no expectation broke", async () => {
  const path = join(temporaryFolder(), "run.db");
  const options = {
    receiver: await oneWorker(),
    recording: path,
    pace: "1x",
    connections: 5,
    judgeBusy: true,
  } as const;
  const { result, exitCode } = await play(load, options);
  expect(exitCode).toBe(0);
  expect(result.host?.busySeconds ?? 0).toBe(0);
  expect(result.expectations.every(({ held }) => held)).toBe(true);
  const first = findingsOf(result, path).find(({ kind }) => kind === "saturation");
  expect(first).toMatchObject({ kind: "saturation", text: expect.stringMatching(rates) as string });
  const verdict = verdictOf(result);
  expect(verdict).toMatchObject({ finding: { kind: "saturation" }, headline: expect.stringMatching(rates) as string });
  expect(verdict.state).not.toBe("held");
  expect(summaryOf(result)).toContain(`! ${verdict.headline}`);
});

/** A receiver with one worker that takes 40 ms for each request: 25 a second. */
async function oneWorker(answered: (count: number) => void = () => undefined): Promise<string> {
  let [freeAt, count] = [0, 0];
  const { url } = await receiverThat((_body, response) => {
    freeAt = Math.max(performance.now(), freeAt) + 40;
    setTimeout(() => {
      response.end("{}");
      answered(++count);
    }, freeAt - performance.now());
  });
  return url;
}

it("a saturated run that is stopped: what was due and waits at the stop is in the headline", async () => {
  const stop = new AbortController();
  const receiver = await oneWorker((count) => count === 130 && stop.abort());
  const text = load.replace("lasts: 4s", "lasts: 1h");
  const options = {
    receiver,
    recording: "none",
    pace: "1x",
    connections: 5,
    signal: stop.signal,
    judgeBusy: true,
  } as const;
  const { result } = await play(text, options);
  const first = result.findings?.find(({ kind }) => kind === "saturation");
  expect(first?.text).toMatch(rates);
  expect(first?.text).toMatch(/; \d+ events waited when the run was stopped, about \d(\.\d)? s to drain; /);
  // The headline counts at the stop. More events came due before the run noticed it; the 5 in flight may be answered.
  const waited = Number(/(\d+) events waited/.exec(first?.text ?? "")?.[1]);
  expect(waited).toBeGreaterThan(0.6 * result.ledger.events.queued);
  expect(waited).toBeLessThanOrEqual(result.ledger.events.queued + 5);
  expect(verdictOf(result).headline).toContain("events waited when the run was stopped");
});

it("a receiver that is saturated by a replay at 1x", async () => {
  const path = join(temporaryFolder(), "run.db");
  await play(load.replace("lasts: 4s", "lasts: 8s"), { receiver: "none", recording: path });
  let seen: Progress | undefined;
  let progress = (): Progress | undefined => undefined;
  const receiver = await oneWorker((count) => {
    if (count === 120) seen = progress();
  });
  const onStart = (start: { progress: () => Progress }): void => void (progress = start.progress);
  const options = { receiver, pace: 1, connections: 5, recording: "none", judgeBusy: true, onStart } as const;
  const { result } = await replayRecording(path, options);
  // A replay has the same live gauge as a run.
  expect(seen?.gauge?.waitingForConnection).toBeGreaterThan(20);
  expect(seen?.gauge?.p99Ms).toBeGreaterThan(500);
  expect(seen?.clock?.speed).toBe(1);
  const first = result.findings?.find(({ kind }) => kind === "saturation");
  expect(first).toMatchObject({ kind: "saturation", text: expect.stringMatching(rates) as string });
  expect(verdictOf(result).headline).toMatch(rates);
});

const farm = `
name: Copies
seed: 9
starts: 2026-03-04T09:00:00.000Z
lasts: 1h
handsets:
  farm: { phone: "+250788000800", battery: 80%, network: EDGE }
people:
  workers: { count: 5, of: farm, phone: "+2507820{00000}" }
story:
  - at: 10m
    sync: { of: farm, loses: response, times: 2 }
  - at: 10m
    text: { from: workers/2, to: farm, body: "12 bags" }
  - at: 20m
    text: { from: workers/3, to: farm, body: "hi" }
  - at: 21m
    text: { from: workers/3, to: farm, body: "hi" }
expect: ["doubles == 0", "unanswered == 0", "ledger.gap == 0"]
`;

function phoneIn(body: string): string {
  return new URLSearchParams(body).get("phone") ?? "";
}

it("a second message to a person for a copy of an event is a double, however late the copy comes", async () => {
  const { url } = await receiverThat((body, response) => {
    response.setHeader("content-type", "application/json");
    const reply = { phone: phoneIn(body), text: `noted ${Math.random()}` };
    response.end(body.includes("mo_sms") ? JSON.stringify(reply) : "{}");
  });
  const path = join(temporaryFolder(), "run.db");
  const { result, exitCode } = await play(farm, { receiver: url, recording: path });
  expect(result.events["mo_sms"]).toBe(5);
  // Two copies of one text are doubles. The same words sent twice, a minute apart, are two events.
  expect(result.doubles).toBe(2);
  expect(exitCode).toBe(1);
  expect(result.expectations.map(({ held, seen }) => [held, seen])).toEqual([
    [false, "2"],
    [true, "0"],
    [true, "0"],
  ]);
  expect(result.expectations[2]?.metric?.name).toBe("ledger.gap");
  expect(summaryOf(result)).toContain("2 messages repeat an answer to an event, or to a copy of it");
  const recording = openRecording(path);
  try {
    expect(renderHtml(recording)).toContain("2 messages repeat an answer to an event");
  } finally {
    recording.close();
  }
});

it("doubles are in the headline of a run with a slow phase, judged or not", async () => {
  let firstAt: number | undefined;
  const { url } = await receiverThat((body, response) => {
    firstAt ??= performance.now();
    const isSlow = Math.floor((performance.now() - firstAt) / 2500) === 1;
    response.setHeader("content-type", "application/json");
    const reply = { phone: phoneIn(body), text: `noted ${Math.random()}` };
    const answer = body.includes("mo_sms") ? JSON.stringify(reply) : "{}";
    setTimeout(() => response.end(answer), isSlow ? 400 : 5);
  });
  const text = load.replace("lasts: 4s", "lasts: 10m").replace("rate: 60/s", "rate: 30/m");
  const story = "story: [{ at: 1m, sync: { of: clinic, loses: response, times: 2 } }]\n";
  const { result } = await play(`${text}${story}`, { receiver: url, recording: "none", pace: "60x" });
  expect(result.doubles).toBeGreaterThan(0);
  const { finding, headline } = verdictOf(result);
  expect(finding?.kind).toBe("doubles");
  expect(headline).toMatch(/messages? repeats? an answer to an event/);
  expect(headline).not.toMatch(/slow/i);
});

it("a receiver that answers each event once, in the same words, makes no doubles", async () => {
  const seen = new Set<string>();
  const { url } = await receiverThat((body, response) => {
    const fields = new URLSearchParams(body);
    const key = `${fields.get("phone")} ${fields.get("text")} ${fields.get("time")}`;
    response.setHeader("content-type", "application/json");
    response.end(seen.has(key) ? "{}" : JSON.stringify({ phone: phoneIn(body), text: "thank you" }));
    seen.add(key);
  });
  const { result } = await play(farm, { receiver: url, recording: "none" });
  expect(result.doubles).toBe(0);
  expect(result.findings?.map(({ kind }) => kind)).not.toContain("doubles");
});

/** A receiver that answers each event after some milliseconds, with a reply to texts that hold one of the keywords. */
async function replyingTo(keywords: readonly string[]): Promise<string> {
  let nth = 0;
  const { url } = await receiverThat((body, response) => {
    const fields = new URLSearchParams(body);
    const isHeard = fields.get("event") === "mo_sms" && keywords.includes(fields.get("text") ?? "");
    response.setHeader("content-type", "application/json");
    const answer = isHeard ? JSON.stringify({ phone: phoneIn(body), text: `noted ${body.length}` }) : "{}";
    setTimeout(() => response.end(answer), 1 + ((7 * nth++) % 5));
  });
  return url;
}

/** The findings of a result; checks that its recording gives the same. */
function findingsOf(result: RunResult, path: string): NonNullable<RunResult["findings"]> {
  const recording = openRecording(path);
  try {
    expect(resultOf(recording).findings).toEqual(result.findings);
  } finally {
    recording.close();
  }
  return result.findings ?? [];
}

/** The findings but for the note that other programs kept this machine busy. */
function withoutHost(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ kind }) => kind !== "host");
}

const keywords = ["join", "HELP", "stop", "price", "rain"];
const day = `
name: Day
seed: 11
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
handsets:
  clinic: { count: 4, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 40, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [${keywords.join(", ")}] } }
    rate: 5/m
`;

it("a receiver that ignores one keyword of five: how many texts had no effect", async () => {
  const path = join(temporaryFolder(), "run.db");
  const receiver = await replyingTo(keywords.slice(1));
  const { result } = await play(day, { receiver, recording: path });
  const ignored = result.replies.ignored === 0 ? result.roundTrips?.waiting : undefined;
  expect(ignored).toBeGreaterThan(20);
  expect(withoutHost(findingsOf(result, path))).toEqual([
    expect.objectContaining({
      kind: "without-effect",
      text: expect.stringMatching(
        new RegExp(`^${ignored} of ${result.events["mo_sms"]} texts \\(\\d\\d(\\.\\d)? %\\) had no effect`),
      ) as string,
    }),
  ]);
  expect(summaryOf(result)).toContain("had no effect: no reply and no message to the person");
  // Lockstep claims nothing about speed, so a busy machine does not touch the verdict.
  expect(verdictOf(result)).toMatchObject({ state: "held", lines: [] });
});

it("an event that is refused once is accepted after a later one of its person", async () => {
  const path = join(temporaryFolder(), "run.db");
  const seen = new Set<string>();
  const { url } = await receiverThat((body, response) => {
    const isFirst = body.includes("text=one") && !seen.has(body);
    seen.add(body);
    response.writeHead(isFirst ? 500 : 200, { "content-type": "application/json" }).end("{}");
  });
  const texts = [1, 2, 3].flatMap((person) =>
    ["one", "two"].map(
      (text, at) => `  - { at: ${10 * person + at}s, text: { from: farmers/${person}, to: clinic/0, body: ${text} } }`,
    ),
  );
  const [cast = ""] = day.split("traffic:");
  const story = `service: { preset: documented, attempts: 2, waits: [5m] }\nstory:\n${texts.join("\n")}\n`;
  const { result } = await play(`${cast}${story}`, { receiver: url, recording: path });
  expect(result.attempts).toMatchObject({ accepted: 6, retried: 3 });
  const finding = findingsOf(result, path).find(({ kind }) => kind === "reordering");
  expect(finding?.text).toBe(
    "3 events were accepted after a later event of the same person: 3 because an attempt before had failed.",
  );
});

function hostOf({ host }: RunResult): HostMeasures {
  return host ?? { seconds: 0, busySeconds: 0, busy: [], judged: 0, leftOut: 0 };
}

it.each(["lockstep", "1x"] as const)("a healthy receiver is not accused: %s", async (pace) => {
  const receiver = await replyingTo([]);
  const text = pace === "lockstep" ? day : load;
  const { result } = await play(text, { receiver, recording: "none", pace });
  expect(result.findings?.filter(({ weight }) => weight === "bad")).toEqual([]);
  // On a busy machine the lab falls behind, or too little is left to judge; in lockstep neither matters.
  const isJudged = pace === "lockstep" || (result.fellBehind !== true && !isTooBusy(hostOf(result)));
  expect(verdictOf(result)).toMatchObject(isJudged ? { state: "held", lines: [] } : { state: "not judged" });
});

it.each(["lockstep", "600x"] as const)("phones without network by the story accuse nobody: %s", async (pace) => {
  const receiver = await replyingTo(keywords);
  const outage = `story:\n  - { at: 20m, network: { of: clinic, type: none, for: 15m } }\n`;
  const { result } = await play(`${day}${outage}`, { receiver, recording: "none", pace });
  expect(result.findings?.filter(({ weight }) => weight === "bad")).toEqual([]);
  if (result.fellBehind !== true) expect(verdictOf(result).headline).not.toMatch(/receiver|answered/);
});

it("what still waits as the story has taken the phones off the network: the warning names the phones", async () => {
  const receiver = await replyingTo(keywords);
  const outage = `drain: 1m\nstory:\n  - { at: 50m, network: { of: clinic, type: none, for: 2h } }\n`;
  const { result } = await play(`${day}${outage}`, { receiver, recording: "none" });
  const { state, lines } = verdictOf(result);
  expect(state).toBe("held with warnings");
  expect(lines.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^\d+ texts still waited when the drain of 1m ended: .*; \d+ for clinic\/\d \(the phone has no data network\).*$/,
    ),
  ]);
});

it("failures that the story plays are notes that name it, and the verdict is held", async () => {
  const trouble = `service: { preset: documented, attempts: 3, waits: [5m, 5m] }
drain: 30m
story:
  - { at: 20m, receiver: { answers: 500, for: 4m } }
  - { at: 40m, receiver: { answers: close, for: 4m } }
`;
  const path = join(temporaryFolder(), "run.db");
  const { result } = await play(`${day}${trouble}`, { receiver: "bundled", recording: path });
  expect(result.attempts.retried).toBeGreaterThan(5);
  const findings = findingsOf(result, path);
  expect(findings.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["failures", "resent", "reordering"]));
  for (const finding of withoutHost(findings)) {
    expect(finding).toMatchObject({ weight: "note", cause: "story" });
    expect(finding.text).toContain(`The story changes the receiver's answers (2 steps "receiver").`);
  }
  expect(verdictOf(result)).toMatchObject({ state: "held", lines: [] });
});

it("events that are lost to it for good are a warning that names the story", async () => {
  const trouble = `service: { preset: documented, attempts: 1, waits: [] }
story:
  - { at: 20m, receiver: { answers: 500, for: 4m } }
`;
  const { result } = await play(`${day}${trouble}`, { receiver: "bundled", recording: "none" });
  const [line] = verdictOf(result).lines;
  expect(line?.text).toMatch(/never accepted by the receiver: the story changes its answers$/);
});

it("a story that switches the bundled receiver excuses no other receiver, in a run or in a replay", async () => {
  const trouble = `story:
  - { at: 20m, receiver: { answers: 500, for: 4m } }
`;
  const accused = { kind: "failures", weight: "bad", of: "400" };
  const failing = await receiverThat((_, response) => response.writeHead(400).end());
  const run = await play(`${day}${trouble}`, { receiver: failing.url, recording: "none" });
  expect(run.result.findings).toContainEqual(expect.objectContaining(accused));
  expect(run.result.findings?.filter(({ cause }) => cause === "story")).toEqual([]);

  // One group has a separate receiver. Its failures do not come from the receiver that the story switches.
  const own = await play(`${day}${trouble}`, { recording: "none", set: [`handsets.clinic.receiver=${failing.url}`] });
  expect(own.result.findings).toContainEqual(expect.objectContaining(accused));

  const path = join(temporaryFolder(), "run.db");
  await play(`${day}${trouble}`, { receiver: "bundled", recording: path });
  const replayed = await replayRecording(path, { receiver: failing.url, recording: ":memory:" });
  expect(replayed.result.findings).toContainEqual(expect.objectContaining(accused));
});
