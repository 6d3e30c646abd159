import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type Client, serving } from "./served.js";
import { parse, receiverThat } from "./support.js";

/** Twenty handsets of one clinic and a thousand people, without traffic or a story. */
const thousand = (carrier: string): string => `
name: Thousand
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 4h
carriers:
  network: ${carrier}
handsets:
  clinic: { count: 20, phone: "+2507880{00000}", battery: 90%, network: LTE }
people:
  farmers: { count: 1000, of: clinic, phone: "+2507811{00000}", replies: { chance: 20%, after: 10s..2m, with: [yes] } }
`;

/** The thousand people as contacts of a group. */
const group = {
  kind: "text",
  file: "farmers.yaml",
  text: [
    "account: { name: Farm line }",
    "groups: [Farmers]",
    "contacts:",
    ...Array.from({ length: 1000 }, (_, n) => {
      const phone = `"+2507811${String(n).padStart(5, "0")}"`;
      return `  - { name: Farmer ${n}, phone: ${phone}, groups: [Farmers] }`;
    }),
  ].join("\n"),
} as const;

/** The types of the events that the receiver got for each outgoing message. */
function heardOf(bodies: readonly string[]): Map<number, string[]> {
  const heard = new Map<number, string[]>();
  for (const body of bodies) {
    const event = new URLSearchParams(body);
    const [type, id] = [event.get("event") ?? "", Number(event.get("sms"))];
    if (type === "mt_sent" || type === "mt_dlvd") heard.set(id, [...(heard.get(id) ?? []), type].toSorted());
  }
  return heard;
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** A broadcast's messages with the events that the receiver got: as messages.json lists them, and as recorded. */
async function reports(
  api: Client,
  bodies: readonly string[],
  recording: string,
): Promise<[id: number, status: string, events: string[]][][]> {
  const listed = await api.all("messages.json?broadcast=1");
  const heard = heardOf(bodies);
  const reader = openRecording(recording);
  const recorded = [...reader.messages()].filter(({ direction, origin }) => direction === "O" && origin === "api");
  reader.close();
  const words: Record<string, string> = { Q: "queued", S: "sent", D: "delivered", F: "failed" };
  const report = (messages: readonly { id: number; status: string }[]): [number, string, string[]][] =>
    messages
      .map(({ id, status }): [number, string, string[]] => [id, words[status] ?? status, heard.get(id) ?? []])
      .toSorted(([a], [b]) => a - b);
  return [report(listed), report(recorded)];
}

describe.each([
  ["without loss", "{ delay: 1s..3s, reports-delivery: 100% }", true],
  ["with loss", "{ delay: 1s..3s, loses: 10%, duplicates: 2%, reports-delivery: 90% }", false],
])("a broadcast to a thousand contacts over a carrier %s", (_, carrier, isLossless) => {
  it("ends with every message accounted for, alike everywhere", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const database = join(temporaryFolder(), "account.db");
    const lab = await serving({
      scenario: parse(thousand(carrier)),
      accounts: [group],
      receiver: receiver.url,
      database,
    });
    const uuid = (await lab.api.done("GET", "groups.json")).results[0].uuid as string;
    const order = await lab.api.done("POST", "broadcasts.json", { text: "Market day is Friday", groups: [uuid] });
    expect(order).toMatchObject({ id: 1, status: "queued" });
    await lab.step("3h");
    await lab.step("30m");

    expect((await lab.api.done("GET", "broadcasts.json?id=1")).results[0].status).toBe("sent");
    const { ledger } = await lab.lab.done("GET", "/");
    const bodies = receiver.got.map(({ body }) => body);
    const [listed = [], recorded] = await reports(lab.api, bodies, database);
    expect(listed).toHaveLength(1000);
    expect(recorded).toEqual(listed);

    // Each person gets one message, and all 20 handsets send.
    const messages = await lab.api.all("messages.json?broadcast=1");
    expect(new Set(messages.map(({ contact }) => contact.uuid)).size).toBe(1000);
    expect(new Set(messages.map(({ channel }) => channel.uuid)).size).toBe(20);

    // Each status matches the events.
    for (const [, status, events] of listed) {
      if (status === "failed" || status === "queued") expect(events).toEqual([]);
      if (status === "sent") expect(events).toEqual(["mt_sent"]);
      if (status === "delivered") expect(events).toEqual(["mt_dlvd", "mt_sent"]);
    }
    const statuses = tally(messages.map(({ status }) => status as string));
    if (isLossless) expect(statuses).toEqual({ delivered: 1000 });
    else {
      expect(Object.keys(statuses).toSorted()).toEqual(["delivered", "sent"]);
      expect(statuses["delivered"]).toBeGreaterThan(600);
    }

    // The ledger closes, and nothing waits. Only the network loses texts.
    for (const account of ["texts", "calls", "events", "attempts"]) {
      expect([account, ledger[account].gap, ledger[account].queued]).toEqual([account, 0, 0]);
    }
    const copies = Object.values(ledger.events.copies as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(ledger.events).toMatchObject({ in: bodies.length - copies, delivered: bodies.length, failed: 0 });
    const incoming = await lab.api.all("messages.json?folder=incoming");
    const texts = ledger.texts as {
      in: number;
      copies: Record<string, number>;
      delivered: number;
      lost: Record<string, number>;
    };
    if (isLossless) {
      const count = 1000 + incoming.length;
      expect(texts).toMatchObject({ in: count, copies: {}, delivered: count, failed: 0, lost: {} });
    } else {
      const { carrier: lost = 0, ...others } = texts.lost;
      const { carrier: doubled = 0 } = texts.copies;
      expect(others).toEqual({});
      expect(lost).toBeGreaterThan(50);
      expect(texts.delivered).toBe(texts.in + doubled - lost);
    }
  });
});
