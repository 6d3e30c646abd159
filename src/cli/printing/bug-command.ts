import { quotedForSh } from "../../control/index.js";

/** The command that plays a bug file at the receiver that a command was given, so that it can be pasted. */
export function bugCommand(bug: string, receiver: string | undefined, command: readonly string[]): string {
  const at = receiver === undefined ? [] : ["-r", receiver];
  const start = command.length === 0 ? [] : ["--", ...command];
  return ["handset", "run", bug, ...at, ...start]
    .map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : quotedForSh(word)))
    .join(" ");
}
