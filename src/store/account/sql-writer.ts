import type { Connection, Statement } from "../sqlite/connection.js";
import type { Value } from "./list.js";

/** How tables write: into the recording's open transaction, through its one writer. */
export interface SqlWriter {
  readonly database: Connection;
  readonly write: (statement: Statement, ...values: readonly (Value | Uint8Array)[]) => void;
}

/** The highest id that a table has given out, plus one; counted on from there without asking again. */
export class Counter {
  #next: number;

  /** @param table - a table whose column `id` counts */
  constructor(database: Connection, table: string, column = "id") {
    const highest = database.prepare<[], number>(
      `SELECT max(coalesce(max(${column}), 0),
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)) FROM ${table}`,
      "value",
    );
    this.#next = (highest.get() ?? 0) + 1;
  }

  /** Whether none was given out. */
  get isAtStart(): boolean {
    return this.#next === 1;
  }

  next(): number {
    return this.#next++;
  }
}
