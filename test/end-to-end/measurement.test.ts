import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openRecording, resultOf, type RunOptions, type RunOutcome, type RunResult } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { temporaryFolder } from "../support/folder.js";
import { Client } from "./served.js";
import { play, receiverThat } from "./support.js";

/** People of two groups send texts; the network adds no delay. */
const texting = `
name: Texting
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 20m
carriers: { network: { delay: 0s } }
handsets:
  clinic: { count: 2, phone: "+2507880{00000}", network: LTE, carrier: network }
  school: { count: 2, phone: "+2507890{00000}", network: LTE, carrier: network }
people:
  farmers: { count: 10, of: clinic, phone: "+2507811{00000}" }
  pupils: { count: 10, of: school, phone: "+2507821{00000}" }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 20/m }
  - { texts: { from: pupils, to: school, body: hi }, rate: 10/m }
`;

const measures = ["byType", "byGroup", "statuses", "errors", "retries", "bytes", "roundTrips", "punctuality"] as const;

/** The result that a recording gives if the run is killed just before it records its end. */
function asCutOff(path: string): RunResult {
  const database = new Connection(path);
  database.exec("DELETE FROM run WHERE key IN ('digest', 'result', 'endedWallMs')");
  database.close();
  const recording = openRecording(path);
  try {
    return resultOf(recording);
  } finally {
    recording.close();
  }
}

describe("measures", () => {
  it.each<RunOptions["pace"]>(["lockstep", "max", "2000x"])(
    "of a cut-off recording are those of the run: %s",
    async (pace) => {
      let count = 0;
      const receiver = await receiverThat((body, response) => {
        count++;
        if (count % 5 === 0) response.writeHead(count % 2 === 0 ? 500 : 404);
        const phone = new URLSearchParams(body).get("phone") ?? "";
        const isText = new URLSearchParams(body).get("event") === "mo_sms";
        response.end(isText && count % 3 === 0 ? JSON.stringify({ urn: [`tel:${phone}`], text: "thanks" }) : "{}");
      });
      const recording = join(temporaryFolder(), "run.db");
      const options = { receiver: receiver.url, recording, ...(pace !== undefined && { pace }) };
      const { result } = await play(texting, options);
      const cutOff = asCutOff(recording);
      for (const one of measures) expect(cutOff[one], one).toEqual(result[one]);
      expect(cutOff.latencyMs).toEqual(result.latencyMs);
      expect([cutOff.serviceMs, cutOff.latenessMs]).toEqual([result.serviceMs, result.latenessMs]);
      expect(cutOff.roundTripMs ?? cutOff.roundTripVirtualMs).toEqual(result.roundTripMs ?? result.roundTripVirtualMs);

      const groups = result.byGroup ?? {};
      expect(Object.keys(groups)).toEqual(["clinic", "school"]);
      const attempts = Object.values(result.attempts).reduce((sum, one) => sum + one, 0);
      expect((groups["clinic"]?.attempts ?? 0) + (groups["school"]?.attempts ?? 0)).toBe(attempts);
      expect(result.byType?.["mo_sms"]?.events).toBe(result.events["mo_sms"]);
      expect(result.statuses?.["200"]).toBe(result.attempts.accepted);
      expect(result.bytes?.out).toBe(receiver.got.reduce((sum, { body }) => sum + body.length, 0));
      expect(result.retries).toBe(attempts - Object.values(result.events).reduce((sum, one) => sum + one, 0));
      expect(result.roundTrips?.matched).toBe(result.replies.valid);
      expect(result.model).toBe({ lockstep: "lockstep", max: "closed" }[String(pace)] ?? "open");
    },
  );
});

