import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../base/index.js";
import { asStoreError } from "../store/index.js";

/** Name, time and size of a snapshot. */
export interface SnapshotNote {
  readonly name: string;
  /** Virtual time at which it was taken. */
  readonly takenAtMs: number;
  readonly bytes: number;
}

/** The snapshot that a server takes when it starts. */
export const START = "start";

/** Keeps snapshots: in memory until the server ends, or in the folder `DATABASE.snapshots`. */
export class Snapshots {
  readonly #folder: string | undefined;
  readonly #kept = new Map<string, { readonly takenAtMs: number; readonly bytes: Uint8Array }>();

  /** @param database - path of the database; undefined: database and snapshots are in memory */
  constructor(database: string | undefined) {
    this.#folder = database === undefined ? undefined : `${database}.snapshots`;
  }

  /** @throws StoreError `disk-full`, `not-writable`… */
  save(name: string, takenAtMs: number, bytes: Uint8Array): SnapshotNote {
    if (this.#folder === undefined) this.#kept.set(name, { takenAtMs, bytes });
    else {
      const path = this.#path(name);
      try {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        // A snapshot contains the account's tokens, so only this user may read the file.
        replaceFile(path, bytes, {
          beforeRename: () => writeFileSync(`${path}.json`, JSON.stringify({ takenAtMs }), { mode: 0o600 }),
        });
      } catch (error) {
        this.#removeEmptyFolder();
        throw asStoreError(error, path, "write");
      }
    }
    return { name, takenAtMs, bytes: bytes.length };
  }

  /** The bytes of a snapshot; undefined when there is none with this name. */
  read(name: string): Uint8Array | undefined {
    if (this.#folder === undefined) return this.#kept.get(name)?.bytes;
    return existsSync(this.#path(name)) ? readFileSync(this.#path(name)) : undefined;
  }

  /** Sorted by name. */
  list(): SnapshotNote[] {
    const notes =
      this.#folder === undefined
        ? [...this.#kept].map(([name, { takenAtMs, bytes }]) => ({ name, takenAtMs, bytes: bytes.length }))
        : this.#onDisk(this.#folder);
    return notes.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Removes a snapshot, and the folder if it was the last. */
  discard(name: string): void {
    this.drop(name);
    this.#removeEmptyFolder();
  }

  /** @returns whether there was one with this name */
  drop(name: string): boolean {
    if (this.#folder === undefined) return this.#kept.delete(name);
    const exists = existsSync(this.#path(name));
    for (const suffix of ["", ".json"]) rmSync(this.#path(name) + suffix, { force: true });
    return exists;
  }

  #onDisk(folder: string): SnapshotNote[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(".db"))
      .map((file) => {
        const name = file.slice(0, -3);
        const note = `${this.#path(name)}.json`;
        const known = existsSync(note) ? (JSON.parse(readFileSync(note, "utf8")) as { takenAtMs?: number }) : {};
        return { name, takenAtMs: known.takenAtMs ?? 0, bytes: statSync(this.#path(name)).size };
      });
  }

  #removeEmptyFolder(): void {
    if (this.#folder === undefined || !existsSync(this.#folder)) return;
    if (readdirSync(this.#folder).length === 0) rmdirSync(this.#folder);
  }

  #path(name: string): string {
    return join(this.#folder ?? "", `${name}.db`);
  }
}
