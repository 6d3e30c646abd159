import type { Happening } from "../../lab/index.js";
import { onOneLine, parseForm } from "../../wire/index.js";

/** Most lines per window: more are unreadable, and printing them would slow the lab down. */
const LINES_MAX = 20;

/** Most events that wait for their answer; beyond that the oldest is shown without an answer. */
const PENDING_MAX = 1000;

/** Width of the columns before the text: `07:41:09  event  mo_sms   `. */
const NAME_WIDTH = 9;

type HappeningKind = Happening["kind"];

/** Options of `HappeningLines`. */
export interface LinesOptions {
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Name of a channel's handset: `clinic/3`. */
  readonly handsetOf: (channel: number) => string;
  /** Columns of the terminal. */
  readonly columns: () => number;
  /** There is no receiver, so events are shown at once. */
  readonly isNowhere: boolean;
  readonly write: (line: string) => void;
}

/**
 * Prints a line for each happening of a lab: an event with its answer, an API request, an act by hand, a note. Times
 * are virtual. A window (`endWindow`) shows at most 20 lines; further happenings are only counted.
 */
export class HappeningLines {
  readonly #options: LinesOptions;
  /** Events that have no answer yet, by channel and number. */
  readonly #pending = new Map<string, Extract<Happening, { kind: "event" }>>();
  readonly #omitted = new Map<HappeningKind, number>();
  #shown = 0;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  take(happening: Happening): void {
    switch (happening.kind) {
      case "event": {
        if (this.#options.isNowhere) return this.#showEvent(happening, "recorded");
        const [oldest] = this.#pending.size >= PENDING_MAX ? this.#pending : [];
        if (oldest !== undefined) this.#flushEvent(...oldest);
        this.#pending.set(`${happening.channel}/${happening.number}`, happening);
        return;
      }
      case "attempt": {
        const { channel, number, status, error, outcome, durationMs } = happening;
        const key = `${channel}/${number}`;
        const event = this.#pending.get(key);
        this.#pending.delete(key);
        const tries = happening.try === 1 ? "" : `, try ${happening.try}`;
        const answer = `${status ?? error ?? outcome} in ${Math.round(durationMs)} ms${tries}`;
        if (event !== undefined) return this.#showEvent(event, answer);
        return this.#show(happening, `answer`, `${this.#options.handsetOf(channel)} event ${key}: ${answer}`);
      }
      case "note":
        return this.#show(happening, happening.word, happening.text);
      case "call":
        return this.#show(happening, happening.method, happening.path);
      case "hand":
        return this.#show(happening, "by hand", happening.text);
      default:
        happening satisfies never;
    }
  }

  /** Ends a window: shows events without an answer, and the number of happenings that were left out. */
  endWindow(): void {
    for (const [key, event] of this.#pending) this.#flushEvent(key, event);
    const counts = [...this.#omitted].map(([kind, count]) => `${count} ${namesOf[kind]}`);
    this.#omitted.clear();
    this.#shown = 0;
    if (counts.length > 0) this.#options.write(`${" ".repeat(10)}and more, not shown: ${counts.join(", ")}`);
  }

  #flushEvent(key: string, event: Extract<Happening, { kind: "event" }>): void {
    this.#pending.delete(key);
    this.#showEvent(event, "no answer yet");
  }

  #showEvent(event: Extract<Happening, { kind: "event" }>, answer: string): void {
    if (this.#isFull(event)) return;
    const fields = new Map(parseForm(event.body));
    const about = [fields.get("phone"), fields.has("text") ? JSON.stringify(fields.get("text")) : undefined];
    const parts = [this.#options.handsetOf(event.channel), ...about.filter((part) => part !== undefined)];
    this.#show(event, event.type, parts.join(" "), ` -> ${answer}`);
  }

  /** Whether the window is full; then counts one happening as left out. */
  #isFull({ kind }: { readonly kind: HappeningKind }): boolean {
    if (this.#shown < LINES_MAX) return false;
    this.#omitted.set(kind, (this.#omitted.get(kind) ?? 0) + 1);
    return true;
  }

  /** @param end - never shortened: in a line that is too long, `text` is cut */
  #show({ kind, atMs }: Happening, name: string, text: string, end = ""): void {
    if (this.#isFull({ kind })) return;
    this.#shown++;
    const { startsAtMs, columns, write } = this.#options;
    const time = new Date(startsAtMs + atMs).toISOString().slice(11, 19);
    const head = `${time}  ${onOneLine(name).padEnd(NAME_WIDTH)} `;
    const width = Math.max(10, columns() - head.length - end.length);
    write(head + cut(onOneLine(text), width) + onOneLine(end));
  }
}

const namesOf: Readonly<Record<HappeningKind, string>> = {
  event: "events",
  attempt: "later answers",
  note: "notes",
  call: "API requests",
  hand: "by hand",
};

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
