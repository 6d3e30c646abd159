import type { Kernel, SimTime, Streams } from "../sim/index.js";

/** The properties that a registry gives each row. */
interface Registered {
  /** Counts from 1. */
  readonly id: number;
  readonly createdAtMs: SimTime;
  readonly uuid?: string;
}

/** A table of rows with ids. */
export interface RowTable<Row> {
  /** The id that the next row gets. */
  nextId(): number;
  /** Inserts a row, or replaces the one with its id. */
  put(row: Row): void;
}

/** The content of a row. Default UUID: derived from the seed and the id. */
export type RowContent<Row> = Omit<Row, keyof Registered> & { readonly uuid?: string | undefined };

/**
 * Adds and changes the rows of one resource. The caller has checked that names are unique and that references exist.
 */
export class Registry<Row extends Registered> {
  readonly #kernel: Kernel;
  readonly #table: RowTable<Row>;
  readonly #newUuid: ((id: number) => string) | undefined;

  /** @param options - `uuids`: derives UUIDs from `<kind>/<id>`; absent when rows have none */
  constructor(options: {
    kernel: Kernel;
    table: RowTable<Row>;
    uuids?: { readonly streams: Streams; readonly kind: string };
  }) {
    const { uuids } = options;
    this.#kernel = options.kernel;
    this.#table = options.table;
    this.#newUuid = uuids && ((id) => uuids.streams.uuid(`${uuids.kind}/${id}`));
  }

  add({ uuid, ...content }: RowContent<Row>): Row {
    const id = this.#table.nextId();
    const identity = { id, createdAtMs: this.#kernel.now, ...(this.#newUuid && { uuid: uuid ?? this.#newUuid(id) }) };
    // TypeScript cannot tell that a generic type's omitted properties complete the rest of it.
    const row = { ...content, ...identity } as unknown as Row;
    this.#table.put(row);
    return row;
  }

  change(row: Row, changes: Partial<Omit<Row, keyof Registered>>): Row {
    const changed = { ...row, ...changes };
    this.#table.put(changed);
    return changed;
  }
}
