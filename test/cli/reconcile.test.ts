import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseForm, type Reconciliation, reconcileLog, renderReconciliation, runScenario } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { parse } from "../end-to-end/support.js";
import { sharedFolder } from "../support/folder.js";
import { startServer } from "../support/server.js";
import { handset } from "./terminal.js";

const story = `
name: Texts
seed: 5
starts: 2026-03-04T09:00:00.000Z
lasts: 2h
handsets:
  farm: { phone: "+250788000800", battery: 80%, network: LTE }
people:
  workers: { count: 9, of: farm, phone: "+2507820{00000}" }
story:
  - { at: 9m, sync: { of: farm, loses: response, times: 1 } }
  - { at: 10m, text: { from: workers/0, to: farm, body: "12 bags" } }
  - { at: 20m, text: { from: workers/1..3, to: farm, body: "yes" } }
  - { at: 30m, text: { from: workers/4, to: farm, body: "refuse me" } }
`;
const folder = sharedFolder();
const recording = join(folder, "run.db");

type Row = Readonly<Record<string, string>>;

describe("handset reconcile", () => {
  /** What the receiver got and accepted, a row each. */
  let got: Row[] = [];
  beforeAll(async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (body.includes("refuse")) return void response.writeHead(500).end();
        if (body.includes("event=mo_sms")) bodies.push(body);
        response.end("{}");
      });
    });
    const { url, close } = await startServer(server);
    await runScenario(parse(story), { recording, receiver: url });
    await close();
    got = bodies.map((body) => Object.fromEntries(parseForm(body)) as Row);
  });

  function csv(rows: readonly Row[], columns: readonly string[], name: string): string {
    const path = join(folder, name);
    const cell = (value = ""): string => `"${value.replaceAll('"', '""')}"`;
    const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
    writeFileSync(path, [columns.join(","), ...lines].join("\n"));
    return path;
  }

  async function countsOf(file: string, ...options: string[]): Promise<[number, Record<string, number>]> {
    const { code, stdout, stderr } = await handset(["reconcile", recording, file, "--json", ...options]);
    expect(stderr).toBe("");
    return [code, (JSON.parse(stdout) as { counts: Record<string, number> }).counts];
  }

  const none = { missing: 0, doubled: 0, changed: 0, unknown: 0, deduplicated: 0 };

  it.each([["sms,phone,text,time"], ["phone,text,time"], ["phone,text"]])(
    "agrees with a whole log with %s, and names what was never accepted as uncertain",
    async (columns) => {
      expect(got.length).toBe(5);
      const [code, counts] = await countsOf(csv(got, columns.split(","), "whole.csv"));
      expect([code, counts]).toEqual([0, { ...none, uncertain: 1 }]);
    },
  );

  it("matches by the event's id alone, as the header X-Handset-Event gives it", async () => {
    const { stdout } = await handset(["events", recording, "--type", "mo_sms", "--outcome", "accepted"]);
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    const rows = ids.map((id) => ({ "X-Handset-Event": id, note: "any" }));
    expect(await countsOf(csv(rows, ["X-Handset-Event", "note"], "ids.csv"))).toEqual([0, { ...none, uncertain: 1 }]);
    const [, second = {}, ...rest] = rows as Row[];
    const stranger = { "X-Handset-Event": "9/99" };
    const faulty = csv([second, second, ...rest, stranger], ["X-Handset-Event"], "faulty-ids.csv");
    const [code, counts] = await countsOf(faulty);
    // The second event is a copy of the first: it stands for both.
    expect([code, counts]).toEqual([1, { ...none, deduplicated: 1, doubled: 1, unknown: 1, uncertain: 1 }]);
  });

  it("reads times without a zone in that of --timezone", async () => {
    const local = (time = ""): string =>
      new Date(Date.parse(`${time.slice(0, 19)}Z`) + 2 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
    const rows = got.map((row) => ({ ...row, time: local(row["time"]) }));
    const file = csv(rows, ["phone", "text", "time"], "local.csv");
    expect(await countsOf(file, "--timezone", "Africa/Kigali")).toEqual([0, { ...none, uncertain: 1 }]);
    const [code, counts] = await countsOf(file);
    expect([code, counts]).toEqual([1, expect.objectContaining({ unknown: 5 })]);
  });

  it("reads a column that holds whole posted bodies field by field", async () => {
    const rows = got.map((row) => ({ at: "now", body: new URLSearchParams(row).toString() }));
    expect(await countsOf(csv(rows, ["at", "body"], "bodies.csv"))).toEqual([0, { ...none, uncertain: 1 }]);
    const file = csv(rows.slice(2), ["at", "body"], "fewer-bodies.csv");
    expect(await countsOf(file)).toEqual([1, { ...none, missing: 2, uncertain: 1 }]);
  });

  it.each([["sms,phone,text,time"], ["phone,text,time"]])(
    "finds with %s what is missing, doubled and unknown; a copy that was dropped is no fault",
    async (columns) => {
      const [first, copy, second, third, fourth] = got;
      expect([first?.["text"], copy?.["text"]]).toEqual(["12 bags", "12 bags"]);
      const stranger = { ...second, sms: "1999999", phone: "+250799999999", text: "who?" };
      const rows = [first, second, second, third, stranger].filter((row) => row !== undefined);
      const file = csv(rows, columns.split(","), "faulty.csv");
      expect(fourth?.["text"]).toBe("yes");
      const [code, counts] = await countsOf(file);
      expect([code, counts]).toEqual([
        1,
        { missing: 1, doubled: 1, changed: 0, unknown: 1, deduplicated: 1, uncertain: 1 },
      ]);
      const { stdout } = await handset(["reconcile", recording, file]);
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
      expect(stdout).toContain("was accepted but is not in the log");
      const junit = join(folder, "junit.xml");
      await handset(["reconcile", recording, file, "--junit", junit]);
      expect(readFileSync(junit, "utf8")).toContain('tests="4" failures="3" errors="0"');
    },
  );

  it("finds a changed text, in JSON lines and in SQLite, with columns of any name", async () => {
    const rows = got.map((row, index) => (index === 2 ? { ...row, text: "YES" } : row));
    const lines = join(folder, "log.jsonl");
    writeFileSync(
      lines,
      rows.map((row) => JSON.stringify({ at: row["time"], who: row["phone"], said: row["text"] })).join("\n"),
    );
    const [code, counts] = await countsOf(lines, "--columns", "phone=who,text=said,time=at");
    expect([code, counts]).toEqual([1, { ...none, changed: 1, uncertain: 1 }]);
    const path = join(folder, "table.db");
    const database = new Connection(path);
    database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, msisdn TEXT, content TEXT)");
    for (const row of got) {
      database.prepare("INSERT INTO t VALUES (NULL, ?, ?)").run(String(row["phone"]).slice(1), String(row["text"]));
    }
    database.close();
    expect(await countsOf(path, "--query", "SELECT * FROM t;")).toEqual([0, { ...none, uncertain: 1 }]);
    const unsaid = await handset(["reconcile", recording, path]);
    expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining('--query "SELECT * FROM t"')]);
  });

  it("refuses what it cannot read with what would be right", async () => {
    const file = csv(got, ["relayer", "status"], "other.csv");
    const unknown = await handset(["reconcile", recording, file]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("--columns phone=COLUMN")]);
    const absent = await handset(["reconcile", recording, join(folder, "nothing.csv")]);
    expect(absent.code).toBe(3);
  });

  async function resultOf(
    file: string,
    ...options: string[]
  ): Promise<{ code: number; json: Reconciliation; text: string }> {
    const { code, stdout } = await handset(["reconcile", recording, file, "--json", ...options]);
    const { stdout: text } = await handset(["reconcile", recording, file, ...options]);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    return { code, json: JSON.parse(stdout) as Reconciliation, text: text.replaceAll(/\s+/g, " ") };
  }

  /** What was accepted, with the event's id. */
  async function withIds(): Promise<Row[]> {
    const { stdout } = await handset(["events", recording, "--type", "mo_sms", "--outcome", "accepted"]);
    const events = stdout.trim().split("\n");
    return events.map((line) => {
      const { id, body } = JSON.parse(line) as { readonly id: string; readonly body: string };
      return { ...Object.fromEntries(parseForm(body)), id } as Row;
    });
  }

  it.each<[string, string, (row: Row) => string, string[]]>([
    ["named by the user, and always the same", "said", () => "undefined", ["--columns", "text=said"]],
    ["of a usual name, and always the same", "body", () => "[object Object]", []],
    ["of any name, with sentences", "said", (row) => `text number ${row["sms"]} came`, []],
    ["of any name, with texts of other events", "said", (row) => (row["text"] === "yes" ? "12 bags" : "yes"), []],
    ["of any name, with texts that are cut", "said", (row) => (row["text"] ?? "").slice(0, -1), []],
    ["of a usual name, without a value", "text", () => "", []],
  ])("never agrees where all texts are wrong: in a column %s", async (_, column, wrong, options) => {
    const rows = (await withIds()).map((row) => ({ ...row, [column]: wrong(row) }));
    const { code, json, text } = await resultOf(csv(rows, ["id", "phone", column], "wrong-texts.csv"), ...options);
    expect([code, json.counts]).toEqual([1, { ...none, changed: rows.length, uncertain: 1 }]);
    expect(json.columns).toEqual({ id: "id", phone: "phone", text: column });
    expect(text).toContain(`Compared: id ('id'), phone ('phone'), text ('${column}')`);
  });

  it("says what it has not compared, in every form, and how to name it", async () => {
    const file = csv(await withIds(), ["id", "relayer"], "ids-only.csv");
    const { code, json, text } = await resultOf(file);
    expect([code, json.compared]).toEqual([0, ["id"]]);
    expect(json.notCompared).toEqual([
      { role: "phone", why: "no such column" },
      { role: "text", why: "no such column" },
    ]);
    expect(text).toContain("✔ Every event is there once; texts and phones were not compared");
    expect(text).not.toContain("agrees");
    expect(text).toContain("Not compared: phone, text (no such column; --columns phone=NAME names one)");
    const junit = join(folder, "ids-only.xml");
    await handset(["reconcile", recording, file, "--junit", junit]);
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain('failures="0" errors="0" skipped="1"');
    expect(xml).toContain('<skipped message="texts and phones were not compared"/>');
    expect(xml).toContain('<property name="compared" value="Compared: id (&#39;id&#39;)"/>');
    expect(xml).toContain('<property name="not-compared" value="Not compared: phone, text (no such column');
  });

  it("compares nothing without rows and events, and says so", async () => {
    const file = join(folder, "no-rows.csv");
    writeFileSync(file, "id,phone,text\n");
    const { code, json, text } = await resultOf(file, "--type", "alarm");
    expect([code, json.compared, json.accepted]).toEqual([0, [], 0]);
    expect(text).toContain("✔ Nothing to compare: no accepted events, and no rows");
    expect(await countsOf(file)).toEqual([1, { ...none, missing: 5, uncertain: 1 }]);
  });

  it("takes a column 'id' with 43/1 for the event's id, and one with the receiver's own numbers for nothing", async () => {
    const rows = (await withIds()).map((row, index) => ({ ...row, row: String(index + 1), big: String(5e9 + index) }));
    const own = await resultOf(csv(rows, ["id", "text"], "own.csv"));
    expect([own.code, own.json.matchedBy, own.json.columns]).toEqual([0, "id", { id: "id", text: "text" }]);
    const renamed = rows.map(({ row, ...rest }) => ({ ...rest, id: row }) as Row);
    expect((await resultOf(csv(renamed, ["id", "phone", "text"], "small.csv"))).json).toMatchObject({
      matchedBy: "phone, text and time",
      warnings: [],
    });
    const foreign = rows.map(({ big, ...rest }) => ({ ...rest, sms_id: big }) as Row);
    const { code, json, text } = await resultOf(csv(foreign, ["sms_id", "phone", "text"], "foreign.csv"));
    expect([code, json.matchedBy]).toEqual([0, "phone, text and time"]);
    expect(text).toContain("numbers in 'sms_id' are ignored: none is of a message or call of this recording");
  });

  it("switches a role off with none", async () => {
    const rows = await withIds();
    const columns = ["sms", "phone", "text"];
    const swapped = rows.map((row, index) => ({ ...row, sms: rows[(index + 1) % rows.length]?.["sms"] ?? "" }));
    const file = csv(swapped, columns, "swapped.csv");
    expect((await resultOf(file)).json.counts.changed).toBeGreaterThan(0);
    const { code, json } = await resultOf(file, "--columns", "number=none");
    expect([code, json.matchedBy, json.columns.number]).toEqual([0, "phone, text and time", undefined]);
    const blind = await resultOf(file, "--columns", "text=none,phone=none");
    expect(blind.text).toContain("phone (switched off by --columns phone=none)");
    const unable = await handset(["reconcile", recording, file, "--columns", "number=none,text=none"]);
    expect([unable.code, unable.stderr]).toEqual([2, expect.stringContaining("switched off by --columns")]);
  });

  it("filters a log with a type column by --type", async () => {
    const other = { ...got[0], event: "mt_sent", phone: "+250788999999", text: "thanks", sms: "1048999" };
    const rows = [...got, other, other];
    const file = csv(rows as Row[], ["event", "phone", "text", "time"], "typed.csv");
    const { code, json, text } = await resultOf(file, "--type", "mo_sms");
    expect([code, json.rows, json.rowsOfOtherTypes, json.types]).toEqual([0, 5, 2, ["mo_sms"]]);
    expect(text).toContain("5 rows (and 2 of other types, left out)");
    expect(await countsOf(file)).toEqual([1, { ...none, unknown: 2, uncertain: 1 }]);
    const absent = await handset(["reconcile", recording, file, "--type", "mo_smss"]);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining("it has mo_sms")]);
  });

  it("is rendered as plain text without a page", async () => {
    const result = await reconcileLog(recording, csv(got, ["phone", "text", "time"], "plain.csv"));
    expect(renderReconciliation(result)).toContain("✔ The log agrees with what was delivered\n");
    expect(renderReconciliation(result)).toBe(renderReconciliation(result, { colour: false, width: 80 }));
  });
});
