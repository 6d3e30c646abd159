import type { FlowDefinition, FlowNode } from "../definition.js";
import type { MissingReference } from "../read/missing-references.js";
import { isRecord, recordsIn, textIn } from "../read/json-object.js";
import { resultKey } from "../result-key.js";
import { type PlacedTemplate, placedTemplates } from "./placed-templates.js";

/** The valid word nearest to a mistyped one; undefined: none is close. */
export type Nearest = (word: string, valid: Iterable<string>) => string | undefined;

/** The flows of all files that are checked together. */
export interface LintedFlows {
  readonly byUuid: ReadonlyMap<string, LintedFlow>;
  /** What the files lack, by {@link MissingReference.places} of each flow. */
  readonly missing: readonly MissingReference[];
  /** Whether a file lists the fields of its account: then a field that is not listed does not exist. */
  readonly listsFields: boolean;
  readonly nearest: Nearest;
}

/** The characters of a result's key that count; versions since 13.6.1 cut longer ones. */
const KEY_MAX = 64;

/** A flow as the rules see it: its definition, and what follows from it. */
export class LintedFlow {
  readonly definition: FlowDefinition;
  /** Whether the flow was migrated: its author wrote other templates and nodes. */
  readonly isMigrated: boolean;
  /** Templates in the order of the nodes. */
  readonly templates: readonly PlacedTemplate[];
  /** Names of the results that nodes save, by key. */
  readonly results: ReadonlyMap<string, string>;
  /** UUIDs of the nodes that a run can reach from the first one. */
  readonly reachable: ReadonlySet<string>;
  /** UUIDs of the flows that this one enters: their runs are its children. */
  readonly entered: ReadonlySet<string>;
  /** UUIDs of the flows that this one enters, or starts for others: it is their parent. */
  readonly started: ReadonlySet<string>;
  readonly #all: () => LintedFlows;

  /** @param native - the native JSON of the flow */
  constructor(
    definition: FlowDefinition,
    {
      native,
      isMigrated,
      all,
    }: { readonly native: unknown; readonly isMigrated: boolean; readonly all: () => LintedFlows },
  ) {
    this.definition = definition;
    this.isMigrated = isMigrated;
    this.#all = all;
    this.templates = [...placedTemplates(definition)];
    this.results = savedResults(native);
    this.reachable = nodesFrom(definition, definition.nodes.slice(0, 1));
    this.entered = flowsOf(definition, ["enter_flow"]);
    this.started = flowsOf(definition, ["enter_flow", "start_session"]);
  }

  get all(): LintedFlows {
    return this.#all();
  }

  /** Whether a node saves a result with this key. */
  saves(key: string): boolean {
    return this.results.has(cutKey(key));
  }

  /** The flows of the files that enter this one. */
  callers(): readonly LintedFlow[] {
    return [...this.all.byUuid.values()].filter(({ entered }) => entered.has(this.definition.uuid));
  }

  /** The flows of the files that can be `@parent` of this one. */
  parents(): readonly LintedFlow[] {
    return [...this.all.byUuid.values()].filter(({ started }) => started.has(this.definition.uuid));
  }

  node(uuid: string): FlowNode | undefined {
    return this.definition.nodesByUuid.get(uuid);
  }
}

function cutKey(key: string): string {
  return key.slice(0, KEY_MAX);
}

/** The results that a flow saves. Read from the JSON, so that those of actions that are not known count too. */
function savedResults(native: unknown): ReadonlyMap<string, string> {
  const names: string[] = [];
  for (const node of recordsIn(isRecord(native) ? native["nodes"] : [])) {
    const { router } = node;
    if (isRecord(router)) names.push(textIn(router["result_name"]));
    for (const action of recordsIn(node["actions"])) {
      names.push(textIn(action["result_name"]));
      if (action["type"] === "set_run_result") names.push(textIn(action["name"]));
    }
  }
  return new Map(names.filter((name) => name !== "").map((name) => [cutKey(resultKey(name)), name]));
}

/** UUIDs of these nodes and of all that follow them. */
export function nodesFrom({ nodesByUuid }: FlowDefinition, starts: readonly FlowNode[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const visits = [...starts];
  for (let node = visits.pop(); node !== undefined; node = visits.pop()) {
    if (reached.has(node.uuid)) continue;
    reached.add(node.uuid);
    for (const { destination } of node.exits) {
      const next = nodesByUuid.get(destination ?? "");
      if (next !== undefined) visits.push(next);
    }
  }
  return reached;
}

function flowsOf({ nodes }: FlowDefinition, types: readonly string[]): ReadonlySet<string> {
  return new Set(
    nodes.flatMap(({ actions }) =>
      actions.flatMap((action) => ("flow" in action && types.includes(action.type) ? [action.flow.uuid] : [])),
    ),
  );
}
