import { Chalk } from "chalk";
import { columns, wrap } from "../terminal-text.js";
import type { Life } from "./life.js";
import type { LifeEntry } from "./life-entry.js";

const LEAST_COLUMNS = 40;
const COLUMN_GAP = "  ";

/** A life for a terminal: the headline, then a line for each entry. */
export function renderLife(life: Life, page: { readonly colour: boolean; readonly width: number }): string {
  const paint = new Chalk({ level: page.colour ? 1 : 0 });
  const width = Math.max(LEAST_COLUMNS, Math.floor(page.width));
  const clocks = life.entries.map(({ atMs }) => clockText(atMs));
  const clockColumns = Math.max(0, ...clocks.map(columns));
  const margin = clockColumns + 2 * COLUMN_GAP.length;
  const lines = wrap(life.about, width).map((line) => paint.bold(line));
  for (const sentence of life.headline) lines.push("", ...wrap(sentence, width - 2).map((line) => `  ${line}`));
  lines.push("");
  for (const [index, entry] of life.entries.entries()) {
    const text = wrap(entry.text, width - margin);
    const isOwn = isAsked(entry, life);
    const mark = isOwn ? "> " : COLUMN_GAP;
    lines.push(
      ...text.map((line, at) => {
        const left =
          at === 0 ? mark + (clocks[index] ?? "").padStart(clockColumns) : " ".repeat(margin - COLUMN_GAP.length);
        return left + COLUMN_GAP + (isOwn ? paint.bold(line) : line);
      }),
    );
  }
  const starts = new Date(life.startsAtMs).toISOString().replace(".000Z", "Z");
  lines.push("", paint.dim(`Times are virtual, since ${starts}.`), "");
  return lines.join("\n");
}

function isAsked(entry: LifeEntry, { id }: Life): boolean {
  return entry.kind === "event" && entry.event === id;
}

/** A life as JSON, with the instant `at` of each entry. */
export function lifeJson(life: Life): Record<string, unknown> {
  const { startsAtMs, entries, ...rest } = life;
  const instant = (atMs: number): string => new Date(startsAtMs + atMs).toISOString();
  return { ...rest, entries: entries.map((entry) => ({ ...entry, at: instant(entry.atMs) })) };
}

/** Virtual milliseconds as `0:10:02.312`. */
export function clockText(atMs: number): string {
  const whole = Math.floor(atMs / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return `${clock}.${String(Math.floor(atMs % 1000)).padStart(3, "0")}`;
}
