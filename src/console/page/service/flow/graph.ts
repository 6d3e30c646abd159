import { actionWords, type NodeLine } from "./action-words.js";
import { type JsonRecord, objectOf, objectsOf, textOf, textsOf } from "./json.js";

/** An exit of a node. */
export interface GraphExit {
  readonly uuid: string;
  /** Names of the categories that lead to it; "next" for a single exit. */
  readonly label: string;
  /** UUID of a node of this graph; null: the flow ends. */
  readonly destination: string | null;
}

export interface GraphNode {
  readonly uuid: string;
  /** From 1, in reading order. */
  readonly place: number;
  readonly lines: readonly NodeLine[];
  /** The tests of its router, in words: `Yes: has any of the words yes y`. */
  readonly tests: readonly string[];
  readonly isWaiting: boolean;
  readonly exits: readonly GraphExit[];
  /** The author's position of the node. */
  readonly position: { readonly left: number; readonly top: number } | undefined;
}

/** The nodes of a native definition, the entry first. Tolerates any JSON. */
export function readGraph(definition: unknown): GraphNode[] {
  const { nodes, _ui: ui } = objectOf(definition);
  const positions = objectOf(objectOf(ui)["nodes"]);
  const given = objectsOf(nodes).filter((node) => textOf(node["uuid"]) !== "");
  const uuids = new Set(given.map((node) => textOf(node["uuid"])));
  const read = given.map((node) => readNode(node, { uuids, positions }));
  return inReadingOrder(read).map((node, index) => ({ ...node, place: index + 1 }));
}

/** The nodes for a wall: of each only what a person reads or decides, and no places, so that they stand close. */
export function wallGraph(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.map((node) => {
    const line =
      node.lines.find(({ kind }) => kind === "says") ??
      node.lines.find(({ kind }) => kind === "asks" || kind === "splits") ??
      node.lines[0];
    return { ...node, lines: line === undefined ? [] : [line], position: undefined };
  });
}

function readNode(
  node: JsonRecord,
  { uuids, positions }: { readonly uuids: ReadonlySet<string>; readonly positions: JsonRecord },
): GraphNode {
  const uuid = textOf(node["uuid"]);
  const router = node["router"] === undefined || node["router"] === null ? undefined : objectOf(node["router"]);
  const categories = objectsOf(router?.["categories"]);
  const exits = objectsOf(node["exits"]).map((exit): GraphExit => {
    const id = textOf(exit["uuid"]);
    const destination = textOf(exit["destination_uuid"]);
    const names = categories.filter((one) => textOf(one["exit_uuid"]) === id).map((one) => textOf(one["name"]));
    return { uuid: id, label: names.join(", ") || "next", destination: uuids.has(destination) ? destination : null };
  });
  return {
    uuid,
    place: 0,
    lines: [...objectsOf(node["actions"]).map(actionWords), ...(router === undefined ? [] : [routerWords(router)])],
    tests: router === undefined ? [] : testWords(router, categories),
    isWaiting: router?.["wait"] !== undefined && router["wait"] !== null,
    exits,
    position: positionOf(objectOf(objectOf(positions[uuid])["position"])),
  };
}

function positionOf({ left, top }: JsonRecord): GraphNode["position"] {
  return typeof left === "number" && typeof top === "number" && Number.isFinite(left + top) ? { left, top } : undefined;
}

function routerWords(router: JsonRecord): NodeLine {
  const result = textOf(router["result_name"]);
  const saved = result === "" ? "" : `, saves it as “${result}”`;
  if (router["wait"] !== undefined && router["wait"] !== null) {
    const wait = objectOf(router["wait"]);
    const seconds = objectOf(wait["timeout"])["seconds"];
    const limit = typeof seconds === "number" ? `, at most ${spanWords(seconds)}` : "";
    return {
      kind: "asks",
      text: `Waits for ${textOf(wait["type"]) === "dial" ? "a call" : "an answer"}${limit}${saved}`,
    };
  }
  if (textOf(router["type"]) === "random") return { kind: "splits", text: `Splits at random${saved}` };
  return { kind: "splits", text: `Splits by ${operandWords(textOf(router["operand"]))}${saved}` };
}

function operandWords(operand: string): string {
  if (operand === "@child.run.status" || operand === "@child.status") return "how the other flow ended";
  if (operand === "@contact.groups") return "the contact’s groups";
  if (/^@results\.\w+\.category$/.test(operand)) return `the answer of ${operand.slice(9, -9).replaceAll("_", " ")}`;
  return operand === "" ? "nothing" : operand;
}

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** `2 h`, `1 d`, `90 s`. */
function spanWords(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? ["s", 1];
  return `${seconds / size} ${unit}`;
}

function testWords(router: JsonRecord, categories: readonly JsonRecord[]): string[] {
  const nameOf = (uuid: unknown): string => textOf(categories.find((one) => one["uuid"] === uuid)?.["name"]);
  const cases = objectsOf(router["cases"]).map((one) => {
    const test = textOf(one["type"]).replaceAll("_", " ");
    return `${nameOf(one["category_uuid"])}: ${[test, ...textsOf(one["arguments"])].join(" ")}`;
  });
  const fallback = nameOf(router["default_category_uuid"]);
  return fallback === "" ? cases : [...cases, `${fallback}: anything else`];
}

/** Depth-first order along the exits from the entry, then unreachable nodes. */
function inReadingOrder(nodes: readonly GraphNode[]): GraphNode[] {
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const ordered = new Set<GraphNode>();
  for (const start of nodes) {
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (ordered.has(node)) continue;
      ordered.add(node);
      for (const { destination } of node.exits.toReversed()) {
        const next = destination === null ? undefined : byUuid.get(destination);
        if (next !== undefined && !ordered.has(next)) waiting.push(next);
      }
    }
  }
  return [...ordered];
}
