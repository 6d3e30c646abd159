import type { Account } from "../account/index.js";
import type { Recording } from "../store/index.js";

/** Key of the fact of a recording that has what the account has left to later steps. */
export const BACKLOG = "backlog";
/** Keys of facts of an unfinished load. */
const LOAD = "load";
const LOAD_DONE = "loadDone";

/** Account data that is being loaded in parts. */
interface UnfinishedLoad {
  /** The recorded source. */
  readonly json: string;
  readonly load: { readonly repeatedDone: number; readonly isDone: boolean };
}

/** Work of the account that a restart continues: what it has left to later steps, and data that is being loaded. */
export class AccountWork {
  #loading: UnfinishedLoad | undefined;

  /** Account data is loaded in parts from now on: a database that is closed meanwhile is to continue the load. */
  beginLoad(load: UnfinishedLoad): void {
    this.#loading = load;
  }

  /** The load is over. */
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

/** What the account had left to later steps when the database was closed. */
export function readBacklog(recording: Recording): string {
  return recording.kept(BACKLOG) ?? "[]";
}

/** The load that was not finished when the database was closed; undefined: none. */
export function readUnfinishedLoad(
  recording: Recording,
): { readonly json: string; readonly repeatedDone: number } | undefined {
  const json = recording.kept(LOAD) ?? "";
  return json === "" ? undefined : { json, repeatedDone: Number(recording.kept(LOAD_DONE) ?? 0) };
}
