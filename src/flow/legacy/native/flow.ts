import { ownValue } from "../../../wire/index.js";
import type { DerivedUuids } from "../derived-uuids.js";
import { type LegacyJson, textOf, wholeNumberOf } from "../json.js";
import type { ActionSet, LegacyFlow, RuleSet } from "../legacy-flow.js";
import { MigrationError } from "../migration-error.js";
import { writeAction } from "./actions.js";
import { destination } from "./rules.js";
import { writeRuleSet } from "./rule-sets.js";
import { LocalizationWriter, type NativeWriter } from "./writer.js";

/** Types of native flows by legacy letter; all others are message flows. */
const types: Readonly<Record<string, string>> = { V: "voice", S: "messaging_offline" };

interface WrittenSet {
  readonly uuid: string;
  readonly top: number;
  readonly node: LegacyJson;
  readonly ui: LegacyJson;
}

/**
 * Writes a flow of the last legacy version as native definition of version 13.0 (docs/reference/flows.md#legacy-to-native).
 *
 * @param mediaBase - URL to which relative paths of media are joined
 * @throws MigrationError when an action, rule set or test has no native form
 */
export function writeFlow(flow: LegacyFlow, uuids: DerivedUuids, mediaBase: string): LegacyJson {
  const localization = new LocalizationWriter();
  const sets = new Set([...flow.actionSets, ...flow.ruleSets].map(({ uuid }) => uuid));
  sets.delete("");
  const writer: NativeWriter = { language: flow.language, localization, uuids, mediaBase, sets };
  // Nodes claim their UUIDs first, because destinations refer to nodes.
  const actionSets = flow.actionSets.map((set, place) => ({
    ...set,
    uuid: uuids.claim(set.uuid, "action set", place),
  }));
  const ruleSets = flow.ruleSets.map((set, place) => ({ ...set, uuid: uuids.claim(set.uuid, "rule set", place) }));
  const written = [
    ...actionSets.map((set) => writeSet("action set", set, () => writeActionSet(set, writer))),
    ...ruleSets.map((set) => writeSet("rule set", set, () => writeRuleSet(set, writer))),
  ].toSorted((a, b) => Number(b.uuid === flow.entry) - Number(a.uuid === flow.entry) || a.top - b.top);
  const stickies = flow.notes.map((note, place): [string, LegacyJson] => [uuids.at("note", place), writeNote(note)]);
  return {
    uuid: flow.uuid === "" ? uuids.at("flow") : flow.uuid,
    name: flow.name,
    spec_version: "13.0.0",
    language: flow.language,
    type: ownValue(types, flow.type) ?? "messaging",
    revision: flow.revision,
    expire_after_minutes: flow.expiresMinutes,
    localization: localization.toJson(),
    nodes: written.map(({ node }) => node),
    _ui: {
      nodes: Object.fromEntries(written.map(({ uuid, ui }) => [uuid, ui])),
      stickies: Object.fromEntries(stickies),
    },
  };
}

function writeSet(
  noun: string,
  { uuid, y }: ActionSet | RuleSet,
  write: () => { readonly node: LegacyJson; readonly ui: LegacyJson },
): WrittenSet {
  try {
    return { uuid, top: y, ...write() };
  } catch (error) {
    throw error instanceof MigrationError ? error.within(`${noun} ${uuid}`) : error;
  }
}

function writeActionSet(set: ActionSet, writer: NativeWriter): { readonly node: LegacyJson; readonly ui: LegacyJson } {
  const { uuids } = writer;
  const actions = set.actions.map((action, place) => {
    const uuid = uuids.claim(textOf(action["uuid"]), "action", set.uuid, place);
    return writeAction(action, uuid, writer);
  });
  const exit = { uuid: uuids.claim(set.exitUuid, "exit", set.uuid), ...destination(set.destination, writer) };
  return {
    node: { uuid: set.uuid, ...(actions.length > 0 && { actions }), exits: [exit] },
    ui: { type: "execute_actions", position: { left: set.x, top: set.y } },
  };
}

/** A note that an author left in the editor. */
function writeNote(note: LegacyJson): LegacyJson {
  return {
    position: { left: wholeNumberOf(note["x"]), top: wholeNumberOf(note["y"]) },
    title: textOf(note["title"]),
    body: textOf(note["body"]),
    color: "yellow",
  };
}
