import type {
  CallRow,
  ChannelRow,
  EventRow,
  EventWay,
  Journal,
  MessageRow,
  MessageStatus,
  NoteRow,
  RegistrationRow,
} from "../../gateway/index.js";
import type { Connection, Statement } from "../sqlite/connection.js";
import type { SampleRow } from "../reading/figures.js";
import { withoutUserInfo } from "../../wire/index.js";
import type {
  AttemptRow,
  HostSecondRow,
  HearingRow,
  InputRow,
  LossRow,
  ReplyRow,
  RoundTripRow,
  TroubleRow,
} from "./rows.js";
import { channelCells, insertChannel } from "./channel-columns.js";
import { insertRegistration, registrationCells } from "./registration-columns.js";
import { selectLastRow } from "../reading/select.js";
import type { Cell, Writer } from "../writer/writer.js";

/** The columns of an event that re-execution compares. */
export type InsertedEvent = Pick<EventRow, "row" | "channel" | "number" | "atMs" | "body">;

/**
 * The Journal, and the rows that the lab adds to it, as SQL: a method for each kind of row, which hands a prepared
 * statement and its cells to the writer.
 *
 * Every method throws what the writer throws: a StoreError when the disk refuses a row.
 */
export abstract class JournalRows implements Journal {
  /** The destination of rows; a Recording replaces it. */
  protected writer: Writer;
  readonly #statements: Statements;
  readonly #isEventInsert: ReadonlySet<Statement>;
  /** Number of rows in the table `head`. */
  #heads: number;
  /** The headers of the latest answer, and their row in `head`. */
  #head: { readonly lines: string | undefined; row: number | null } = { lines: undefined, row: null };
  /** Rows of the table `target`, by URL as it is recorded and as it was given. */
  readonly #targets: Map<string, number>;
  #targetRows: number;
  #lastEventAtMs = 0;
  #dropsSecrets = false;

  protected constructor(database: Connection, writer: Writer) {
    this.writer = writer;
    this.#statements = prepare(database);
    const { event, unpostedEvent, copyEvent } = this.#statements;
    this.#isEventInsert = new Set([event, unpostedEvent, copyEvent]);
    this.#heads = database.prepare<[], number>(selectLastRow("main", "head"), "value").get() ?? 0;
    this.#targets = new Map(database.prepare<[], [string, number]>("SELECT url, row FROM target", "tuple").all());
    this.#targetRows = this.#targets.size;
  }

  /** From now on, delivery URLs of channels are recorded without user names and passwords. */
  dropSecrets(): void {
    this.#dropsSecrets = true;
  }

  /** Numbers the rows of `head` and `target` from 1 again: a re-executed run writes them from the first one. */
  protected restartNumbering(): void {
    this.#heads = 0;
    this.#targets.clear();
    this.#targetRows = 0;
  }

