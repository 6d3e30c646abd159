import type { RecordingReader } from "../store/index.js";

/** The recording's key for the `ReceiverOutput` of a run with a command, as JSON. */
export const RECEIVER_OUTPUT_KEY = "receiverOutput";

/** The receiver that a run started by a command, and what it wrote: the last 64 KiB of each stream. Plain JSON. */
export interface ReceiverOutput {
  /** The command as it was given. */
  readonly command: string;
  readonly stderr: string;
  readonly stdout: string;
}

/** How the receiver's command ended by itself: either `exitCode` or `signal` is null. */
export interface ReceiverEnd extends ReceiverOutput {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The output of the receiver of a recorded run; undefined when the run started none, or was killed. */
export function receiverOutputOf(recording: RecordingReader): ReceiverOutput | undefined {
  const kept = recording.kept(RECEIVER_OUTPUT_KEY);
  return kept === undefined ? undefined : (JSON.parse(kept) as ReceiverOutput);
}

/** `exit code 1`, `SIGKILL`. */
export function endText({ exitCode, signal }: Pick<ReceiverEnd, "exitCode" | "signal">): string {
  return signal ?? `exit code ${exitCode}`;
}

/** The last lines of the receiver's stderr, or of its stdout if stderr is empty. */
export function lastLines({ stderr, stdout }: ReceiverOutput, count: number): string[] {
  const text = stderr.trim() === "" ? stdout : stderr;
  return text
    .trimEnd()
    .split(/\r?\n/)
    .filter((line, index, lines) => line.trim() !== "" || (index > 0 && lines[index - 1]?.trim() !== ""))
    .slice(-count);
}
