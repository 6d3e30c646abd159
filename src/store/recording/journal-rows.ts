import type {
  CallRow,
  ChannelRow,
  EventRow,
  EventWay,
  MessageRow,
  MessageStatus,
  NoteRow,
} from "../../gateway/index.js";
import type { Connection, Statement } from "../sqlite/connection.js";
import type { SampleRow } from "../reading/figures.js";
import { withoutUserInfo } from "../../wire/index.js";
import type { AttemptRow, HearingRow, InputRow, ReplyRow, RoundTripRow } from "./rows.js";
import { selectLastRow } from "../reading/select.js";
import type { Cell } from "../writer/writer.js";

/** The Journal's rows, and the lab's beside them, as statements and their cells: a method for each kind. */
export class JournalRows {
  readonly #statements: Statements;
  readonly #write: (statement: Statement, cells: readonly Cell[]) => void;
  /** Rows of the table `head`. */
  #heads: number;
  /** The headers that came last, and their row there. */
  #head: { readonly lines: string | undefined; row: number | null } = { lines: undefined, row: null };
  /** Rows of the table `target`, by URL as it is recorded and as it was given. */
  readonly #targets: Map<string, number>;
  #targetRows: number;
  #dropsSecrets = false;

  constructor(database: Connection, write: (statement: Statement, cells: readonly Cell[]) => void) {
    this.#statements = prepare(database);
    this.#heads = database.prepare<[], number>(selectLastRow("main", "head"), "value").get() ?? 0;
    this.#targets = new Map(database.prepare<[], [string, number]>("SELECT url, row FROM target", "tuple").all());
    this.#targetRows = this.#targets.size;
    this.#write = write;
  }

  /** They are written from the beginning again. */
  beginAgain(): void {
    this.#heads = 0;
    this.#targets.clear();
    this.#targetRows = 0;
  }

  /** Addresses of channels are recorded without user names and passwords. */
  dropSecrets(): void {
    this.#dropsSecrets = true;
  }

