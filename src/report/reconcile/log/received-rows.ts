import { LabError } from "../../../base/index.js";
import type { ColumnRole, ColumnsByRole } from "../columns/column-roles.js";
import type { InstantReader } from "../../../wire/index.js";
import type { LogCell, ReceivedTable } from "./received-table.js";
import type { RecordedPhones } from "../events/recorded-phones.js";

/** The rows of a log by the roles of their columns. Rows count from 0; people count them from 1. */
export class ReceivedRows {
  readonly #values: Readonly<Partial<Record<ColumnRole, readonly LogCell[]>>>;
  readonly #phones: RecordedPhones;
  readonly #instants: InstantReader;
  readonly #log: string;

  /** @param options - `log`: path of the file, for errors */
  constructor(
    table: ReceivedTable,
    {
      columns,
      phones,
      instants,
      log,
    }: {
      readonly columns: ColumnsByRole;
      readonly phones: RecordedPhones;
      readonly instants: InstantReader;
      readonly log: string;
    },
  ) {
    this.#values = Object.fromEntries(Object.entries(columns).map(([role, name]) => [role, table.column(name)]));
    this.#phones = phones;
    this.#instants = instants;
    this.#log = log;
  }

  has(role: ColumnRole): boolean {
    return this.#values[role] !== undefined;
  }

  /** Id of the event; undefined: the row has none. */
  id(row: number): string | undefined {
    const id = this.#filled("id", row);
    return id !== undefined && /^\d+\/\d+$/.test(id) ? id : undefined;
  }

  /** Number of the message or call; undefined: the row has none. */
  number(row: number): number | undefined {
    const number = Number(this.#filled("number", row));
    return Number.isNaN(number) ? undefined : number;
  }

  /** In lower case. */
  type(row: number): string | undefined {
    return this.#filled("type", row)?.toLowerCase();
  }

  /** The phone in the form of the recording, empty if the row has none; undefined when the log has no phone column. */
  phone(row: number): string | undefined {
    const phones = this.#values.phone;
    return phones && this.#phones.normalise(phones[row] ?? "");
  }

  /**
   * The number of the phone in the recording; -1 when the row has no phone; undefined when the recording does not have
   * it.
   */
  phoneNumber(row: number): number | undefined {
    const phone = this.#filled("phone", row);
    const number = phone === undefined ? -1 : this.#phones.numberOf(phone);
    return phone !== undefined && number === -1 ? undefined : number;
  }

  /** Whether the row has this phone; true when the log has no phone column. */
  hasPhone(row: number, phone: string): boolean {
    const phones = this.#values.phone;
    return phones === undefined || phones[row] === phone || this.phone(row) === phone;
  }

  /** The text, empty if the row has none; undefined when the log has no text column. */
  text(row: number): string | undefined {
    const texts = this.#values.text;
    return texts && (texts[row] ?? "");
  }

  /**
   * Milliseconds since 1970; undefined: the row has none.
   *
   * @throws LabError `bad-options` if it is not a time
   */
  timeMs(row: number): number | undefined {
    const text = this.#filled("time", row);
    if (text === undefined) return undefined;
    const timeMs = this.#instants.read(text);
    if (timeMs !== undefined) return timeMs;
    throw new LabError("bad-options", `${this.#log}, row ${row + 1}: '${text}' is not a time`, {
      hint: "write ISO 8601, 2026-03-04 06:00:00, or seconds or milliseconds since 1970; --columns time=COLUMN names another column, time=none uses none",
    });
  }

  #filled(role: ColumnRole, row: number): string | undefined {
    const value = this.#values[role]?.[row]?.trim();
    return value === "" ? undefined : value;
  }
}
