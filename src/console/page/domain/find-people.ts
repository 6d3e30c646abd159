import type { FoundPerson, Listed } from "../../protocol/index.js";
import { labGet } from "../connection/lab-client.js";

/**
 * The next matches of a search. The server searches 10,000 people a request; without a match this continues with the
 * next ones, to the end of the list.
 *
 * @param after - `next` of the previous answer
 * @throws RequestError
 */
export async function findPeople(asked: {
  readonly search: string;
  readonly limit: number;
  readonly after?: string | null;
  readonly signal?: AbortSignal;
}): Promise<Listed<FoundPerson>> {
  let page: Listed<FoundPerson> = { results: [], next: asked.after ?? null };
  do {
    const query = new URLSearchParams({ search: asked.search, limit: String(asked.limit) });
    if (page.next !== null) query.set("after", page.next);
    page = await labGet(`/people?${query}`, { signal: asked.signal });
  } while (page.results.length === 0 && page.next !== null && asked.signal?.aborted !== true);
  return page;
}
