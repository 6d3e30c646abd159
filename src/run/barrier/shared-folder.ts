import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LabError } from "../../base/index.js";
import { FolderClock } from "./folder-clock.js";

/** Users of one group read each other's status. */
const MODE = 0o644;

/** A file as it was read. */
export interface ReadFile<T> {
  readonly value: T;
  /** When the folder's server stamped it. */
  readonly stampMs: number;
}

/**
 * The JSON files of a folder that several machines share, as on NFS. There are no locks: each file has one writer and is
 * replaced by a rename, so readers see it whole. A decision is a file that the first writer creates by `link`.
 */
export class SharedFolder {
  readonly path: string;
  readonly clock: FolderClock = new FolderClock();

  private constructor(path: string) {
    this.path = path;
  }

  /** @throws LabError `not-written` */
  static create(path: string): SharedFolder {
    return attempt(path, () => {
      mkdirSync(path, { recursive: true });
      return new SharedFolder(path);
    });
  }

  /** The folder if it exists. */
  static open(path: string): SharedFolder | undefined {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? new SharedFolder(path) : undefined;
  }

  /**
   * Replaces a file and waits for the disk. The write also measures the folder's clock. On NFS it refreshes this client's
   * cache of the folder, which may be a minute old.
   *
   * @throws LabError `not-written`
   */
  write(name: string, value: unknown): void {
    attempt(this.path, () => {
      const unfinished = join(this.path, `${name}.new`);
      this.#writeWhole(unfinished, JSON.stringify(value));
      renameSync(unfinished, join(this.path, name));
    });
  }

  /** Replaces a file without blocking the event loop, and without waiting for the disk. */
  async writeSoon(name: string, value: unknown): Promise<void> {
    const unfinished = join(this.path, `${name}.new`);
    await writeFile(unfinished, JSON.stringify(value), { mode: MODE });
    await rename(unfinished, join(this.path, name));
  }

  /**
   * Creates a file, if no other process has.
   *
   * @param by - distinguishes this process
   * @returns what the file contains: this value, or the other process's
   */
  createOrRead<T>(name: string, value: T, by: string): T {
    return attempt(this.path, () => {
      const path = join(this.path, name);
      const own = join(this.path, `${name}.${by}`);
      try {
        this.#writeWhole(own, JSON.stringify(value));
        linkSync(own, path);
        return value;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS" || code === "EOPNOTSUPP") {
          // A file system without links: the exclusive flag also has one winner.
          try {
            writeFileSync(path, JSON.stringify(value), { flag: "wx", mode: MODE });
            return value;
          } catch (failure) {
            if ((failure as NodeJS.ErrnoException).code !== "EEXIST") throw failure;
          }
        } else if (code !== "EEXIST") throw error;
      } finally {
        rmSync(own, { force: true });
      }
      const read = this.read<T>(name);
      if (read === undefined) throw new Error(`${path} cannot be read`);
      return read.value;
    });
  }

  /** Undefined: there is no such file, or it is not JSON. */
  read<T>(name: string): ReadFile<T> | undefined {
    const path = join(this.path, name);
    try {
      const { mtimeMs } = statSync(path);
      return { value: JSON.parse(readFileSync(path, "utf8")) as T, stampMs: mtimeMs };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ESTALE" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  names(): ReadonlySet<string> {
    return new Set(readdirSync(this.path));
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  async removeSoon(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true });
  }

  /** Measures the folder's clock by some files. @param name - a temporary file of this process */
  measureClock(name: string): void {
    attempt(this.path, () => {
      for (let probe = 0; probe < 5; probe++) this.#writeWhole(join(this.path, name), "{}");
      rmSync(join(this.path, name), { force: true });
    });
  }

  #writeWhole(path: string, text: string): void {
    rmSync(path, { force: true });
    const file = openSync(path, "w", MODE);
    let fromMs: number;
    let untilMs: number;
    try {
      fromMs = Date.now();
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
      untilMs = Date.now();
    }
    this.clock.note(statSync(path).mtimeMs, { fromMs, untilMs });
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("not-written", `the shared folder ${path} cannot be used`, {
      cause: error,
      hint: "name a folder that all parts can write to",
    });
  }
}
