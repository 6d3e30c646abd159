import { type FlowDefinition, type MissingReference, searchMissingReferences } from "../../flow/index.js";
import type { Channels } from "../../gateway/index.js";
import { type Boundaries, boundaryLevelOf } from "../boundaries.js";
import type { Organisation } from "../organisation.js";
import type { AccountTables } from "../tables/account-tables.js";

/** The tables of an account in which references are looked up. */
interface ReferredParts {
  readonly tables: Pick<AccountTables, "flows" | "groups" | "labels" | "fields" | "contacts">;
  readonly channels: Pick<Channels, "byUuid">;
  readonly organisation: Organisation;
  readonly boundaries: Boundaries;
}

/**
 * Finds the objects that flows refer to and the account lacks now, such as a flow that they enter. Yields the units of
 * work of each step.
 */
export function searchMissingInAccount(
  definitions: Iterable<FlowDefinition>,
  { tables, channels, organisation, boundaries }: ReferredParts,
): Generator<number, readonly MissingReference[]> {
  const { flows, groups, labels, fields, contacts } = tables;
  const hasGlobal = globalsOf(organisation);
  return searchMissingReferences(definitions, ({ kind, uuid = "", name }) => {
    const id = uuid.toLowerCase();
    switch (kind) {
      case "flow":
      case "trigger flow":
        return flows.byUuid(id) !== undefined;
      case "group":
        return (uuid === "" ? groups.byName(name) : groups.byUuid(id)) !== undefined;
      case "label":
        return (uuid === "" ? labels.byName(name) : labels.byUuid(id)) !== undefined;
      case "field":
        return fields.byKey(name) !== undefined;
      case "global":
        return hasGlobal(name);
      case "channel":
        return channels.byUuid(id) !== undefined;
      case "contact":
        return contacts.byUuid(id) !== undefined;
      case "boundaries":
        return boundaryLevelOf(name) <= boundaries.depth;
    }
  });
}

/** @returns whether the account has a global now, by its key in lower case */
function globalsOf(organisation: Organisation): (key: string) => boolean {
  let readFrom: unknown;
  let keys: ReadonlySet<string> = new Set();
  return (key) => {
    const { globals } = organisation.get();
    if (globals !== readFrom) {
      readFrom = globals;
      keys = new Set(Object.keys(globals ?? {}).map((one) => one.toLowerCase()));
    }
    return keys.has(key);
  };
}
