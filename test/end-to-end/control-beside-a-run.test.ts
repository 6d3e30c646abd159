import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findLab, openRecording, type RunStart } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat } from "./support.js";

const hour = `
name: An hour
lasts: 1h
handsets: { clinic: { count: 2, phone: "+2507880{00000}" } }
people: { farmers: { count: 10, phone: "+2507811{00000}" } }
traffic:
  - { name: chatter, texts: { from: farmers, to: clinic, body: hi }, rate: 60/h, arrivals: even }
`;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client of a run's control API. */
function asking({ api }: RunStart): (path: string, body?: object) => Promise<Answer> {
  return async (path, body) => {
    const headers = { authorization: `Token ${api?.labToken}`, "content-type": "application/json" };
    const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${api?.url}/lab${path}`, request);
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
}

describe("the control API beside a run", () => {
  it("changes traffic and the clock of a paced run, and is found on this machine", async () => {
    const recording = join(temporaryFolder(), "run.db");
    let asked: Promise<unknown> | undefined;
    const { result } = await play(hour, {
      receiver: "none",
      recording,
      pace: 1,
      api: { port: 0 },
      onStart: (start) => {
        start.hands?.pause();
        const ask = asking(start);
        asked = (async () => {
          expect(findLab({ url: start.api?.url }).token).toBe(start.api?.labToken);
          expect((await ask("/")).body).toMatchObject({ name: "An hour", handsets: 2, clock: { paused: true } });
          expect((await ask("/do/traffic", { of: "chatter", times: "2x" })).status).toBe(200);
          expect((await ask("/do/traffic", { of: "chater", times: "2x" })).status).toBe(400);
          expect((await ask("/snapshots", { save: "now" })).status).toBe(200);
          expect((await ask("/snapshots", { restore: "now" })).status).toBe(409);
          expect((await ask("/clock", { paused: false, speed: 10_000 })).status).toBe(200);
        })();
      },
    });
    await asked;
    expect(result.ledger.texts.in).toBe(120);
    expect(result.model).toBe("open");
    const hands = [...openRecording(recording).inputs()].filter(({ kind }) => kind === "hand");
    expect(hands.map(({ json }) => JSON.parse(json) as unknown)).toEqual([
      { verb: "traffic", args: { of: "chatter", times: "2x" } },
    ]);
  });

  it("stops the traffic of a run in lockstep, whose clock is not to be changed", async () => {
    let ask: ReturnType<typeof asking> | undefined;
    const answers: Answer[] = [];
    const askAll = async (response: ServerResponse): Promise<void> => {
      if (answers.length === 0 && ask !== undefined) {
        answers.push(await ask("/do/traffic", { state: "stopped" }));
        answers.push(await ask("/clock"), await ask("/clock", { paused: true }));
      }
      response.end();
    };
    const receiver = await receiverThat((_, response) => void askAll(response));
    const { result } = await play(hour, {
      receiver: receiver.url,
      api: { port: 0 },
      onStart: (start) => {
        ask = asking(start);
      },
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(answers[1]?.body).toMatchObject({ speed: 0, paused: false });
    expect(result.ledger.texts.in).toBeLessThan(10);
    expect(result.model).toBe("lockstep");
    expect(result.lost).toBe(0);
  });
});
