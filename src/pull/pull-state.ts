import { appendFileSync, createReadStream, existsSync, rmSync, truncateSync } from "node:fs";
import { createInterface } from "node:readline";
import { LabError } from "../base/index.js";
import { isMap, type JsonMap, mapsIn, textOf } from "./json.js";

/** The lists that a pull reads, in its order. */
export const listNames = [
  "fields",
  "groups",
  "labels",
  "globals",
  "boundaries",
  "channels",
  "resthooks",
  "resthook_subscribers",
  "campaigns",
  "campaign_events",
  "flows",
  "contacts",
] as const;
export type ListName = (typeof listNames)[number];

/** A list that the service refused. */
export interface Refusal {
  readonly resource: string;
  readonly status: number;
  readonly detail: string;
}

/** What was read so far. Records are as the service gave them. */
export interface PulledRecords {
  /** When the pull began. ISO 8601. */
  readonly startedAt: string;
  readonly org: JsonMap;
  readonly lists: ReadonlyMap<ListName, readonly JsonMap[]>;
  /** Answers of `definitions.json`. */
  readonly definitions: readonly JsonMap[];
  readonly refused: readonly Refusal[];
}

/** A line of the state file. */
type Line =
  | { readonly pull: 1; readonly service: string; readonly startedAt: string }
  | { readonly org: JsonMap }
  | { readonly list: ListName; readonly results: readonly JsonMap[]; readonly next: string | null }
  /** A cursor became invalid: the list is read from its begin. */
  | { readonly list: ListName; readonly again: true }
  | { readonly definitions: JsonMap; readonly asked: readonly string[] }
  | { readonly refused: Refusal };

/**
 * What an unfinished pull has read, in a file beside its output: one JSON line a page, appended as it comes, so a pull
 * that was killed continues after its last whole page. It has the records as the service gave them, before pseudonyms,
 * and is readable by its owner only; the finished pull removes it. It never has the token.
 */
export class PullState implements PulledRecords {
  readonly path: string;
  readonly startedAt: string;
  /** Whether an earlier pull began it. */
  readonly isResumed: boolean;
  readonly lists = new Map<ListName, JsonMap[]>();
  readonly definitions: JsonMap[] = [];
  readonly refused: Refusal[] = [];
  /** Cursors of the next pages; null: the list is complete. */
  readonly #next = new Map<ListName, string | null>();
  /** UUIDs of flows and campaigns of which the definitions were asked. */
  readonly #asked = new Set<string>();
  #org: JsonMap | undefined;

  private constructor(path: string, startedAt: string, isResumed: boolean) {
    this.path = path;
    this.startedAt = startedAt;
    this.isResumed = isResumed;
  }

  /**
   * Opens the state of an earlier pull, or begins one.
   *
   * @throws LabError `bad-options` if the file is another service's, or no state of a pull; `not-read`; `not-written`
   */
  static async open(path: string, { service, nowMs }: { service: string; nowMs: number }): Promise<PullState> {
    if (!existsSync(path)) return PullState.#begin(path, service, nowMs);
    const { lines, wholeBytes } = await readLines(path);
    const [head, ...rest] = lines;
    if (head === undefined) {
      rmSync(path);
      return PullState.#begin(path, service, nowMs);
    }
    const hint = `to begin again, remove ${path}`;
    if (!isMap(head) || head["pull"] !== 1 || typeof head["startedAt"] !== "string")
      throw new LabError("bad-options", `${path} is not the state of a pull`, { hint });
    if (head["service"] !== service)
      throw new LabError("bad-options", `${path} is the state of a pull from ${textOf(head["service"]) ?? "?"}`, {
        hint,
      });
    const state = new PullState(path, head["startedAt"], true);
    for (const line of rest) if (isMap(line)) state.#apply(line as unknown as Line);
    truncateSync(path, wholeBytes); // a line that was cut off
    return state;
  }

  static #begin(path: string, service: string, nowMs: number): PullState {
    const state = new PullState(path, new Date(nowMs).toISOString(), false);
    state.#append({ pull: 1, service, startedAt: state.startedAt });
    return state;
  }

  get org(): JsonMap {
    return this.#org ?? {};
  }

  get hasOrg(): boolean {
    return this.#org !== undefined;
  }

  /** The cursor after which a list continues; undefined: at its begin; null: it is complete. */
  cursorOf(list: ListName): string | null | undefined {
    return this.refused.some(({ resource }) => resource === list) ? null : this.#next.get(list);
  }

  hasAsked(uuid: string): boolean {
    return this.#asked.has(uuid);
  }

  /** Appends a line and applies it. */
  add(line: Exclude<Line, { pull: 1 }>): void {
    this.#append(line);
    this.#apply(line);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #append(line: Line): void {
    try {
      appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      throw new LabError("not-written", `${this.path} cannot be written`, { cause: error });
    }
  }

  #apply(line: Line): void {
    if ("org" in line) this.#org = line.org;
    else if ("refused" in line) this.refused.push(line.refused);
    else if ("definitions" in line) {
      this.definitions.push(line.definitions);
      for (const uuid of line.asked) this.#asked.add(uuid);
    } else if ("again" in line) {
      this.lists.delete(line.list);
      this.#next.delete(line.list);
    } else if ("list" in line) {
      const records = this.lists.get(line.list) ?? [];
      for (const record of mapsIn(line.results)) records.push(record);
      this.lists.set(line.list, records);
      this.#next.set(line.list, line.next);
    }
  }
}

/** The whole lines of a state file. A file can be larger than a text can be, so it is read line by line. */
async function readLines(path: string): Promise<{ lines: unknown[]; wholeBytes: number }> {
  const lines: unknown[] = [];
  let wholeBytes = 0;
  try {
    const input = createReadStream(path, "utf8");
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      try {
        lines.push(JSON.parse(line) as unknown);
      } catch {
        break;
      }
      wholeBytes += Buffer.byteLength(line) + 1;
    }
    input.destroy();
  } catch (error) {
    throw new LabError("not-read", `${path} cannot be read`, { cause: error });
  }
  return { lines, wholeBytes };
}