  channel(row: ChannelRow): void {
    const { device } = row;
    this.#write(this.#statements.channel, [
      row.id,
      row.uuid,
      row.name,
      row.phone,
      row.url === null || !this.#dropsSecrets ? row.url : withoutUserInfo(row.url),
      row.lastSeenMs,
      device.powerSource,
      device.powerStatus,
      device.powerLevel,
      device.networkType,
      JSON.stringify(device.pending),
      JSON.stringify(device.retry),
      row.shownSeenMs,
      row.hasSynced ? 1 : 0,
      row.forwards === undefined ? null : JSON.stringify(row.forwards),
    ]);
  }

  message(row: MessageRow): void {
    const { createdAtMs, sentAtMs, replyTo } = row;
    if (isFromPhone(row)) {
      this.#write(this.#statements.messageFromPhone, [
        row.row,
        row.id,
        row.channel,
        row.contact,
        row.phone,
        row.text,
        createdAtMs,
        createdAtMs,
        sentAtMs,
      ]);
      return;
    }
    this.#write(this.#statements.message, [
      row.row,
      row.id,
      row.channel,
      row.contact,
      row.phone,
      row.direction,
      row.status,
      row.text,
      createdAtMs,
      createdAtMs,
      sentAtMs,
      row.origin,
      replyTo === null ? null : replyTo.channel,
      replyTo === null ? null : replyTo.event,
      row.broadcast,
      row.type,
      row.visibility,
    ]);
  }

  messageStatus(row: number, status: MessageStatus, atMs: number, sentAtMs: number | null): void {
    this.#write(this.#statements.messageStatus, [status, atMs, sentAtMs, row]);
  }

  call(row: CallRow): void {
    this.#write(this.#statements.call, [
      row.row,
      row.id,
      row.channel,
      row.contact,
      row.phone,
      row.type,
      row.timeMs,
      row.durationS,
      row.createdAtMs,
    ]);
  }

  event(event: EventRow, isPosted: boolean, way: EventWay | undefined): void {
    const { row, channel, number, atMs, type, body, subject, copy } = event;
    const { beganAtMs = null, phoneAtMs = null, delays = [] } = way ?? {};
    const cells = [row, channel, number, atMs, type, body, subject, beganAtMs, phoneAtMs];
    if (copy !== null) this.#write(this.#statements.copyEvent, [...cells, isPosted ? 1 : 0, copy.of, copy.cause]);
    else this.#write(isPosted ? this.#statements.event : this.#statements.unpostedEvent, cells);
    for (const { kind, why, fromMs, untilMs, times } of delays) {
      this.#write(this.#statements.delay, [channel, number, kind, why, fromMs, untilMs, times]);
    }
  }

  /** A person's phone has shown a message. */
  hearing({ message, atMs }: HearingRow): void {
    this.#write(this.#statements.hearing, [message, atMs]);
  }

  note(row: NoteRow): void {
    this.#write(this.#statements.note, [row.atMs, row.channel, row.kind, row.text]);
  }

  /** A try beyond the first is about to be made. The first one's intent is its event. */
  intent(row: { readonly channel: number; readonly number: number; readonly try: number }): void {
    this.#write(this.#statements.intent, [row.channel, row.number, row.try]);
  }

  /**
   * An attempt has been answered, or has failed.
   *
   * @param step - see `AttemptRow`
   */
  attempt(row: Omit<AttemptRow, "step">, step: number | null = null): void {
    const target = this.#targetOf(row.url);
    const head = this.#headOf(row.headers);
    if (isUsual(row, head)) {
      this.#write(this.#statements.usualAttempt, [
        row.channel,
        row.number,
        row.dueAtMs,
        row.effectAtMs,
        row.sentWallMs,
        row.durationMs,
        row.latencyMs,
        row.status,
        row.body,
        row.bodyBytes,
        step,
        head,
        target,
      ]);
      return;
    }
    this.#write(this.#statements.attempt, [
      row.channel,
      row.number,
      row.try,
      row.dueAtMs,
      row.effectAtMs,
      row.sentWallMs,
      row.durationMs,
      row.latencyMs,
      row.status,
      row.error,
      row.outcome,
      head === null ? row.headers : null,
      row.body,
      row.bodyBytes,
      row.redirects.length === 0 ? null : JSON.stringify(row.redirects),
      row.latenessMs,
      row.isRepeat ? 1 : 0,
      step,
      head,
      target,
    ]);
  }

  /** @returns the URL's row, which is written when the URL comes for the first time */
  #targetOf(url: string | null): number | null {
    if (url === null) return null;
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const recorded = withoutUserInfo(url);
    let row = this.#targets.get(recorded);
    if (row === undefined) {
      row = ++this.#targetRows;
      this.#write(this.#statements.target, [row, recorded]);
    }
    this.#targets.set(recorded, row);
    this.#targets.set(url, row);
    return row;
  }

  /** Headers that come again are written once, when they come for the second time. @returns their row, where they have one */
  #headOf(headers: string | null): number | null {
    if (headers === null) return null;
    const head = this.#head;
    if (head.lines !== headers) {
      this.#head = { lines: headers, row: null };
      return null;
    }
    if (head.row === null) {
      head.row = ++this.#heads;
      this.#write(this.#statements.head, [head.row, headers]);
    }
    return head.row;
  }

  /** How a group of handsets stands. */
  sample(row: SampleRow): void {
    this.#write(this.#statements.sample, [
      row.atMs,
      row.wallMs,
      row.name,
      row.handsets,
      row.waiting,
      row.offline,
      row.down,
      row.charging,
      row.batteryMean,
      row.batteryMin,
    ]);
  }

  /** The answer to an event said something, and this is what came of it. */
  reply(row: ReplyRow): void {
    this.#write(this.#statements.reply, [row.atMs, row.channel, row.number, row.kind, row.reason, row.detail]);
  }

  /** An incoming text has had its effect. */
  roundTrip(row: RoundTripRow): void {
    this.#write(this.#statements.roundTrip, [row.channel, row.number, row.via, row.atMs, row.wallMs]);
  }

  input(row: InputRow): void {
    this.#write(this.#statements.input, [row.atMs, row.kind, row.json, row.step ?? null]);
  }
}

