/** A value of the receiver's log; undefined: NULL, or the row lacks the column. */
export type LogCell = string | undefined;

/** The receiver's log, stored by column, so that columns without a role can be freed. */
export class ReceivedTable {
  readonly #columns = new Map<string, LogCell[]>();
  #rowCount = 0;

  /** @param names - the columns that are known before the first row */
  constructor(names: readonly string[] = []) {
    for (const name of names) this.#columns.set(this.#unused(name), []);
  }

  get names(): string[] {
    return [...this.#columns.keys()];
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** The values of a column by row; it may end before the last row, and is empty for an unknown name. */
  column(name: string): readonly LogCell[] {
    return this.#columns.get(name) ?? [];
  }

  /** Adds a row with values in the order of the constructor's names. Further values are ignored. */
  addValues(values: readonly LogCell[]): void {
    let index = 0;
    for (const column of this.#columns.values()) column.push(values[index++]);
    this.#rowCount++;
  }

  /** Adds a row of named values. A new name becomes a column. */
  addNamed(values: Iterable<readonly [name: string, value: LogCell]>): void {
    for (const [name, value] of values) this.set(name, this.#rowCount, value);
    this.#rowCount++;
  }

  /** Sets the value of a row that exists. A new name becomes a column. */
  set(name: string, row: number, value: LogCell): void {
    let column = this.#columns.get(name);
    if (column === undefined) this.#columns.set(name, (column = []));
    // An array with holes would be slower to read than one filled with undefined.
    while (column.length < row) column.push(undefined);
    column[row] = value;
  }

  remove(name: string): void {
    this.#columns.delete(name);
  }

  /** Frees the memory of all other columns. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#columns.keys()) if (!names.has(name)) this.#columns.set(name, []);
  }

  /** A name for another column of the same name, as SQLite makes them. */
  #unused(name: string): string {
    let unused = name;
    for (let count = 1; this.#columns.has(unused); count++) unused = `${name}:${count}`;
    return unused;
  }
}
