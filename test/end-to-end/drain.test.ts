import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openRecording, renderHtml, renderSummary, type RunStart } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat } from "./support.js";

/** A minute of texts in both directions; one phone has no data link at the end. */
const shortDay = `
seed: 7
lasts: 1m
handsets: { clinic: { count: 4, phone: "+2507880{00000}" } }
people: { farmers: { count: 10, phone: "+2507811{00000}", replies: { after: 20s..2m, with: [yes] } } }
traffic:
  - texts: { from: farmers, to: clinic, body: hello }
    rate: 1/s
  - sends: { via: clinic, to: farmers, body: hello }
    rate: 10/m
story:
  - at: 20s
    network: { of: clinic/1, type: none, for: 5m }
`;

/** All texts, calls, events and attempts have ended. */
function expectNothingWaits(ledger: Record<string, { readonly queued: number; readonly gap: number }>): void {
  for (const account of Object.values(ledger)) expect(account).toMatchObject({ queued: 0, gap: 0 });
}

describe("a drain", () => {
  it("delivers waiting texts, reports and replies, and ends when nothing waits", async () => {
    const without = await play(shortDay);
    expect(without.result.queued).toBeGreaterThan(0);
    expect(without.result.drain).toBeUndefined();
    const { result } = await play(shortDay, { set: ["drain=30m"] });
    expectNothingWaits(result.ledger);
    expect(result.virtualMs).toBe(60_000);
    expect(result.drain).toMatchObject({ limitMs: 1_800_000, isEmpty: true });
    // The phone's data link returns at 5:20, 4 min 20 s after the end; people answer within two minutes of that.
    expect(result.drain?.tookMs).toBeGreaterThan(260_000);
    expect(result.drain?.tookMs).toBeLessThan(500_000);
    expect(result.warnings).toEqual([]);
    const again = await play(shortDay, { set: ["drain=30m"] });
    expect(again.result).toMatchObject({ digest: result.digest, drain: result.drain });
  });

  it("does the same at max and paced", async () => {
    for (const pace of ["max", "600x"] as const) {
      const { result } = await play(shortDay, { set: ["drain=30m"], pace });
      // The length of the drain depends on the machine.
      expectNothingWaits(result.ledger);
      expect(result.drain?.limitMs).toBe(1_800_000);
    }
  });

  it("makes the retries that come due in it", async () => {
    const seen = new Set<string>();
    const receiver = await receiverThat((body, response) => {
      response.writeHead(seen.has(body) ? 200 : 500).end();
      seen.add(body);
    });
    const options = { receiver: receiver.url, set: ["drain=30m"] };
    const { result } = await play(shortDay, options);
    expectNothingWaits(result.ledger);
    expect(result.attempts).toMatchObject({ accepted: seen.size, retried: seen.size });
  });

  it("ends at its limit, and warns what still waits", async () => {
    const { result } = await play(shortDay, { set: ["drain=2m"] });
    const { texts, events } = result.ledger;
    expect(result.drain).toEqual({ limitMs: 120_000, tookMs: 120_000, isEmpty: false });
    expect(texts.queued).toBeGreaterThan(0);
    expect(events.queued).toBe(0);
    expect(result.warnings?.join()).toMatch(
      new RegExp(`${texts.queued} texts? still waited when the drain of 2m ended: a longer 'drain' in the scenario`),
    );
  });

  it("that leaves texts on phones without a network names them, and not the step that came later", async () => {
    const text = shortDay.replace(/story:[^]*/, "drain: 2m\nstory:\n");
    const outage =
      "  - { at: 20s, network: { of: [clinic/1, clinic/2], type: none } }\n  - { at: 40s, mast: { of: clinic/3, down: 5s } }\n";
    const { result } = await play(text + outage);
    const [warning = ""] = result.warnings ?? [];
    expect(warning).toMatch(
      /; \d+ for clinic\/[12] \(the phone has no data network\), \d+ for clinic\/[12] \(the phone has no data network\)$/,
    );
    expect((await play(text + "  - { at: 20s, note: calm }\n")).result.warnings).toEqual([]);
  });

  it("that does not take place leaves them in the result, without a warning", async () => {
    const text = shortDay.replace(/story:[^]*/, "story:\n  - { at: 20s, network: { of: clinic/1, type: none } }\n");
    const { result } = await play(text);
    expect(result.warnings).toEqual([]);
    expect(result.blocked).toEqual([{ of: "clinic/1", why: "no-network", waiting: expect.any(Number) }]);
    const summary = renderSummary(result, { colour: false, width: 80 });
    expect(summary).toMatch(/waiting +\d+ for clinic\/1 \(the phone has no data network\)/);
  });

  it("that leaves events waiting says so once, in the summary and in the report", async () => {
    const receiver = await receiverThat((_, response) => response.writeHead(500).end());
    const path = join(temporaryFolder(), "run.db");
    const { result } = await play(shortDay, { receiver: receiver.url, set: ["drain=2m"], recording: path });
    const { queued } = result.ledger.events;
    expect(queued).toBeGreaterThan(10);
    const said = (text: string): number => text.match(new RegExp(`${queued} events still wait`, "g"))?.length ?? 0;
    expect(said(renderSummary(result, { colour: false, width: 500 }))).toBe(1);
    const recording = openRecording(path);
    try {
      expect(said(renderHtml(recording))).toBe(1);
    } finally {
      recording.close();
    }
  });

  it("takes at most 10 wall seconds in a paced run, and none with `drain: 0s`", async () => {
    const { result } = await play(shortDay, { pace: "300x", set: ["story.0.network.for=1m"] });
    expect(result.drain?.limitMs).toBe(3_000_000);
    expectNothingWaits(result.ledger);
    const off = await play(shortDay, { pace: "300x", set: ["drain=0s"] });
    expect(off.result.drain).toBeUndefined();
  });
});

