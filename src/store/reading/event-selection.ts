import type { Connection } from "../sqlite/connection.js";
import { formField } from "../../wire/index.js";
import type { AttemptKeys } from "./attempt-keys.js";
import { isForwarded } from "./select.js";

/** Which events are wanted: those that meet every given condition. */
export interface EventSelection {
  /** Virtual time, both ends included. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly channels?: ReadonlySet<number>;
  readonly types?: readonly string[];
  /** Number of the person: the body's field `phone`. */
  readonly phone?: {
    readonly test: (phone: string) => boolean;
    /** Digits that every wanted number contains; may be empty. Rows without them are excluded before `test`. */
    readonly digits: string;
  };
  /** Certain events, as `channel * 2 ** 32 + number`. */
  readonly events?: ReadonlySet<number>;
  /** Outcomes of the event's attempts, any of them; `untried` and `not-forwarded` select events without attempts. */
  readonly outcomes?: readonly string[];
}

/** Words of `EventSelection.outcomes` for events without attempts. */
export const UNTRIED = "untried";
export const NOT_FORWARDED = "not-forwarded";

/** A condition on the table `event`. */
export interface Condition {
  /** Begins with AND. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Call it when no query with the condition runs again. */
  end(): void;
}

/**
 * The conditions of a selection as SQL, the cheapest first. Its times are not among them: callers read a range of rows
 * instead. A unary plus prevents the use of an index, whose order would not be that of the rows.
 */
export function conditionOf(
  database: Connection,
  keys: () => AttemptKeys,
  { types, channels, events, phone, outcomes }: EventSelection,
): Condition {
  const sql: string[] = [];
  const values: (string | number)[] = [];
  const tests: number[] = [];
  const addTest = (column: string, test: (value: unknown) => boolean): void => {
    const number = addRowTest(database, test);
    tests.push(number);
    values.push(number);
    sql.push(passesTest(column));
  };
  if (types !== undefined) {
    sql.push(`+event.type IN ${LIST}`);
    values.push(JSON.stringify(types));
  }
  if (channels !== undefined) addTest("event.channel", (channel) => channels.has(Number(channel)));
  if (events !== undefined) addTest("event.channel * 4294967296 + event.number", (key) => events.has(Number(key)));
  if (phone !== undefined) {
    sql.push("instr(event.body, ?)");
    values.push(phone.digits);
    addTest("event.body", (body) => {
      const number = formField(String(body), "phone");
      return number !== undefined && phone.test(number);
    });
  }
  if (outcomes !== undefined) {
    sql.push(`(${outcomeSql(keys(), outcomes)})`);
    values.push(JSON.stringify(outcomes));
  }
  return {
    sql: sql.map((one) => ` AND ${one}`).join(""),
    values,
    end: () => {
      for (const test of tests) removeRowTest(database, test);
    },
  };
}

/** SQL for the values of a parameter, a JSON list. */
export const LIST = "(SELECT value FROM json_each(?))";

function outcomeSql(keys: AttemptKeys, outcomes: readonly string[]): string {
  const [isUntried, isNotForwarded] = [outcomes.includes(UNTRIED), outcomes.includes(NOT_FORWARDED)];
  const hasOutcome = `EXISTS (SELECT 1 ${keys.ofEvent} AND attempt.outcome IN ${LIST})`;
  if (!isUntried && !isNotForwarded) return hasOutcome;
  const isWanted = `coalesce((SELECT ${isForwarded} FROM channel WHERE channel.id = event.channel), 1) = ${isUntried ? 1 : 0}`;
  const untried = `NOT EXISTS (SELECT 1 ${keys.ofEvent})`;
  return `${hasOutcome} OR ${untried}${isUntried && isNotForwarded ? "" : ` AND ${isWanted}`}`;
}

/** A test of one column's value. */
type RowTest = (value: unknown) => boolean;

/** The tests of each connection, by the numbers that its queries pass to the SQL function. */
const testsOf = new WeakMap<Connection, Map<number, RowTest>>();
let count = 0;

/** SQL that calls a test: its parameter is the number that `addRowTest` returns. */
function passesTest(column: string): string {
  return `passes(?, ${column})`;
}

/**
 * Lets queries of a connection call a JavaScript test. It replaces lists of values that are too long for SQL, such as
 * the numbers of a million people.
 *
 * @returns the parameter of `passesTest`
 */
function addRowTest(database: Connection, test: RowTest): number {
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
function removeRowTest(database: Connection, number: number): void {
  testsOf.get(database)?.delete(number);
}
