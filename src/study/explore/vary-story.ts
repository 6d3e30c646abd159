import { durationLiteral, parseDuration, type RawValue, type WrittenTree } from "../../scenario/index.js";
import type { Stream } from "../../sim/index.js";

/** What variations may name: drawn from the scenario. */
export interface StoryCast {
  /** `clinic/0`: single handsets. */
  readonly handsets: readonly string[];
  /** `farmers/3`: single people. */
  readonly people: readonly string[];
  /** Words that people write: those of the scenario, and of the receiver's replies. */
  readonly words: readonly string[];
  readonly lastsMs: number;
}

/** Steps that a variation adds are at the end of the story: these are the indexes from which on they begin. */
export interface Variation {
  readonly tree: WrittenTree;
  /** Steps that were added by variations. */
  readonly added: number;
}

/** A step: its verb with arguments. */
type Step = Readonly<Record<string, RawValue>>;

/** Texts that receivers stumble over. */
const hardWords: readonly string[] = [
  "0",
  "STOP",
  "stop ",
  "100%",
  "a&b=c;d",
  "+250",
  "=1+1",
  "<b>x</b>",
  "Ñandú çà",
  "مرحبا",
  "你好",
  "🤦🏽‍♀️",
  "{{x}}",
  "' OR 1=1 --",
  "x".repeat(161),
  "é".repeat(71),
];

const spans: readonly string[] = ["30s", "2m", "10m", "45m", "3h"];

/** The causes that are tried, each as a step of its own. */
const causes: readonly ((draw: Stream, cast: StoryCast) => Step)[] = [
  (draw, cast) => ({ text: { from: draw.pick(cast.people), to: draw.pick(cast.handsets), body: wordOf(draw, cast) } }),
  (draw, cast) => ({ text: { from: draw.pick(cast.people), to: draw.pick(cast.handsets), body: wordOf(draw, cast) } }),
  (draw, cast) => ({
    text: {
      from: draw.pick(cast.people),
      to: draw.pick(cast.handsets),
      body: draw.pick(hardWords),
    },
  }),
  (draw, cast) => ({ call: { from: draw.pick(cast.people), to: draw.pick(cast.handsets), rings: "25s" } }),
  (draw, cast) => ({ send: { via: draw.pick(cast.handsets), to: draw.pick(cast.people), body: wordOf(draw, cast) } }),
  (draw, cast) => ({ network: { of: draw.pick(cast.handsets), type: "none", for: draw.pick(spans) } }),
  (draw, cast) => ({ coverage: { of: draw.pick(cast.handsets), state: "none", for: draw.pick(spans) } }),
  (draw, cast) => ({ "power-cut": { of: draw.pick(cast.handsets), for: draw.pick(spans) } }),
  (draw, cast) => ({ reboot: { of: draw.pick(cast.handsets), down: "1m" } }),
  (draw, cast) => ({ sync: { of: draw.pick(cast.handsets), loses: draw.pick(["request", "response"]) } }),
  (draw, cast) => ({ clock: { of: draw.pick(cast.handsets), skew: draw.pick(["-20m", "3h", "-1d", "30d"]) } }),
  (draw, cast) => ({ battery: { of: draw.pick(cast.handsets), level: draw.pick(["3%", "9%"]) } }),
  (draw, cast) => ({ unreachable: { person: draw.pick(cast.people), for: draw.pick(spans) } }),
  (draw, cast) => ({ delivery: { of: draw.pick(cast.handsets), ...troubleOf(draw), times: String(draw.int(1, 3)) } }),
  (draw, cast) => ({ delivery: { of: draw.pick(cast.handsets), ...troubleOf(draw), times: String(draw.int(1, 3)) } }),
];

function troubleOf(draw: Stream): Readonly<Record<string, string>> {
  return draw.pick<Readonly<Record<string, string>>>([
    { "answers-lost": "true" },
    { "requests-lost": "true" },
    { refused: "true" },
    { copies: "2" },
    { delay: "90s" },
    { "overtaken-by": "2" },
  ]);
}

function wordOf(draw: Stream, { words }: StoryCast): string {
  return words.length === 0 ? "hello" : draw.pick(words);
}

