import { quotedForSh } from "../../control/index.js";
import type { AuditOptions } from "./options.js";

/** The command that plays one trial alone, with the options on which its finding may depend. */
export function playLine(url: string, id: string, options: AuditOptions): string {
  const { effects, api, spelling, texts = [], reset, timeoutMs, command = [] } = options;
  const words = [
    "handset",
    "audit",
    url,
    "--only",
    id,
    ...(effects === undefined ? [] : ["--effects", effects]),
    ...(api?.port === undefined ? [] : ["--api-port", String(api.port)]),
    ...(api?.token === undefined ? [] : ["--api-token", api.token]),
    ...(api?.accounts ?? []).flatMap((source) => (source.kind === "text" ? ["--data", source.file] : [])),
    ...texts.flatMap((text) => ["--text", text]),
    ...(spelling === undefined ? [] : ["--spelling", spelling]),
    ...(reset === undefined ? [] : ["--reset", reset]),
    ...(timeoutMs === undefined ? [] : ["--timeout", `${timeoutMs}ms`]),
    ...(command.length === 0 ? [] : ["--", ...command]),
  ];
  return words.map(shellWord).join(" ");
}

function shellWord(word: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? quotedForSh(word) : `"${word}"`;
}
