import { parse } from "yaml";
import { LabError } from "../base/index.js";
import {
  ContactInputError,
  readTalkContact,
  type SessionContact,
  type TalkAccount,
  type TalkAct,
  talkContact,
  type TalkMock,
  type TalkScript,
} from "../flow/index.js";
import { parseDuration, spelledPattern } from "../scenario/index.js";
import { compilePattern } from "../wire/index.js";

/** A scenario file with conversations, and the account that they are played with. */
export interface ScenarioTalks {
  readonly file: string;
  readonly text: string;
  /** Reads a file that the scenario names in `data`; undefined: it cannot be read. */
  readonly readData: (name: string) => string | undefined;
  readonly account: TalkAccount;
}

type Json = Readonly<Record<string, unknown>>;

const hint = "give a scenario that handset flow record or flow chat has written";

/**
 * The conversations of a scenario, one for each person who texts or is started in a flow: as `flow record` and
 * `flow chat` write them. Steps that no flow can see are left out.
 *
 * @throws LabError `bad-options` when the file is no such scenario
 */
export function scenarioTalks({ file, text, readData, account }: ScenarioTalks): readonly TalkScript[] {
  const scenario = mapOf(parsed(file, text));
  const story = listOf(scenario["story"]).map(mapOf);
  if (story.length === 0) throw new LabError("bad-options", `${file} is no scenario with a story`, { hint });
  const startsAtMs = Date.parse(`${textOf(scenario["starts"]).replace(/Z$/, "") || "2026-01-01T00:00:00.000"}Z`);
  const httpMocks = listOf(scenario["mocks"]).map((mock) => mockOf(mapOf(mock)));
  const acts = new Map<string, TalkAct[]>();
  let atMs = 0;
  for (const step of story) {
    atMs = step["at"] === undefined ? atMs + millisecondsOf(step["after"]) : millisecondsOf(step["at"]);
    const [said, started] = [mapOf(step["text"]), mapOf(step["flow"])];
    const person = textOf(said["from"] ?? started["person"]);
    if (person === "") continue;
    const own = acts.get(person) ?? [];
    acts.set(person, own);
    own.push({ kind: "advance", toMs: atMs });
    if (step["text"] === undefined) own.push({ kind: "start", flow: textOf(started["flow"]) });
    else own.push({ kind: "say", text: textOf(said["body"]), afterMs: 0 });
  }
  if (acts.size === 0) throw new LabError("bad-options", `${file}: nobody texts or is started in a flow`, { hint });
  const lastMs = Math.max(atMs, millisecondsOf(scenario["lasts"]));
  return [...acts].map(([person, own]) => ({
    name: acts.size === 1 ? file : `${file}, ${person}`,
    startsAtMs,
    contact: contactOf(person, { scenario, readData, account, startsAtMs }),
    acts: [...own, { kind: "advance", toMs: lastMs }],
    ...(httpMocks.length > 0 && { httpMocks }),
  }));
}

/** An entry of `mocks`: docs/scenario.md, "Mocks". */
function mockOf({ url, method, status, body, headers, times }: Json): TalkMock {
  const matchesUrl = urlTest(textOf(url));
  return {
    matches: (call) => matchesUrl(call.url) && (typeof method !== "string" || method === call.method),
    answer: {
      status: typeof status === "number" ? status : 200,
      body: typeof body === "object" && body !== null ? JSON.stringify(body) : textOf(body),
      headers: Object.fromEntries(Object.entries(mapOf(headers)).map(([name, value]) => [name, textOf(value)])),
    },
    times: typeof times === "number" ? times : Infinity,
  };
}

/** @throws LabError `bad-options` for a regular expression that does not compile */
function urlTest(text: string): (url: string) => boolean {
  const pattern = spelledPattern(text);
  if (pattern.kind === "contains") return (url) => url.includes(pattern.text);
  const compiled = compilePattern(pattern);
  if (typeof compiled === "function") return compiled;
  throw new LabError("bad-options", `the mock's url ${text} ${compiled.message}`, { hint: compiled.hint });
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new LabError("bad-options", `${file}: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}`);
  }
}

/** The contact of a person: name and phone of the scenario; fields and groups of its account files. */
function contactOf(
  person: string,
  {
    scenario,
    readData,
    account,
    startsAtMs,
  }: Pick<ScenarioTalks, "readData" | "account"> & { readonly scenario: Json; readonly startsAtMs: number },
): SessionContact {
  const entry = mapOf(mapOf(scenario["people"])[person.split("/")[0] ?? ""]);
  const phone = person.startsWith("+") ? person : textOf(entry["phone"]);
  const base = talkContact(startsAtMs);
  const known = /^\+\d+$/.test(phone) ? { urns: [`tel:${phone}`] } : {};
  const names = Array.isArray(scenario["data"]) ? scenario["data"] : [scenario["data"]];
  for (const name of names.filter((one) => typeof one === "string" && /\.ya?ml$/.test(one))) {
    const contacts = listOf(mapOf(parse(readData(String(name)) ?? ""))["contacts"]).map(mapOf);
    const found = contacts.find((one) => one["phone"] === phone);
    if (found === undefined) continue;
    const { name: own, language, groups, fields } = found;
    try {
      return readTalkContact({ name: own, language, groups, fields, ...known }, account, startsAtMs);
    } catch (error) {
      if (error instanceof ContactInputError) throw new LabError("bad-options", `${String(name)}: ${error.message}`);
      throw error;
    }
  }
  return { ...base, ...known, name: textOf(entry["name"]) || base.name, language: textOf(entry["language"]) };
}

function millisecondsOf(duration: unknown): number {
  return parseDuration(textOf(duration)) ?? 0;
}

function mapOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
