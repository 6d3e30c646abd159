import { LabError } from "../base/index.js";
import { isMap, type JsonMap, mapsIn, textOf, uuidOf } from "./json.js";
import { listNames, type ListName, type PullState, type Refusal } from "./pull-state.js";
import type { ServiceAnswer, ServiceClient } from "./service-client.js";

/** Flows and campaigns asked for in one request: a UUID has 42 characters of the address, which has 8 kB at most. */
const ASKED_AT_ONCE = 25;

/** What a reading reports to. */
export interface ReadReports {
  /** Receives what is read: `reading contacts: 1,250`. */
  readonly onRead?: ((what: string) => void) | undefined;
}

/**
 * Reads all that the service's API gives of an account into the state, and continues where that stands. A resource that
 * the service refuses is recorded, and the others are read.
 *
 * @throws LabError as {@link ServiceClient.get}; `bad-options` if the state is of another account
 */
export async function readService(client: ServiceClient, state: PullState, reports: ReadReports = {}): Promise<void> {
  reports.onRead?.("reading the organisation");
  await readOrganisation(client, state);
  for (const name of listNames) await readList(name, client, state, reports);
  await readDefinitions(client, state, reports);
}

/** Reads the organisation, also when a pull continues: it shows whether the token is of the same account. */
async function readOrganisation(client: ServiceClient, state: PullState): Promise<void> {
  let answer = await client.get("org.json");
  if ("status" in answer && answer.status === 404) answer = await client.get("workspace.json");
  if ("status" in answer) throw refusedAtFirst(answer);
  if (!isMap(answer.value) || textOf(answer.value["name"]) === undefined) throw noService("its org.json has no name");
  if (!state.hasOrg) return state.add({ org: answer.value });
  const [before, now] = [state.org, answer.value].map((org) => textOf(org["uuid"]) ?? textOf(org["name"]));
  if (before === now) return;
  throw new LabError("bad-options", `${state.path} is the state of a pull of another account`, {
    hint: `it began with '${textOf(state.org["name"]) ?? ""}', the token is of '${textOf(answer.value["name"]) ?? ""}'; to begin again, remove the file`,
  });
}

function refusedAtFirst({ status, detail, isJson }: Exclude<ServiceAnswer, { value: unknown }>): LabError {
  if (status === 401 || status === 403) {
    return new LabError("service-refused", `the service refuses the token: ${status} '${detail}'`, {
      hint: "a token of an administrator reads everything; the service shows it on the page of its API",
    });
  }
  return noService(`org.json and workspace.json answered ${status}${isJson ? ` '${detail}'` : ""}`);
}

/** Whether a refusal is of the token as a whole, and not of its role (docs/reference/service-api.md#authentication). */
function isOfToken({ status, detail }: { readonly status: number; readonly detail: string }): boolean {
  return status === 401 || (status === 403 && /token|credentials|inactive/i.test(detail));
}

function refusedLater({ status, detail }: { readonly status: number; readonly detail: string }): LabError {
  return new LabError("service-refused", `the service no longer accepts the token: ${status} '${detail}'`, {
    hint: "the same command with another token of this account continues where this stopped",
  });
}

function noService(why: string): LabError {
  return new LabError("bad-options", `this does not answer like a service: ${why}`, {
    hint: "give the address of the service's site, where /api/v2/ is",
  });
}

async function readList(
  name: ListName,
  client: ServiceClient,
  state: PullState,
  { onRead }: ReadReports,
): Promise<void> {
  const seen = new Set<string>();
  for (let cursor = state.cursorOf(name); cursor !== null; cursor = state.cursorOf(name)) {
    const read = state.lists.get(name)?.length ?? 0;
    onRead?.(`reading ${name.replaceAll("_", " ")}${read === 0 ? "" : `: ${read.toLocaleString("en")} so far`}`);
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.get(`${name}.json${query}`);
    if ("status" in answer) {
      if (isOfToken(answer)) throw refusedLater(answer);
      const { status, detail } = answer;
      // A cursor of an earlier process may be unknown now. Records are compared by UUID, so none counts twice.
      if (status === 404 && cursor !== undefined && seen.size === 0) {
        seen.add("");
        state.add({ list: name, again: true });
      } else state.add({ refused: { resource: name, status, detail } });
      continue;
    }
    const page = answer.value;
    if (!isMap(page) || !Array.isArray(page["results"])) throw noService(`${name}.json has no results`);
    const next = cursorIn(page["next"]);
    if (next !== null && seen.has(next))
      throw new LabError("no-service", `the pages of ${name}.json do not end: one follows itself`);
    if (next !== null) seen.add(next);
    state.add({ list: name, results: mapsIn(page["results"]), next });
  }
}

