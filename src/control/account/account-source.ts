import { dirname, isAbsolute, join } from "node:path";
import { LabError } from "../../base/index.js";
import { readNamedFile } from "../../lab/index.js";
import type { PeopleSpec, Scenario } from "../../scenario/index.js";
import type { AccountData } from "../../wire/index.js";

/**
 * A source of account data: the text of an account file (YAML) or of an export (JSON), or people.
 *
 * `mostPeople`: a text with more made-up people is refused before any is made; default: no limit.
 */
export type AccountSource =
  | {
      readonly kind: "text";
      readonly file: string;
      readonly text: string;
      /** Whether to read files that the account names from its folder. */
      readonly readsFiles?: boolean;
      /** Contents of the files that the account names, by path; they are then not read from disk. */
      readonly files?: Readonly<Record<string, string>>;
      readonly mostPeople?: number;
      /** Whether to leave out its flows, campaigns and triggers, so that nothing answers texts. */
      readonly leavesOutFlows?: boolean;
      /** Continues an interrupted load: the number of entries to skip, from `AccountLoad.repeatedDone`. */
      readonly repeatedDone?: number;
    }
  | { readonly kind: "people"; readonly people: PeopleSpec; readonly repeatedDone?: number };

/** Most people that one request may add: making 50,000 takes seconds. */
export const MAX_PEOPLE_PER_REQUEST = 50_000;

/** Paths of the account files that a scenario names under `data`. */
export function dataFilesOf({ data = [], source }: Pick<Scenario, "data" | "source">): string[] {
  return data.map((path) => (isAbsolute(path) ? path : join(dirname(source.file), path)));
}

/**
 * The account files that a scenario names under `data`.
 *
 * @throws LabError `bad-account` when one cannot be read
 */
export function accountsOf(scenario: Pick<Scenario, "data" | "source">): AccountSource[] {
  return dataFilesOf(scenario).map((file) => {
    try {
      return { kind: "text", file, text: readNamedFile(file), readsFiles: true };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new LabError("bad-account", `cannot read ${file}, which the scenario names under 'data': ${why}`);
    }
  });
}

/** The source of a recorded input `account`. */
export function sourceOfInput(json: string): AccountSource {
  return JSON.parse(json) as AccountSource;
}

/** The JSON of a recorded input `account`. @param files - those that the account names, by their paths */
export function inputOf(source: AccountSource, files: Readonly<Record<string, string>>): string {
  if (source.kind === "people") return JSON.stringify(source);
  const { kind, file, text, leavesOutFlows, repeatedDone } = source;
  return JSON.stringify({ kind, file, text, files, leavesOutFlows, repeatedDone });
}

/** A source of account data that has been read. Plain data: a thread can return it. */
export interface ReadSource {
  readonly data: AccountData;
  readonly people: readonly PeopleSpec[];
  /** What was left out, one sentence each. */
  readonly problems: readonly string[];
  /** The result of `flowProblems` for the data. */
  readonly flowProblems: readonly string[];
  /** The files that the account names. */
  readonly files: Readonly<Record<string, string>>;
}

/** The answer of the reader thread. `fault` has message and hint of a LabError `bad-account`. */
export type ReaderAnswer =
  { readonly read: ReadSource } | { readonly fault: { readonly message: string; readonly hint: string | undefined } };
