import { dirname, isAbsolute, join } from "node:path";
import { loadAccount, type LoadReport } from "../account/index.js";
import { LabError } from "../base/index.js";
import { missingSentences } from "../flow/index.js";
import { filesBeside, type Lab, loadFakes, readNamedFile } from "../lab/index.js";
import { fakesOfPeople, formatDiagnostics, generatePeople, type PeopleSpec, type Scenario } from "../scenario/index.js";
import { Streams } from "../sim/index.js";
import { type AccountData, type ContactData, emptyAccount } from "../wire/index.js";
import { readAccount } from "./account-rules.js";

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
      /** The account may name files: they are read from its folder. */
      readonly readsFiles?: boolean;
      /** The files that the account names, by their paths: instead of reading them. */
      readonly files?: Readonly<Record<string, string>>;
      readonly mostPeople?: number;
      /** Its flows, campaigns and triggers are left out: nothing answers texts. */
      readonly leavesOutFlows?: boolean;
    }
  | { readonly kind: "people"; readonly people: PeopleSpec };

/** Most people that one request may add: making 50,000 takes seconds, in which the server answers no request. */
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

/** What was added, and what could not be added. */
export interface Loaded {
  /** Number of records by kind. */
  readonly added: Readonly<Record<string, number>>;
  /** One sentence each. */
  readonly problems: readonly string[];
}

/**
 * Adds what sources hold to the account of a lab, one after the other. The problems end with what their flows refer to
 * and the account then lacks.
 *
 * @param currentLab - the lab now; called again after a source has been read, as a restore may replace the lab
 * @throws LabError `bad-account` when a text cannot be read; its hint has the diagnostics
 */
export async function loadSources(
  sources: readonly AccountSource[],
  currentLab: () => Lab | Promise<Lab>,
): Promise<Loaded> {
  const added = new Map<string, number>();
  const problems: string[] = [];
  const flows = new Set<string>();
  for (const source of sources) {
    const loaded = await loadSource(source, currentLab);
    for (const [kind, count] of Object.entries(loaded.added)) added.set(kind, (added.get(kind) ?? 0) + count);
    problems.push(...loaded.problems);
    for (const flow of loaded.flows) flows.add(flow);
  }
  const { account } = await currentLab();
  return {
    added: Object.fromEntries(added),
    problems: [...problems, ...missingSentences(account.missingReferences(flows))],
  };
}

/**
 * Adds what a source holds to the account of a lab, as one change.
 *
 * @param currentLab - the lab now; called again after the source has been read, as a restore may replace the lab
 * @throws LabError `bad-account` when the text cannot be read; its hint has the diagnostics
 */
export async function loadSource(
  source: AccountSource,
  currentLab: () => Lab | Promise<Lab>,
): Promise<Loaded & Pick<LoadReport, "flows">> {
  const { data, people, problems, files } = await read(source);
  const { seed } = (await currentLab()).scenario;
  const contacts = await peopleOf(people, seed);
  const leavesOutFlows = source.kind === "text" && source.leavesOutFlows === true;
  const whole = { ...(leavesOutFlows ? withoutFlows(data) : data), contacts: [...data.contacts, ...contacts] };
  const lab = await currentLab();
  // With the files that it names: playing the recording again loads the same account.
  const said =
    source.kind === "text"
      ? {
          file: source.file,
          text: source.text,
          ...(Object.keys(files).length > 0 && { files }),
          ...(leavesOutFlows && { leavesOutFlows }),
        }
      : { people: source.people };
  const loaded = lab.write({ kind: "account", json: JSON.stringify(said) }, () =>
    loadAccount(lab.account, lab.tables, whole, { isAllowed: lab.isAllowed }),
  );
  return { ...loaded, problems: [...problems, ...loaded.problems] };
}

/** The data without flows, what starts them, and what they have left. */
function withoutFlows(data: AccountData): AccountData {
  const orders = data.orders.filter(({ kind }) => kind !== "start");
  return { ...data, flows: [], campaigns: [], triggers: [], runs: [], orders };
}

/**
 * Reads sources without adding them.
 *
 * @throws LabError `bad-account` when a text cannot be read; its hint has the diagnostics
 */
export async function checkSources(sources: readonly AccountSource[]): Promise<void> {
  for (const source of sources) await read(source);
}

interface Read {
  readonly data: AccountData;
  readonly people: readonly PeopleSpec[];
  readonly problems: readonly string[];
  /** The files that the account names. */
  readonly files: Readonly<Record<string, string>>;
}

async function read(source: AccountSource): Promise<Read> {
  if (source.kind === "people") return { data: emptyAccount, people: [source.people], problems: [], files: {} };
  const { file, text, mostPeople = Infinity } = source;
  const files: Record<string, string> = {};
  const readFile = fileReaderOf(source);
  const { account, diagnostics } = await readAccount(text, {
    file,
    ...(readFile !== undefined && { readFile: (path) => (files[path] = readFile(path)) }),
  });
  if (account === undefined) {
    throw new LabError("bad-account", `${file} is not an account that can be loaded`, {
      hint: formatDiagnostics(diagnostics, text),
    });
  }
  const count = account.people.reduce((sum, spec) => sum + spec.count, 0);
  if (count > mostPeople) {
    const most = mostPeople.toLocaleString("en");
    throw new LabError(
      "bad-account",
      `${file} describes ${count.toLocaleString("en")} people, a request may add ${most}`,
      {
        hint: "a server that starts with the file adds more: handset serve --data FILE",
      },
    );
  }
  const problems = diagnostics.map(({ line, message }) => `${file}:${line}: ${message}`);
  return { data: account, people: account.people, problems, files };
}

/** Undefined: the account may not name files. */
function fileReaderOf({ file, readsFiles = false, files }: AccountSource & { readonly kind: "text" }) {
  if (files === undefined) return readsFiles ? filesBeside(file) : undefined;
  return (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error("it is not in the recording");
    return text;
  };
}

async function peopleOf(specs: readonly PeopleSpec[], seed: number): Promise<ContactData[]> {
  if (specs.length === 0) return [];
  const fakes = await loadFakes(fakesOfPeople(specs));
  const streams = new Streams(seed);
  return specs.flatMap((spec, index) => [...generatePeople(spec, { streams, fakes, index })]);
}
