import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { packageFile } from "../../base/index.js";
import { filesBeside, readNamedFile } from "../../lab/index.js";
import {
  beatsOf,
  checkFakes,
  formatDiagnostics,
  kindOfFile,
  parseScenario,
  type Scenario,
} from "../../scenario/index.js";
import { openingComment } from "./opening-comment.js";

/** Most files of a folder that are read. */
const FILES_MAX = 300;
/** Size of the largest file that is listed. */
const LISTED_BYTES_MAX = 1024 * 1024;

/** A scenario that can be started. */
export interface ListedScenario {
  /** Identifies it in `ScenarioWish`: its path from the working directory, or `bundled/…`. */
  readonly file: string;
  readonly name: string;
  /** First line of its opening comment; null: it has none. */
  readonly title: string | null;
  /** The text below the title. */
  readonly about: string | null;
  /** Milliseconds; null: the file cannot be read as a scenario. */
  readonly lastsMs: number | null;
  readonly handsets: number;
  readonly people: number;
  readonly beats: readonly string[];
  /** Why it cannot be started: diagnostics with file, line and column. */
  readonly problem: string | null;
  /** Whether it is the current scenario. */
  readonly isPlaying: boolean;
}

/** A scenario file that can be started. */
export interface OfferedFile {
  /** Its id in requests: `bundled/power-cut.yaml`, `mine.yaml`. */
  readonly id: string;
  readonly path: string;
}

/** A scenario, or the diagnostics of a file that cannot be read. */
export type ReadScenario = { readonly scenario: Scenario } | { readonly problem: string };

/**
 * The scenario files that a server offers: the bundled ones, and those of the working directory and of its folder
 * `scenarios`. Requests name listed ids only, never paths.
 */
export class ScenarioFiles {
  readonly #folders: readonly { readonly prefix: string; readonly path: string }[];
  /** Cache of notes by path, with the state of the file when it was read. */
  readonly #notes = new Map<
    string,
    { readonly stamp: string; readonly note: Omit<ListedScenario, "isPlaying"> | undefined }
  >();

  /** @param here - the working directory */
  constructor(here: string = process.cwd()) {
    this.#folders = [
      { prefix: "bundled/", path: packageFile("scenarios") },
      { prefix: "", path: here },
      { prefix: "scenarios/", path: join(here, "scenarios") },
    ];
  }

  /** The files, each once, the bundled ones first. */
  list(): OfferedFile[] {
    const seen = new Set<string>();
    return this.#folders.flatMap(({ prefix, path: folder }) =>
      namesIn(folder).flatMap((name): OfferedFile[] => {
        const path = join(folder, name);
        const real = realFile(path, folder);
        if (real === undefined || seen.has(real)) return [];
        seen.add(real);
        return [{ id: prefix + name, path }];
      }),
    );
  }

  /** The notes of all scenario files. Files of other kinds are left out. */
  notes(): Omit<ListedScenario, "isPlaying">[] {
    return this.list().flatMap((file) => {
      const stats = statSync(file.path, { throwIfNoEntry: false });
      if (stats === undefined || stats.size > LISTED_BYTES_MAX) return [];
      const stamp = `${stats.mtimeMs} ${stats.size}`;
      const kept = this.#notes.get(file.path);
      const note = kept?.stamp === stamp ? kept.note : noteOf(file);
      this.#notes.set(file.path, { stamp, note });
      return note === undefined ? [] : [note];
    });
  }

  /** The id of an offered file; undefined: it is not offered. */
  idOf(path: string): string | undefined {
    const real = realFile(path, dirname(path));
    return this.list().find((file) => real !== undefined && realFile(file.path, dirname(file.path)) === real)?.id;
  }

  /** The offered file with an id, or with a name of its scenario. */
  find(wish: { readonly file?: string; readonly name?: string }): OfferedFile | undefined {
    const files = this.list();
    if (wish.file !== undefined) {
      const plain = wish.file.replace(/^(bundled|scenarios)\//, "");
      return files.find(({ id }) => id === wish.file) ?? files.find(({ id }) => id === `bundled/${plain}`);
    }
    const name = wish.name?.toLowerCase();
    const note = this.notes().find((one) => one.name.toLowerCase() === name);
    return files.find(({ id }) => id === note?.file);
  }
}

/** Reads and checks a scenario file. @param starts - replaces its `starts` */
export async function readScenarioFile(path: string, starts: string | undefined): Promise<ReadScenario> {
  let text: string;
  try {
    text = readNamedFile(path);
  } catch (error) {
    return { problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const set = starts === undefined ? [] : [`starts=${starts}`];
  const readFile = filesBeside(path);
  const parsed = parseScenario(text, { file: shownPath(path), nowMs: Date.now(), readFile, readData: readFile, set });
  const { scenario, diagnostics } = await checkFakes(parsed);
  if (scenario === undefined) return { problem: formatDiagnostics(diagnostics, text, set).trimEnd() };
  return { scenario: { ...scenario, source: { ...scenario.source, file: path } } };
}

function noteOf({ id, path }: OfferedFile): Omit<ListedScenario, "isPlaying"> | undefined {
  const unreadable = (problem: string): Omit<ListedScenario, "isPlaying"> => ({
    file: id,
    name: basename(path),
    title: null,
    about: null,
    lastsMs: null,
    handsets: 0,
    people: 0,
    beats: [],
    problem,
  });
  let text: string;
  try {
    text = readNamedFile(path);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
  // The folder may contain other YAML files.
  if (kindOfFile(text) !== "scenario" || !/^handsets\s*:/m.test(text)) return undefined;
  const { scenario, diagnostics } = parseScenario(text, {
    file: shownPath(path),
    nowMs: 0,
    readFile: filesBeside(path),
  });
  if (scenario === undefined)
    return { ...unreadable(formatDiagnostics(diagnostics, text).trimEnd()), ...openingComment(text) };
  const { name, about, cast, story } = scenario;
  const comment = openingComment(text);
  return {
    file: id,
    name,
    title: comment.title,
    about: about ?? comment.about,
    lastsMs: cast.lastsMs,
    handsets: cast.handsets.reduce((sum, { count }) => sum + count, 0),
    people: cast.people.reduce((sum, { count }) => sum + count, 0),
    beats: beatsOf(story).map((beat) => beat.name),
    problem: null,
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => /\.ya?ml$/i.test(entry.name) && !entry.isDirectory())
      .map(({ name }) => name)
      .toSorted()
      .slice(0, FILES_MAX);
  } catch {
    return []; // there is no such folder
  }
}

/** The real path of a file; undefined: a link out of its folder, or a broken link. */
function realFile(path: string, folder: string): string | undefined {
  try {
    const real = realpathSync(path);
    return dirname(real) === realpathSync(folder) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** A path for messages: relative if it is below the working directory. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") || short === "" ? path : short;
}