describe("round trips", () => {
  it("in lockstep are virtual time: an answer takes effect a lookahead after its event", async () => {
    const receiver = await receiverThat((body, response) => {
      const event = new URLSearchParams(body);
      const thanks = { urn: [`tel:${event.get("phone")}`], text: "thanks" };
      response.end(event.get("event") === "mo_sms" ? JSON.stringify(thanks) : "{}");
    });
    const { result } = await play(`${texting}\nlookahead: 7s`, { receiver: receiver.url });
    expect(result.roundTripVirtualMs?.p50).toBeCloseTo(7000, -1);
    expect(result.roundTripVirtualMs?.max).toBe(7000);
    expect(result.roundTripMs).toBeUndefined();
    expect(result.roundTrips?.matched).toBe(result.replies.valid);
    expect((result.roundTrips?.matched ?? 0) + (result.roundTrips?.waiting ?? 0)).toBe(result.events["mo_sms"]);
  });

  it("by the API are matched with the person's text, and hold the receiver's own delay", async () => {
    let api: Client | undefined;
    let [thanked, unheard] = [0, 0];
    const recording = join(temporaryFolder(), "run.db");
    const receiver = await receiverThat((body, response) => {
      response.end("{}");
      const event = new URLSearchParams(body);
      if (event.get("event") !== "mo_sms" || event.get("text") !== "hello") return;
      const urns = [`tel:${event.get("phone")}`];
      // The run may have ended by then.
      wait(60)
        .then(() => api?.done("POST", "broadcasts.json", { text: "thanks", urns }))
        .then(
          () => thanked++,
          () => unheard++,
        );
    });
    const { result } = await play(texting, {
      receiver: receiver.url,
      recording,
      pace: "400x",
      set: ["lasts=10m"],
      api: { port: 0 },
      onStart: ({ api: offered }) => {
        if (offered !== undefined) api = new Client(`${offered.url}/api/v2/`, offered.token);
      },
    });
    const { matched = 0, waiting = 0 } = result.roundTrips ?? {};
    expect(matched).toBeGreaterThan(20);
    // Each broadcast ends at most one round trip; the last ones may come after the run has ended.
    expect(matched).toBeLessThanOrEqual(thanked + unheard);
    expect(waiting).toBe((result.events["mo_sms"] ?? 0) - matched);
    const reader = openRecording(recording);
    const trips = [...reader.roundTrips()];
    reader.close();
    expect(trips).toHaveLength(matched);
    expect(new Set(trips.map(({ via }) => via))).toEqual(new Set(["api"]));
    const spans = trips.map(({ wallMs }) => wallMs ?? 0);
    // No event leaves before it is due, and the receiver then waits 60 ms.
    expect(Math.min(...spans)).toBeGreaterThan(58);
    expect(Math.max(...spans)).toBe(result.roundTripMs?.max);
  });
});

describe("bounds", () => {
  const live = (more: string): string =>
    `${texting.replace("20m", "10m").replace("20/m", "50/s").replace("10/m", "50/s")}\n${more}`;
  const failing = "story: [{ at: 1500ms, receiver: { answers: 503 } }]";

  it("over a window stop the run when they are broken, and the run says so first", async () => {
    // Unless stopped, the run of ten minutes would exceed the test's timeout.
    const { result, exitCode } = await play(
      live(`${failing}\nexpect: [ledger.gap == 0, "failures < 20% over 1s abort", "accepted.rate > 1/s over 30s"]`),
      { receiver: "bundled", pace: "1x" },
    );
    expect(exitCode).toBe(1);

    expect(result.problems[0]).toMatch(/^stopped by 'failures < 20% over 1s abort' at \d+ s of virtual time$/);
    const [lost, failures, rate] = result.expectations;
    expect(lost).toMatchObject({ held: true, seen: "0", metric: { unit: "count", seen: 0 } });
    expect(failures).toMatchObject({
      held: false,
      metric: { overMs: 1000, hasStopped: true, unit: "share", value: 0.2 },
    });
    expect(failures?.metric?.seen).toBeGreaterThan(0.2);
    expect(failures?.metric?.atMs).toBeGreaterThan(1500);
    // The run was shorter than this window, so the bound covers the whole run.
    expect(rate).toMatchObject({ held: true, metric: { unit: "rate", overMs: 30_000 } });
    expect(rate?.metric?.seen).toBeGreaterThan(1);
  });

  it("that cannot recover stop the run, too; --abort has it of all that can", async () => {
    const { result, exitCode } = await play(live('expect: ["statuses.404 < 3", "delivery.p99 < 10s"]'), {
      receiver: (await receiverThat((_, response) => response.writeHead(404).end())).url,
      pace: "1x",
      abort: true,
    });
    expect(exitCode).toBe(1);
    expect(result.problems[0]).toMatch(/^stopped by 'statuses.404 < 3'/);
    expect(result.expectations[0]).toMatchObject({ held: false, metric: { hasStopped: true } });
    expect(result.expectations[1]).toMatchObject({ held: true });
  });

  it("with a grace look at what comes after it only", async () => {
    const { result } = await play(
      live(`lasts: 4s\ndrain: 0s\nstory: [{ at: 0s, receiver: { answers: 503, for: 1s } }]
expect: ["failures == 0%", "failures == 0% from 2500ms", "delivery.count > 0 from 2s", "failures < 50% over 1s"]`).replace(
        "lasts: 10m\n",
        "",
      ),
      { receiver: "bundled", pace: "1x" },
    );
    expect(result.expectations.map(({ held }) => held)).toEqual([false, true, true, false]);
  });

  it("about wall time are refused in lockstep, before anything begins", async () => {
    for (const bound of ["failures < 1% over 10s", "failures < 1% from 10s", "events.rate > 3/s"]) {
      await expect(play(`${texting}\nexpect: ["${bound}"]`)).rejects.toMatchObject({ code: "bad-options" });
    }
  });

  it("by tag, status and percentile hold over the whole run", async () => {
    const receiver = await receiverThat((body, response) => {
      response.writeHead(body.includes("hi") ? 404 : 200).end("{}");
    });
    const bounds = [
      ["attempts{group=school} > 0", true],
      ["failures{group=clinic} == 0%", true],
      ["failures{group=school} < 100%", false],
      ["statuses.4xx > 10", true],
      ["statuses.404{group=clinic} == 0", true],
      ["delivery.p99.9{type=mo_sms, group=clinic} < 1m", true],
      ["delivery.min > 0ms", true],
      ["delivery.p50{type=alarm} < 1s", false],
      ["bytes.in > 1MB", false],
      ["retries == 0", true],
      ["unanswered > 100", true],
    ] as const;
    const { result } = await play(`${texting}\nexpect: [${bounds.map(([text]) => `'${text}'`).join(", ")}]`, {
      receiver: receiver.url,
    });
    expect(result.expectations.map(({ text, held }) => [text, held])).toEqual(bounds);
    expect(result.expectations[7]?.seen).toBe("nothing was measured");
  });
});

