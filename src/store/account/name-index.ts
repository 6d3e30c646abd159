import type { Connection } from "../sqlite/connection.js";
import { fold } from "../sqlite/functions.js";

interface NamedRow {
  readonly id: number;
  readonly name: string;
}

/**
 * Ids of a table's rows by name, case-insensitive. Without it, SQLite would fold the names of all rows at each
 * look-up.
 */
export class NameIndex {
  readonly #read: () => readonly NamedRow[];
  readonly #folded = new Map<number, string>();
  /** Ascending ids by folded name; undefined before the first look-up reads them. */
  #ids: Map<string, number[]> | undefined;

  /** @param table - with the columns `id` and `name` */
  constructor(database: Connection, table: string) {
    const all = database.prepare<[], NamedRow>(`SELECT id, name FROM ${table} ORDER BY id`);
    this.#read = () => all.all();
  }

  /** The lowest id with this name. */
  firstWith(name: string): number | undefined {
    return this.#byFolded().get(fold(name))?.[0];
  }

  /** Adds or renames the row that was written. */
  put({ id, name }: NamedRow): void {
    if (this.#ids === undefined || this.#folded.get(id) === fold(name)) return;
    this.remove(id);
    this.#add(this.#ids, id, name);
  }

  /** Removes the row that was deleted. */
  remove(id: number): void {
    const folded = this.#folded.get(id);
    if (this.#ids === undefined || folded === undefined) return;
    this.#folded.delete(id);
    const others = (this.#ids.get(folded) ?? []).filter((other) => other !== id);
    if (others.length === 0) this.#ids.delete(folded);
    else this.#ids.set(folded, others);
  }

  #byFolded(): Map<string, number[]> {
    if (this.#ids === undefined) {
      const ids = new Map<string, number[]>();
      for (const { id, name } of this.#read()) this.#add(ids, id, name);
      this.#ids = ids;
    }
    return this.#ids;
  }

  #add(ids: Map<string, number[]>, id: number, name: string): void {
    const folded = fold(name);
    this.#folded.set(id, folded);
    const same = ids.get(folded);
    if (same === undefined) ids.set(folded, [id]);
    // Most ids are higher than those before.
    else if (id > (same.at(-1) ?? 0)) same.push(id);
    else {
      const sorted = [...same, id].toSorted((a, b) => a - b);
      ids.set(folded, sorted);
    }
  }
}
