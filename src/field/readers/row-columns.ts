import { LabError } from "../../base/index.js";
import { eventTypes } from "../../wire/index.js";
import { columnRoles, type Columns, fieldOfRole } from "./columns.js";
import { bodyFault } from "./event-body.js";
import { bodyKeys } from "./body-keys.js";
import { RecordTimes } from "./times.js";

/** The columns of a table by what they are; each is an index. */
export interface RowColumns {
  readonly time: number;
  /** -1: the event is made of `fields`. */
  readonly body: number;
  readonly path: number;
  readonly status: number;
  readonly ms: number;
  /** Milliseconds of a unit of `ms`. */
  readonly msUnit: number;
  readonly answer: number;
  readonly fields: readonly (readonly [column: number, key: string])[];
  /** A column whose words say which way a text went; used where no column has the event's type. */
  readonly direction: number;
  /** The type of all rows; undefined: `event` is one of the fields, or follows from the direction. */
  readonly type: string | undefined;
}

type Cells = readonly (string | undefined)[];

/** Usual names of columns, the best first. */
const names: Readonly<Record<(typeof columnRoles)[number], readonly string[]>> = {
  time: [
    "at",
    "received_at",
    "received_on",
    "arrived_at",
    "logged_at",
    "ts",
    "timestamp",
    "@timestamp",
    "created_at",
    "created_on",
    "inserted_at",
    "datetime",
    "date_time",
    "time",
    "date",
    "sent_at",
  ],
  body: ["request_body", "body", "payload", "post_data", "post", "raw", "data"],
  path: ["path", "url", "uri", "request_uri"],
  status: ["status_code", "http_status", "response_status", "response_code", "status", "code"],
  ms: ["ms", "duration_ms", "took_ms", "latency_ms", "elapsed_ms", "request_time", "took", "latency", "elapsed"],
  answer: ["answer", "response", "response_body", "reply"],
};

/** Usual names of columns with a field of the event. */
const fieldNames: Readonly<Record<string, readonly string[]>> = {
  event: ["event_type", "type", "kind"],
  phone: ["msisdn", "phone_number", "sender", "from", "number", "mobile", "contact_phone", "from_number"],
  text: ["message", "msg", "content", "message_text", "sms_text", "body"],
  relayer: ["channel_id", "relayer_id", "handset", "device_id", "device"],
  relayer_phone: ["to", "recipient", "receiver", "to_number", "relayer_number", "channel_address"],
  sms: ["message_id", "sms_id", "msg_id"],
  call: ["call_id"],
  contact: ["contact_uuid"],
  time: [
    "sent_at",
    "sent_on",
    "phone_time",
    "device_time",
    "event_time",
    "sms_time",
    "message_time",
    "occurred_at",
    "time",
  ],
};

/** What the values of a field look like, where its usual names may mean something else. */
const valuesOf: Readonly<Record<string, (text: string) => boolean>> = {
  event: (word) => (eventTypes as readonly string[]).includes(word),
  time: (text) => /^\d{4}-\d\d-\d\d|^\d{10,16}$/.test(text),
};

const directionNames = ["direction", "dir", "flow_direction", "in_out"];
const incoming = /^(?:i|in|inbound|incoming|mo|received|receive)$/i;
const outgoing = /^(?:o|out|outbound|outgoing|mt|sent|send)$/i;

/** The event type that a word of a direction column means. */
export function typeOfDirection(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return incoming.test(word.trim()) ? "mo_sms" : outgoing.test(word.trim()) ? "mt_sent" : undefined;
}

/** The letter that an event has for a word of a direction column; other words as they are. */
export function directionLetter(word: string | undefined): string | undefined {
  const type = typeOfDirection(word);
  return type === undefined ? word : type === "mo_sms" ? "I" : "O";
}

/**
 * Finds what the columns of a table are: the named ones, then by names and contents.
 *
 * @param sample - some rows of it
 * @throws LabError `bad-options` if a named column is missing, or no column can be the time or the event
 */