describe("Prometheus", () => {
  /** Values by series, where a series is a name with its labels as written. */
  function seriesOf(text: string): Map<string, number> {
    return new Map(
      text
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
    );
  }

  it("scrapes a run while it plays; the last numbers are the result's", async () => {
    const scrapes: Map<string, number>[] = [];
    let last = "";
    let scraping: Promise<void> | undefined;
    // Texts come for 10 of 40 virtual minutes: the first of four wall seconds.
    const brief = texting.replaceAll("rate:", "until: 10m, rate:").replace("20m", "40m");
    const outcome: RunOutcome = await play(brief, {
      receiver: "bundled",
      pace: "600x",
      metrics: { port: 0 },
      onStart: ({ metrics = "" }) => {
        const scrape = async (): Promise<void> => {
          const response = await fetch(metrics);
          expect(response.status).toBe(200);
          expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4; charset=utf-8/);
          last = await response.text();
          scrapes.push(seriesOf(last));
        };
        // Scrapes until the run has ended and the metrics server is closed.
        const scrapeOn = async (): Promise<void> => {
          for (;;) {
            await wait(100);
            await scrape();
          }
        };
        scraping = scrapeOn().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      },
    });
    await scraping;
    const { result } = outcome;
    const end = scrapes.at(-1) ?? new Map<string, number>();
    const accepted = 'handset_attempts_total{type="mo_sms",outcome="accepted"}';
    expect(end.get(accepted)).toBe(result.attempts.accepted);
    expect(end.get('handset_answers_total{status="200"}')).toBe(result.statuses?.["200"]);
    expect(end.get('handset_events_total{type="mo_sms",group="school"}')).toBe(result.byGroup?.["school"]?.events);
    expect(end.get('handset_delivery_seconds_count{type="mo_sms"}')).toBe(result.attempts.accepted);
    expect(end.get('handset_delivery_seconds_bucket{type="mo_sms",le="+Inf"}')).toBe(result.attempts.accepted);
    expect(end.get('handset_body_bytes_total{direction="out"}')).toBe(result.bytes?.out);
    expect(end.get("handset_texts_without_effect")).toBe(result.roundTrips?.waiting);
    expect(end.get("handset_speed")).toBe(600);
    // Counters only rise, and scrapes saw intermediate values.
    const counts = scrapes.map((series) => series.get(accepted) ?? 0);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThan(2);
    for (const line of last.split("\n").filter((one) => one.startsWith("# TYPE"))) {
      expect(line).toMatch(/^# TYPE handset_\w+ (counter|gauge|histogram)$/);
    }
    expect(last).toContain("# HELP handset_attempts_total ");
  });
});
