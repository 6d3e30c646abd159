import type { Io } from "../../terminal/io.js";

/**
 * Reads one JSON value a line and prints one line of answer for each, in order. A line that is no JSON, and one whose
 * answer fails, is answered `{"error": "…"}`; empty lines are skipped.
 *
 * @param answer - throws to refuse a line; the message becomes the answer's `error`
 */
export function answerLines(io: Io, answer: (input: unknown) => unknown): Promise<void> {
  return answerLinesInText(io, (line) => JSON.stringify(answer(JSON.parse(line))));
}

/**
 * As {@link answerLines}, for answers whose numbers have more digits than JavaScript's.
 *
 * @param answer - from the line's JSON text to the answer's
 */
export async function answerLinesInText(io: Io, answer: (line: string) => string): Promise<void> {
  for await (const line of io.lines?.() ?? []) {
    if (line.trim() === "") continue;
    io.stdout.write(`${answerTo(line, answer)}\n`);
    await io.stdout.drained?.();
  }
}

function answerTo(line: string, answer: (line: string) => string): string {
  try {
    return answer(line);
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
  }
}
