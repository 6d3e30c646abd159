import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { PullSummary } from "../../src/pull/index.js";
import { sharedFolder } from "../support/folder.js";
import {
  contentOf,
  CONTACTS,
  type Json,
  listOf,
  mentionedUuid,
  names,
  openAccount,
  outputPath,
  phoneOfContact,
  pull,
  richAccount,
  serveAccount,
  type Served,
} from "./rig.js";

const sources = sharedFolder();
const pulled = sharedFolder();

/** A service with something of everything, and what is pulled from it without pseudonyms. */
let a: Served & { close(): Promise<void> };
let output: string;
let summary: PullSummary;

beforeAll(async () => {
  const file = outputPath("rich.yaml", sources);
  writeFileSync(file, stringify(richAccount()));
  a = await openAccount([file]);
  output = outputPath("account.yaml", pulled);
  summary = await pull(a, output);
});

afterAll(() => a.close());

/** Keys whose values depend on the moment of loading, and on the database. */
const ofTheMoment = new Set(["created_on", "modified_on", "last_seen_on", "id", "runs"]);

/** Everything that the API gives, without what depends on the moment; lists in an order of their own. */
async function everything(service: Served): Promise<Json> {
  const lists =
    "fields groups labels boundaries resthooks resthook_subscribers campaigns campaign_events flows contacts";
  const all: Record<string, unknown> = {};
  for (const name of lists.split(" ")) {
    const records = (await listOf(service, name)).map((record) => JSON.stringify(timeless(record)));
    all[name] = records.toSorted().map((text) => JSON.parse(text) as Json);
  }
  const flows = all["flows"] as { uuid: string }[];
  const campaigns = all["campaigns"] as { uuid: string }[];
  const ask = async (query: string): Promise<Json> => {
    const answer = await fetch(`${service.url}/api/v2/definitions.json?${query}`, {
      headers: { authorization: `Token ${service.token}` },
    });
    const { site: _, ...rest } = (await answer.json()) as Json;
    return rest;
  };
  for (const { uuid } of flows) all[`flow ${uuid}`] = await ask(`flow=${uuid}&dependencies=flows`);
  for (const { uuid } of campaigns) all[`campaign ${uuid}`] = await ask(`campaign=${uuid}&dependencies=none`);
  const org = await fetch(`${service.url}/api/v2/org.json`, { headers: { authorization: `Token ${service.token}` } });
  return { ...all, org: await org.json() };
}

/** Flow labels are known by name only, so their UUIDs differ. */
function timeless(record: Json): Json {
  const kept = Object.entries(record).filter(([key]) => !ofTheMoment.has(key));
  const { labels, ...rest } = Object.fromEntries(kept);
  return Array.isArray(labels) ? { ...rest, labels: (labels as { name: string }[]).map(({ name }) => name) } : rest;
}

/** The text of all files of a pulled account. */
function allText(output: string): string {
  const folder = dirname(output);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map((one) => readFileSync(join(one.parentPath, one.name), "utf8")).join("\n");
}

describe("a pulled account", () => {
  it("equals the service's in all that the API gives, and pulled again is the same file", async () => {
    expect(summary.problems).toBe("");
    expect(summary.leftOut).toEqual([]);
    expect(summary.refused).toEqual([]);
    expect(summary.resources).toContainEqual({ resource: "contacts", read: CONTACTS, written: CONTACTS });
    expect(summary.resources).toContainEqual({ resource: "triggers", read: 4, written: 4 });

    const b = await serveAccount([output]);
    expect(await everything(b)).toEqual(await everything(a));
    const again = outputPath();
    await pull(b, again);
    expect(contentOf(again)).toBe(contentOf(output));
    expect(new Set<unknown>(readdirSync(dirname(again), { recursive: true }))).toEqual(
      new Set<unknown>(readdirSync(dirname(output), { recursive: true })),
    );
  });

  it("says what it lacks, has the token nowhere, and leaves no state", () => {
    expect(summary.notInApi.join("\n")).toMatch(/triggers by schedule/);
    expect(allText(output)).not.toContain(a.token);
    expect(JSON.stringify(summary)).not.toContain(a.token);
    expect(readdirSync(dirname(output)).toSorted()).toEqual([
      "account-boundaries.geojson",
      "account-flows",
      "account.yaml",
    ]);
  });
});

describe("pseudonyms", () => {
  it("leave no name, number, address, UUID or secret of the original, and keep the shape", async () => {
    const hidden = outputPath();
    const key = outputPath("team.key");
    const { problems } = await pull(a, hidden, { pseudonyms: "on", key });
    expect(problems).toBe("");
    const text = allText(hidden);
    for (const word of names.flatMap((name) => name.split(" "))) expect(text).not.toContain(word);
    for (let i = 0; i < CONTACTS; i++) expect(text).not.toContain(phoneOfContact(i).slice(1));
    for (const original of ["velmara.example", mentionedUuid, "Zorblax", "s3cr3t", "0123456789abcdef", "b7d2c9f0"])
      expect(text).not.toContain(original);
    // What the operator wrote, and words of many values, stay.
    for (const own of ["Call +254", "Njoo", "Upper Mill", "Content-Type: application", "day=7"])
      expect(text.replaceAll('"', "")).toContain(own);

    const b = await serveAccount([hidden]);
    const [before, after] = [await everything(a), await everything(b)];
    for (const list of ["groups", "fields", "labels", "boundaries", "campaigns", "campaign_events", "flows"]) {
      const shape = (all: Json): unknown =>
        list === "groups"
          ? (all[list] as Json[]).map((group) => ({ ...group, query: group["query"] !== null }))
          : all[list];
      expect(shape(after)).toEqual(shape(before)); // with the numbers of members
    }
    const contacts = after["contacts"] as { uuid: string; name: string; urns: string[] }[];
    const [told] = (await listOf(b, "flows")).filter(({ name }) => name === "Tell the nurse");
    const definition = JSON.stringify(after[`flow ${String(told?.["uuid"])}`]);
    const mentioned = contacts.find(({ uuid }) => definition.includes(uuid));
    expect(mentioned?.urns[0]).toBeDefined();
    expect(definition).toContain(mentioned?.name);
    expect(definition).toContain(`Call ${mentioned?.urns[0]?.slice(4)} today`);

    const again = outputPath();
    await pull(a, again, { pseudonyms: "on", key });
    expect(contentOf(again)).toBe(contentOf(hidden));
  });

  it("spare the values of fields that are to be kept", async () => {
    const kept = outputPath();
    const { leftOut } = await pull(a, kept, {
      pseudonyms: "on",
      keepFields: ["nickname", "shoe_size"],
    });
    expect(contentOf(kept)).toContain("Zorblax");
    expect(contentOf(kept)).not.toContain("Quista");
    expect(leftOut).toEqual([
      { what: "fields to keep", why: "the account has no such field", count: 1, of: ["shoe_size"] },
    ]);
  });
});
