import type { FlowDefinition, FlowNode, Localization } from "../definition.js";
import type { WrittenTexts } from "../legacy/written-texts.js";
import { nodeTitle } from "../node-title.js";
import type { ReferenceKind } from "../read/flow-references.js";
import type { FileFlows } from "./flow-relations.js";
import { isRecord, recordsIn, textIn } from "../read/json-object.js";
import { resultKey } from "../result-key.js";
import { isOfOtherService } from "./other-services.js";
import { type PlacedTemplate, placedTemplates } from "./placed-templates.js";

/** The valid word nearest to a mistyped one; undefined: none is close. */
export type Nearest = (word: string, valid: Iterable<string>) => string | undefined;

/** Something that a node refers to and no file has. */
export interface MissingOfNode {
  readonly kind: ReferenceKind;
  /** Its name, else its UUID. */
  readonly name: string;
  /** UUID. */
  readonly node: string;
  /** The type of the action or test, or the template that refers. */
  readonly by: string;
}

/** The file of a flow, and the other files that are checked with it. */
export interface LintedFile {
  readonly flows: FileFlows<LintedFlow>;
  /** What no file has, by the UUID of the flow that refers to it. */
  readonly missing: ReadonlyMap<string, readonly MissingOfNode[]>;
  /** Whether the file lists the fields of its flows: then a field that is not listed does not exist. */
  readonly listsFields: boolean;
  readonly nearest: Nearest;
}

/** The characters of a result's key that count; versions since 13.6.1 cut longer ones. */
const KEY_MAX = 64;

/** A flow as the rules see it: its definition, and what follows from it. */
export class LintedFlow {
  readonly definition: FlowDefinition;
  /** Without those into the flow's own language, which no run uses. */
  readonly translations: Localization;
  /** Templates in the order of the nodes. */
  readonly templates: readonly PlacedTemplate[];
  /** Whether it is made for another service of the family. */
  readonly isOfOtherService: boolean;
  /** Names of the results that nodes save, by key. */
  readonly results: ReadonlyMap<string, string>;
  /** UUIDs of the nodes that a run can reach from the first one. */
  readonly reachable: ReadonlySet<string>;
  /** UUIDs of the flows that this one enters: their runs are its children. */
  readonly entered: ReadonlySet<string>;
  /** UUIDs of the flows that this one enters, or starts for others: it is their parent. */
  readonly started: ReadonlySet<string>;
  readonly #file: () => LintedFile;
  readonly #written: (() => WrittenTexts) | undefined;
  #writtenTexts: WrittenTexts | undefined;

  /**
   * @param definition - the flow in native form
   * @param options - `native`: its JSON; `written`: what its author wrote, if it was migrated
   */
  constructor(
    definition: FlowDefinition,
    {
      native,
      written,
      file,
    }: {
      readonly native: unknown;
      readonly written: (() => WrittenTexts) | undefined;
      readonly file: () => LintedFile;
    },
  ) {
    this.definition = definition;
    this.#file = file;
    this.#written = written;
    this.translations = new Map([...definition.localization].filter(([language]) => language !== definition.language));
    this.templates = [...placedTemplates(definition, this.translations)];
    this.isOfOtherService = isOfOtherService(definition, native);
    this.results = savedResults(native);
    this.reachable = nodesFrom(definition, definition.nodes.slice(0, 1));
    this.entered = flowsOf(definition, ["enter_flow"]);
    this.started = flowsOf(definition, ["enter_flow", "start_session"]);
  }

  get file(): LintedFile {
    return this.#file();
  }

  /** Whether the flow was migrated: its author wrote other templates and nodes. */
  get isMigrated(): boolean {
    return this.#written !== undefined;
  }

  /** A text or an expression of a node as its author wrote it. */
  asWritten(node: string, text: string): string {
    if (this.#written === undefined) return text;
    this.#writtenTexts ??= this.#written();
    return this.#writtenTexts.get(node)?.get(text) ?? legacyPath(text);
  }

  /** The title of a node. A question without a name has that of the message before it. */
  titleOf(node: FlowNode): string {
    const titleOf = (one: FlowNode): string => nodeTitle(one, (text) => this.asWritten(one.uuid, text));
    const title = titleOf(node);
    if (node.router?.wait === undefined || title !== "wait") return title;
    const before = this.definition.nodes.find(
      ({ actions, exits }) => actions.length > 0 && exits.some(({ destination }) => destination === node.uuid),
    );
    return before === undefined ? "wait" : `wait after ${titleOf(before)}`;
  }

  /** Whether a node saves a result with this key. */
  saves(key: string): boolean {
    return this.results.has(cutKey(key));
  }

  /** The flows of the files that enter this one. */
  callers(): readonly LintedFlow[] {
    return this.file.flows.callersOf(this.definition.uuid);
  }

  /** The flows of the files that can be `@parent` of this one. */
  parents(): readonly LintedFlow[] {
    return this.file.flows.parentsOf(this.definition.uuid);
  }

  node(uuid: string): FlowNode | undefined {
    return this.definition.nodesByUuid.get(uuid);
  }
}

/** Gives a path such as `@results.age` its legacy name; returns other texts unchanged. */
function legacyPath(text: string): string {
  return text
    .replace(/^@results\b/, "@flow")
    .replace(/^@(child|parent)\.results\b/, "@$1")
    .replace(/^@((?:child|parent)\.)?fields\b/, "@$1contact");
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

/**
 * UUIDs of these nodes and of all that follow them.
 *
 * @param endsAt - tells the nodes that count, but not what follows them
 */
export function nodesFrom(
  { nodesByUuid }: FlowDefinition,
  starts: readonly FlowNode[],
  endsAt: (node: FlowNode) => boolean = () => false,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const visits = [...starts];
  for (let node = visits.pop(); node !== undefined; node = visits.pop()) {
    if (reached.has(node.uuid)) continue;
    reached.add(node.uuid);
    if (endsAt(node)) continue;
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
