import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  explain,
  openRecording,
  renderHtml,
  renderJunit,
  renderSummary,
  replayRecording,
  resultOf,
  type RunOutcome,
  type RunResult,
  type RunStart,
  verdictOf,
} from "../../src/index.js";
import { measureRecording } from "../../src/report/index.js";
import { temporaryFolder } from "../support/folder.js";
import { handset } from "../cli/terminal.js";
import { freePort } from "../support/server.js";
import { busyDay, MarkedReceiver, RunProcess } from "./killed-run.js";
import { MortalReceiver } from "./mortal-receiver.js";
import { play, receiverThat, smallDay } from "./support.js";

/** The first line of a summary after name and facts, with its continuations. */
function headlineIn(result: RunResult): string {
  return renderSummary(result, { colour: false, width: 1000 }).split("\n")[2] ?? "";
}

/** The id of an event that the receiver got, from its body: a phone's number is its channel here. */
function eventIn(outcome: RunOutcome, body: string | undefined): string {
  const recording = openRecording(outcome.result.recording ?? "");
  try {
    for (const event of recording.eventRows()) if (event.body === body) return `${event.channel}/${event.number}`;
  } finally {
    recording.close();
  }
  throw new Error("the receiver has got an event that was not sent");
}

/** Even traffic, for paced runs: a text each second, and the answers to it. */
const onePerSecond = `
name: Even
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 4m
handsets:
  clinic: { count: 10, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 40, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: { pick: [join, "HELP", "maize 12kg"] } }
    rate: 1/s
story: []
`;

type Run = Pick<RunStart, "progress">;

/** Acts once when a run has `count` answers, or failures. */
function whenAnswered(run: Run, count: number, act: () => void): void {
  watch(() => run.progress().accepted >= count, act);
}

function whenFailed(run: Run, count: number, act: () => void): void {
  watch(() => run.progress().failures >= count, act);
}

function watch(isTime: () => boolean, act: () => void): void {
  const timer = setInterval(() => {
    if (!isTime()) return;
    clearInterval(timer);
    act();
  }, 5);
  timer.unref();
}

const kindsOf = ({ findings = [] }: RunResult): string[] => findings.map(({ kind }) => kind);

