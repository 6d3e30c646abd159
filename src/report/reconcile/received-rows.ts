import { idsPerChannel, parseForm } from "../../wire/index.js";

/** The meanings that a column of the receiver's log may have. */
export const columnRoles = ["id", "number", "type", "phone", "text", "time"] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** A row of the receiver's log, reduced to the columns with a meaning. */
export interface ReceivedRow {
  /** Number of the row in the file, from 1. */
  readonly row: number;
  readonly id?: string | undefined;
  readonly number?: number | undefined;
  readonly type?: string | undefined;
  readonly phone?: string | undefined;
  readonly text?: string | undefined;
  /** Milliseconds since 1970. */
  readonly timeMs?: number | undefined;
}

/** The name of the column for each role. */
export type Columns = Partial<Record<ColumnRole, string>>;

/** Usual names of columns, in lower case without punctuation; the first match is used. */
const usualNames: Readonly<Record<ColumnRole, readonly string[]>> = {
  id: ["xhandsetevent", "handsetevent", "eventid", "eventkey", "event"],
  number: ["sms", "smsid", "messageid", "msgid", "call", "callid", "id"],
  type: ["eventtype", "type", "event", "kind"],
  phone: ["phone", "from", "sender", "msisdn", "phonenumber", "urn", "address", "number", "contact"],
  text: ["text", "message", "content", "msg", "words"],
  time: ["time", "timestamp", "receivedat", "createdat", "received", "created", "date", "datetime", "ts", "at"],
};

/** Whether a value fits a role: names alone are ambiguous (`event`, `id`). */
const valueFits: Partial<Record<ColumnRole, (value: string) => boolean>> = {
  id: (value) => /^\d+\/\d+$/.test(value),
  // Numbers of messages and calls begin at channel x 2^20; smaller numbers are the receiver's own ids.
  number: (value) => /^\d+$/.test(value) && Number(value) > idsPerChannel,
  type: (value) => /^[a-z][a-z0-9_]*$/i.test(value),
};

/** Finds the columns by their names and by the values in the first rows. */
export function findColumns(sample: readonly Readonly<Record<string, string>>[], given: Columns): Columns {
  const names = Object.keys(sample[0] ?? {});
  const found: Columns = { ...given };
  for (const role of columnRoles) {
    if (found[role] !== undefined) continue;
    const name = usualNames[role]
      .flatMap((one) => names.filter((column) => column.toLowerCase().replaceAll(/[^a-z0-9]/g, "") === one))
      .find((column) => {
        if (Object.values(found).includes(column)) return false;
        const values = sample.map((row) => row[column] ?? "").filter((value) => value !== "");
        return values.length > 0 && values.every((value) => valueFits[role]?.(value) ?? true);
      });
    if (name !== undefined) found[role] = name;
  }
  return found;
}

/** If a column holds the posted body of an event, its fields are added as columns. */
export function withPostedBody(row: Readonly<Record<string, string>>): Record<string, string> {
  const body = Object.values(row).find((value) => /(^|&)event=/.test(value) && /(^|&)relayer=/.test(value));
  return body === undefined ? { ...row } : { ...row, ...Object.fromEntries(parseForm(body)) };
}

/** Normalizes `tel:+2507…`, `2507…` and `+2507…` to one number; short codes and names stay. */
export function normalizePhone(phone: string): string {
  const bare = phone.replace(/^tel:/i, "").replaceAll(/[\s()-]/g, "");
  return /^\d{8,}$/.test(bare) ? `+${bare}` : bare;
}
