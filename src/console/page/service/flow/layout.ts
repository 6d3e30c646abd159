import type { GraphNode } from "./graph.js";
import { layers } from "./layers.js";

/** A node with its place on the canvas, in pixels at zoom 1. */
export interface PlacedNode {
  readonly node: GraphNode;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Text lines of each line of the node. */
  readonly rows: readonly number[];
  /** Width of each exit's cell. */
  readonly cells: readonly number[];
}

/** An edge from an exit to a node, or to the end of the flow. */
export interface PlacedEdge {
  readonly exit: string;
  readonly from: string;
  readonly to: string | null;
  /** An SVG path. */
  readonly d: string;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Sizes. Keep them equal to `flow-graph.css`. */
export const sizes = {
  head: 24,
  row: 18,
  linePadding: 8,
  exits: 40,
  plainExits: 22,
  width: 248,
  rowsMax: 3,
  cellMin: 64,
  cellMax: 132,
};
const GAP = 40;
const LAYER_GAP = 64;
const MARGIN = 32;
/** Characters that fit into a row of a node with the smallest width. */
const ROW_CHARACTERS = 33;
const CELL_CHARACTER = 7;

/** Places the nodes at the author's positions or in layers, without overlaps. */
export function layOut(nodes: readonly GraphNode[]): GraphLayout {
  const sized = nodes.map(sizeOf);
  const isPlacedByAuthor = nodes.length > 0 && nodes.every(({ position }) => position !== undefined);
  const placed = moveToOrigin(isPlacedByAuthor ? placeAsGiven(sized) : placeInLayers(sized));
  return {
    nodes: placed,
    edges: edgesOf(placed),
    width: Math.max(0, ...placed.map(({ left, width }) => left + width)) + MARGIN,
    height: Math.max(0, ...placed.map(({ top, height }) => top + height)) + MARGIN + GAP,
  };
}

function sizeOf(node: GraphNode): PlacedNode {
  const cells = node.exits.map(({ label }) =>
    Math.min(sizes.cellMax, Math.max(sizes.cellMin, label.length * CELL_CHARACTER + 24)),
  );
  const needed = cells.reduce((sum, cell) => sum + cell, 0);
  const width = Math.max(sizes.width, needed);
  const perRow = Math.floor((ROW_CHARACTERS * width) / sizes.width);
  const rows = node.lines.map(({ text }) => Math.min(sizes.rowsMax, Math.max(1, Math.ceil(text.length / perRow))));
  const lines = rows.reduce((sum, count) => sum + count * sizes.row + sizes.linePadding, 0);
  const spare = node.exits.length === 0 ? 0 : (width - needed) / node.exits.length;
  return {
    node,
    left: 0,
    top: 0,
    width,
    height: sizes.head + lines + (hasPlainExit(node) ? sizes.plainExits : sizes.exits),
    rows,
    cells: cells.map((cell) => cell + spare),
  };
}

/** Whether there is a single exit, which needs no label. */
export function hasPlainExit({ exits }: GraphNode): boolean {
  return exits.length === 0 || (exits.length === 1 && exits[0]?.label === "next");
}

/** The author's positions, spread where boxes are wider or higher here than in the author's editor. */
function placeAsGiven(nodes: readonly PlacedNode[]): PlacedNode[] {
  const placed: PlacedNode[] = [];
  const inOrder = nodes
    .map((node) => ({ ...node, left: (node.node.position?.left ?? 0) * 1.3, top: node.node.position?.top ?? 0 }))
    .toSorted((a, b) => a.top - b.top || a.left - b.left);
  for (const node of inOrder) {
    let { top } = node;
    for (let isFree = false; !isFree;) {
      const hit = placed.find((other) => overlaps({ ...node, top }, other));
      isFree = hit === undefined;
      if (hit !== undefined) top = hit.top + hit.height + GAP;
    }
    placed.push({ ...node, top });
  }
  return placed;
}

function overlaps(a: PlacedNode, b: PlacedNode): boolean {
  return (
    a.left < b.left + b.width + GAP / 2 &&
    b.left < a.left + a.width + GAP / 2 &&
    a.top < b.top + b.height + GAP &&
    b.top < a.top + a.height + GAP
  );
}

function placeInLayers(nodes: readonly PlacedNode[]): PlacedNode[] {
  const byUuid = new Map(nodes.map((node) => [node.node.uuid, node]));
  const placed: PlacedNode[] = [];
  let top = 0;
  for (const layer of layers(nodes.map(({ node }) => node))) {
    const row = layer.flatMap((uuid) => byUuid.get(uuid) ?? []);
    const total = row.reduce((sum, { width }) => sum + width + GAP, -GAP);
    let left = -total / 2;
    for (const node of row) {
      placed.push({ ...node, left, top });
      left += node.width + GAP;
    }
    top += Math.max(...row.map(({ height }) => height)) + LAYER_GAP;
  }
  return placed;
}

function moveToOrigin(nodes: readonly PlacedNode[]): PlacedNode[] {
  const left = Math.min(...nodes.map((node) => node.left));
  const top = Math.min(...nodes.map((node) => node.top));
  return nodes.map((node) => ({ ...node, left: node.left - left + MARGIN, top: node.top - top + MARGIN }));
}

function edgesOf(nodes: readonly PlacedNode[]): PlacedEdge[] {
  const byUuid = new Map(nodes.map((node) => [node.node.uuid, node]));
  return nodes.flatMap((from) => {
    let x = from.left;
    return from.node.exits.map((exit, index) => {
      const cell = from.cells[index] ?? 0;
      const start = { x: x + cell / 2, y: from.top + from.height };
      x += cell;
      const to = exit.destination === null ? undefined : byUuid.get(exit.destination);
      return { exit: exit.uuid, from: from.node.uuid, to: to?.node.uuid ?? null, d: pathOf(start, to, from) };
    });
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The path of an edge: a curve to the top of the next node, a line beside the boxes for a back edge, or a short stub at
 * the end of the flow.
 */
function pathOf(start: Point, to: PlacedNode | undefined, from: PlacedNode): string {
  const at = (x: number, y: number): string => `${Math.round(x)} ${Math.round(y)}`;
  if (to === undefined) return `M ${at(start.x, start.y)} v 14`;
  const end = { x: to.left + to.width / 2, y: to.top - 6 };
  if (end.y > start.y) {
    const bend = Math.max(24, (end.y - start.y) / 2);
    return `M ${at(start.x, start.y)} C ${at(start.x, start.y + bend)} ${at(end.x, end.y - bend)} ${at(end.x, end.y)}`;
  }
  const side = sideOf(start, to, from);
  return [
    `M ${at(start.x, start.y)}`,
    `C ${at(start.x, start.y + 40)} ${at(side, start.y + 40)} ${at(side, start.y - 20)}`,
    `L ${at(side, end.y + 10)}`,
    `C ${at(side, end.y - 44)} ${at(end.x, end.y - 44)} ${at(end.x, end.y)}`,
  ].join(" ");
}

/** The x of a back edge: in the gap between the boxes if there is one, else around the nearer side. */
function sideOf(start: Point, to: PlacedNode, from: PlacedNode): number {
  const [leftGap, rightGap] = [from.left - (to.left + to.width), to.left - (from.left + from.width)];
  if (leftGap >= 24) return from.left - Math.min(leftGap / 2, 36);
  if (rightGap >= 24) return from.left + from.width + Math.min(rightGap / 2, 36);
  const isLeft = start.x < from.left + from.width / 2;
  return isLeft ? Math.min(from.left, to.left) - 36 : Math.max(from.left + from.width, to.left + to.width) + 36;
}