export function recogniseRows(
  header: readonly string[],
  sample: readonly Cells[],
  { columns, source, timezone }: { readonly columns: Columns; readonly source: string; readonly timezone: string },
): RowColumns {
  const lower = header.map((name) => name.trim().toLowerCase());
  const table = new SampledTable(lower, sample);
  const given = new Map<string, number>();
  for (const [role, column] of columns.given) {
    const index = header.indexOf(column) === -1 ? lower.indexOf(column.toLowerCase()) : header.indexOf(column);
    if (index === -1) {
      throw new LabError("bad-options", `--columns ${role}=${column}: ${source} has no column '${column}'`, {
        hint: `it has ${header.join(", ")}`,
      });
    }
    given.set(role, index);
  }
  const isTime = (text: string): boolean => new RecordTimes(timezone).read(text) !== undefined;
  const isBody = (text: string): boolean => bodyFault(text) === undefined;
  const taken = new Set(given.values());
  const find = (role: (typeof columnRoles)[number], fits: (text: string) => boolean, isByContent = false): number => {
    const index = given.get(role) ?? table.find(names[role], fits, taken, isByContent);
    if (index !== -1) taken.add(index);
    return index;
  };
  const body = find("body", isBody, true);
  const time = find("time", isTime, true);
  if (time === -1) {
    throw new LabError("bad-options", `${source} has no column with times`, {
      hint: `it has ${header.join(", ")}; name it: --columns time=COLUMN`,
    });
  }
  const status = find("status", (text) => /^[1-5]\d\d$/.test(text));
  const path = find("path", (text) => /^\/|^https?:/.test(text));
  const ms = find("ms", (text) => /^\d+(?:\.\d+)?$/.test(text));
  const answer = find("answer", () => true);
  const msUnit = /^(?:request_time|took|latency|elapsed)$/.test(lower[ms] ?? "") ? 1000 : 1;
  const roles = { time, body, path, status, ms, msUnit, answer };
  if (body !== -1) return { ...roles, fields: [], direction: -1, type: undefined };
  // The time of a table is often the event's own.
  if (lower[time] === "time") taken.delete(time);
  const fields = fieldsOf(lower, { given, taken, table });
  const keys = new Set(fields.map(([, key]) => key));
  const direction = directionNames.map((name) => lower.indexOf(name)).find((index) => index !== -1) ?? -1;
  const hasType = keys.has("event");
  const isDirected =
    !hasType && direction !== -1 && table.share(direction, (word) => typeOfDirection(word) !== undefined) > 0.5;
  if (!hasType && !isDirected && !(keys.has("phone") && keys.has("text"))) {
    throw new LabError("bad-options", `${source} has no column with the bodies or the fields of events`, {
      hint: `it has ${header.join(", ")}; name them: --columns body=COLUMN, or --columns phone=COLUMN,text=COLUMN`,
    });
  }
  return {
    ...roles,
    fields,
    direction: isDirected ? direction : -1,
    type: hasType || isDirected ? undefined : "mo_sms",
  };
}

function fieldsOf(
  lower: readonly string[],
  {
    given,
    taken,
    table,
  }: { readonly given: ReadonlyMap<string, number>; readonly taken: ReadonlySet<number>; readonly table: SampledTable },
): (readonly [number, string])[] {
  const fields = new Map<number, string>();
  for (const [role, index] of given)
    if (!(columnRoles as readonly string[]).includes(role)) fields.set(index, fieldOfRole(role));
  const hasKey = (key: string): boolean => [...fields.values()].includes(key);
  lower.forEach((name, index) => {
    if (!taken.has(index) && !fields.has(index) && bodyKeys.has(name) && !hasKey(name)) fields.set(index, name);
  });
  for (const [key, usual] of Object.entries(fieldNames)) {
    if (hasKey(key)) continue;
    const index = usual
      .map((name) => lower.indexOf(name))
      .find((one) => one !== -1 && !taken.has(one) && !fields.has(one));
    if (index === undefined) continue;
    const fits = valuesOf[key];
    if (fits === undefined || table.share(index, fits) > 0.5) fields.set(index, key);
  }
  return [...fields].sort(([a], [b]) => a - b);
}

class SampledTable {
  readonly #names: readonly string[];
  readonly #rows: readonly Cells[];

  constructor(header: readonly string[], rows: readonly Cells[]) {
    this.#names = header;
    this.#rows = rows;
  }

  /** The share of a column's values, without the empty ones, that fit. */
  share(column: number, fits: (text: string) => boolean): number {
    let [all, fitting] = [0, 0];
    for (const row of this.#rows) {
      const text = row[column]?.trim();
      if (text === undefined || text === "") continue;
      all++;
      if (fits(text)) fitting++;
    }
    return all === 0 ? 0 : fitting / all;
  }

  /** The first column of some names that fits; by content, any other that fits. -1: none. */
  find(
    usual: readonly string[],
    fits: (text: string) => boolean,
    taken: ReadonlySet<number>,
    isByContent: boolean,
  ): number {
    const isFree = (index: number): boolean => index !== -1 && !taken.has(index) && this.share(index, fits) > 0.5;
    for (const name of usual) {
      const index = this.#names.indexOf(name);
      if (isFree(index)) return index;
    }
    return isByContent ? this.#names.findIndex((_, index) => isFree(index) && this.share(index, isNumber) < 0.5) : -1;
  }
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}
