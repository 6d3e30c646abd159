import type { FoundPerson, Listed } from "../../protocol/index.js";
import { labGet } from "../connection/lab-client.js";

/**
 * The next people that a search finds. The server searches 10,000 people a request and may find nobody among them: then
 * this searches on, to the end of all people.
 *
 * @param after - `next` of the answer before
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
