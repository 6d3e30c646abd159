import type { LogEntry } from "../../console/index.js";
import type { Happening } from "../../lab/index.js";
import { parseForm } from "../../wire/index.js";

/** Characters of a text that the live log carries. */
const TEXT_MAX = 500;

/** A happening as an entry of the console's log. @param handsetOf - name of a channel's handset */
export function entryOf(happening: Happening, handsetOf: (channel: number) => string): LogEntry {
  const { kind, atMs } = happening;
  switch (kind) {
    case "event": {
      const { channel, number, type, body } = happening;
      const fields = new Map(parseForm(body));
      const text = fields.get("text");
      return {
        kind,
        id: `${channel}/${number}`,
        handset: handsetOf(channel),
        atMs,
        type,
        phone: fields.get("phone") ?? null,
        text: text?.slice(0, TEXT_MAX) ?? null,
      };
    }
    case "attempt": {
      const { channel, number, status, error, outcome, durationMs } = happening;
      const id = `${channel}/${number}`;
      return {
        kind,
        id,
        handset: handsetOf(channel),
        atMs,
        try: happening.try,
        status,
        error,
        outcome,
        durationMs: Math.round(durationMs * 10) / 10,
      };
    }
    case "note":
      return {
        kind,
        atMs,
        handset: happening.channel === 0 ? null : handsetOf(happening.channel),
        text: happening.text.slice(0, TEXT_MAX),
      };
    case "call":
      return { kind: "api", atMs, text: `${happening.method} ${happening.path}`.slice(0, TEXT_MAX) };
    case "hand":
      return { kind, atMs, text: happening.text.slice(0, TEXT_MAX) };
  }
}
