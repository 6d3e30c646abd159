import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { reconcileLog, type ReconcileOptions, type Reconciliation } from "../../src/index.js";
import { sharedFolder } from "../support/folder.js";
import { type LogRow, type ReceivedEvent, type ReceivedRun, receivedRun, reconcileRows } from "./received-run.js";

const story = `
name: Texts and calls
seed: 5
starts: 2026-03-04T09:00:00.000Z
lasts: 2h
receiver: { marks: true }
handsets:
  farm: { phone: "+250788000800", battery: 80%, network: LTE }
people:
  workers: { count: 6, of: farm, phone: "+2507820{00000}" }
story:
  - { at: 5m, text: { from: workers/0, to: farm, body: "trailing space " } }
  - { at: 10m, text: { from: workers/1, to: farm, body: "J'ai reçu 3 sacs & plus" } }
  - { at: 15m, text: { from: workers/2, to: farm, body: "two\\nlines" } }
  - { at: 20m, text: { from: workers/3, to: farm, body: "we need twenty bags of seed before the rain" } }
  - { at: 25m, text: { from: workers/4, to: farm, body: "Yes" } }
  - { at: 30m, call: { from: workers/5, to: farm, rings: 20s } }
  - { at: 40m, call: { from: workers/0, to: farm, talks: 30s } }
`;

