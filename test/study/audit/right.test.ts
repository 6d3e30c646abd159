import { describe, expect, it } from "vitest";
import { startReceiver } from "../../../src/receiver/index.js";
import { auditReceiver } from "../../../src/study/index.js";
import {
  acceptsAll,
  answers201,
  answers204,
  fastifyForm,
  ignoresCalls,
  queues,
  refusesStrangers,
  type RightReceiver,
  uniqueRows,
} from "./right-receivers.js";

async function findingsAt(open: () => Promise<RightReceiver>): Promise<readonly string[]> {
  const receiver = await open();
  try {
    const { findings, grade } = await auditReceiver(receiver.url, {
      ...(receiver.effects !== undefined && { effects: receiver.effects }),
      timeLimitMs: 120_000,
    });
    return [grade, ...findings.map(({ id, seen }) => `${id}: ${seen}`)];
  } finally {
    await receiver.close();
  }
}

/** An audit takes some seconds of CPU: the nightly run has all. */
const everyDay = [
  ["one that refuses strangers with 403", refusesStrangers],
  ["one with unique rows, which answers copies too", uniqueRows],
  ["Fastify, with a log of all requests", fastifyForm],
] as const;
const nightly = [
  ["one that accepts everything", acceptsAll],
  ["one that answers 204", answers204],
  ["one that answers 201 with JSON", answers201],
  ["one that ignores calls", ignoresCalls],
  ["one that queues and answers at once, and counts requests", queues],
] as const;

describe("an audit accuses no right receiver", () => {
  it.concurrent.each(process.env["NIGHTLY"] === "1" ? [...everyDay, ...nightly] : everyDay)("%s", async (_, open) => {
    expect(await findingsAt(open)).toEqual(["A"]);
  });

  it("the logbook", async () => {
    const receiver = await startReceiver({ logbook: {} });
    const { findings, untested, requests, burstRequests } = await auditReceiver(receiver.url, {
      effects: `GET ${receiver.url}_handset-lab/effects`,
      timeLimitMs: 120_000,
    });
    await receiver.close();
    expect(findings).toEqual([]);
    expect(requests).toBeLessThanOrEqual(500);
    expect(burstRequests).toBe(60 + 500);
    // The logbook knows no words.
    const others = untested.filter(({ id }) => !id.startsWith("word-"));
    expect(others).toEqual([]);
  });
});