/** About thirty texts at even intervals; each of them must have an effect. */
const texts = `
seed: 7
lasts: 30s
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { count: 20, phone: "+2507811{00000}" } }
traffic:
  - texts: { from: farmers, to: clinic, body: hello }
    rate: 1/s
    arrivals: even
expect: [unanswered == 0]
`;

describe("the last texts of a run", () => {
  it.each(["60x", "max"] as const)("have their effect by the API although it is late (%s)", async (pace) => {
    let start: RunStart | undefined;
    const sends: Promise<number>[] = [];
    const send = async (phone: string): Promise<number> => {
      await sleep(300);
      const { url, token } = start?.api ?? { url: "", token: "" };
      const answer = await fetch(`${url}/api/v2/broadcasts.json`, {
        method: "POST",
        headers: { authorization: `Token ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ urns: [`tel:${phone}`], text: "thank you" }),
      });
      return answer.status;
    };
    const receiver = await receiverThat((body, response) => {
      response.end();
      const form = new URLSearchParams(body);
      if (form.get("event") === "mo_sms") sends.push(send(form.get("phone") ?? ""));
    });
    const { result, exitCode } = await play(texts, {
      receiver: receiver.url,
      pace,
      api: { port: 0 },
      onStart: (given) => (start = given),
    });
    const events = result.events["mo_sms"] ?? 0;
    expect(events).toBeGreaterThan(20);
    // The run ends once the last request has taken effect; its client may read the answer a moment later.
    expect(await Promise.all(sends)).toEqual(Array.from({ length: events }, () => 201));
    expect(result.expectations).toMatchObject([{ held: true, seen: "0" }]);
    expect(exitCode).toBe(0);
  });
});

describe("a run that ends while its receiver still calls the API", () => {
  it("says how many texts had no effect by then", async () => {
    let isOver = false;
    const calls: Promise<void>[] = [];
    const silent = await receiverThat((_, response) => response.end());
    const { result } = await play(texts, {
      receiver: silent.url,
      pace: "60x",
      set: ["drain=30s"],
      api: { port: 0 },
      onStart: ({ api }) => {
        const { url, token } = api ?? { url: "", token: "" };
        const headers = { authorization: `Token ${token}` };
        const ask = async (): Promise<void> => {
          while (!isOver) await fetch(`${url}/api/v2/contacts.json`, { headers }).then((answer) => answer.text());
        };
        calls.push(ask().catch(() => undefined)); // the API has closed
      },
    });
    isOver = true;
    await Promise.all(calls);
    const { waiting } = result.roundTrips ?? { waiting: 0 };
    expect(waiting).toBeGreaterThan(20);
    expect(result.warnings?.join()).toContain(
      `clients still called the API when the run ended, and ${waiting} texts had no effect by then: ` +
        "'unanswered' counts them; a longer 'drain' waits longer",
    );
  });
});

describe("a run whose world has ended", () => {
  const oneText = `
seed: 7
lasts: 1m
receiver: { timeout: 10m }
handsets: { clinic: { phone: "+250788000001" } }
people: { farmer: { phone: "+250781100001" } }
story:
  - at: 1s
    text: { from: farmer, to: clinic, body: hello }
`;

  it("gives up on a receiver that never answers, or can be stopped", async () => {
    const silent = await receiverThat(() => undefined);
    const stop = new AbortController();
    const stopping = await receiverThat(() => stop.abort());
    // In parallel, as each waits five seconds for attempts in flight.
    const [givenUp, stopped] = await Promise.all([
      play(oneText, { receiver: silent.url, pace: "max", giveUpAfterMs: 300 }),
      play(oneText, { receiver: stopping.url, pace: "max", signal: stop.signal }),
    ]);
    expect(givenUp.exitCode).toBe(3);
    expect(givenUp.result.problems.join()).toContain("given up");
    expect(givenUp.result.ledger.events).toMatchObject({ queued: 1, gap: 0 });
    expect(stopped.exitCode).not.toBe(0);
    expect(stopped.result.problems.join()).toContain("stopped by hand");
    expect(stopped.result.ledger.attempts).toMatchObject({ queued: 0, gap: 0, lost: { withdrawn: 1 } });
  });

  it("ends with 3 if the receiver never answered, and says how the attempts ended", async () => {
    const receiver = await receiverThat(() => undefined);
    const { result, exitCode } = await play(oneText, { receiver: receiver.url, set: ["receiver.timeout=100ms"] });
    expect(exitCode).toBe(3);
    expect(result.problems.join()).toMatch(/no attempt ever got an answer: .* 1 timed out/);
  });
});
