import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseScenario } from "../../src/index.js";
import { reconcileLog } from "../../src/inspect/index.js";
import { importFieldLog } from "../../src/run/index.js";

const folder = mkdtempSync(join(tmpdir(), "handset-reconcile-"));
afterAll(() => rmSync(folder, { recursive: true }));

const minute = 60_000;
const start = Date.parse("2026-03-04T06:00:00.000Z");

/** An access log of nginx: a text a minute, every tenth refused at first and tried again. */
function accessLog(texts: readonly string[]): string {
  const line = (afterMs: number, text: string, index: number, status: number): string => {
    const time = new Date(start + index * minute).toISOString();
    const clf = `04/Mar/2026:${new Date(Date.parse(time) + afterMs).toISOString().slice(11, 19)} +0000`;
    const body = new URLSearchParams({
      event: "mo_sms",
      relayer: "7",
      relayer_phone: "+250788000007",
      sms: String(900 + index),
      phone: `+2507881${String(20_000 + (index % 5))}`,
      text,
      time: time.slice(0, 19),
    });
    return `10.0.0.9 - - [${clf}] "POST /hook HTTP/1.1" ${status} 2 "-" "-" "${body.toString()}" 0.004`;
  };
  return texts
    .flatMap((text, index) => {
      const refused = index % 10 === 3 ? [line(0, text, index, 500)] : [];
      return [...refused, line(refused.length * 30_000, text, index, 200)];
    })
    .join("\n");
}

const texts = Array.from({ length: 40 }, (_, index) => `maize ${index} kg`);
const log = join(folder, "access.log");
const key = join(folder, "team.key");
const scenario = join(folder, "day.yaml");
writeFileSync(log, `${accessLog(texts)}\n`);

test("a recording of a log agrees with this log, pseudonymised with the same key", async () => {
  const recording = join(folder, "day.db");
  const { log: imported } = await importFieldLog([log], { recording, key, scenario });
  imported.close();
  expect(imported.pseudonyms).toBe("on");
  expect(readFileSync(scenario, "utf8")).not.toContain("+2507881200");
  const result = await reconcileLog(recording, log, { key });
  expect(result).toMatchObject({
    rows: 40,
    found: 40,
    counts: { missing: 0, doubled: 0, changed: 0, unknown: 0, deduplicated: 0, uncertain: 0 },
  });
  expect(result.warnings.join("\n")).toContain("4 lines with another status than 2xx are left out");
});

test("a row that another log lacks is missing there, and without the key nothing matches", async () => {
  const recording = join(folder, "plain.db");
  const { log: imported } = await importFieldLog([log], { recording, pseudonyms: "off" });
  imported.close();
  const other = join(folder, "other.log");
  writeFileSync(other, `${accessLog(texts.slice(0, 39))}\n`);
  expect(await reconcileLog(recording, other)).toMatchObject({ found: 39, counts: { missing: 1, unknown: 0 } });
  expect(await reconcileLog(recording, log, { key })).toMatchObject({ found: 0 });
});

test("a table is pseudonymised with the key, too", async () => {
  const table = join(folder, "texts.csv");
  const rows = texts.map((text, index) => {
    const time = new Date(start + index * minute).toISOString();
    return `${time},+250788000007,+2507881${String(20_000 + (index % 5))},${text},${time},200`;
  });
  writeFileSync(table, `received_at,relayer_phone,msisdn,message,sent_at,status\n${rows.join("\n")}\n`);
  const recording = join(folder, "texts.db");
  const { log: imported } = await importFieldLog([table], { recording, key });
  imported.close();
  const result = await reconcileLog(recording, table, { key });
  expect(result).toMatchObject({ rows: 40, found: 40, counts: { missing: 0, doubled: 0, changed: 0, unknown: 0 } });
});

test("without sends, the scenario leaves the messages of the service to the receiver", async () => {
  const body = (event: string, at: string): string =>
    `event=${event}&relayer=7&sms=5&phone=%2B250788120001&text=Welcome&time=2026-03-04T${at}`;
  const messages = join(folder, "messages.jsonl");
  const lines = [["mt_sent", "06:00:05"] as const, ["mt_dlvd", "06:00:09"] as const].map(([type, at]) =>
    JSON.stringify({ at: `2026-03-04T${at}Z`, body: body(type, at) }),
  );
  writeFileSync(
    messages,
    `${lines.join("\n")}\n${JSON.stringify({ at: "2026-03-04T06:00:00Z", body: body("mo_sms", "06:00:00") })}\n`,
  );
  const storyOf = async (name: string, sends: boolean): Promise<readonly unknown[]> => {
    const { log: imported, reproduced } = await importFieldLog([messages], { scenario: join(folder, name), sends });
    imported.close();
    expect(reproduced).toMatchObject({ found: sends ? 3 : 1, missing: [], more: 0 });
    const { scenario: read } = parseScenario(readFileSync(join(folder, name), "utf8"), { file: name, nowMs: 0 });
    return read?.story.map(({ input }) => input.to) ?? [];
  };
  expect(await storyOf("all.yaml", true)).toHaveLength(2);
  expect(await storyOf("texts.yaml", false)).toHaveLength(1);
});

test("an existing scenario is kept unless it is to be replaced", async () => {
  writeFileSync(scenario, "mine");
  await expect(importFieldLog([log], { scenario })).rejects.toThrow(`${scenario} exists already`);
  expect(readFileSync(scenario, "utf8")).toBe("mine");
});