type Statements = Readonly<Record<StatementName, Statement>>;
type StatementName =
  | "channel"
  | "message"
  | "messageFromPhone"
  | "messageStatus"
  | "call"
  | "event"
  | "unpostedEvent"
  | "copyEvent"
  | "delay"
  | "hearing"
  | "attempt"
  | "usualAttempt"
  | "head"
  | "target"
  | "intent"
  | "sample"
  | "reply"
  | "roundTrip"
  | "input"
  | "note";

/** Most messages of most runs are texts as phones report them: what they have in common is in their statement. */
function isFromPhone({ direction, status, origin, replyTo, broadcast, type, visibility }: MessageRow): boolean {
  const isIncoming =
    direction === "I" && status === "H" && origin === "phone" && replyTo === null && broadcast === null;
  return isIncoming && type === "inbox" && visibility === "visible";
}

/**
 * Accepted at once, as fast as it goes, with headers that came before: most attempts of a load test are, and what they have
 * in common is in their statement.
 */
function isUsual(row: Omit<AttemptRow, "step">, head: number | null): boolean {
  const isPlain = row.outcome === "accepted" && row.try === 1 && row.error === null && row.redirects.length === 0;
  return isPlain && row.latenessMs === null && !row.isRepeat && (head !== null || row.headers === null);
}

const insertEvent = `INSERT INTO event
  (row, channel, number, at_ms, type, body, subject, began_at_ms, phone_at_ms, is_posted, copy_of,
    copy_cause)`;

function prepare(database: Connection): Statements {
  return {
    channel: database.prepare("INSERT OR REPLACE INTO channel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    message: database.prepare(`INSERT INTO message
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`),
    messageFromPhone: database.prepare(`INSERT INTO message
      VALUES (?, ?, ?, ?, ?, 'I', 'H', ?, ?, ?, ?, 'phone', NULL, NULL, NULL, 'inbox', 'visible', NULL)`),
    messageStatus: database.prepare(
      "UPDATE message SET status = ?, modified_at_ms = ?, sent_at_ms = coalesce(sent_at_ms, ?) WHERE row = ?",
    ),
    call: database.prepare("INSERT INTO call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    event: database.prepare(`${insertEvent} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, NULL, NULL)`),
    unpostedEvent: database.prepare(`${insertEvent} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL)`),
    copyEvent: database.prepare(`${insertEvent} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    delay: database.prepare("INSERT INTO delay VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"),
    hearing: database.prepare("INSERT INTO hearing VALUES (NULL, ?, ?)"),
    attempt: database.prepare(
      "INSERT INTO attempt VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    usualAttempt: database.prepare(
      "INSERT INTO attempt VALUES (NULL, ?, ?, 1, ?, ?, ?, ?, ?, ?, NULL, 'accepted', NULL, ?, ?, NULL, NULL, 0, ?, ?, ?)",
    ),
    head: database.prepare("INSERT INTO head VALUES (?, ?)"),
    target: database.prepare("INSERT INTO target VALUES (?, ?)"),
    intent: database.prepare("INSERT INTO intent VALUES (NULL, ?, ?, ?)"),
    sample: database.prepare("INSERT INTO sample VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    reply: database.prepare("INSERT INTO reply VALUES (NULL, ?, ?, ?, ?, ?, ?)"),
    roundTrip: database.prepare("INSERT INTO round_trip VALUES (NULL, ?, ?, ?, ?, ?)"),
    input: database.prepare("INSERT INTO input VALUES (NULL, ?, ?, ?, ?)"),
    note: database.prepare("INSERT INTO note VALUES (NULL, ?, ?, ?, ?)"),
  };
}
