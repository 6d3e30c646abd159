import type { OnProgress } from "../../base/index.js";
import type { AccountTables } from "../../account/index.js";
import type { ContinuedState } from "../../gateway/index.js";
import type { AttemptsMax } from "../../wire/index.js";
import { DeferredRows } from "../account/deferred-rows.js";
import { type AccountLists, accountLists, accountTables } from "../account/tables.js";
import { conversationIndexes, Conversations } from "../reading/conversations.js";
import { EventLog, eventLogIndexes } from "../reading/event-log.js";
import { RecordingReader } from "../reading/reader.js";
import type { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { openInMemory } from "../sqlite/in-memory.js";
import { readersIndexes, servingIndexes } from "../sqlite/schema/indexes.js";
import { SCHEMA_VERSION } from "../sqlite/schema/schema.js";
import { createIndexes } from "../sqlite/tune.js";
import { ComparingWriter } from "../writer/comparing-writer.js";
import { DiscardingWriter } from "../writer/discarding-writer.js";
import { FailedWriter } from "../writer/failed-writer.js";
import { LocalWriter } from "../writer/local-writer.js";
import { ReexecutingWriter } from "../writer/reexecuting-writer.js";
import { ThreadedWriter } from "../writer/threaded-writer.js";
import { ROWS_KEY, type Writer } from "../writer/writer.js";
import { claimPath } from "./claim-path.js";
import { readGatewayState } from "./gateway-state.js";
import { type InsertedEvent, JournalRows } from "./journal-rows.js";
import {
  bytesOnDisk,
  createFile,
  createTemporary,
  emptyTables,
  factOf,
  inodeOf,
  keepFacts,
  MEMORY,
  openForWriting,
  prepareForWriting,
  readBytes,
  restoreFile,
  SCHEMA_KEY,
  temporaryFolder,
} from "./recording-file.js";
import { eventComparison, tablesOfNewRun } from "./reexecution.js";
import type { InputRow, RunEndFacts, RunMeta } from "./rows.js";
import { readUndelivered, type UndeliveredEvent } from "./undelivered.js";

/** Bytes of a served file that SQLite may map into memory: the largest value that it accepts. */
const MAPPED_BYTES_MAX = 0x7fff_0000;

/** In a recording below this size, the indexes at the end of the run take less than a second. */
const INDEXED_SOON_BYTES = 100 * 2 ** 20;

/** Key of the fact with the row of an event. Every event up to this row is delivered or given up. */
const SETTLED_KEY = "settledRow";

/** Options of `Recording.create`. */
export interface CreateOptions {
  /** Whether an existing recording at the path may be replaced. Other files never are. */
  readonly overwrite?: boolean;
}

/**
 * A recording that is being written: the Journal's rows, and its life from `create` or `reopen` to `finish` and
 * `close`.
 *
 * Rows go to a `Writer`, in this thread or a separate one, which commits them in batches. A commit is durable in the
 * WAL: it survives `kill -9` of the process. It is not fsynced, so a power cut of the computer may lose it; then the
 * run must be played again.
 *
 * Every method that writes throws a StoreError when the disk refuses a row; after that the recording accepts no row
 * and throws the same error. What was committed before stays readable.
 */
export class Recording extends JournalRows {
  readonly path: string;
  readonly #database: Connection;
  readonly #local: LocalWriter;
  /** Executes the statements; the journal's `writer` is this one or a `ReexecutingWriter` around it. */
  #executor: Writer;
  #reexecution: ReexecutingWriter | undefined;
  #isOfPast = false;
  #tables: AccountTables;
  readonly #deferred = new DeferredRows();
  #isFinished = false;
  #isThreadWanted = false;
  readonly #inode: number | undefined;

  /** @param named - its name in errors */
  private constructor(path: string, database: Connection, named = path) {
    const local = new LocalWriter(database, { path: named, rows: Number(factOf(database, ROWS_KEY) ?? 0) });
    super(database, local);
    this.path = path;
    this.#inode = path === MEMORY ? undefined : inodeOf(path);
    this.#database = database;
    this.#local = local;
    this.#executor = local;
    this.#tables = accountTables({
      database,
      write: (statement, ...cells) => this.writer.write(statement, cells),
      deferred: this.#deferred,
    });
  }

  /**
   * Creates a recording.
   *
   * @param path - a file that does not exist yet, in a folder that does; or `:memory:`
   * @throws StoreError `recording-exists`, `no-such-folder`, `not-writable`, `not-a-recording` (overwriting something
   *   else), `disk-full`…
   */
  static create(path: string, meta: RunMeta, options: CreateOptions = {}): Recording {
    try {
      if (path !== MEMORY) claimPath(path, { overwrite: options.overwrite === true });
      return new Recording(path, createFile(path, meta));
    } catch (error) {
      throw asStoreError(error, path, "write");
    }
  }

  /**
   * Creates a recording that is lost when it is closed. Its `path` is `:memory:`; what does not fit into SQLite's cache
   * goes to a temporary file without a name, so memory does not grow with it.
   *
   * @throws StoreError
   */
  static createTemporary(meta: RunMeta): Recording {
    const folder = temporaryFolder();
    const named = folder === undefined ? MEMORY : `in ${folder}`;
    try {
      return new Recording(MEMORY, createTemporary(meta, folder), named);
    } catch (error) {
      throw asStoreError(error, named, "write");
    }
  }

  /**
   * Creates a recording in memory in the database of an earlier one, whose rows are deleted; the earlier one must not be
   * used again. Tables and statements stay, so this takes a tenth of the time of `create`, and many runs one after the
   * other take no more memory (see `Connection`).
   */
  static recreate(earlier: Recording, meta: RunMeta): Recording {
    if (earlier.path !== MEMORY) throw new RangeError(`${earlier.path} is not in memory`);
    try {
      emptyTables(earlier.#database, meta);
      return new Recording(MEMORY, earlier.#database);
    } catch (error) {
      throw asStoreError(error, MEMORY, "write");
    }
  }

  /**
   * Opens a recording that was closed or killed, to append to it. It holds all committed rows.
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
   * Copies a recording into memory, to append to the copy; the file is not changed.
   *
   * @param source - a path, or the bytes of a `snapshot`
   */
  static copyOf(source: string | Uint8Array): Recording {
    const path = typeof source === "string" ? source : MEMORY;
    try {
      const bytes = typeof source === "string" ? readBytes(source) : Buffer.from(source);
      return new Recording(MEMORY, prepareForWriting(openInMemory(bytes)));
    } catch (error) {
      throw asStoreError(error, path, "read");
    }
  }

  /** The account's tables: contacts and all that the API shows. Their rows share transactions with the Journal's. */
  get tables(): AccountTables {
    return this.#tables;
  }

  /**
   * Prepares to re-execute a run that was killed: the run's first rows, as many as the recording holds, are compared
   * with it instead of being written. Events must be the same. Other rows are only counted; busy seconds of the host
   * are not written again and not counted.
   *
   * @throws StoreError `not-resumable` when another version made the recording, which wrote other rows
   */
  reexecute(): void {
    if (this.kept(ROWS_KEY) === undefined || this.kept(SCHEMA_KEY) !== String(SCHEMA_VERSION))
      throw storeError("not-resumable", this.path, "write");
    this.restartNumbering();
    this.#tables = tablesOfNewRun(this.#database, (statement, cells) => this.writer.write(statement, cells));
    this.#reexecution = new ReexecutingWriter(this.#executor, {
      count: this.#executor.rows - this.#hostSeconds,
      compare: eventComparison({ database: this.#database, path: this.path }, (statement, cells) =>
        this.eventIn(statement, cells),
      ),
    });
    this.writer = this.#reexecution;
  }

  /**
   * Prepares to play a recorded run again into this recording. `isReexecuting` is true from now on, because the
   * recording stays in the past. Its events are compared with the recorded ones.
   *
   * @param onDifference - called once, with the first event that differs from the recorded one or is missing there
   * @returns live: the row of the last event that was compared
   */
  compareEvents(
    recorded: Pick<RecordingReader, "eventAt">,
    onDifference: (event: InsertedEvent) => void,
  ): { readonly lastRow: number } {
    this.#isOfPast = true;
    let isSame = true;
    const compared = { lastRow: 0 };
    this.writer = new ComparingWriter(this.#executor, (statement, cells) => {
      const event = isSame ? this.eventIn(statement, cells) : undefined;
      if (event === undefined) return;
      const { channel, number, atMs, body } = event;
      compared.lastRow = event.row;
      const known = recorded.eventAt(event.row);
      isSame = known?.channel === channel && known.number === number && known.atMs === atMs && known.body === body;
      if (!isSame) onDifference(event);
    });
    return compared;
  }

  /** Whether the recording already holds the next row: the run is being re-executed. */
  get isReexecuting(): boolean {
    return this.#isOfPast || (this.#reexecution?.isReexecuting ?? false);
  }

  /** Whether the recording already held the latest row. */
  get isLastRowRecorded(): boolean {
    return this.#reexecution?.isLastRowRecorded ?? false;
  }

  /** Size of the whole recording. */
  get bytes(): number {
    return Number(this.#database.setting("page_count")) * Number(this.#database.setting("page_size"));
  }

  /** Bytes of its file and its WAL; 0 for one in memory. */
  get bytesOnDisk(): number {
    return this.path === MEMORY ? 0 : bytesOnDisk(this.path);
  }

  /** Whether its file was deleted, or replaced by another one, since it was opened. */
  get isDeleted(): boolean {
    return this.path !== MEMORY && inodeOf(this.path) !== this.#inode;
  }

  /**
   * Writes a deleted recording to its path again: the open connection still holds it. Call it after `finish`.
   *
   * @throws StoreError `recording-exists` where another file has its path now, `disk-full`…
   */
  restore(): void {
    restoreFile(this.#database, this.path);
  }

  /** The whole recording at this instant, as bytes of a SQLite file. */
  snapshot(): Uint8Array {
    this.flush();
    return this.#database.serialize();
  }

  /** Stores a fact of the run under a key; a later value replaces an earlier one. */
  keep(key: string, value: string): void {
    this.flush();
    try {
      keepFacts(this.#database, [[key, value]]);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Each later commit also stores the value that `read` returns at that moment, so the fact is never older or newer
   * than the rows.
   */
  keepWithCommits(key: string, read: () => string): void {
    this.#local.keepWithCommits(key, read);
  }

  /** A fact that was stored with `keep`. */
  kept(key: string): string | undefined {
    return factOf(this.#database, key);
  }

  /**
   * Records an input from outside and applies it. Both are one transaction, which is committed when this returns; when
   * `act` throws, neither is in the recording.
   */
  applyInput<T>(row: InputRow, act: () => T): T {
    return this.writer.atomically(() => {
      this.writeInput(row);
      return act();
    });
  }

  /** Commits all rows so far; afterwards every reader sees them. Cheap when none is pending. */
  flush(): void {
    this.#deferred.writeAll();
    this.writer.flush();
  }

  /**
   * From now on runs and sessions of flows are written once, when they are read or at the end: for runs without an API,
   * which nobody can resume. Writing each of their steps takes a third of the time of a run full of flows.
   */
  deferSessions(): void {
    this.#deferred.turnOn();
  }

  /** Calls back when all rows so far are committed: at once, or in a later turn of the event loop. Never on failure. */
  whenFlushed(then: () => void): void {
    this.writer.whenFlushed(then);
  }

  /** From now on rows are discarded; readers see the earlier ones only. */
  discardRows(): void {
    this.#isThreadWanted = false;
    this.#useExecutor(new DiscardingWriter());
  }

  /**
   * From now on a separate thread writes the rows, until `finish` or `prepareToServe` needs this thread's connection.
   * Until then the account's tables show committed rows only, so only runs without an API use it.
   *
   * @param onFailure - gets the error of rows that could not be written; the next write throws it, too
   * @param options - `afterRows`: number of rows after which the thread starts; a short run is faster without one
   */
  async writeInThread(onFailure: (error: Error) => void, { afterRows = 0 } = {}): Promise<void> {
    if (this.path === MEMORY || this.#executor !== this.#local) return;
    this.#isThreadWanted = true;
    if (afterRows === 0) return this.#startThread(onFailure);
    this.#local.callAfter(afterRows, () => {
      this.#startThread(onFailure).catch((error: Error) => this.#isThreadWanted && onFailure(error));
    });
  }

  async #startThread(onFailure: (error: Error) => void): Promise<void> {
    if (!this.#isThreadWanted) return;
    // A thread that becomes ready after the end of the run has no rows to write, and perhaps no file.
    const failed = (error: Error): void => {
      if (this.#isThreadWanted) onFailure(error);
    };
    const threaded = await ThreadedWriter.start(this.path, { local: this.#local, onFailure: failed });
    if (this.#isThreadWanted) this.#useExecutor(threaded);
    else threaded.close();
  }

  /** Ends the writer's thread: from now on this thread's connection writes. */
  #writeInThisThread(): void {
    this.#isThreadWanted = false;
    if (!(this.#executor instanceof ThreadedWriter)) return;
    this.#executor.close();
    this.#useExecutor(this.#local);
  }

  #useExecutor(executor: Writer): void {
    if (this.#reexecution !== undefined) this.#reexecution.next = executor;
    else if (this.writer === this.#executor) this.writer = executor; // not a FailedWriter
    this.#executor = executor;
  }

  /** Ends the run: stores its result and creates the readers' indexes. */
  finish(end: RunEndFacts, onProgress?: OnProgress): void {
    this.flush();
    const isLong = this.bytes > INDEXED_SOON_BYTES;
    onProgress?.({ operation: "indexing the recording", done: 0, total: 0, isLong });
    try {
      this.#writeInThisThread();
      this.#database.transaction(() => {
        this.#database.exec(readersIndexes);
        keepFacts(this.#database, [
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
   * Creates the indexes of the API's lists, of the log of deliveries and of conversations.
   *
   * @returns their readers; they also see rows that are not yet committed, and end with the recording
   */
  prepareToServe(): {
    readonly lists: AccountLists;
    readonly log: EventLog;
    readonly conversations: Conversations;
  } {
    this.flush();
    try {
      this.#writeInThisThread();
      // A page of contacts reads about one page of the file per contact, at random offsets: memory-mapped, they are not
      // copied.
      if (this.path !== MEMORY) this.#database.exec(`PRAGMA mmap_size = ${MAPPED_BYTES_MAX}`);
      createIndexes(this.#database, servingIndexes + eventLogIndexes + conversationIndexes);
    } catch (error) {
      this.#fail(error);
    }
    return {
      lists: accountLists(this.#database),
      log: new EventLog(this.#database),
      conversations: new Conversations(this.#database),
    };
  }

  /**
   * From now on only `flush` commits: the caller knows which rows belong together, such as an answer and its effects. A
   * kill keeps all of them or none.
   */
  commitOnFlush(): void {
    this.writer.commitOnFlush();
  }

  /**
   * The posted events that were neither delivered nor given up when this recording was closed or killed, oldest
   * first. Call `prepareToServe` before: its indexes make this fast.
   *
   * @param max - how many attempts the preset allows: `attemptsAllowed`
   */
  undelivered(max: AttemptsMax): UndeliveredEvent[] {
    const afterRow = Number(this.kept(SETTLED_KEY) ?? 0);
    const events = readUndelivered(this.#database, { afterRow, ...max });
    // The next search begins at the oldest of them.
    this.keep(SETTLED_KEY, String(events[0] === undefined ? this.#lastEventRow : events[0].row - 1));
    return events;
  }

  /** Whether `undelivered` counts an event as delivered or given up, by its row. */
  isSettled(eventRow: number): boolean {
    return eventRow <= Number(this.kept(SETTLED_KEY) ?? 0);
  }

  /** Counts every event so far as delivered or given up: `undelivered` does not return it. */
  settleEvents(): void {
    this.keep(SETTLED_KEY, String(this.#lastEventRow));
  }

  get #hostSeconds(): number {
    return this.#database.prepare<[], number>("SELECT count(*) FROM host_second", "value").get() ?? 0;
  }

  get #lastEventRow(): number {
    return this.#database.prepare<[], number>("SELECT max(row) FROM event", "value").get() ?? 0;
  }

  /** What a gateway needs to continue this recording. Call `prepareToServe` before: its indexes make this fast. */
  readGatewayState(): ContinuedState {
    this.flush();
    try {
      return readGatewayState(this.#database);
    } catch (error) {
      throw asStoreError(error, this.path, "read");
    }
  }

  /** A reader of this recording, uncommitted rows included. It ends with the recording. */
  reader(): RecordingReader {
    return new RecordingReader({ database: this.#database, path: this.path, isShared: true });
  }

  /**
   * Commits and closes; may be called twice. A finished recording becomes one file without a WAL, so that it can be
   * copied, and read from a read-only medium.
   */
  close(): void {
    if (!this.#database.isOpen) return;
    this.#isThreadWanted = false;
    try {
      // A failed run has not flushed its recording.
      if (!(this.writer instanceof FailedWriter)) this.#deferred.writeAll();
      this.#executor.close();
      if (this.#isFinished) this.#leaveWal();
    } finally {
      this.#database.close();
    }
  }

  #leaveWal(): void {
    try {
      this.#database.exec("PRAGMA journal_mode = DELETE");
    } catch {
      // Another connection reads it now. The WAL stays, and readers apply it.
    }
  }

  #fail(error: unknown): never {
    const failure = asStoreError(error, this.path, "write");
    this.writer = new FailedWriter(failure, this.#executor.rows);
    throw failure;
  }
}
