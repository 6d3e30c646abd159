import { CsvReader, delimiterOf } from "../../base/index.js";
import { formatTimestamp } from "../../wire/index.js";
import { answerOf, millisecondsOf } from "./answers.js";
import { type Columns, roleOfField } from "./columns.js";
import { bodyFault, formOf, pathOf } from "./event-body.js";
import type { FieldSink, LogReader } from "./log-reader.js";
import { directionLetter, recogniseRows, type RowColumns, typeOfDirection } from "./row-columns.js";
import { type RecordTime, RecordTimes, RelativeTimes } from "./times.js";

/** Rows that decide what the columns are. */
const SAMPLE = 200;

/** What the reader of tables needs. */
export interface RowsOptions {
  readonly timezone: string;
  readonly columns: Columns;
  /** Name of the source, for messages. */
  readonly source: string;
  /** Gets a sentence about what was assumed. */
  readonly note: (text: string) => void;
}

/** Events of a table's rows: a CSV file or the result of a query. */
export class RowEvents {
  readonly #sink: FieldSink;
  readonly #options: RowsOptions;
  readonly #times: RecordTimes;
  readonly #phoneTimes: RecordTimes;
  readonly #placed: RelativeTimes;
  #header: readonly string[] = [];
  #sample: (readonly [place: number, cells: readonly (string | undefined)[]])[] = [];
  #columns: RowColumns | undefined;

  constructor(sink: FieldSink, options: RowsOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#times = new RecordTimes(options.timezone);
    this.#phoneTimes = new RecordTimes(options.timezone);
    this.#placed = new RelativeTimes(sink);
  }

  header(names: readonly string[]): void {
    this.#header = names;
  }

  row(place: number, cells: readonly (string | undefined)[]): void {
    if (this.#columns !== undefined) this.#read(place, cells, this.#columns);
    else if (this.#sample.push([place, cells]) >= SAMPLE) this.#recognise();
  }

  end(): void {
    if (this.#columns === undefined && this.#sample.length > 0) this.#recognise();
    this.#placed.flush();
  }

  #recognise(): void {
    const sample = this.#sample;
    this.#sample = [];
    const columns = (this.#columns = recogniseRows(
      this.#header,
      sample.map(([, cells]) => cells),
      this.#options,
    ));
    const name = (index: number): string => this.#header[index] ?? "";
    const used =
      columns.body === -1
        ? columns.fields.map(([index, key]) => `${roleOfField(key)}=${name(index)}`)
        : [`body=${name(columns.body)}`];
    this.#options.note(`columns: time=${name(columns.time)}, ${used.join(", ")}`);
    if (columns.type !== undefined) this.#options.note(`no column has the event type, so each row is ${columns.type}`);
    for (const [place, cells] of sample) this.#read(place, cells, columns);
  }

  #read(place: number, cells: readonly (string | undefined)[], columns: RowColumns): void {
    const time = this.#times.read(cells[columns.time]);
    const body = columns.body === -1 ? formOf(this.#fields(cells, columns, time)) : (cells[columns.body] ?? "");
    const fault = bodyFault(body);
    if (fault !== undefined || time === undefined) {
      this.#sink.reject(place, fault ?? "no time", cells.join(","));
      return;
    }
    const [path, text] = [cells[columns.path], cells[columns.answer]];
    const answer = answerOf({
      status: cells[columns.status],
      tookMs: millisecondsOf(cells[columns.ms], columns.msUnit),
      body: text,
    });
    const event = {
      place,
      atMs: 0,
      body,
      ...(path !== undefined && path !== "" && { path: pathOf(path) }),
      ...(answer !== undefined && { answer }),
    };
    this.#placed.add(event, time);
  }

  /** The fields of an event; its time is that of the row where no column has the phone's. */
  *#fields(
    cells: readonly (string | undefined)[],
    { fields, type, direction }: RowColumns,
    time: RecordTime | undefined,
  ): Generator<[string, unknown]> {
    const one = type ?? typeOfDirection(cells[direction]);
    if (one !== undefined) yield ["event", one];
    let hasTime = false;
    for (const [index, key] of fields) {
      const value = cells[index];
      if (key === "time") {
        const read = this.#phoneTimes.read(value);
        if (read === undefined) continue;
        hasTime = true;
        yield [key, "atMs" in read ? formatTimestamp(read.atMs) : value];
      } else if (key === "direction") yield [key, directionLetter(value)];
      else yield [key, value === "" && key !== "text" ? undefined : value];
    }
    if (!hasTime && time !== undefined && "atMs" in time) yield ["time", formatTimestamp(time.atMs)];
  }
}

/** Reads CSV with a header; the delimiter is the most frequent one in it. */
export function csvReader(sink: FieldSink, options: RowsOptions): LogReader {
  const rows = new RowEvents(sink, options);
  let csv: CsvReader | undefined;
  let hasHeader = false;
  let place = 0;
  const take = (found: Iterable<string[]>): void => {
    for (const cells of found) {
      if (hasHeader) rows.row(++place, cells);
      else rows.header(cells);
      hasHeader = true;
    }
  };
  return {
    write(text) {
      csv ??= new CsvReader(delimiterOf(text), (_, line) => sink.reject(++place, "not valid CSV", line));
      take(csv.read(text));
    },
    end() {
      if (csv !== undefined) take(csv.end());
      rows.end();
    },
  };
}
