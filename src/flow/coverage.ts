import type { FlowDefinition, FlowNode } from "./definition.js";
import { nodeTitle } from "./node-title.js";

/** The stored trace of one run of a flow. */
export interface CoveredRun {
  /**
   * Visited nodes, oldest first. `exit` is the exit that was taken: absent when the run is still at the node or ended
   * there, or when the exit was not recorded.
   */
  readonly path: readonly { readonly node: string; readonly atMs: number; readonly exit?: string | undefined }[];
  /** All values that routers saved, oldest first. */
  readonly answers: readonly { readonly label: string; readonly category: string; readonly atMs: number }[];
  readonly isCompleted: boolean;
}

/** An exit of a node. */
export interface ExitCoverage {
  readonly uuid: string;
  /** UUID of the next node; null: the flow ends. */
  readonly destination: string | null;
  /** Names of the categories that lead to it. */
  readonly categories: readonly string[];
  /** How often it was taken; null when unknown, because other exits of the node have the same destination. */
  readonly taken: number | null;
}

/** A category of a router. */
export interface CategoryCoverage {
  readonly uuid: string;
  readonly name: string;
  /** How often it was chosen; null when unknown, because it shares its exit and the router saves no result. */
  readonly chosen: number | null;
}

/** A node of a flow. */
export interface NodeCoverage {
  readonly uuid: string;
  /** A few words on what it does. */
  readonly title: string;
  readonly visits: number;
  readonly exits: readonly ExitCoverage[];
  readonly categories: readonly CategoryCoverage[];
}

/** Which parts of a flow its runs have reached. */
export interface FlowCoverage {
  readonly runs: number;
  readonly nodes: readonly NodeCoverage[];
  /** Steps at nodes that the definition does not have: the flow was replaced later. */
  readonly unknownSteps: number;
}

/** Counts of the reached parts and of all parts. Parts whose coverage is unknown are left out of both. */
export interface CoverageCounts {
  readonly nodes: ReachedCount;
  readonly exits: ReachedCount;
  readonly categories: ReachedCount;
}

export interface ReachedCount {
  readonly reached: number;
  readonly all: number;
}

interface CoverageTally {
  /** Certain counts, by UUID. */
  readonly counts: Map<string, number>;
  /** Exits and categories that may have been taken. */
  readonly possible: Set<string>;
}

/**
 * Counts which nodes, exits and categories of a flow its runs have reached. An exit that was not recorded follows from
 * the answer saved at the node, or from the next node.
 */
export function flowCoverage(definition: FlowDefinition, runs: Iterable<CoveredRun>): FlowCoverage {
  const tally: CoverageTally = { counts: new Map(), possible: new Set() };
  let count = 0;
  let unknownSteps = 0;
  for (const run of runs) {
    count++;
    unknownSteps += tallyRun(definition, run, tally);
  }
  const taken = (uuid: string): number | null => tally.counts.get(uuid) ?? (tally.possible.has(uuid) ? null : 0);
  const nodes = definition.nodes.map((node) => {
    const categories = node.router?.categories ?? [];
    return {
      uuid: node.uuid,
      title: nodeTitle(node),
      visits: tally.counts.get(node.uuid) ?? 0,
      exits: node.exits.map(({ uuid, destination }) => ({
        uuid,
        destination,
        categories: categories.filter(({ exit }) => exit === uuid).map(({ name }) => name),
        taken: taken(uuid),
      })),
      categories: categories.map(({ uuid, name }) => ({ uuid, name, chosen: taken(uuid) })),
    };
  });
  return { runs: count, nodes, unknownSteps };
}

/** Counts the parts of some flows together. */
export function coverageCounts(flows: readonly Pick<FlowCoverage, "nodes">[]): CoverageCounts {
  const nodes = flows.flatMap((flow) => flow.nodes);
  return {
    nodes: reachedOf(nodes.map(({ visits }) => visits)),
    exits: reachedOf(nodes.flatMap(({ exits }) => exits.map(({ taken }) => taken))),
    categories: reachedOf(nodes.flatMap(({ categories }) => categories.map(({ chosen }) => chosen))),
  };
}

/** The share of nodes, exits and categories together that were reached, 0..1; 1 when the flows have no parts. */
export function coveredShare({ nodes, exits, categories }: CoverageCounts): number {
  const all = nodes.all + exits.all + categories.all;
  return all === 0 ? 1 : (nodes.reached + exits.reached + categories.reached) / all;
}

function reachedOf(counts: readonly (number | null)[]): ReachedCount {
  const known = counts.filter((count) => count !== null);
  return { reached: known.filter((count) => count > 0).length, all: known.length };
}

/** @returns the number of steps at unknown nodes */
function tallyRun({ nodesByUuid }: FlowDefinition, run: CoveredRun, tally: CoverageTally): number {
  const { path, isCompleted } = run;
  const answers = new AnswersInOrder(run.answers);
  let unknown = 0;
  path.forEach((step, index) => {
    const node = nodesByUuid.get(step.node);
    const next = path[index + 1];
    if (node === undefined) {
      unknown++;
      return;
    }
    add(tally, node.uuid);
    const hasLeft = next !== undefined || step.exit !== undefined || isCompleted;
    if (hasLeft) tallyExit(node, { exit: step.exit, next: next?.node, answer: answers.next(node, step, next) }, tally);
  });
  return unknown;
}

function tallyExit(
  node: FlowNode,
  left: { readonly exit: string | undefined; readonly next: string | undefined; readonly answer: string | undefined },
  tally: CoverageTally,
): void {
  const categories = node.router?.categories ?? [];
  const chosen = categories.find(({ name }) => name === left.answer);
  const destination = left.next ?? null;
  const fitting = node.exits.filter((exit) => exit.destination === destination).map(({ uuid }) => uuid);
  const exits = left.exit !== undefined ? [left.exit] : chosen !== undefined ? [chosen.exit] : fitting;
  addOneOf(tally, exits);
  const leading = categories.filter(({ exit }) => exits.includes(exit)).map(({ uuid }) => uuid);
  addOneOf(tally, chosen === undefined ? leading : [chosen.uuid]);
}

function add({ counts }: CoverageTally, uuid: string): void {
  counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
}

/** Counts the UUID if there is only one; several are marked as possible. */
function addOneOf(tally: CoverageTally, uuids: readonly string[]): void {
  const [only, second] = uuids;
  if (second === undefined) {
    if (only !== undefined) add(tally, only);
  } else for (const uuid of uuids) tally.possible.add(uuid);
}

/** The answers of a run, in order. Each belongs to one visit of a node that saves a result under the answer's name. */
class AnswersInOrder {
  readonly #answers: CoveredRun["answers"];
  readonly #used = new Set<number>();

  constructor(answers: CoveredRun["answers"]) {
    this.#answers = answers;
  }

  /** The category that was saved when the run left this visit of the node. */
  next(
    { router }: FlowNode,
    { atMs }: { readonly atMs: number },
    next: { readonly atMs: number } | undefined,
  ): string | undefined {
    if (router === undefined || router.resultName === "") return undefined;
    const index = this.#answers.findIndex(
      (answer, place) =>
        !this.#used.has(place) &&
        answer.label === router.resultName &&
        answer.atMs >= atMs &&
        (next === undefined || answer.atMs <= next.atMs),
    );
    if (index === -1) return undefined;
    this.#used.add(index);
    return this.#answers[index]?.category;
  }
}
