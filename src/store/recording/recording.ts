import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection, Statement } from "../sqlite/connection.js";
import type { AccountTables } from "../../account/index.js";
import type {
  CallRow,
  ChannelRow,
  EventRow,
  EventWay,
  Journal,
  MessageRow,
  MessageStatus,
  NoteRow,
  ContinuedState,
} from "../../gateway/index.js";
import { type AccountLists, accountLists, accountTables } from "../account/tables.js";
import { claim } from "./claim-path.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { DiscardingWriter } from "../writer/discarding-writer.js";
import { LocalWriter } from "../writer/local-writer.js";
import { ThreadedWriter } from "../writer/threaded-writer.js";
import { type Cell, ROWS, type Writer } from "../writer/writer.js";
import { readersIndexes, SCHEMA_VERSION, servingIndexes } from "../sqlite/migrations/index.js";
import { EventLog, eventLogIndexes } from "../reading/event-log.js";
import type { SampleRow } from "../reading/figures.js";
import { openInMemory } from "../sqlite/in-memory.js";
import { JournalRows } from "./journal-rows.js";
import { RecordingReader } from "../reading/reader.js";
import { beginFile, bytesOf, emptyDatabase, keep, MEMORY, openForWriting, TABLES, upToDate } from "./recording-file.js";
import { readResume } from "./gateway-state.js";
import type { AttemptRow, HearingRow, InputRow, ReplyRow, RoundTripRow, RunEnd, RunMeta } from "./rows.js";
import { readUndelivered, type UndeliveredEvent } from "./undelivered.js";

/** Bytes of the file that are read where they lie while it is served: as many as SQLite takes. */
const MAPPED_BYTES_MAX = 0x7fff_0000;

/** Under this name the row is kept up to which all events have come to their end. */
const SETTLED = "settledRow";

export interface CreateOptions {
  /** Whether a recording that is already at the path may be replaced. Files that are no recordings never are. */
  readonly overwrite?: boolean;
}

/**
 * The writer of a recording: a Journal, and what the lab adds to it.
 *
 * Rows are written by its `Writer`, in this thread or in one of its own, in batches that are committed as a whole. A commit
 * is in the file (its WAL) at once: it survives `kill -9` of the process. It is not forced to the platter; after a power
 * cut of the computer itself the run is played again.
 *
 * Every method that writes throws a StoreError when the disk does not take it; after that the recording takes
 * nothing more and throws the same error again. What was committed before stays readable.
 */
export class Recording implements Journal {
  readonly path: string;
  readonly #database: Connection;
  readonly #rows: JournalRows;
  readonly #local: LocalWriter;
  #writer: Writer;
  #tables: AccountTables;
  /** Rows that are there already: a run that was cut off is gone through again, and so are they. */
  #relived = 0;
  #isOnRecord = false;
  #recordedEvent: Statement<[number], Pick<EventRow, "channel" | "number" | "atMs" | "body">> | undefined;
  #lastEventAtMs = 0;
  #failure: Error | undefined;
  #isFinished = false;
  readonly #inode: number | undefined;

  private constructor(path: string, database: Connection) {
    this.path = path;
    this.#inode = path === MEMORY ? undefined : inodeOf(path);
    this.#database = database;
    this.#rows = new JournalRows(database, (statement, cells) => this.#write(statement, cells));
    this.#local = new LocalWriter(database, { path, rows: Number(this.kept(ROWS) ?? 0) });
    this.#writer = this.#local;
    this.#tables = accountTables({ database, write: (statement, ...cells) => this.#write(statement, cells) });
  }

  /**
   * Begins a recording.
   *
   * @param path - a file that does not exist yet, in a folder that does; or `:memory:`
   * @throws StoreError `recording-exists`, `no-such-folder`, `not-writable`, `not-a-recording` (overwriting something
   *   else), `disk-full`…
   */
  static create(path: string, meta: RunMeta, options: CreateOptions = {}): Recording {
    try {
      if (path !== MEMORY) claim(path, { overwrite: options.overwrite === true });
      return new Recording(path, beginFile(path, meta));
    } catch (error) {
      throw asStoreError(error, path, "write");
    }
  }

