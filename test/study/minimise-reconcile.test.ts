import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFailureCondition } from "../../src/expect/index.js";
import { type Minimised, minimiseRequests, writeBugs } from "../../src/study/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type Bug, buggyReceiver, type Fields, plantedDay, writeDay } from "./planted-bugs.js";

/** An application that keeps texts in a CSV file. @param rowsOf - how often it writes a text */
function keeper(file: string, rowsOf: (fields: Fields, state: Map<string, unknown>) => number): Bug {
  return (fields, state) => {
    if (fields["event"] !== "mo_sms") return undefined;
    const { sms = "", phone = "", text = "" } = fields;
    if (!existsSync(file)) writeFileSync(file, "message,msisdn,words\n");
    const row = `${[sms, phone, text].map((value) => `"${value.replaceAll('"', '""')}"`).join()}\n`;
    appendFileSync(file, row.repeat(rowsOf(fields, state)));
    return undefined;
  };
}

async function minimise(
  lines: Parameters<typeof writeDay>[0],
  bug: Bug,
  { condition, file }: { readonly condition: string; /** Deleted by a reset. */ readonly file: string },
): Promise<Minimised> {
  const { url } = await buggyReceiver(bug, () => rmSync(file, { force: true }));
  const read = readFailureCondition([condition]);
  if (!("condition" in read)) throw new Error("no condition");
  return minimiseRequests({
    path: writeDay(lines),
    receiver: url,
    reset: "POST /reset",
    condition: read.condition,
    timeLimitMs: 600_000,
  });
}

const textsOf = ({ events }: Minimised): (string | null)[] =>
  events.map(({ body }) => new URLSearchParams(body).get("text"));

describe("--while reconcile: an accepted event that the receiver's own log lacks, or has twice", () => {
  test("a text that is not written: the one event, although its log is compared with all", async () => {
    const file = join(temporaryFolder(), "texts.csv");
    const bug = keeper(file, ({ text = "" }) => (text.includes(";") ? 0 : 1));
    const day = plantedDay(60, [[0.5, { event: "mo_sms", text: "maize; beans" }]]);
    const result = await minimise(day, bug, { condition: `reconcile ${file}`, file });
    expect(result).toMatchObject({ reproduced: true, oneMinimal: true, contaminated: false, failed: 11, of: 11 });
    expect(textsOf(result)).toEqual([";"]);
    expect(result.seen).toContain('";") was accepted but is not in the log');
    expect(result.same).toContain("missing mo_sms");
  });

  test("a text of somebody who left, that is written twice: the two events, and a bug file that says what is right", async () => {
    const file = join(temporaryFolder(), "texts.csv");
    const phone = "+250788999999";
    const bug = keeper(file, ({ phone: of = "", text = "" }, state) => {
      if (text === "leave") state.set(of, true);
      return text === "back again" && state.has(of) ? 2 : 1;
    });
    const day = plantedDay(60, [
      [0.2, { event: "mo_sms", phone, text: "leave" }],
      [0.7, { event: "mo_sms", phone, text: "back again" }],
    ]);
    const result = await minimise(day, bug, { condition: `reconcile ${file} of mo_sms`, file });
    expect(textsOf(result)).toEqual(["leave", "back again"]);
    expect(result.seen).toMatch(/event 2 is in the log again, in row 3/);
    const bugFile = join(temporaryFolder(), "twice.bug.yaml");
    writeBugs(result, { file: bugFile, overwrite: false, seed: 1, timeoutMs: 5000 });
    const written = readFileSync(bugFile, "utf8");
    // Of two rows alone, the columns could not be recognised.
    expect(written).toContain('columns: "number=message,phone=msisdn,text=words"');
    expect(written).toContain("lacks an accepted event, or has it twice");
  });

  test("a log with rows before a trial begins gives no result", async () => {
    const file = join(temporaryFolder(), "texts.csv");
    const bug = keeper(file, () => 1);
    const result = await minimise(plantedDay(20, []), bug, { condition: `reconcile ${file}`, file: "none" });
    expect(result).toMatchObject({ reproduced: false });
    writeFileSync(file, "message,msisdn,words\n1,+250788100000,old\n");
    const left = await minimise(plantedDay(20, []), bug, { condition: `reconcile ${file}`, file: "none" });
    expect(left).toMatchObject({ contaminated: true, events: [] });
    expect(left.contamination).toContain("texts.csv has 1 row before the first event is sent");
  });

  test("a right application does not fail, also where it drops a copy; a file that it does not write is named", async () => {
    const file = join(temporaryFolder(), "texts.csv");
    const bug = keeper(file, ({ sms = "" }, state) => {
      if (state.has(sms)) return 0;
      state.set(sms, true);
      return 1;
    });
    const [one] = plantedDay(1, [[0, { event: "mo_sms", text: "hello" }]]);
    if (one === undefined) throw new Error("no line");
    const repeated = [one, one, ...plantedDay(20, [])];
    expect(await minimise(repeated, bug, { condition: `reconcile ${file}`, file })).toMatchObject({
      reproduced: false,
      failed: 0,
    });
    const other = join(temporaryFolder(), "none.csv");
    await expect(minimise(repeated, bug, { condition: `reconcile ${other}`, file })).rejects.toThrow(
      /none\.csv does not exist after \d+ events/,
    );
  });
});
