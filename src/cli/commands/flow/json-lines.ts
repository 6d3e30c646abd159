import type { Io } from "../../terminal/io.js";

/**
 * Reads one JSON value a line and prints one line of answer for each, in order. A line that is no JSON, and one whose
 * answer fails, is answered `{"error": "…"}`; empty lines are skipped.
 *
 * @param answer - throws to refuse a line; the message becomes the answer's `error`
 */
export async function answerLines(io: Io, answer: (input: unknown) => unknown): Promise<void> {
  for await (const line of io.lines?.() ?? []) {
    if (line.trim() === "") continue;
    io.stdout.write(`${JSON.stringify(answerTo(line, answer))}\n`);
    await io.stdout.drained?.();
  }
}

function answerTo(line: string, answer: (input: unknown) => unknown): unknown {
  try {
    return answer(JSON.parse(line));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