/** Varies a story by some changes: steps that are added, moved, doubled, changed or removed again. */
export function varyStory({ tree, added }: Variation, draw: Stream, cast: StoryCast, changes: number): Variation {
  let varied: Variation = { tree, added };
  for (let change = 0; change < changes; change++) varied = varyOnce(varied, draw, cast);
  return varied;
}

function varyOnce({ tree, added }: Variation, draw: Stream, cast: StoryCast): Variation {
  const story = storyOf(tree);
  const kind = draw.int(0, 9);
  const own = story.length - added;
  // The steps of the scenario itself are moved and doubled, never removed.
  if (kind === 0 && added > 0) {
    const gone = draw.int(own, story.length - 1);
    return {
      tree: withStory(
        tree,
        story.filter((_, place) => place !== gone),
      ),
      added: added - 1,
    };
  }
  const timed = story.flatMap((step, place) =>
    typeof step["at"] === "string" && parseDuration(step["at"]) !== undefined ? [place] : [],
  );
  if (kind <= 2 && timed.length > 0) {
    const place = draw.pick(timed);
    const step = story[place] ?? {};
    const moved = { ...step, at: nearby(draw, parseDuration(String(step["at"])) ?? 0, cast) };
    if (kind === 1)
      return {
        tree: withStory(
          tree,
          story.map((one, at) => (at === place ? moved : one)),
        ),
        added,
      };
    const isJudging = "expect" in step || "check" in step;
    if (!isJudging) return { tree: withStory(tree, [...story, moved]), added: added + 1 };
  }
  const anchor =
    timed.length > 0 && draw.chance(0.6) ? parseDuration(String(story[draw.pick(timed)]?.["at"])) : undefined;
  const at =
    anchor === undefined
      ? durationLiteral(1000 * draw.int(1, Math.max(1, Math.floor(cast.lastsMs / 1000) - 1)))
      : nearby(draw, anchor, cast);
  return { tree: withStory(tree, [...story, { at, ...draw.pick(causes)(draw, cast) }]), added: added + 1 };
}

/** An instant close to another one: causes that coincide are close together. */
function nearby(draw: Stream, ms: number, { lastsMs }: StoryCast): string {
  const reachMs = draw.pick([2000, 60_000, 600_000]);
  const shifted = ms + 1000 * draw.int(-Math.floor(reachMs / 1000), Math.floor(reachMs / 1000));
  return durationLiteral(Math.min(Math.max(0, shifted), Math.max(0, lastsMs - 1000)));
}

/** The cast of a scenario for variations; groups have at most three members each in it, so that causes meet. */
export function storyCast(
  tree: WrittenTree,
  {
    handsets,
    people,
    lastsMs,
  }: {
    readonly handsets: readonly { readonly name: string; readonly count: number }[];
    readonly people: readonly { readonly name: string; readonly count: number }[];
    readonly lastsMs: number;
  },
): StoryCast {
  const members = (groups: readonly { readonly name: string; readonly count: number }[]): string[] =>
    groups.flatMap(({ name, count }) => Array.from({ length: Math.min(3, count) }, (_, place) => `${name}/${place}`));
  return { handsets: members(handsets), people: members(people), words: [...wordsIn(tree)], lastsMs };
}

/** The texts of a scenario's story and traffic. */
function wordsIn(value: RawValue | undefined, key = ""): Set<string> {
  if (typeof value === "string")
    return new Set(["body", "pick", "text", "with"].includes(key) && value.length <= 160 ? [value] : []);
  if (typeof value !== "object" || value === null) return new Set();
  const entries: [string, RawValue][] = Array.isArray(value)
    ? value.map((item: RawValue): [string, RawValue] => [key, item])
    : Object.entries(value);
  return new Set(entries.flatMap(([name, inner]) => [...wordsIn(inner, name)]));
}

function storyOf(tree: WrittenTree): readonly Step[] {
  const { story } = tree;
  return Array.isArray(story) ? (story as readonly Step[]) : [];
}

function withStory(tree: WrittenTree, story: readonly Step[]): WrittenTree {
  return { ...tree, story };
}
