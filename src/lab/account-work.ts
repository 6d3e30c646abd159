import type { Account } from "../account/index.js";
import type { Recording } from "../store/index.js";

/** Key under which the recording keeps the account's backlog. */
export const BACKLOG = "backlog";
/** Keys of the recorded facts of an unfinished load. */
const LOAD = "load";
const LOAD_DONE = "loadDone";

/** Account data that is being loaded in parts. */
interface UnfinishedLoad {
  /** The recorded source. */
  readonly json: string;
  readonly load: { readonly repeatedDone: number; readonly isDone: boolean };
}

/** Work of the account that a restart continues: its backlog, and data that is being loaded. */
export class AccountWork {
  #loading: UnfinishedLoad | undefined;

  /**
   * Records that a load in parts begins. If the database is closed before `endLoad`, the load continues when it is
   * opened again.
   */
  beginLoad(load: UnfinishedLoad): void {
    this.#loading = load;
  }

  /** Records that the load has ended. */
  endLoad(): void {
    this.#loading = undefined;
  }

  /** Records the work with each commit from now on. */
  recordWithCommits(recording: Recording, account: Account): void {
    recording.keepWithCommits(BACKLOG, () => account.backlog.state);
    recording.keepWithCommits(LOAD, () => this.#unfinished?.json ?? "");
    recording.keepWithCommits(LOAD_DONE, () => String(this.#unfinished?.load.repeatedDone ?? 0));
  }

  get #unfinished(): UnfinishedLoad | undefined {
    return this.#loading?.load.isDone === false ? this.#loading : undefined;
  }
}

/** The account's backlog when the database was closed or killed. */
export function readBacklog(recording: Recording): string {
  return recording.kept(BACKLOG) ?? "[]";
}

/** The load that was unfinished when the database was closed or killed; undefined when there was none. */
export function readUnfinishedLoad(
  recording: Recording,
): { readonly json: string; readonly repeatedDone: number } | undefined {
  const json = recording.kept(LOAD) ?? "";
  return json === "" ? undefined : { json, repeatedDone: Number(recording.kept(LOAD_DONE) ?? 0) };
}
