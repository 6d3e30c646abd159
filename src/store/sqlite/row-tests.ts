import type { Connection } from "./connection.js";

/** A test of one column's value. */
export type RowTest = (value: unknown) => boolean;

/** The tests of each connection, by the numbers that its queries pass to the SQL function. */
const testsOf = new WeakMap<Connection, Map<number, RowTest>>();
let count = 0;

/** SQL that calls a test: its parameter is the number that `addRowTest` returns. */
export function passesTest(column: string): string {
  return `passes(?, ${column})`;
}

/**
 * Lets queries of a connection call a JavaScript test. It replaces lists of values that are too long for SQL, such as
 * the numbers of a million people.
 *
 * @returns the parameter of `passesTest`
 */
export function addRowTest(database: Connection, test: RowTest): number {
  let tests = testsOf.get(database);
  if (tests === undefined) {
    const added = new Map<number, RowTest>();
    database.addFunction("passes", (number, value) => (added.get(Number(number))?.(value) === true ? 1 : 0));
    testsOf.set(database, (tests = added));
  }
  tests.set(++count, test);
  return count;
}

/** Removes a test. Call it when no query with the test runs again. */
export function removeRowTest(database: Connection, number: number): void {
  testsOf.get(database)?.delete(number);
}