describe("a receiver that dies", () => {
  it("at an event is the headline, with the event; exit 1; in every report", async () => {
    const receiver = await MortalReceiver.start((_, response, nth) => {
      if (nth === 200) return "dies";
      response.end("{}");
      return "answered";
    });
    const path = join(temporaryFolder(), "run.db");
    const outcome = await play(smallDay, { receiver: receiver.url, recording: path });
    const { result, exitCode } = outcome;
    expect(exitCode).toBe(1);
    const id = eventIn(outcome, receiver.deaths[0]);
    const [death] = result.findings ?? [];
    expect(death?.kind).toBe("death");
    expect(death?.text).toMatch(
      /^The receiver died at 0:\d\d:\d\d \(connections closed( and reset)?, then refused\), after \d+ answers?; under way: /,
    );
    expect(death?.text).toContain(` ${id}`);
    expect(death?.where).toBe(`handset why RECORDING ${id}`);
    expect(result.problems).toEqual([death?.text]);
    expect(headlineIn(result)).toBe(`✘ ${death?.text.replace(/\.$/, "")}; no expectation was set`);
    // It explains the failures, so they are no findings of their own, and a longer drain would not help.
    expect(kindsOf(result)).not.toContain("failures");
    expect(result.warnings?.join()).not.toContain("drain");
    expect(result.outages).toMatchObject([{ untilMs: null, isAbsent: true }]);
    const recording = openRecording(path);
    try {
      expect(resultOf(recording)).toEqual(result);
      expect(renderHtml(recording)).toContain(`under way: `);
      expect(renderHtml(recording)).toContain(id);
      expect(renderJunit(result, recording.meta())).toMatch(/<failure message="The receiver died at /);
      // The tables alone have the same outage.
      const { meter, behaviour } = measureRecording(recording);
      const [again] = behaviour.outages.list();
      expect(again?.fromMs).toBe((result.outages?.[0]?.fromMs ?? 0) + meter.timeline.beginsMs);
      expect(again?.underWay).toEqual(result.outages?.[0]?.underWay);
    } finally {
      recording.close();
    }
    expect(explain(path, id).headline[0]).toMatch(
      new RegExp(`^The receiver died while event ${id} was under way(, as the only one|, with \\d+ other events?)\\.`),
    );
  });

  it("at a delivery report that came before its mt_sent was accepted: the finding and `why` say so", async () => {
    const sent = new Set<string>();
    let delayed: string | undefined;
    const receiver = await MortalReceiver.start((fields, response) => {
      const [type, message] = [fields.get("event"), fields.get("sms") ?? ""];
      if (type === "mt_dlvd" && !sent.has(message)) return "dies";
      if (type === "mt_sent" && sent.size >= 20 && (delayed ??= message) === message) response.writeHead(500);
      else if (type === "mt_sent") sent.add(message);
      response.end();
      return "answered";
    });
    const path = join(temporaryFolder(), "run.db");
    const outcome = await play(smallDay, { receiver: receiver.url, recording: path });
    const id = eventIn(outcome, receiver.deaths[0]);
    const [death] = outcome.result.findings ?? [];
    expect(death?.text).toMatch(new RegExp(`mt_dlvd ${id} \\(came before its mt_sent \\d+/\\d+ was accepted\\)`));
    expect(explain(path, id).headline.join(" ")).toMatch(
      new RegExp(
        `Compared with the \\d+ mt_dlvd events that were answered before, event ${id} came before its mt_sent`,
      ),
    );
  });

  it.each([
    ["has an emoji in its text", "see you 🌍"],
    ["has an apostrophe in its text", "it's me"],
    ["has a line break in its text", "one\\ntwo"],
    ["has the longest text, of 200 characters", "x".repeat(200)],
  ])("at a text that %s", async (special, text) => {
    const wanted = text.replace("\\n", "\n");
    const receiver = await MortalReceiver.start((fields, response) => {
      if (fields.get("event") === "mo_sms" && fields.get("text") === wanted) return "dies";
      response.end();
      return "answered";
    });
    const step = `  - at: 1h\n    text: { from: farmers/3, to: clinic/3, body: "${text}" }\n`;
    const path = join(temporaryFolder(), "run.db");
    const outcome = await play(`${smallDay}${step}`, { receiver: receiver.url, recording: path });
    const id = eventIn(outcome, receiver.deaths[0]);
    expect(outcome.result.findings?.[0]?.text).toContain(`mo_sms ${id} (${special})`);
  });

  it("at an ordinary event: nothing special is made up", async () => {
    const receiver = await MortalReceiver.start((fields, response, nth) => {
      if (nth > 300 && fields.get("event") === "mo_sms") return "dies";
      response.end();
      return "answered";
    });
    const { result } = await play(smallDay, {
      receiver: receiver.url,
      recording: join(temporaryFolder(), "run.db"),
      // Few people, so each has written before.
      set: ["people.farmers.count=4", "people.farmers.of=clinic"],
    });
    expect(result.findings?.[0]?.text).toMatch(/under way: mo_sms \d+\/\d+[^(]*$/);
  });

  it("between two events, in a paced run: nothing was under way", async () => {
    const receiver = await MortalReceiver.start((_, response) => {
      response.end("{}");
      return "answered";
    });
    const { result, exitCode } = await play(onePerSecond, {
      receiver: receiver.url,
      pace: "10x",
      set: ["lasts=40s", "drain=20s"],
      onStart: (start) => whenAnswered(start, 20, () => receiver.die()),
    });
    expect(exitCode).toBe(1);
    expect(result.findings?.[0]?.text).toMatch(
      /^The receiver died at 0:00:\d\d \(connections refused\), after \d+ answers; nothing was under way, and its last answer was at 0:00:\d\d\.$/,
    );
  });

  it("before it has answered anything: exit 3, and no death", async () => {
    const receiver = await MortalReceiver.start(() => "dies");
    const { result, exitCode } = await play(smallDay, { receiver: receiver.url });
    expect(exitCode).toBe(3);
    expect(kindsOf(result)).not.toContain("death");
  });

  it("while a replay plays: the same, with exit 1", async () => {
    const path = join(temporaryFolder(), "run.db");
    await play(smallDay, { receiver: "none", recording: path });
    const receiver = await MortalReceiver.start((_, response, nth) => {
      if (nth === 100) return "dies";
      response.end("{}");
      return "answered";
    });
    const recording = join(temporaryFolder(), "again.db");
    const outcome = await replayRecording(path, { receiver: receiver.url, recording });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.result.findings?.[0]?.text).toContain(` ${eventIn(outcome, receiver.deaths[0])}`);
    expect(verdictOf(outcome.result).headline).toMatch(/^The receiver died at /);
    // Its requests are concurrent, so events that were made later may be answered first: that is nothing special.
    expect(outcome.result.findings?.[0]?.text).not.toContain("has a time");
  });

  it("while the run was cut off: a resumed run counts the answers before, and ends with 1", async () => {
    const folder = temporaryFolder();
    const [scenario, recording] = [join(folder, "day.yaml"), join(folder, "run.db")];
    const receiver = await MarkedReceiver.start();
    writeFileSync(scenario, busyDay(receiver.url, "8m"));
    const killed = new RunProcess([scenario, "--recording", recording, "-q", "--no-report"]);
    receiver.at(300, () => killed.kill());
    await killed.ended;
    const nobody = `http://127.0.0.1:${await freePort()}/`;
    const { code, stdout } = await handset(["run", "--resume", recording, "-r", nobody, "--json", "-q", "--no-report"]);
    const result = JSON.parse(stdout) as RunResult;
    expect(result.attempts.accepted).toBeGreaterThan(100);
    expect(result.attempts.connection).toBeGreaterThan(10);
    expect(code).toBe(1);
  });

  it("of two receivers: the finding names it, and the other is not accused", async () => {
    const receiver = await MortalReceiver.start((_, response, nth) => {
      if (nth === 100) return "dies";
      response.end("{}");
      return "answered";
    });
    const other = await receiverThat((_, response) => response.end("{}"));
    const text = smallDay
      .replace("people:", `  school: { count: 2, phone: "+2507890{00000}", receiver: "${other.url}" }\npeople:`)
      .replace("traffic:", "traffic:\n  - sends: { via: school, to: farmers, body: hi }\n    rate: 1/m");
    const { result } = await play(text, { receiver: receiver.url });
    expect(kindsOf(result).filter((kind) => kind === "death")).toHaveLength(1);
    expect(result.findings?.[0]).toMatchObject({ kind: "death", of: new URL(receiver.url).origin });
    expect(result.findings?.[0]?.text).toContain(`The receiver at ${new URL(receiver.url).origin} died at`);
  });
});

describe("a receiver that is started again", () => {
  it("was away: from when to when, with what was under way; expectations alone decide the exit code", async () => {
    const receiver = await MortalReceiver.start((_, response, nth) => {
      if (nth === 60) return "dies";
      response.end("{}");
      return "answered";
    });
    let isBack = false;
    const outcome = await play(onePerSecond, {
      receiver: receiver.url,
      recording: join(temporaryFolder(), "run.db"),
      pace: "120x",
      set: ["lasts=2m"],
      onStart: (start) =>
        whenFailed(start, 60, () => {
          isBack = true;
          void receiver.listen();
        }),
    });
    expect(isBack).toBe(true);
    expect(outcome.exitCode).toBe(0);
    const [away] = outcome.result.findings ?? [];
    const id = eventIn(outcome, receiver.deaths[0]);
    expect(away?.text).toMatch(
      new RegExp(
        `^The receiver was away (at|from) 0:\\d\\d:\\d\\d.* \\(connections closed.*then refused\\), after \\d+ answers; under way when it went: .*${id}`,
      ),
    );
    // On a busy machine the receiver's speed is not judged; the headline has its absence even so.
    const { state, finding, headline } = verdictOf(outcome.result);
    expect(finding).toMatchObject({ kind: "away" });
    if (state === "not judged") expect(headline).toMatch(/^The receiver was away .*; the rest is not judged: /);
    else expect(state).toBe("held with warnings");
    expect(headlineIn(outcome.result)).toContain(
      state === "not judged" ? "The receiver was away" : "but the receiver was away",
    );
  });

  it("and dies of the same event at each try: the finding names the event and the times", async () => {
    const receiver = await MortalReceiver.start((fields, response) => {
      if (fields.get("text") === "poison") return "dies";
      response.end("{}");
      return "answered";
    });
    const path = join(temporaryFolder(), "run.db");
    const text = onePerSecond.replace(
      "story: []",
      "story: [{ at: 1m, text: { from: farmers/3, to: clinic/3, body: poison } }]",
    );
    let lives = 0;
    const outcome = await play(text, {
      receiver: receiver.url,
      recording: path,
      pace: "240x",
      set: ["lasts=12m"],
      onStart: (start) => {
        const watch = (): void =>
          // More than were in flight: some have been refused.
          whenFailed(start, start.progress().failures + 60, () => {
            lives++;
            void receiver.listen().then(watch);
          });
        watch();
      },
    });
    // Two retries five minutes apart, and more if the machine was fast enough.
    expect(receiver.deaths.length).toBeGreaterThan(1);
    expect(lives).toBeGreaterThan(1);
    const id = eventIn(outcome, receiver.deaths[0]);
    expect(outcome.result.findings?.[0]?.text).toMatch(
      new RegExp(`^The receiver was away \\d times, first .*mo_sms ${id}.* under way each time`),
    );
    expect(explain(path, id).headline.join(" ")).toMatch(
      new RegExp(`Event ${id} was under way at each of \\d times at which the receiver went`),
    );
  });
});

it("a worker that dies of one event at each try, while others answer: the event is named", async () => {
  let poison = "";
  const { url } = await receiverThat((body, response, request) => {
    if (!body.includes("text=poison")) return void response.end("{}");
    poison = body;
    request.socket.destroy();
  });
  const path = join(temporaryFolder(), "run.db");
  const step = "  - at: 1h\n    text: { from: farmers/3, to: clinic/3, body: poison }\n";
  const outcome = await play(`${smallDay}${step}`, { receiver: url, recording: path });
  const id = eventIn(outcome, poison);
  expect(outcome.result.findings?.[0]).toMatchObject({ kind: "poison", weight: "bad" });
  expect(outcome.result.findings?.[0]?.text).toMatch(
    new RegExp(
      `^mo_sms ${id}.* broke the connection at each of its 4 tries; the receiver answered the other events\\.$`,
    ),
  );
  expect(explain(path, id).headline[0]).toBe("The connection broke at each of its 4 tries.");
  expect(outcome.exitCode).toBe(0);
});

describe("a receiver that falls silent", () => {
  const impatient = smallDay.replace("handsets:", "receiver: { url: http://127.0.0.1:9/, timeout: 100ms }\nhandsets:");

  it("has stopped answering, and has not died; its exit code is that of the expectations", async () => {
    let count = 0;
    const { url } = await receiverThat((_, response) => void (++count < 100 && response.end("{}")));
    const { result, exitCode } = await play(impatient, { receiver: url, set: ["lasts=30m", "service={attempts: 1}"] });
    expect(result.findings?.[0]).toMatchObject({ kind: "unanswered", weight: "bad" });
    expect(result.findings?.[0]?.text).toMatch(
      /^The receiver stopped answering at 0:\d\d:\d\d, after \d+ answers: \d+ attempts since then had no answer in time; the first was \w+ \d+\/\d+/,
    );
    expect(exitCode).toBe(0);
  });

  it("is given up, with exit 1, as it had answered before", async () => {
    let count = 0;
    const { url } = await receiverThat((_, response) => void (++count < 300 && response.end("{}")));
    const { result, exitCode } = await play(impatient, { receiver: url, giveUpAfterMs: 1000 });
    expect(exitCode).toBe(1);
    expect(result.problems).toContain("given up: the receiver has not answered for too long since then");
  });

  it("from the first event on is given up with exit 3", async () => {
    const { url } = await receiverThat(() => undefined);
    const { result, exitCode } = await play(impatient, { receiver: url, giveUpAfterMs: 1000 });
    expect(exitCode).toBe(3);
    expect(result.problems).toContain("given up: the receiver has not answered at all for too long");
  });

  it("as the story says is no fault: bundled, and closing its connections until the end", async () => {
    const text = `${smallDay}  - at: 1h\n    receiver: { answers: close }\n`;
    const { result } = await play(text);
    expect(kindsOf(result)).not.toContain("death");
    expect(result.findings?.find(({ kind }) => kind === "unanswered")).toMatchObject({
      weight: "note",
      cause: "story",
    });
    expect(verdictOf(result).finding).toBeUndefined();
  });
});

it("a receiver that is merely slow is not accused", async () => {
  const { url } = await receiverThat((_, response) => void setTimeout(() => response.end("{}"), 100));
  const { result } = await play(onePerSecond, { receiver: url, pace: "60x", set: ["lasts=3m"] });
  expect(result.outages).toBeUndefined();
  for (const kind of ["death", "away", "unanswered", "poison"]) expect(kindsOf(result)).not.toContain(kind);
});
