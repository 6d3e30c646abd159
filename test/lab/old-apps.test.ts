import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/index.js";
import { play } from "../end-to-end/support.js";

/** A phone with a fault of an old app, two people and a story. */
async function played(
  fault: string,
  story: string,
  { service = "documented", others = "" }: { service?: string; others?: string } = {},
): Promise<RunResult> {
  const text = `
name: An old app
seed: 21
starts: 2026-03-04T06:00:00.000Z
lasts: 6h
service: ${service}
handsets:
${others}
  clinic: { phone: "+250788000001", battery: 90%, faults: [${fault}] }
people:
  ada: { phone: "+250781100001", of: clinic }
  ben: { phone: "+250781100002", of: clinic }
story:
${story}
`;
  return (await play(text, { receiver: "none" })).result;
}

function broken({ expectations }: RunResult): string[] {
  return expectations.filter(({ held }) => !held).map(({ text, seen }) => `${text}: ${seen}`);
}

describe("an app that resets itself when a sync is refused", () => {
  const story = `
  - { at: 1h, clock: { of: clinic, skew: -20m } }
  - { at: 1h10m, text: { from: ada, to: clinic, body: "anybody?" } }
  - { at: 2h, clock: { of: clinic, skew: 0s } }
  - { at: 3h, text: { from: ben, to: clinic, body: "heard" } }
  - { at: 3h, expect: { event: mo_sms, where: { text: heard, relayer: "1" }, count: 1, within: 5m } }
`;

  it("loses its table and what arrives meanwhile, and is claimed under its id when the clock is right", async () => {
    const result = await played("resets-when-refused", story);
    expect(broken(result)).toEqual([]);
    expect(result.events["mo_sms"]).toBe(1);
    const { lost } = result.ledger.texts;
    expect((lost["unclaimed"] ?? 0) + (lost["reset"] ?? 0)).toBe(1);
    expect(result.ledger.texts.gap).toBe(0);
  });

  it("without the fault keeps everything", async () => {
    const result = await played("", story);
    expect(result.events["mo_sms"]).toBe(2);
  });
});

describe("an app with the retired push system", () => {
  it("is never registered again once it has lost its id: nobody can claim it, and it gets no push", async () => {
    const story = `
  - { at: 1h, register: { of: clinic, claimed-again: 1m } }
  - { at: 2h, text: { from: ada, to: clinic, body: "anybody?" } }
  - { at: 3h, send: { via: clinic, to: ben, body: "anybody?" } }
`;
    const result = await played("retired-push", story);
    expect(result.events).toEqual({ alarm: 1 });
    expect(result.ledger.texts).toMatchObject({ in: 2, queued: 1, lost: { unclaimed: 1 }, gap: 0 });
    expect((await played("", story)).events).toMatchObject({ mo_sms: 1, mt_sent: 1 });
  });

  it("hears of a message at its next poll only", async () => {
    const story = `
  - { at: 2h1s, send: { via: clinic, to: ben, body: "late" } }
  - { at: 2h1s, expect: { person: ben, hears: late, count: 0, within: 1m } }
  - { at: 2h1s, expect: { person: ben, hears: late, count: 1, within: 15m } }
`;
    expect(broken(await played("retired-push", story))).toEqual([]);
  });
});

describe("an app that keeps ids in 32 bits", () => {
  const story = `
  - { at: 1h, send: { via: clinic, to: ada, body: "hello" } }
  - { at: 5h, expect: { person: ada, hears: hello, count: 1 } }
`;
  // The ids of the channel 2048 begin above 2^31.
  const others = `  others: { count: 2047, phone: "+2507990{00000}", network: none }`;

  it("reports ids above 2^31 as negative numbers, which the service repairs or never acknowledges", async () => {
    const repaired = await played("ids-32-bit", story, { others });
    expect(broken(repaired)).toEqual([]);
    expect(repaired.events["mt_sent"]).toBe(1);
    const { events, ledger, expectations } = await played("ids-32-bit", story, { others, service: "rapidpro-2016" });
    expect(expectations.every(({ held }) => held)).toBe(true);
    expect(events["mt_sent"]).toBeUndefined();
    expect(ledger.texts).toMatchObject({ in: 1, delivered: 1, gap: 0 });
  });
});