  /** The event that a statement inserts; undefined for any other statement. */
  protected eventIn(statement: Statement, cells: readonly Cell[]): InsertedEvent | undefined {
    if (!this.#isEventInsert.has(statement)) return undefined;
    const [row, channel, number, atMs, , body] = cells as [number, number, number, number, string, string];
    return { row, channel, number, atMs, body };
  }

  channel(row: ChannelRow): void {
    const url = row.url === null || !this.#dropsSecrets ? row.url : withoutUserInfo(row.url);
    this.writer.write(this.#statements.channel, channelCells({ ...row, url }));
  }

  registration(row: RegistrationRow): void {
    this.writer.write(this.#statements.registration, registrationCells(row));
  }

  message(row: MessageRow): void {
    const { createdAtMs, sentAtMs, replyTo } = row;
    if (isFromPhone(row)) {
      this.writer.write(this.#statements.messageFromPhone, [
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
    this.writer.write(this.#statements.message, [
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
      row.flow,
    ]);
  }

  messageStatus(row: number, status: MessageStatus, atMs: number, sentAtMs: number | null): void {
    this.writer.write(this.#statements.messageStatus, [status, atMs, sentAtMs, row]);
  }

  call(row: CallRow): void {
    this.writer.write(this.#statements.call, [
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

  /** @throws RangeError when the event is older than the one before it: readers rely on the order of time */
  event(event: EventRow, isPosted = true, way?: EventWay): void {
    const { row, channel, number, atMs, type, body, subject, copy } = event;
    if (atMs < this.#lastEventAtMs) throw new RangeError(`event at ${atMs} after one at ${this.#lastEventAtMs}`);
    this.#lastEventAtMs = atMs;
    const { beganAtMs = null, phoneAtMs = null, delays = [] } = way ?? {};
    const cells = [row, channel, number, atMs, type, body, subject, beganAtMs, phoneAtMs];
    if (copy !== null) this.writer.write(this.#statements.copyEvent, [...cells, isPosted ? 1 : 0, copy.of, copy.cause]);
    else this.writer.write(isPosted ? this.#statements.event : this.#statements.unpostedEvent, cells);
    for (const { kind, why, fromMs, untilMs, times } of delays) {
      this.writer.write(this.#statements.delay, [channel, number, kind, why, fromMs, untilMs, times]);
    }
  }

  /** Records that a person's phone has shown a message. */
  hearing({ message, atMs }: HearingRow): void {
    this.writer.write(this.#statements.hearing, [message, atMs]);
  }

  /** Records a text or call that was lost. */
  loss({ atMs, cause, channel, phone, text, message }: LossRow): void {
    this.writer.write(this.#statements.loss, [atMs, cause, channel, phone, text ?? null, message ?? null]);
  }

  note(row: NoteRow): void {
    this.writer.write(this.#statements.note, [row.atMs, row.channel, row.kind, row.text]);
  }

  /** Write-ahead of an attempt that is a retry. The first attempt needs no intent: its event is one. */
  intent(row: { readonly channel: number; readonly number: number; readonly try: number }): void {
    this.writer.write(this.#statements.intent, [row.channel, row.number, row.try]);
  }

  /** Records what an attempt meets on its way to the receiver, when that is drawn. */
  trouble({ atMs, channel, number, try: tryNumber, kind, value }: TroubleRow): void {
    this.writer.write(this.#statements.trouble, [atMs, channel, number, tryNumber, kind, value]);
  }

  /** Records an attempt that was answered or has failed. @param step - see `AttemptRow` */
  attempt(row: Omit<AttemptRow, "step">, step: number | null = null): void {
    const target = this.#targetOf(row.url);
    const head = this.#headOf(row.headers);
    if (isUsual(row, head)) {
      this.writer.write(this.#statements.usualAttempt, [
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
    this.writer.write(this.#statements.attempt, [
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

  /** Dictionary encoding: the first attempt to a URL writes it. @returns the URL's row in `target` */
  #targetOf(url: string): number {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const recorded = withoutUserInfo(url);
    let row = this.#targets.get(recorded);
    if (row === undefined) {
      row = ++this.#targetRows;
      this.writer.write(this.#statements.target, [row, recorded]);
    }
    this.#targets.set(recorded, row);
    this.#targets.set(url, row);
    return row;
  }

  /**
   * Dictionary encoding: headers that equal those of the answer before are written once, at their first repetition.
   *
   * @returns their row in `head`; null when the attempt's own row holds them
   */
  #headOf(headers: string | null): number | null {
    if (headers === null) return null;
    const head = this.#head;
    if (head.lines !== headers) {
      this.#head = { lines: headers, row: null };
      return null;
    }
    if (head.row === null) {
      head.row = ++this.#heads;
      this.writer.write(this.#statements.head, [head.row, headers]);
    }
    return head.row;
  }

  /** Records the state of a group of handsets at an instant. */
  sample(row: SampleRow): void {
    this.writer.write(this.#statements.sample, [
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

  /**
   * Records a wall second in which other programs competed for this machine's cores. It depends on the wall clock, so a
   * re-executed run does not write it again, and `Recording.reexecute` does not count it.
   */
  hostSecond(row: HostSecondRow): void {
    this.writer.write(this.#statements.hostSecond, [row.atMs, row.share, row.othersPerCore]);
  }

  /** Records the effect of an answer's body. */
  reply(row: ReplyRow): void {
    this.writer.write(this.#statements.reply, [row.atMs, row.channel, row.number, row.kind, row.reason, row.detail]);
  }

  /** Records what the receiver did about an incoming text. */
  roundTrip(row: RoundTripRow): void {
    this.writer.write(this.#statements.roundTrip, [row.channel, row.number, row.via, row.atMs, row.wallMs]);
  }

  /** Records an input from outside before it takes effect. Committed when this returns. */
  input(row: InputRow): void {
    this.writeInput(row);
    this.writer.flush();
  }

  protected writeInput(row: InputRow): void {
    this.writer.write(this.#statements.input, [row.atMs, row.kind, row.json, row.step ?? null]);
  }
}

type Statements = Readonly<Record<StatementName, Statement>>;
type StatementName =
  | "channel"
  | "registration"
  | "message"
  | "messageFromPhone"
  | "messageStatus"
  | "call"
  | "event"
  | "unpostedEvent"
  | "copyEvent"
  | "delay"
  | "hearing"
  | "loss"
  | "attempt"
  | "usualAttempt"
  | "head"
  | "target"
  | "intent"
  | "trouble"
  | "sample"
  | "hostSecond"
  | "reply"
  | "roundTrip"
  | "input"
  | "note";

/** An incoming text as a phone reports it, the most frequent message: its statement holds the constant columns. */
function isFromPhone({ direction, status, origin, replyTo, broadcast, type, visibility }: MessageRow): boolean {
  const isIncoming =
    direction === "I" && status === "H" && origin === "phone" && replyTo === null && broadcast === null;
  return isIncoming && type === "inbox" && visibility === "visible";
}

/**
 * A first attempt that was accepted, in lockstep or at max, with headers that are in `head`: the most frequent
 * attempt of a load test. Its statement holds the constant columns.
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
    channel: database.prepare(insertChannel),
    registration: database.prepare(insertRegistration),
    message: database.prepare(`INSERT INTO message
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
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
    loss: database.prepare("INSERT INTO loss VALUES (NULL, ?, ?, ?, ?, ?, ?)"),
    attempt: database.prepare(
      "INSERT INTO attempt VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    usualAttempt: database.prepare(
      "INSERT INTO attempt VALUES (NULL, ?, ?, 1, ?, ?, ?, ?, ?, ?, NULL, 'accepted', NULL, ?, ?, NULL, NULL, 0, ?, ?, ?)",
    ),
    head: database.prepare("INSERT INTO head VALUES (?, ?)"),
    target: database.prepare("INSERT INTO target VALUES (?, ?)"),
    intent: database.prepare("INSERT INTO intent VALUES (NULL, ?, ?, ?)"),
    trouble: database.prepare("INSERT INTO trouble VALUES (NULL, ?, ?, ?, ?, ?, ?)"),
    sample: database.prepare("INSERT INTO sample VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    hostSecond: database.prepare("INSERT INTO host_second VALUES (NULL, ?, ?, ?)"),
    reply: database.prepare("INSERT INTO reply VALUES (NULL, ?, ?, ?, ?, ?, ?)"),
    roundTrip: database.prepare("INSERT INTO round_trip VALUES (NULL, ?, ?, ?, ?, ?)"),
    input: database.prepare("INSERT INTO input VALUES (NULL, ?, ?, ?, ?)"),
    note: database.prepare("INSERT INTO note VALUES (NULL, ?, ?, ?, ?)"),
  };
}
