import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseForm, type ReconcileOptions, reconcileLog, type Reconciliation, runScenario } from "../../src/index.js";
import { Connection } from "../../src/store/sqlite/connection.js";
import { parse } from "../end-to-end/support.js";
import { startServer } from "../support/server.js";

/** What the receiver accepted of a run. */
export interface ReceivedRun {
  readonly recording: string;
  readonly got: readonly ReceivedEvent[];
}

/** An accepted event, as a receiver sees it. */
export interface ReceivedEvent {
  /** The header `X-Handset-Event`. */
  readonly id: string;
  readonly type: string;
  /** `sms` or `call`. */
  readonly number: string;
  readonly phone: string;
  readonly text: string;
  /** UTC without a zone, as the event has it. */
  readonly time: string;
}

/** Plays a story of marked events against a receiver that accepts all of them. @param folder - of the recording */
export async function receivedRun(story: string, folder: string, name = "run.db"): Promise<ReceivedRun> {
  const got: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const fields = new Map(parseForm(body));
      const field = (key: string): string => fields.get(key) ?? "";
      const id = String(request.headers["x-handset-event"]);
      const number = field("sms") || field("call");
      got.push({ id, type: field("event"), number, phone: field("phone"), text: field("text"), time: field("time") });
      response.end("{}");
    });
  });
  const { url, close } = await startServer(server);
  const recording = join(folder, name);
  await runScenario(parse(story), { recording, receiver: url });
  await close();
  return { recording, got };
}

/** Rows of a log: the value of each column; null: none. */
export type LogRow = Readonly<Record<string, string | number | null>>;

/** Forms of logs that `reconcile` reads. */
export const logForms = ["comma.csv", "semicolon.csv", "tab.tsv", "lines.jsonl", "table.db"] as const;
export type LogForm = (typeof logForms)[number];

/** Writes a log. The first row has all columns. @returns its path, and the options that it needs */
export function writeLog(rows: readonly LogRow[], path: string, form: LogForm): ReconcileOptions {
  const columns = Object.keys(rows[0] ?? {});
  if (form === "lines.jsonl") writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  else if (form === "table.db") {
    const database = new Connection(path);
    database.exec(`CREATE TABLE log (${columns.map((column) => `"${column}"`).join(", ")})`);
    const insert = database.prepare(`INSERT INTO log VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
    database.close();
    return { query: "SELECT * FROM log" };
  } else {
    const delimiter = { "comma.csv": ",", "semicolon.csv": ";", "tab.tsv": "\t" }[form];
    const cell = (value: string | number | null | undefined): string =>
      `"${String(value ?? "").replaceAll('"', '""')}"`;
    const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(delimiter));
    writeFileSync(path, [columns.map(cell).join(delimiter), ...lines].join("\r\n"));
  }
  return {};
}

/** Reconciles rows with a run. */
export function reconcileRows(
  { recording }: ReceivedRun,
  rows: readonly LogRow[],
  { path, form = "comma.csv", ...options }: ReconcileOptions & { readonly path: string; readonly form?: LogForm },
): Promise<Reconciliation> {
  return reconcileLog(recording, path, { ...writeLog(rows, path, form), ...options });
}
