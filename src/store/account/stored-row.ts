/** A row as SQLite gives it: the columns of `Json` are JSON, those of `Flags` are 0 or 1. */
type Stored<Row, Json extends keyof Row, Flags extends keyof Row> = Omit<Row, Json | Flags> & {
  readonly [Column in Json]: null extends Row[Column] ? string | null : string;
} & { readonly [Column in Flags]: number };

/** Creates a function that reads rows of a table. @returns takes the columns that SQLite stores otherwise */
export function rowReader<Row>() {
  return <Json extends keyof Row = never, Flags extends keyof Row = never>({
      json = [],
      flags = [],
    }: {
      readonly json?: readonly Json[];
      readonly flags?: readonly Flags[];
    }) =>
    (stored: Stored<Row, Json, Flags>): Row => {
      const row = { ...stored } as unknown as Record<keyof Row, unknown>;
      for (const column of json) {
        const text = row[column];
        if (typeof text === "string") row[column] = JSON.parse(text);
      }
      for (const column of flags) row[column] = row[column] === 1;
      return row as Row;
    };
}
