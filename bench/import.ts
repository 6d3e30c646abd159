import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { maxRssMiBOf, timedCommand } from "./command.js";
import { formatCount } from "./rates.js";
import { printTable } from "./table.js";

const LINES = Number(process.env["BENCH_LINES"] ?? 1_000_000);
const TARGET = 50_000;

const words = "join stop yes no bags maize beans report market price please thank you today tomorrow".split(" ");

/** `handset import` of an access log of nginx, a million lines: the summary, and a recording with pseudonyms. */
export function benchImport(): void {
  const folder = mkdtempSync(join(tmpdir(), "bench-import-"));
  try {
    const [inOrder, shuffled] = [join(folder, "access.log"), join(folder, "shuffled.log")];
    writeLog(inOrder, (line) => line);
    // Blocks of 1,000 lines in another order: every line is far from its place.
    writeLog(shuffled, (line) => (line * 7_919_000) % LINES);
    const recording = join(folder, "out.db");
    const runs: Readonly<Record<string, readonly string[]>> = {
      "summary, no pseudonyms": [inOrder, "--pseudonyms", "off"],
      summary: [inOrder],
      "summary, out of order": [shuffled],
      "recording, no pseudonyms": [inOrder, "--pseudonyms", "off", "-o", recording, "--overwrite"],
      recording: [inOrder, "-o", recording, "--overwrite"],
    };
    console.log(`An access log of ${formatCount(LINES)} lines\n`);
    printTable(
      ["import", "seconds", "lines/s", "target", "memory"],
      Object.entries(runs).map(([name, options]) => {
        const startedAt = performance.now();
        const { status, stderr } = spawnSync(...timedCommand(["import", ...options, "--json"]), { encoding: "utf8" });
        if (status !== 0) throw new Error(`handset import exited with ${status}: ${stderr}`);
        const seconds = (performance.now() - startedAt) / 1000;
        const rate = LINES / seconds;
        return [
          name,
          seconds.toFixed(1),
          formatCount(Math.round(rate)),
          `${formatCount(TARGET)}${rate >= TARGET ? "" : " MISSED"}`,
          `${maxRssMiBOf(stderr).toFixed(0)} MiB`,
        ];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param indexOf - which second of the day a line has */
function writeLog(path: string, indexOf: (line: number) => number): void {
  const file = openSync(path, "w");
  let text = "";
  for (let line = 0; line < LINES; line++) {
    text += logLine(indexOf(line));
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

function logLine(index: number): string {
  const atMs = 1_772_439_300_000 + index * 20;
  const iso = new Date(atMs).toISOString();
  const phone = `%2B25078${String(1_000_000 + ((index * 7919) % 20_000))}`;
  const handset = index % 40;
  const text = [0, 1, 2].map((step) => words[(index * 31 + step * 7) % words.length]).join("+");
  const time = iso.slice(0, -1).replaceAll(":", "%3A");
  const body =
    `event=mo_sms&relayer=${handset + 1}&relayer_phone=%2B2507880000${String(handset).padStart(2, "0")}&sms=${index + 1}` +
    `&phone=${phone}&text=${text}+${index % 1000}&status=D&direction=I&time=${time}`;
  const clf = `02/Mar/2026:${iso.slice(11, 19)} +0000`;
  return (
    `10.0.0.7 - - [${clf}] "POST /hook?token=s3cret HTTP/1.1" 200 31 "-" "RapidPro" "${body}" ` +
    `0.012 ${(atMs / 1000).toFixed(3)}\n`
  );
}
