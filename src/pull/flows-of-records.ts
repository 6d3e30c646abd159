import { accountOfDefinitions, pathText } from "../account/index.js";
import type { FieldData, FlowData, GroupData, TriggerData } from "../wire/index.js";
import { isMap, type JsonMap, mapsIn, textOf, textsIn, uuidOf } from "./json.js";
import type { LeftOuts } from "./left-out.js";
import type { PulledRecords } from "./pull-state.js";
import { flowUuidOf } from "./read-service.js";

/** What only definitions tell of a campaign's event. */
export interface EventDetails {
  readonly startMode: "interrupt" | "skip" | "passive" | undefined;
  readonly baseLanguage: string | undefined;
}

/** The content of the definitions of an account. */
export interface DefinitionContent {
  readonly flows: readonly FlowData[];
  readonly triggers: readonly TriggerData[];
  /** Flows that break the rules of loading. */
  readonly broken: readonly { readonly name: string; readonly definition: JsonMap; readonly why: string }[];
  /** By UUID of the event. */
  readonly eventDetails: ReadonlyMap<string, EventDetails>;
}

/** Types of triggers that an account file has, except schedules. */
const triggerTypes = new Set(["K", "C", "M", "V", "N", "R", "T"]);

/** Reads the definitions: flows with the state and labels of `flows.json`, triggers, and details of campaigns. */
export function flowsOf(
  records: PulledRecords,
  { fields, groups }: { readonly fields: readonly FieldData[]; readonly groups: readonly GroupData[] },
  left: LeftOuts,
): DefinitionContent {
  const definitions = definitionsOf(records);
  const listed = (records.lists.get("flows") ?? []).toReversed();
  const flows: FlowData[] = [];
  const broken: { name: string; definition: JsonMap; why: string }[] = [];
  const versions: string[] = [];
  for (const record of listed) {
    const uuid = uuidOf(record) ?? "";
    const name = textOf(record["name"]) ?? uuid;
    const found = definitions.get(uuid);
    definitions.delete(uuid);
    if (found === undefined) left.add("flows", "the service gave no definition", name);
    else
      readOne(found, name, {
        isArchived: record["archived"] === true,
        labels: mapsIn(record["labels"]).flatMap((label) => textOf(label["name"]) ?? []),
      });
  }
  // Flows that others reach and flows.json does not list.
  for (const found of definitions.values())
    readOne(found, textOf(found.definition["name"]) ?? "?", { isArchived: false, labels: [] });

  function readOne(
    { definition, version }: Defined,
    name: string,
    own: { readonly isArchived: boolean; readonly labels: readonly string[] },
  ): void {
    const { account, problems } = accountOfDefinitions({ version, flows: [definition] });
    const [flow] = account.flows;
    const [problem] = problems;
    if (flow === undefined || problem !== undefined) {
      const why = problem === undefined ? "cannot be read" : `${pathText(problem.path)} ${problem.message}`;
      broken.push({ name, definition: { version, flows: [definition] }, why });
      left.add("flows", why, name);
      return;
    }
    versions.push(version);
    flows.push({ ...flow, ...own });
  }

  return {
    flows,
    broken,
    triggers: triggersOf(records, { flows, fields, groups }, left),
    eventDetails: detailsOf(records),
  };
}

interface Defined {
  readonly definition: JsonMap;
  /** Of the export that had it: a legacy definition may have no version of its own. */
  readonly version: string;
}

/** Each definition once, by UUID. */
function definitionsOf(records: PulledRecords): Map<string, Defined> {
  const found = new Map<string, Defined>();
  for (const answer of records.definitions) {
    const version = textOf(answer["version"]) ?? "13";
    for (const definition of mapsIn(answer["flows"]))
      for (const uuid of flowUuidOf(definition)) if (!found.has(uuid)) found.set(uuid, { definition, version });
  }
  return found;
}

function triggersOf(
  records: PulledRecords,
  parts: {
    readonly flows: readonly FlowData[];
    readonly fields: readonly FieldData[];
    readonly groups: readonly GroupData[];
  },
  left: LeftOuts,
): TriggerData[] {
  const seen = new Set<string>();
  const written = records.definitions
    .flatMap(({ triggers }) => mapsIn(triggers))
    .flatMap(withOneKeyword)
    .filter((trigger) => {
      const essence = JSON.stringify(trigger);
      const isNew = !seen.has(essence);
      seen.add(essence);
      return isNew;
    });
  const usable = written.filter((trigger) => {
    const type = textOf(trigger["trigger_type"]) ?? "?";
    if (triggerTypes.has(type)) return true;
    left.add("triggers", `of type ${type}, which an account file does not have`, triggerName(trigger));
    return false;
  });
  const { account, problems } = accountOfDefinitions({
    version: "13",
    flows: parts.flows.map(({ definition }) => definition),
    groups: parts.groups.map(({ uuid, name, query }) => ({ uuid, name, query })),
    fields: [],
    triggers: usable,
  });
  for (const { path, message } of problems) {
    const [part, place, ...inner] = path;
    const trigger = part === "triggers" && typeof place === "number" ? usable[place] : undefined;
    if (trigger !== undefined) left.add("triggers", `${pathText(inner)} ${message}`.trim(), triggerName(trigger));
  }
  return [...account.triggers];
}

/** Newer services give several keywords to a trigger; an account file has a trigger for each. */
function withOneKeyword(trigger: JsonMap): JsonMap[] {
  const keywords = textsIn(trigger["keywords"]);
  if (keywords.length === 0) return [trigger];
  return keywords.map((keyword) => {
    const { keywords: _, ...rest } = trigger;
    return { ...rest, keyword };
  });
}

function triggerName(trigger: JsonMap): string {
  const flow = isMap(trigger["flow"]) ? textOf(trigger["flow"]["name"]) : undefined;
  return [textOf(trigger["keyword"]), flow].filter((one) => one !== undefined).join(" → ");
}

const startModes = new Map<unknown, EventDetails["startMode"]>([
  ["I", "interrupt"],
  ["S", "skip"],
  ["P", "passive"],
]);

function detailsOf(records: PulledRecords): Map<string, EventDetails> {
  const details = new Map<string, EventDetails>();
  for (const event of records.definitions
    .flatMap(({ campaigns }) => mapsIn(campaigns))
    .flatMap((one) => mapsIn(one["events"]))) {
    const uuid = uuidOf(event);
    if (uuid === undefined) continue;
    details.set(uuid, { startMode: startModes.get(event["start_mode"]), baseLanguage: textOf(event["base_language"]) });
  }
  return details;
}
