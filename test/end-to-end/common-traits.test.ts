import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, parseForm, reconcileLog, renderReconciliation } from "../../src/index.js";
import { EventFilter } from "../../src/inspect/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat } from "./support.js";

const day = `
name: Words
seed: 11
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
handsets:
  harbour: { count: 2, phone: "+2507880{00000}", network: LTE, mains: on }
  hills: { count: 2, phone: "+2507881{00000}", network: LTE, mains: on }
people:
  fishers: { count: 15, of: harbour, phone: "+2507822{00000}" }
  herders: { count: 15, of: hills, phone: "+2507833{00000}" }
traffic:
  - texts: { from: fishers, to: harbour, body: { pick: [join, "HELP", "maize 12kg", "ééé … 漁", "${"long ".repeat(40)}"] } }
    rate: 1/m
  - texts: { from: herders, to: hills, body: { pick: [join, "HELP", "goats 3", "ééé … 漁", "${"long ".repeat(40)}"] } }
    rate: 1/m
`;

type Fields = Readonly<Record<string, string>>;

/** Plays the day; the receiver logs the events for which `keeps` says so. @returns the reconciliation as text */
async function lossesOf(keeps: (fields: Fields) => boolean): Promise<string> {
  const folder = temporaryFolder();
  const [recording, log] = [join(folder, "run.db"), join(folder, "log.jsonl")];
  const rows: string[] = [];
  const receiver = await receiverThat((body, response) => {
    const fields = Object.fromEntries(parseForm(body));
    if (keeps(fields)) rows.push(JSON.stringify(fields));
    response.writeHead(200).end("{}");
  });
  await play(day, { recording, receiver: receiver.url });
  writeFileSync(log, `${rows.join("\n")}\n`);
  const result = await reconcileLog(recording, log, { types: ["mo_sms"] });
  return renderReconciliation(result, { width: 200 });
}

describe("what missing events have in common", () => {
  it("is named: texts longer than one SMS", async () => {
    expect(await lossesOf(({ text = "" }) => text.length <= 160)).toMatch(
      /All \d+ missing events have a text longer than one SMS.*, and none of the \d+ others\.\n/,
    );
  });

  it("is named: letters that GSM-7 lacks, in one village", async () => {
    const text = await lossesOf(
      ({ text: words = "", relayer_phone: relayer = "" }) => !(words.includes("漁") && relayer.startsWith("+2507880")),
    );
    expect(text).toMatch(
      /All \d+ missing events (have .* letters|have letters|have Chinese).*, and \d+ of the \d+ others\.\n/,
    );
    expect(text).toMatch(/Of these, all come from the group harbour.*, and none of the \d+ others\./);
  });

  it("is named: the first of a person", async () => {
    const known = new Set<string>();
    const text = await lossesOf(({ phone = "", event }) => {
      if (event !== "mo_sms") return true;
      const isFirst = !known.has(phone);
      known.add(phone);
      return !isFirst;
    });
    expect(text).toMatch(/missing events are the first about their person, and none of the/);
  });

  it("is named: the same words of somebody else shortly before", async () => {
    const before = new Map<string, { phone: string; atMs: number }>();
    const text = await lossesOf(({ phone = "", text: words = "", time = "", event }) => {
      if (event !== "mo_sms") return true;
      const [last, atMs] = [before.get(words), Date.parse(time)];
      before.set(words, { phone, atMs });
      return last === undefined || last.phone === phone || atMs - last.atMs > 540_000;
    });
    expect(text).toMatch(/missing events follow the same words of somebody else within 10 min/);
  });

  it("is not named where every twentieth is lost", async () => {
    let count = 0;
    const text = await lossesOf(() => ++count % 20 !== 0);
    expect(text).toMatch(/\n\d+ missing: /);
    expect(text).not.toMatch(/missing events (have|are|come|follow)/);
  });
});

describe("events with which something is wrong", () => {
  it("are listed by a filter: those that the receiver refused", async () => {
    const recording = join(temporaryFolder(), "run.db");
    const receiver = await receiverThat((body, response) =>
      response.writeHead(body.includes("HELP") ? 400 : 200).end("{}"),
    );
    const { result } = await play(day, { recording, receiver: receiver.url });
    const [finding] = result.findings?.filter(({ kind }) => kind === "failures") ?? [];
    expect(finding?.where).toBe("handset events RECORDING --refused");
    expect(finding?.text).toMatch(
      / All \d+ refused events have .*the word "help" in their text.*, and none of the \d+ others\.$/,
    );
    const reader = openRecording(recording);
    try {
      const { selection } = new EventFilter(reader, { affected: ["refused"] });
      const bodies = Array.from(reader.events(selection), ({ body }) => body);
      const refused = Array.from(reader.eventRows()).filter(({ body }) => body.includes("HELP"));
      expect(bodies).toEqual(refused.map(({ body }) => body));
      expect(bodies.length).toBeGreaterThan(20);
    } finally {
      reader.close();
    }
  });

  it("are compared in findings: texts without effect", async () => {
    const receiver = await receiverThat((body, response) =>
      response.writeHead(200).end(body.includes("kg") ? "{}" : '{"text":"thanks"}'),
    );
    const { result } = await play(day, { receiver: receiver.url, set: ["service.reply-to-sender=true"] });
    const [finding] = result.findings?.filter(({ kind }) => kind === "without-effect") ?? [];
    expect(finding?.text).toMatch(
      / All \d+ texts without effect have the word "12kg" in their text and have the word "maize" in their text, and none of/,
    );
  });
});