describe("a receiver's log", () => {
  const folder = sharedFolder();
  let run: ReceivedRun;
  /** What was received: texts, and calls. */
  let texts: readonly ReceivedEvent[] = [];
  let calls: readonly ReceivedEvent[] = [];
  beforeAll(async () => {
    run = await receivedRun(story, folder);
    texts = run.got.filter(({ type }) => type === "mo_sms");
    calls = run.got.filter(({ type }) => type !== "mo_sms");
  });

  function reconciled(rows: readonly LogRow[], options: ReconcileOptions = {}): Promise<Reconciliation> {
    return reconcileRows(run, rows, { path: join(folder, "log.csv"), ...options });
  }

  const none = { missing: 0, doubled: 0, changed: 0, unknown: 0, deduplicated: 0, uncertain: 0 };

  it("is read by its contents where its names lie", async () => {
    const rows = texts.map(({ id, phone, text, time, type }, row) => ({
      text: '{"v":1}',
      phone: row + 1,
      number: time,
      event: phone,
      message: id,
      time: type,
      id: text,
    }));
    const { columns, counts, warnings } = await reconciled(rows);
    expect(columns).toEqual({ id: "message", type: "time", phone: "event", text: "id", time: "number" });
    expect([counts, warnings]).toEqual([none, []]);
  });

  it("is read by its contents though most of its rows are of other runs", async () => {
    const others = Array.from({ length: 20 }, (_, row) => ({
      von: `+2507990000${10 + row}`,
      Nachricht: `an older text, number ${row}`,
      am: `2025-01-01 00:00:${10 + row}`,
    }));
    const rows = texts.map(({ phone, text, time }) => ({ von: phone, Nachricht: text, am: time }));
    const { columns, counts } = await reconciled([...others, ...rows]);
    expect(columns).toMatchObject({ phone: "von", text: "Nachricht" });
    expect(counts).toEqual({ ...none, unknown: 20 });
  });

  it("says which of two columns with texts is compared", async () => {
    const rows = texts.map(({ id, text }) => ({ id, clean: text.trim().toLowerCase(), raw: text }));
    const { columns, counts, warnings } = await reconciled(rows);
    expect([columns, counts]).toEqual([{ id: "id", text: "raw" }, none]);
    expect(warnings).toEqual([
      "columns 'raw' and 'clean' both hold texts of events, and differ; 'raw' is compared (--columns text=clean compares the other)",
    ]);
  });

  it("does not take a column 'text' of numbers for the text, and says so", async () => {
    for (const valueOf of [(event: ReceivedEvent) => event.number, () => "7"]) {
      const rows = texts.map((event) => ({ id: event.id, text: valueOf(event) }));
      const { counts, notCompared } = await reconciled(rows);
      expect(counts).toEqual(none);
      expect(notCompared).toContainEqual({ role: "text", why: "'text' holds numbers" });
      expect((await reconciled(rows, { columns: ["text=text"] })).counts).toEqual({ ...none, changed: texts.length });
    }
  });

  it("matches rows without an id by number, and rows without either by content", async () => {
    const rows = texts.map(({ id, number, phone, text }, row) => ({
      id: row === 0 ? "" : row === 1 ? "n/a" : id,
      sms: row === 1 ? "" : number,
      phone,
      text,
    }));
    const { matchedBy, counts, warnings } = await reconciled([...rows, ...rows.slice(0, 1)]);
    expect([matchedBy, counts]).toEqual(["id", { ...none, doubled: 1 }]);
    expect(warnings).toEqual(["1 of 6 rows have no id and no number: their content decides"]);
  });

  it.each<[string, (text: string) => string, string]>([
    ["trimmed", (text) => text.trim(), "only white space at the end differs"],
    ["with CRLF", (text) => text.replaceAll("\n", "\r\n"), "only line ends differs"],
    ["decomposed", (text) => text.normalize("NFD"), "only Unicode normalisation differs"],
    ["in one line", (text) => text.replaceAll("\n", " "), "only white space differs"],
    ["in capitals", (text) => text.toUpperCase(), "only upper and lower case differs"],
    ["cut", (text) => text.slice(0, 20), "it was cut after 20 characters"],
    ["emptied", () => "", 'logged "" (nothing was logged'],
    ["of a wrong charset", (text) => Buffer.from(text).toString("latin1"), "it is UTF-8 that was read as Latin-1"],
    ["reduced to ASCII", (text) => text.replaceAll("ç", "?"), "characters outside ASCII were lost"],
    ["not decoded", (text) => new URLSearchParams({ text }).toString().slice(5), "it is form-encoded"],
    ["escaped", (text) => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;"), "it is escaped for HTML"],
  ])("has changed texts that are %s, and says why", async (_, change, why) => {
    const isChanged = texts.map(({ text }) => change(text) !== text);
    expect(isChanged).toContain(true);
    const keyed = await reconciled(texts.map(({ id, text }) => ({ id, text: change(text) })));
    expect(keyed.counts).toEqual({ ...none, changed: isChanged.filter(Boolean).length });
    expect(keyed.listed.changed.map(({ text }) => text).join()).toContain(`${why})`);
    const rows = texts.map(({ phone, text, time }) => ({ phone, text: change(text), time }));
    expect((await reconciled(rows)).counts).toEqual(keyed.counts);
  });

  it("needs no text for calls, and no phone column that is like the recording's", async () => {
    const rows = calls.map(({ phone, time, type }) => ({ kind: type, caller: phone.slice(1), began: time }));
    const { matchedBy, types, counts, notCompared } = await reconciled(rows);
    expect([matchedBy, types, counts]).toEqual(["phone and time", ["mo_call", "mo_miss"], none]);
    expect(notCompared).toEqual([]);
    const masked = texts.map(({ phone, text, time }) => ({ phone: `***${phone.slice(-3)}`, text, time }));
    const wrong = await reconciled(masked);
    expect(wrong.counts).toEqual({ ...none, changed: texts.length });
    expect(wrong.listed.changed[0]?.text).toContain(`phone sent ${texts[0]?.phone}, logged ***`);
  });

  it("names the type that is not compared", async () => {
    const rows = calls.map(({ id, phone }) => ({ id, phone }));
    const { counts, listed, warnings } = await reconciled(rows);
    expect(counts).toEqual({ ...none, missing: texts.length, unknown: calls.length });
    expect(listed.unknown[0]?.text).toMatch(
      /is event 1\/\d+ of the type mo_\w+, which is not compared \(--type mo_sms,mo_\w+\)$/,
    );
    expect(warnings).toEqual([
      "rows have no type and are compared with mo_sms; the recording also has mo_call, mo_miss (--type mo_sms,mo_call,mo_miss compares all)",
    ]);
    expect((await reconciled(rows, { types: ["mo_miss", "mo_call"] })).counts).toEqual(none);
  });

  it("names types that keep the rows right which were right without them", async () => {
    const rows = run.got.map(({ id, phone }) => ({ id, phone }));
    const { counts, listed, warnings } = await reconciled(rows);
    expect(counts).toEqual({ ...none, unknown: calls.length });
    const named = (text = ""): string[] => /--type (\S+?)(?:\)| )/.exec(text)?.[1]?.split(",") ?? [];
    const some = await reconciled(rows, { types: named(listed.unknown[0]?.text) });
    expect(some.counts).toEqual({ ...none, unknown: calls.length - 1 });
    expect((await reconciled(rows, { types: named(warnings[0]) })).counts).toEqual(none);
  });

  it("says that rows of another type may be what looks doubled", async () => {
    const [text] = texts;
    const rows = [
      ...texts.map(({ phone, time }) => ({ phone, time })),
      { phone: text?.phone ?? "", time: text?.time ?? "" },
    ];
    const { counts, warnings } = await reconciled(rows);
    expect(counts).toEqual({ ...none, doubled: 1 });
    expect(warnings.join()).toContain("the recording also has mo_call, mo_miss");
  });

  it("tells a wrong time zone from lost texts", async () => {
    const rows = texts.map(({ phone, text, time }) => ({ phone, text, at: shifted(time, 2) }));
    const { counts, listed, warnings } = await reconciled(rows);
    expect(counts).toEqual({ ...none, missing: texts.length, unknown: texts.length });
    expect(listed.unknown[0]?.text).toContain("has the phone and text of event 1/1, but its time is 2 h later");
    expect(warnings.join()).toContain(
      "most times in the log are about 2 h later than those of their events: is --timezone",
    );
    expect((await reconciled(rows, { timezone: "Africa/Kigali" })).counts).toEqual(none);
  });

  it("may be of another recording", async () => {
    const rows = texts.map(({ id, text }) => ({ event_id: `7${id}`, text }));
    const { counts, warnings } = await reconciled(rows);
    expect(counts).toEqual({ ...none, missing: texts.length, unknown: texts.length });
    expect(warnings).toContain("no id in 'event_id' is of this recording: is it the recording of this log?");
  });

  it("shows its progress to the caller", async () => {
    const operations = new Set<string>();
    const path = join(folder, "progress.csv");
    await reconciled(
      texts.map(({ phone, text }) => ({ phone, text })),
      { path } as ReconcileOptions,
    );
    await reconcileLog(run.recording, path, { onProgress: ({ operation }) => operations.add(operation) });
    expect([...operations]).toEqual(["reading the log", "reading attempts", "matching rows"]);
  });
});

/** A local time as databases write it, in a zone some `hours` east of UTC. */
function shifted(time: string, hours: number): string {
  const local = new Date(Date.parse(`${time}Z`) + hours * 3_600_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}