/**
 * The cursor of the next page's address. The address itself is not requested, since a service behind a proxy may name
 * itself otherwise, and the token must go to the address that the user gave.
 */
function cursorIn(next: unknown): string | null {
  const address = textOf(next);
  if (address === undefined) return null;
  const url = URL.canParse(address, "http://service") ? new URL(address, "http://service") : undefined;
  return url?.searchParams.get("cursor") ?? null;
}

/** The definitions of all flows, with the flows that they reach and their triggers, and of all campaigns. */
async function readDefinitions(client: ServiceClient, state: PullState, { onRead }: ReadReports): Promise<void> {
  if (state.refused.some(({ resource }) => resource === "definitions")) return;
  const known = new Set(state.definitions.flatMap((one) => mapsIn(one["flows"]).flatMap(flowUuidOf)));
  const missing = (list: "flows" | "campaigns"): string[] =>
    (state.lists.get(list) ?? []).flatMap((one) => {
      const uuid = uuidOf(one);
      return uuid === undefined || known.has(uuid) || state.hasAsked(uuid) ? [] : [uuid];
    });
  for (const [list, parameter, dependencies] of [
    ["flows", "flow", "flows"],
    ["campaigns", "campaign", "none"],
  ] as const) {
    for (let left = missing(list); left.length > 0; left = missing(list)) {
      onRead?.(`reading definitions: ${left.length.toLocaleString("en")} ${list} left`);
      const order = { parameter, dependencies, uuids: left.slice(0, ASKED_AT_ONCE) };
      for (const line of await askDefinitions(client, order)) {
        state.add(line);
        if ("refused" in line && line.refused.resource === "definitions") return;
        if ("definitions" in line)
          for (const uuid of mapsIn(line.definitions["flows"]).flatMap(flowUuidOf)) known.add(uuid);
      }
    }
  }
}

type DefinitionLine =
  { readonly definitions: JsonMap; readonly asked: readonly string[] } | { readonly refused: Refusal };

interface DefinitionOrder {
  readonly parameter: "flow" | "campaign";
  readonly dependencies: "flows" | "none";
  readonly uuids: readonly string[];
}

/** A refusal of flows or campaigns that are asked for, and not of the whole resource. */
const BAD_REQUEST = 400;

/**
 * Asks for definitions. A service may refuse flows of two generations in one answer: then each is asked for by itself,
 * at last without the flows that it reaches, and so without its triggers.
 *
 * @returns lines for the state
 */
async function askDefinitions(
  client: ServiceClient,
  { parameter, dependencies, uuids }: DefinitionOrder,
): Promise<DefinitionLine[]> {
  const query = [...uuids.map((uuid) => `${parameter}=${uuid}`), `dependencies=${dependencies}`].join("&");
  const answer = await client.get(`definitions.json?${query}`);
  if (!("status" in answer)) {
    if (!isMap(answer.value)) throw noService("definitions.json is not an object");
    return [{ definitions: answer.value, asked: uuids }];
  }
  const { status, detail } = answer;
  if (isOfToken(answer)) throw refusedLater(answer);
  if (status !== BAD_REQUEST) return [{ refused: { resource: "definitions", status, detail } }];
  const [only = "", ...others] = uuids;
  const of = `${parameter} ${only}`;
  if (others.length > 0) {
    const lines = [];
    for (const uuid of uuids) lines.push(...(await askDefinitions(client, { parameter, dependencies, uuids: [uuid] })));
    return lines;
  }
  if (dependencies === "none")
    return [{ refused: { resource: `definitions of ${of}`, status, detail } }, { definitions: {}, asked: uuids }];
  const refused = { resource: `triggers of ${of}`, status, detail };
  return [{ refused }, ...(await askDefinitions(client, { parameter, dependencies: "none", uuids }))];
}

/** The UUID of a definition: its own, or that of a legacy one's metadata. */
export function flowUuidOf(definition: JsonMap): string[] {
  const uuid = uuidOf(definition) ?? uuidOf(definition["metadata"]);
  return uuid === undefined ? [] : [uuid];
}