  /**
   * Goes on with a recording that is there: one that was closed, or cut off. Whatever was committed is in it.
   *
   * @throws StoreError `no-such-recording`, `not-a-recording`, `newer-recording`, `not-writable`…
   */
  static reopen(path: string): Recording {
    try {
      return new Recording(path, openForWriting(path));
    } catch (error) {
      throw asStoreError(error, path, "write");
    }
  }

  /**
   * Goes on in memory with a copy of a recording; the file stays as it is.
   *
   * @param source - a path, or what `snapshot` gave
   */
  static copyOf(source: string | Uint8Array): Recording {
    const path = typeof source === "string" ? source : MEMORY;
    try {
      const bytes = typeof source === "string" ? bytesOf(source) : Buffer.from(source);
      return new Recording(MEMORY, upToDate(openInMemory(bytes)));
    } catch (error) {
      throw asStoreError(error, path, "read");
    }
  }

  /** The account: contacts and all that the API shows. Written in the same transaction as everything else. */
  get tables(): AccountTables {
    return this.#tables;
  }

  /** From here on addresses of channels are recorded without user names and passwords. */
  dropSecrets(): void {
    this.#rows.dropSecrets();
  }

  /**
   * A run that was cut off is about to be gone through again: what is written from now on is taken to be what is there,
   * row by row, and not written a second time, until there is no more. Events are compared with those that are there.
   *
   * @throws StoreError `not-resumable` when an older version made the recording, which wrote other rows
   */
  relive(): void {
    if (this.kept(ROWS) === undefined || this.kept(TABLES) !== String(SCHEMA_VERSION))
      throw storeError("not-resumable", this.path, "write");
    this.#relived = this.#writer.rows;
    this.#rows.beginAgain();
    // The account is empty when a run begins, and it must not find there what it is going to write.
    const own = new Map<Statement, Statement>();
    const ours = (statement: Statement): Statement => {
      const known = own.get(statement) ?? this.#database.prepare(statement.source);
      own.set(statement, known);
      return known;
    };
    this.#tables = accountTables({
      database: emptyDatabase(),
      write: (statement, ...cells) => this.#write(ours(statement), cells),
    });
    this.#recordedEvent = this.#database.prepare(
      "SELECT channel, number, at_ms AS atMs, body FROM event WHERE row = ?",
    );
  }

  /** Whether rows are gone through that are there already: the next one is the same again. */
  get isReliving(): boolean {
    return this.#relived > 0;
  }

  /** Whether the latest row was there already when the run was gone through again. */
  get isOnRecord(): boolean {
    return this.#isOnRecord;
  }

  /** Size of the whole recording. */
  get bytes(): number {
    return Number(this.#database.setting("page_count")) * Number(this.#database.setting("page_size"));
  }

  /** What it takes on disk, its log included; 0 for one in memory. */
  get bytesOnDisk(): number {
    if (this.path === MEMORY) return 0;
    const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return sizeOf(this.path) + sizeOf(`${this.path}-wal`);
  }

  /** Whether its file was deleted, or replaced by another one, since it was opened. */
  get isDeleted(): boolean {
    return this.path !== MEMORY && inodeOf(this.path) !== this.#inode;
  }

  /**
   * Writes a deleted recording to its path again: the open files still hold it. To be called after `finish`.
   *
   * @throws StoreError `recording-exists` where another file is there now, `disk-full`…
   */
  restore(): void {
    try {
      if (inodeOf(this.path) !== undefined) throw storeError("recording-exists", this.path, "write");
      mkdirSync(dirname(this.path), { recursive: true });
      // A log that is left beside the path belongs to the deleted file: SQLite would apply it to the new one.
      for (const suffix of ["-wal", "-shm"]) rmSync(this.path + suffix, { force: true });
      this.#database.exec(`VACUUM INTO '${this.path.replaceAll("'", "''")}'`);
    } catch (error) {
      throw asStoreError(error, this.path, "write");
    }
  }

  /** The whole recording as it stands, as bytes of a SQLite file. */
  snapshot(): Uint8Array {
    this.flush();
    return this.#database.serialize();
  }

  /** Keeps a fact of the run under a name; later ones replace earlier ones. */
  keep(key: string, value: string): void {
    this.flush();
    try {
      keep(this.#database, [[key, value]]);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** From now on each commit keeps what `read` gives then, under a name: so it is never older or newer than the rows. */
  keepWithCommits(key: string, read: () => string): void {
    this.#local.keepWithCommits(key, read);
  }

  /** A fact that was kept. */
  kept(key: string): string | undefined {
    return this.#database.prepare<[string], string>("SELECT value FROM run WHERE key = ?", "value").get(key);
  }

  channel(row: ChannelRow): void {
    this.#rows.channel(row);
  }

  message(row: MessageRow): void {
    this.#rows.message(row);
  }

  messageStatus(row: number, status: MessageStatus, atMs: number, sentAtMs: number | null): void {
    this.#rows.messageStatus(row, status, atMs, sentAtMs);
  }

  call(row: CallRow): void {
    this.#rows.call(row);
  }

  /** @throws RangeError when the event is older than the one before it: readers rely on the order of time */
  event(row: EventRow, isPosted = true, way?: EventWay): void {
    if (row.atMs < this.#lastEventAtMs)
      throw new RangeError(`event at ${row.atMs} after one at ${this.#lastEventAtMs}`);
    this.#lastEventAtMs = row.atMs;
    if (this.#relived > 0) this.#compare(row);
    this.#rows.event(row, isPosted, way);
  }

  #compare({ row, channel, number, atMs, body }: EventRow): void {
    const there = this.#recordedEvent?.get(row);
    const isSame = there?.channel === channel && there.number === number && there.atMs === atMs && there.body === body;
    if (!isSame) throw storeError("not-the-same", this.path, "write");
  }

  note(row: NoteRow): void {
    this.#rows.note(row);
  }

  /** A try beyond the first is about to be made. The first one's intent is its event. */
  intent(row: { readonly channel: number; readonly number: number; readonly try: number }): void {
    this.#rows.intent(row);
  }

  /**
   * An attempt has been answered, or has failed.
   *
   * @param step - see `AttemptRow`
   */
  attempt(row: Omit<AttemptRow, "step">, step: number | null = null): void {
    this.#rows.attempt(row, step);
  }

  /** How a group of handsets stands. */
  sample(row: SampleRow): void {
    this.#rows.sample(row);
  }

  /** The answer to an event said something, and this is what came of it. */
  reply(row: ReplyRow): void {
    this.#rows.reply(row);
  }

  /** A person's phone has shown a message. */
  hearing(row: HearingRow): void {
    this.#rows.hearing(row);
  }

  /** An incoming text has had its effect. */
  roundTrip(row: RoundTripRow): void {
    this.#rows.roundTrip(row);
  }

  /** Something from outside is about to take effect. Committed when this returns. */
  input(row: InputRow): void {
    this.#rows.input(row);
    this.flush();
  }

  /**
   * Something from outside takes effect: it is written, what it does follows, and both are committed together when
   * this returns. Where `act` throws, neither is in the recording.
   */
  apply<T>(row: InputRow, act: () => T): T {
    return this.#writer.atomically(() => {
      this.#rows.input(row);
      return act();
    });
  }

  /** Commits what was written so far; afterwards every reader sees it. Cheap when there is nothing. */
  flush(): void {
    this.#writer.flush();
  }

  /** Calls back when what was written until now is committed: at once, or in a later turn. Not where that fails. */
  whenFlushed(then: () => void): void {
    this.#writer.whenFlushed(then);
  }

  /** From now on nothing is written, not even in memory. What is read back is what was there before. */
  keepNothing(): void {
    this.#writer = new DiscardingWriter();
  }

  /**
   * From now on a thread of its own writes the rows, until something needs this one's connection again (`finish`, `serve`).
   * Tables that are read back while it does show what was committed only, so it is for runs that nobody asks.
   *
   * @param failed - told when rows could not be written that nobody waits for; whoever writes next is told, too
   */
  async handOver(failed: (error: Error) => void): Promise<void> {
    if (this.path === MEMORY || this.#writer !== this.#local) return;
    this.#writer = await ThreadedWriter.start(this.path, { local: this.#local, failed });
  }

  /** From here on this connection writes. */
  #takeBack(): void {
    if (this.#writer === this.#local || this.#writer instanceof DiscardingWriter) return;
    this.#writer.close();
    this.#local.rows = this.#writer.rows;
    this.#writer = this.#local;
  }

  /** The run has ended: keeps its result and makes the indexes that readers want. */
  finish(end: RunEnd): void {
    this.flush();
    try {
      this.#takeBack();
      this.#database.transaction(() => {
        this.#database.exec(readersIndexes);
        keep(this.#database, [
          ["digest", end.digest],
          ["result", end.resultJson],
          ["endedWallMs", String(end.endedWallMs)],
        ]);
      });
      this.#isFinished = true;
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Makes the indexes that the API's lists and the log of deliveries want, and gives both. They see what is not yet
   * committed, too, and end with the recording.
   */
  serve(): { readonly lists: AccountLists; readonly log: EventLog } {
    this.flush();
    try {
      this.#takeBack();
      // A page of contacts reads as many pages of the file, anywhere in it: read where they lie they need no copy.
      this.#database.exec(`PRAGMA mmap_size = ${MAPPED_BYTES_MAX}`);
      this.#database.exec(servingIndexes + eventLogIndexes);
    } catch (error) {
      this.#fail(error);
    }
    return { lists: accountLists(this.#database), log: new EventLog(this.#database) };
  }

  /**
   * From now on only `flush` commits: whoever writes knows what belongs together, such as an answer and what it leads to,
   * and it is not torn apart when the process is killed.
   */
  commitOnFlush(): void {
    this.#writer.commitOnFlush();
  }

  /**
   * The events that were to be posted and had not come to their end when this recording was closed or cut off, the
   * oldest first. Call `serve` before: it is quicker then.
   *
   * @param options - `attempts`: so many are made of an event (the preset's)
   */
  undelivered({ attempts }: { readonly attempts: number }): UndeliveredEvent[] {
    const events = readUndelivered(this.#database, { afterRow: Number(this.kept(SETTLED) ?? 0), attempts });
    // The next time it need not look at what lies before.
    const [first] = events;
    if (first === undefined) this.settle();
    else this.keep(SETTLED, String(first.row - 1));
    return events;
  }

  /** No event that is here now is to be posted any more. */
  settle(): void {
    const last = this.#database.prepare<[], number>("SELECT max(row) FROM event", "value").get() ?? 0;
    this.keep(SETTLED, String(last));
  }

  /** What a gateway goes on from that is to write on in this recording. Call `serve` before: it is quicker then. */
  resume(): ContinuedState {
    this.flush();
    try {
      return readResume(this.#database);
    } catch (error) {
      throw asStoreError(error, this.path, "read");
    }
  }

  /** Reads this recording, the rows that are not yet committed included. It ends with the recording. */
  reader(): RecordingReader {
    return new RecordingReader({ database: this.#database, path: this.path, isShared: true });
  }

  /**
   * Commits and closes; may be called twice. A recording that was finished becomes one single file without a WAL
   * beside it, so that it can be copied, and read from a medium that is read-only.
   */
  close(): void {
    if (!this.#database.isOpen) return;
    try {
      this.#writer.close();
      if (this.#isFinished) this.#leaveWal();
    } finally {
      this.#database.close();
    }
  }

  #leaveWal(): void {
    try {
      this.#database.exec("PRAGMA journal_mode = DELETE");
    } catch {
      // Somebody is reading it just now. The WAL stays beside the file, and readers know what to do with it.
    }
  }

  #write(statement: Statement, cells: readonly Cell[]): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#isOnRecord = this.#relived > 0;
    if (this.#relived > 0) {
      this.#relived--;
      return;
    }
    this.#writer.write(statement, cells);
  }

  #fail(error: unknown): never {
    this.#failure = asStoreError(error, this.path, "write");
    throw this.#failure;
  }
}

/** Identifies a file whatever its name is; undefined: there is none. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
