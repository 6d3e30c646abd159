import { setTimeout as pause } from "node:timers/promises";
import { AccountLoad, type LoadReport } from "../../account/index.js";
import { LabError, runWorker } from "../../base/index.js";
import type { Loaded } from "../../console/index.js";
import { type MissingReference, missingSentences } from "../../flow/index.js";
import { type Lab, loadFakes } from "../../lab/index.js";
import { fakesOfPeople, generatePeople, type PeopleSpec } from "../../scenario/index.js";
import { Streams } from "../../sim/index.js";
import { type ContactData, emptyAccount } from "../../wire/index.js";
import { type AccountSource, type ReaderAnswer, type ReadSource, inputOf, sourceOfInput } from "./account-source.js";
import { readSource } from "./read-source.js";

/** A load whose source has been read. */
export interface PreparedLoad {
  readonly load: AccountLoad;
  /** JSON of the source and of the files that it names, so that a replay loads the same account. */
  readonly json: string;
  /** What was left out when the source was read, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * A longer text is parsed in a thread. Characters. Starting a thread takes about as long as parsing a text of this
 * length.
 */
const INLINE_MAX = 30_000;

/**
 * Wait between two parts of a load: a request needs several turns of the event loop, so one turn would be too short.
 */
const PAUSE_MS = 2;

/** Units of work (about 1 µs each) in one part of the search for missing references. */
const SEARCH_UNITS = 20_000;

/**
 * Loads sources into the account of a lab, one after the other. The last problems list references of their flows that
 * the account then lacks.
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
  const missing = await findMissing(flows, await currentLab());
  return { added: Object.fromEntries(added), problems: [...problems, ...missingSentences(missing)] };
}

/** References of flows that the account lacks. The search runs in parts. */
async function findMissing(flows: ReadonlySet<string>, lab: Lab): Promise<readonly MissingReference[]> {
  const search = lab.account.searchMissingReferences(flows);
  let units = 0;
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
    units += step.value;
    if (units < SEARCH_UNITS) continue;
    units = 0;
    await pause(PAUSE_MS);
    if (lab.hasEnded) throw interrupted();
  }
}

/**
 * Loads a source into the account of a lab, in parts. Between two parts the lab advances and answers requests. The
 * first part is recorded with the source, the others as its continuation.
 *
 * @param currentLab - the lab now; called again after the source has been read and after each part, as a restore may
 *   replace the lab
 * @throws LabError `bad-account` when the text cannot be read; its hint has the diagnostics
 */
async function loadSource(
  source: AccountSource,
  currentLab: () => Lab | Promise<Lab>,
): Promise<Loaded & Pick<LoadReport, "flows">> {
  const read = await readInThread(source);
  const { seed } = (await currentLab()).scenario;
  const people = await peopleOf(read.people, seed);
  const lab = await currentLab();
  // The lab may have been closed while the source was read.
  if (lab.hasEnded) throw interrupted();
  const prepared = prepareLoad(source, { lab, read, people });
  const { load, json, problems } = prepared;
  lab.accountWork.beginLoad(prepared);
  try {
    lab.write({ kind: "account", json }, () => load.loadSome());
    while (!load.isDone) {
      await pause(PAUSE_MS);
      if ((await currentLab()) !== lab || lab.hasEnded) throw interrupted();
      lab.write({ kind: "account-part", json: "{}" }, () => load.loadSome());
    }
  } finally {
    lab.accountWork.endLoad();
  }
  const { report } = load;
  return { ...report, problems: [...problems, ...report.problems] };
}

function interrupted(): LabError {
  return new LabError("bad-account", "the account was replaced or closed while the file was being added", {
    hint: "add it again",
  });
}

/** Prepares a recorded load. */
export async function prepareRecorded(json: string, lab: Lab): Promise<PreparedLoad> {
  const source = sourceOfInput(json);
  const read = await readInThread(source);
  return prepareLoad(source, { lab, read, people: await peopleOf(read.people, lab.scenario.seed) });
}

function prepareLoad(
  source: AccountSource,
  { lab, read, people }: { readonly lab: Lab; readonly read: ReadSource; readonly people: Iterable<ContactData> },
): PreparedLoad {
  const { data, problems, files, flowProblems } = read;
  const load = new AccountLoad(lab.account, lab.tables, data, {
    isAllowed: lab.isAllowed,
    flowProblems,
    people,
    repeatedDone: source.repeatedDone,
  });
  return { load, json: inputOf(source, files), problems };
}

/**
 * Reads sources without adding them.
 *
 * @throws LabError `bad-account` when a text cannot be read; its hint has the diagnostics
 */
export async function checkSources(sources: readonly AccountSource[]): Promise<void> {
  for (const source of sources) await readInThread(source);
}

async function readInThread(source: AccountSource): Promise<ReadSource> {
  if (source.kind === "people") {
    return { data: emptyAccount, people: [source.people], problems: [], flowProblems: [], files: {} };
  }
  if (source.text.length <= INLINE_MAX) return readSource(source);
  const answer = (await runWorker({
    module: "control/account/reader-thread.js",
    workerData: source,
    name: "the thread that reads an account",
  })) as ReaderAnswer;
  if ("read" in answer) return answer.read;
  throw new LabError("bad-account", answer.fault.message, { hint: answer.fault.hint });
}

async function peopleOf(specs: readonly PeopleSpec[], seed: number): Promise<Iterable<ContactData>> {
  if (specs.length === 0) return [];
  const fakes = await loadFakes(fakesOfPeople(specs));
  const streams = new Streams(seed);
  return (function* () {
    for (const [index, spec] of specs.entries()) yield* generatePeople(spec, { streams, fakes, index });
  })();
}
