import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { namesOfEvent } from "../expect/index.js";
import { columnsText, compareSent, hasLog, logRows, type LogSource, readColumnsText } from "../inspect/index.js";
import { countOf, type SentEvent } from "../report/index.js";
import type { ExactRequest } from "../scenario/index.js";
import { subjectOf } from "../wire/index.js";
import type { PlayedAnswer } from "./play-requests.js";

/** Wall milliseconds between looks at a log that lacks an event: the receiver may write after it has answered. */
const WAITS_MS = [10, 30, 100, 300];

/** The receiver's log that a play is compared with. `{port}` in the file and the query stands for the receiver's port. */
export interface JudgedLog {
  readonly file: string;
  readonly query?: string | undefined;
  /** Columns by role, `number=sms,phone=msisdn`; absent: recognised. */
  readonly columns?: string | undefined;
  /** Types of the events that are compared; absent: those in the log, else mo_sms. */
  readonly types?: readonly string[] | undefined;
}

/** A request that was answered. */
export interface AnsweredRequest {
  readonly request: ExactRequest;
  readonly answer: PlayedAnswer;
  /** When it was sent, milliseconds since 1970. */
  readonly sentMs: number;
}

/** An event that was accepted and is not in the log, or is there twice. */
export interface LogDifference {
  readonly kind: "missing" | "doubled";
  readonly type: string;
  /** A clause. */
  readonly text: string;
}

/**
 * Holds a receiver's log against what it has accepted. The first comparison recognises columns and types by the contents; the
 * later ones, which may have one row only, keep them.
 */
export class LogJudge {
  readonly #log: JudgedLog;
  #by: NonNullable<Parameters<typeof compareSent>[2]>;

  constructor(log: JudgedLog) {
    this.#log = log;
    const { columns, types } = log;
    this.#by =
      columns === undefined ? { types } : { by: { columns: readColumnsText(columns), types: types ?? ["mo_sms"] } };
  }

  /** The log with the columns that were recognised. */
  get log(): JudgedLog {
    const { by } = this.#by;
    return by === undefined ? this.#log : { ...this.#log, columns: columnsText(by.columns), types: by.types };
  }

  /** What the log has before the first request, a clause; empty: nothing. */
  async rowsBefore(url: string): Promise<string> {
    const source = this.#sourceAt(url);
    // Before the first request its table may not exist.
    const rows = await logRows(source).catch(() => 0);
    return rows === 0 ? "" : `${source.file} has ${countOf(rows, "row")} before the first event is sent`;
  }

  /** @throws LabError for a log that does not exist, or whose rows cannot be matched */
  async difference(answered: readonly AnsweredRequest[], url: string): Promise<LogDifference | undefined> {
    const source = this.#sourceAt(url);
    const sent = sentEvents(answered);
    for (const waitMs of [...WAITS_MS, 0]) {
      const found = await this.#compare(source, sent);
      if (found?.kind !== "missing" || waitMs === 0) return found;
      await sleep(waitMs);
    }
    return undefined;
  }

  async #compare(source: LogSource, sent: readonly SentEvent[]): Promise<LogDifference | undefined> {
    const isFirst = this.#by.by === undefined;
    if (isFirst && !hasLog(source)) {
      throw new LabError("bad-options", `${source.file} does not exist after ${countOf(sent.length, "event")}`, {
        hint: "name the file that the receiver writes, from this folder; {port} in it stands for the receiver's port",
      });
    }
    const { listed, columns, types, rows } = await compareSent(source, sent, this.#by);
    if (isFirst && rows > 0) this.#by = { by: { columns, types } };
    for (const kind of ["missing", "doubled"] as const) {
      const [first] = listed[kind];
      if (first === undefined) continue;
      const [, place = ""] = /^1\/(\d+)$/.exec(first.event ?? "") ?? [];
      const type = sent[Number(place) - 1]?.type ?? "";
      return { kind, type, text: first.text.replaceAll(/\bevent 1\/(\d+)/g, "event $1") };
    }
    return undefined;
  }

  #sourceAt(url: string): LogSource {
    const { port } = new URL(url);
    const { file, query } = this.#log;
    return { file: file.replaceAll("{port}", port), query: query?.replaceAll("{port}", port) };
  }
}

/**
 * The events of requests: one for each that is no repeat. A repeat has the same body, or the same number, person and words; a
 * copy is an event of its own, of the same person, words and time.
 */
function sentEvents(answered: readonly AnsweredRequest[]): SentEvent[] {
  const events: (SentEvent & { readonly sentMs: number[]; isAccepted: boolean })[] = [];
  const places = new Map<string, number>();
  for (const { request, answer, sentMs } of answered) {
    const { type, body } = request;
    const names = namesOfEvent(type, body);
    const same = names
      .filter((name) => !name.startsWith("copy "))
      .map((name) => places.get(name))
      .find((place) => place !== undefined);
    const isAccepted = answer.status !== null && answer.status >= 200 && answer.status < 300;
    const known = same === undefined ? undefined : events[same];
    if (known === undefined) {
      const copyOf = names.map((name) => places.get(name)).find((place) => place !== undefined) ?? null;
      for (const name of names) if (!places.has(name)) places.set(name, events.length);
      const subject = Number(subjectOf(body) ?? NaN);
      events.push({
        type,
        body,
        subject: Number.isNaN(subject) ? null : subject,
        copyOf,
        sentMs: [sentMs],
        isAccepted,
      });
    } else {
      known.sentMs.push(sentMs);
      known.isAccepted ||= isAccepted;
    }
  }
  return events;
}
