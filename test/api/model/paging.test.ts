import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestService, type TestService } from "../support.js";
import { Api, type Page, type Row } from "./api.js";

const PAGE = 250;

interface Fixture {
  readonly api: Api;
  readonly resource: string;
  readonly query: Readonly<Record<string, string>>;
  /** Adds a record to the list. */
  readonly insert: (number: number) => Promise<void>;
}

/** Lists that the API can fill, each with more than two pages and many records with the same time. */
const fixtures: Readonly<Record<string, (service: TestService, api: Api) => Promise<Fixture>>> = {
  contacts: async (_service, api) => {
    for (let hundred = 0; hundred < 6; hundred++) await broadcastTo(api, hundred);
    const insert = async (number: number): Promise<void> => {
      await create(api, "contacts", { name: `Late ${number}` });
    };
    return { api, resource: "contacts", query: {}, insert };
  },
  "contacts of a group, up to a moment": async (_service, api) => {
    const group = String((await create(api, "groups", { name: "Field & staff" }))["uuid"]);
    for (let hundred = 0; hundred < 6; hundred++) {
      await broadcastTo(api, hundred);
      const { results } = await api.first("contacts");
      const contacts = results.slice(0, 100).map(({ uuid }) => uuid);
      const { status } = await api.call("POST", "contact_actions", {}, { contacts, action: "add", group });
      expect(status).toBe(204);
    }
    const insert = async (number: number): Promise<void> => {
      await create(api, "contacts", { name: `Late ${number}`, groups: ["field & STAFF"] });
    };
    return { api, resource: "contacts", query: { group: "Field & staff", before: "2999-01-01T00:00:00.000" }, insert };
  },
  broadcasts: async (_service, api) => {
    const insert = async (number: number): Promise<void> => {
      await create(api, "broadcasts", { text: `number ${number}` });
    };
    for (let number = 0; number < 2 * PAGE + 20; number++) await insert(number);
    return { api, resource: "broadcasts", query: {}, insert };
  },
  messages: async (service, api) => {
    for (let hundred = 0; hundred < 6; hundred++) await broadcastTo(api, hundred);
    await service.settle();
    const [from] = service.people;
    const insert = (number: number): Promise<void> => service.text({ from, body: `text ${number}` });
    return { api, resource: "messages", query: {}, insert };
  },
};

describe.each(Object.keys(fixtures))("paging through %s", (name) => {
  let service: TestService;
  let fixture: Fixture;
  beforeAll(async () => {
    service = await openTestService({ account: "bare" });
    const fill = fixtures[name];
    if (fill === undefined) throw new Error(`no fixture ${name}`);
    fixture = await fill(service, new Api(service));
  });
  afterAll(() => service.close());

  it("all pages except the last are full; each links back and keeps the query", async () => {
    const { api, resource, query } = fixture;
    const pages = await walk(api, await api.first(resource, query), "next");
    const sizes = pages.map(({ results }) => results.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.slice(0, -1).every((size) => size === PAGE)).toBe(true);
    expect(sizes.at(-1)).toBeGreaterThan(0);
    expect(pages[0]?.previous).toBeNull();
    for (const link of pages.flatMap(({ next, previous }) => [next ?? [], previous ?? []].flat())) {
      const { searchParams } = new URL(link);
      expect(searchParams.getAll("cursor")).toHaveLength(1);
      searchParams.delete("cursor");
      expect(Object.fromEntries(searchParams)).toEqual(query);
    }
    const last = pages.at(-1);
    if (last === undefined) throw new Error("no pages");
    const back = await walk(api, last, "previous");
    expect(back.toReversed().map(({ results }) => keys(results))).toEqual(pages.map(({ results }) => keys(results)));
    expect(back.at(-1)?.previous).toBeNull();
  });

  it("no record is skipped or repeated while others are added", async () => {
    const { api, resource, query, insert } = fixture;
    let inserted = 1_000_000;
    const insertions = (count: number): Promise<void>[] => Array.from({ length: count }, () => insert(inserted++));
    const property = fc.asyncProperty(
      fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
      fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
      async (onTheWayForth, onTheWayBack) => {
        const atStart = keys(await api.list(resource, query));
        const forth = await walk(api, await api.first(resource, query), "next", (step) =>
          insertions(onTheWayForth[step] ?? 0),
        );
        const seen = forth.flatMap(({ results }) => keys(results));
        expect(new Set(seen).size).toBe(seen.length);
        const known = new Set(atStart);
        expect(seen.filter((key) => known.has(key))).toEqual(atStart);

        const last = forth.at(-1);
        if (last === undefined) throw new Error("no pages");
        const back = await walk(api, last, "previous", (step) => insertions(onTheWayBack[step] ?? 0));
        const seenBack = back.toReversed().flatMap(({ results }) => keys(results));
        expect(new Set(seenBack).size).toBe(seenBack.length);
        expect(seenBack.slice(-atStart.length)).toEqual(atStart);
        // Only records added after the walk back reached the newest page may be missing.
        const now = keys(await api.list(resource, query));
        expect(now.slice(-seenBack.length)).toEqual(seenBack);
      },
    );
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });
});

/** Follows one link until it is null; `between` starts work that runs while the next page is fetched. */
async function walk(
  api: Api,
  first: Page,
  link: "next" | "previous",
  between: (step: number) => readonly Promise<void>[] = () => [],
): Promise<Page[]> {
  const pages = [first];
  for (let url = first[link]; url !== null;) {
    const [page] = await Promise.all([api.page(url), ...between(pages.length - 1)]);
    expect(page.results.length, "a page that a link leads to").toBeGreaterThan(0);
    pages.push(page);
    url = page[link];
  }
  return pages;
}

/** A broadcast to a hundred new addresses adds a hundred contacts with the same time. */
async function broadcastTo(api: Api, hundred: number): Promise<void> {
  const urns = Array.from(
    { length: 100 },
    (_, index) => `tel:+2547110${String(hundred * 100 + index).padStart(5, "0")}`,
  );
  await create(api, "broadcasts", { text: "hello", urns });
}

async function create(api: Api, resource: string, body: object): Promise<Row> {
  const reply = await api.call("POST", resource, {}, body);
  expect(reply.status).toBe(201);
  return reply.body as Row;
}

function keys(rows: readonly Row[]): string[] {
  return rows.map(({ uuid, id }) => JSON.stringify(uuid ?? id));
}
