/** Reads all rows of a recording's event table: the unit in which questions are measured. */
import { Connection } from "../src/store/sqlite/connection.js";

/** Rows that one query returns. */
const PAGE = 10_000;

const database = new Connection(process.argv[2] ?? "", { readonly: true, fileMustExist: true });
const page = database.prepare<[number, number], { readonly row: number }>(
  "SELECT * FROM event WHERE row > ? ORDER BY row LIMIT ?",
);
let count = 0;
for (let last = 0, rows = page.all(last, PAGE); rows.length > 0; rows = page.all(last, PAGE)) {
  count += rows.length;
  last = rows.at(-1)?.row ?? Infinity;
}
console.log(count);
