import { SerializationError } from "./errors.js";
import type { Era, Kind } from "./records.js";
import type { Parameters, Transport } from "./transport.js";

export interface Walk {
  readonly isRetriedWhenThrottled?: boolean;
  /** A cursor of `Fetches.cursor`, to resume paging. */
  readonly resumeCursor?: string;
}

/** An iteration over the pages of a list; `cursor` is its position. */
export interface Fetches<T> extends AsyncIterable<T[]> {
  readonly cursor: () => string | undefined;
}

/**
 * A list that is fetched page by page (docs/reference/service-api.md#pagination and
 * docs/reference/service-api.md#python-client-requests).
 */
export class Pages<T> {
  readonly #transport: Transport;
  readonly #resource: string;
  readonly #query: Parameters;
  readonly #kind: Kind<T>;
  readonly #era: Era;

  constructor(transport: Transport, resource: string, options: { query: Parameters; kind: Kind<T>; era: Era }) {
    this.#transport = transport;
    this.#resource = resource;
    this.#query = options.query;
    this.#kind = options.kind;
    this.#era = options.era;
  }

  /** The newest record, if there is one. */
  async first(walk: Walk = {}): Promise<T | undefined> {
    for await (const page of this.fetches(walk)) return page[0];
    return undefined;
  }

  /** Every record of every page. */
  async all(walk: Walk = {}): Promise<T[]> {
    const records: T[] = [];
    for await (const page of this.fetches(walk)) records.push(...page);
    return records;
  }

  /** The pages one by one. */
  fetches(walk: Walk = {}): Fetches<T> {
    let next: string | null | undefined;
    const isRetriedWhenThrottled = walk.isRetriedWhenThrottled ?? false;
    const pages = async function* (self: Pages<T>): AsyncGenerator<T[]> {
      const query = { ...self.#query, cursor: walk.resumeCursor };
      let body = await self.#transport.call("GET", self.#resource, { query, isRetriedWhenThrottled });
      for (;;) {
        const page = pageIn(body, self.#resource);
        next = page.next;
        if (page.results.length === 0) return;
        yield page.results.map((item, index) => self.#kind.read(item, self.#era, `${self.#resource}[${index}]`));
        if (!next) return;
        body = await self.#transport.follow(next, isRetriedWhenThrottled);
      }
    };
    return {
      [Symbol.asyncIterator]: () => pages(this),
      cursor: () => (next ? (new URL(next).searchParams.get("cursor") ?? undefined) : undefined),
    };
  }
}

function pageIn(body: unknown, resource: string): { next: string | null; results: unknown[] } {
  const page = body as { next?: unknown; results?: unknown } | null | undefined;
  const isPage = (typeof page?.next === "string" || page?.next === null) && Array.isArray(page.results);
  if (!isPage) throw new SerializationError(`${resource} is not a page: ${JSON.stringify(body)?.slice(0, 200)}`);
  return page as { next: string | null; results: unknown[] };
}
