import type { ApiDocument } from "./document.js";
import type { Answer } from "./send.js";

/** The content of all lists: each record as text, by list and identifier. */
export type State = ReadonlyMap<string, string>;

interface Page {
  readonly results: readonly Record<string, unknown>[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** Lists of records that the default lists hide. */
const HIDDEN = ["/api/v2/contacts.json?deleted=true", "/api/v2/messages.json?folder=incoming"];

/** URLs of everything that can be read without parameters. */
export function readableTargets({ operations }: ApiDocument): string[] {
  const plain = operations
    .filter(({ method, parameters }) => method === "GET" && !parameters.some(({ isRequired }) => isRequired))
    .map(({ path }) => path);
  return [...plain, ...HIDDEN.filter((target) => plain.some((path) => target.startsWith(`${path}?`)))];
}

/** The page in an answer; undefined when the answer is not a page. */
export function pageIn({ status, body }: Answer): Page | undefined {
  if (status !== 200) return undefined;
  try {
    const value = JSON.parse(body.toString()) as Partial<Page> | null;
    return Array.isArray(value?.results) ? (value as Page) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads all lists, page by page. */
export async function readState(get: (target: string) => Promise<Answer>, targets: readonly string[]): Promise<State> {
  const state = new Map<string, string>();
  for (const first of targets) {
    for (let target: string | null = first; target !== null;) {
      const answer: Answer = await get(target);
      const page = pageIn(answer);
      if (page === undefined) {
        state.set(first, answer.body.toString());
        break;
      }
      for (const record of page.results) {
        const { uuid, id, key, osm_id } = record;
        const name = uuid ?? id ?? key ?? osm_id ?? state.size;
        state.set(`${first} ${JSON.stringify(name)}`, JSON.stringify(record));
      }
      target = page.next === null ? null : pathOf(page.next);
    }
  }
  return state;
}

/** Describes the difference between two states; undefined when they are equal. */
export function difference(before: State, after: State): string | undefined {
  for (const [name, record] of after) {
    const old = before.get(name);
    if (old === undefined) return `${name} came to be: ${record}`;
    if (old !== record) return `${name} was ${old} and became ${record}`;
  }
  for (const name of before.keys()) if (!after.has(name)) return `${name} is gone`;
  return undefined;
}

/** Path and query of an absolute address. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
