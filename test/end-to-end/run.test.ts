import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Delivery } from "../../src/delivery/index.js";
import { openRecording, resultOf } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

/** Makes `Delivery` drop one event silently, until the test ends. */
function dropEvent({ channel, number }: { readonly channel: number; readonly number: number }): void {
  const original = Object.getOwnPropertyDescriptor(Delivery.prototype, "postEvent") as TypedPropertyDescriptor<
    Delivery["postEvent"]
  >;
  onTestFinished(() => void Object.defineProperty(Delivery.prototype, "postEvent", original));
  Delivery.prototype.postEvent = function (posting, options) {
    if (posting.channel !== channel || posting.number !== number) original.value?.call(this, posting, options);
  };
}

describe("a run", () => {
  it("that loses an event on the way fails, whatever the scenario expects", async () => {
    dropEvent({ channel: 2, number: 3 });
    const { result, exitCode } = await play(smallDay, { receiver: "bundled" });
    expect(exitCode).toBe(1);
    expect(result.lost).toBe(1);
    expect(result.ledger.events.gap).toBe(1);
    expect(result.problems.join()).toContain("the ledger does not close: 1 thing vanished");
  });

  it("without a receiver keeps its events and names why they went nowhere", async () => {
    const { result, exitCode } = await play(smallDay, { receiver: "none" });
    expect(result.ledger.events.lost).toEqual({ "no-receiver": result.ledger.events.in });
    expect(result.attempts.accepted).toBe(0);
    expect(exitCode).toBe(0);
  });

  it("against a dead receiver ends with 3, which outranks a broken expectation", async () => {
    const { result, exitCode } = await play(`${smallDay}\nexpect:\n  - events.alarm == 99`, {
      receiver: "http://127.0.0.1:9/",
    });
    expect(exitCode).toBe(3);
    expect(result.attempts.connection).toBeGreaterThan(100);
    expect(result.expectations).toMatchObject([{ held: false, seen: "1" }]);
    expect(result.problems.join()).toContain("no attempt ever got a connection");
  });

  it("warns once when its story switches a receiver that is not the bundled one", async () => {
    const receiver = await receiverThat((_, response) => response.end());
    const { result } = await play(
      "lasts: 10m\nhandsets: { clinic: { phone: '+250788000001' } }\nstory:\n" +
        "  - { at: 1m, receiver: { answers: 500 } }\n  - { at: 2m, receiver: { answers: ok } }\n",
      { receiver: receiver.url },
    );
    expect(result.warnings).toEqual(["the story's receiver steps did nothing: the receiver is not the bundled one"]);
  });

  it("gives up on a receiver that never answers", async () => {
    const receiver = await receiverThat(() => undefined);
    const { result, exitCode } = await play(smallDay, {
      receiver: receiver.url,
      giveUpAfterMs: 100,
      set: [`receiver={url: "${receiver.url}", timeout: 100ms}`],
    });
    expect(exitCode).toBe(3);
    expect(result.virtualMs).toBeLessThan(7_200_000);
    expect(result.lost).toBe(0);
  });

  it("that gives up or is stopped posts nothing more, and waits for what is on the wire only", async () => {
    for (const giveUpAfterMs of [300, 60_000]) {
      const controller = new AbortController();
      // Three connections, so three attempts are on the wire; the receiver never answers.
      const onTheWire = 3;
      const receiver = await receiverThat(() => {
        if (receiver.got.length === onTheWire && giveUpAfterMs > 1000) controller.abort();
      });
      const { result, exitCode } = await play(smallDay, {
        receiver: receiver.url,
        giveUpAfterMs,
        signal: controller.signal,
        pace: 3600,
        connections: onTheWire,
        set: [`receiver={url: "${receiver.url}", timeout: 1500ms}`],
      });
      // Further attempts, three at a time, would take minutes.
      expect(receiver.got).toHaveLength(onTheWire);
      expect(result.attempts.timeout).toBe(onTheWire);
      const { attempts } = result.ledger;
      expect(attempts.in - (attempts.lost["withdrawn"] ?? 0)).toBe(onTheWire);
      expect(result.ledger.events).toMatchObject({ gap: 0, delivered: 0 });
      expect(result.ledger.events.queued).toBe(result.ledger.events.in);
      // In both cases: "the receiver never answered" outranks "stopped by hand".
      expect(exitCode).toBe(3);
    }
  });

  it("sends a group's events to its own receiver, without the headers of the common one, or nowhere", async () => {
    const headers: (string | undefined)[][] = [[], []];
    const [common, own] = await Promise.all(
      headers.map((seen) =>
        receiverThat((_, response, request) => {
          seen.push(request.headers.authorization);
          response.end();
        }),
      ),
    );
    const { result, exitCode } = await play(
      `
name: Three doors
lasts: 30m
receiver: { url: "${common?.url}", headers: { Authorization: Token secret } }
handsets:
  first: { phone: "+250788000001" }
  second: { phone: "+250788000002", receiver: "${own?.url}" }
  third: { phone: "+250788000003", receiver: none }
people:
  a: { of: first, phone: "+250788111111" }
  b: { of: second, phone: "+250788111112" }
  c: { of: third, phone: "+250788111113" }
story:
  - at: 1m
    text: { from: a, to: first, body: one }
  - at: 1m
    text: { from: b, to: second, body: two }
  - at: 1m
    text: { from: c, to: third, body: three }
`,
    );
    expect(headers).toEqual([["Token secret"], [undefined]]);
    expect(result.ledger.events).toMatchObject({ in: 3, delivered: 2, lost: { "no-receiver": 1 } });
    expect(exitCode).toBe(0);
  });

  it("that breaks an expectation ends with 1 and says what was seen", async () => {
    const expectations = `
  - at: 1h
    expect: { person: farmers/3, hears: "never said", within: 5m }
expect:
  - events.mo_sms < 10
  - delivery.p99 < 10s`;
    const { result, exitCode } = await play(smallDay + expectations, { receiver: "bundled" });
    expect(exitCode).toBe(1);
    expect(result.expectations.map(({ held }) => held)).toEqual([false, false, true]);
    expect(result.expectations[0]?.seen).toBe("never");
    expect(result.expectations[1]?.seen).toBe(String(result.events["mo_sms"]));
  });

  it("can be stopped: what was in flight is awaited, and the ledger closes", async () => {
    const controller = new AbortController();
    let count = 0;
    const receiver = await receiverThat((_, response) => {
      if (++count === 50) controller.abort();
      setTimeout(() => response.end(), 5);
    });
    const recording = join(temporaryFolder(), "run.db");
    const { result, exitCode } = await play(smallDay, { receiver: receiver.url, recording, signal: controller.signal });
    expect(exitCode).toBe(1);
    expect(result.virtualMs).toBeLessThan(7_200_000);
    expect(result.attempts.accepted).toBe(receiver.got.length);
    expect(result.lost).toBe(0);
    expect(result.problems.join()).toContain("stopped by hand");
    const reader = openRecording(recording);
    expect(resultOf(reader)).toEqual(result);
    reader.close();
  });

  it("switches the bundled receiver between two instants, never in the middle of an attempt", async () => {
    const story = `
  - at: 30m
    receiver: { answers: 500, for: 10m }
  - at: 80m
    receiver: { answers: close, for: 5m }`;
    const outcomes = await Promise.all(
      [1, 50].map((connections) => play(smallDay + story, { receiver: "bundled", connections })),
    );
    const [first, second] = outcomes.map(({ result }) => result);
    expect(first?.attempts.retried).toBeGreaterThan(20);
    expect(first?.attempts.connection).toBeGreaterThan(5);
    expect(first?.attempts.failed).toBe(0);
    expect(second?.attempts).toEqual(first?.attempts);
    expect(second?.digest).toBe(first?.digest);
  });

  it("plays paced and at the maximum, with the same accounts", async () => {
    const receiver = await receiverThat((_, response) => response.end());
    for (const pace of [3600, "max"] as const) {
      receiver.got.length = 0;
      const { result, exitCode } = await play(smallDay, { receiver: receiver.url, pace });
      expect(result.lost).toBe(0);
      expect(result.attempts.accepted).toBe(receiver.got.length);
      expect(result.ledger.events.in).toBe(receiver.got.length);
      expect(result.virtualMs).toBe(7_200_000);
      expect(exitCode).toBe(0);
    }
  });

  it("paced counts latency from the due time: a slow receiver does not make fewer events, but later answers", async () => {
    const receiver = await receiverThat((_, response) => void setTimeout(() => response.end(), 40));
    const { result } = await play(smallDay, {
      receiver: receiver.url,
      pace: 3600,
      connections: 2,
      set: ["lasts=15m", "story=[]"],
    });
    expect(result.lost).toBe(0);
    expect(result.serviceMs?.p50).toBeGreaterThan(35);
    expect(result.latencyMs.max).toBeGreaterThan(2 * (result.serviceMs?.p50 ?? Infinity));
  });
});
