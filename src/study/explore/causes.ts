import type { Stream } from "../../sim/index.js";
import type { StoryCast } from "./story-cast.js";
import type { AddedStep } from "./story.js";

/** Whom a variation is about: causes meet at one person and one handset. */
export interface Focus {
  readonly person: string;
  readonly handset: string;
}

/** A cause without its instant. */
type Cause = Omit<AddedStep, "kind" | "atMs">;

/** A cause that variations add. */
interface CauseKind {
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Without people there is nobody who does it. */
  readonly needsPerson: boolean;
  /** Steps of one instant: the first alone may do nothing. */
  readonly make: (focus: Focus, draw: Stream, cast: StoryCast) => readonly Cause[];
}

/** Texts at which receivers fail: see docs/audit.md. */
const hardWords: readonly string[] = [
  "0",
  "-1",
  "99999999999",
  "STOP",
  "stop ",
  "?",
  "100%",
  "a&b=c;d+e",
  "+250788123456",
  "=1+1",
  "<b>x</b>",
  "{{x}} ${x} @contact",
  'O\'Neil -- "q"',
  "a,b;c|d\\e",
  "two\nlines",
  "tab\there",
  "Ñandú çà €",
  "مرحبا",
  "你好",
  "é",
  "🤦🏽‍♀️",
  "zero\u200Bwidth",
  "constructor",
  "null",
];

/** Texts that are hard by their length: of two segments in each alphabet, and of eleven. */
const longTexts: readonly string[] = ["x".repeat(161), "é".repeat(71), "long ".repeat(320).trim()];

const spans: readonly string[] = ["30s", "2m", "10m", "45m", "3h"];

/** The causes. One more is one more entry: a verb of the scenario language with its arguments. */
const kinds: readonly CauseKind[] = [
  {
    weight: 5,
    needsPerson: true,
    make: ({ person, handset }, draw, cast) => step("text", { from: person, to: handset, body: knownText(draw, cast) }),
  },
  {
    weight: 4,
    needsPerson: true,
    make: ({ person, handset }, draw) => step("text", { from: person, to: handset, body: hardText(draw) }),
  },
  {
    weight: 2,
    needsPerson: true,
    make: ({ person, handset }, draw) => step("call", { from: person, to: handset, rings: draw.pick(["25s", "1s"]) }),
  },
  {
    weight: 1,
    needsPerson: true,
    make: ({ person, handset }, draw) =>
      step("call", { from: person, to: handset, talks: draw.pick(["1s", "4m", "2h"]) }),
  },
  {
    weight: 1,
    needsPerson: true,
    make: ({ person, handset }, draw) =>
      step("call", { from: handset, to: person, [draw.pick(["rings", "talks"])]: "20s" }),
  },
  {
    weight: 1,
    needsPerson: true,
    make: ({ person, handset }, draw, cast) => step("send", { via: handset, to: person, body: knownText(draw, cast) }),
  },
  {
    weight: 1,
    needsPerson: true,
    make: ({ person }, draw) => step("unreachable", { person, for: draw.pick(spans) }),
  },
  {
    weight: 1,
    needsPerson: false,
    make: ({ handset }, draw) => step("network", { of: handset, type: "none", for: draw.pick(spans) }),
  },
  {
    weight: 1,
    needsPerson: false,
    make: ({ handset }, draw) => step("coverage", { of: handset, state: "none", for: draw.pick(spans) }),
  },
  {
    weight: 1,
    needsPerson: false,
    make: ({ handset }, draw) => step("power-cut", { of: handset, for: draw.pick(spans) }),
  },
  { weight: 1, needsPerson: false, make: ({ handset }) => step("reboot", { of: handset, down: "1m" }) },
  {
    weight: 3,
    needsPerson: false,
    make: ({ handset }, draw) => step("sync", { of: handset, loses: draw.pick(["response", "response", "request"]) }),
  },
  {
    weight: 1,
    needsPerson: false,
    make: ({ handset }, draw) => step("clock", { of: handset, skew: draw.pick(["-20m", "3h", "-1d", "30d"]) }),
  },
  {
    weight: 2,
    needsPerson: false,
    // A phone that is charged raises no alarm.
    make: ({ handset }, draw) => [
      ...step("power", { of: handset, mains: "off", for: draw.pick(spans) }),
      ...step("battery", { of: handset, level: draw.pick(["3%", "9%", "14%"]) }),
    ],
  },
  {
    weight: 4,
    needsPerson: false,
    make: ({ handset }, draw) =>
      step("delivery", { of: handset, ...draw.pick(troubles), times: String(draw.int(1, 3)) }),
  },
];

const troubles: readonly Readonly<Record<string, string>>[] = [
  { "answers-lost": "true" },
  { "answers-lost": "true" },
  { "requests-lost": "true" },
  { refused: "true" },
  { copies: "2" },
  { delay: "90s" },
  { "overtaken-by": "2" },
  { cut: "body" },
];

/** Draws a cause: the steps of one instant. */
export function drawCause(focus: Focus | undefined, draw: Stream, cast: StoryCast): readonly Cause[] {
  const [handset] = cast.handsets;
  if (handset === undefined) return [];
  const able = kinds.filter(({ needsPerson }) => !needsPerson || focus !== undefined);
  let left = draw.int(
    1,
    able.reduce((sum, { weight }) => sum + weight, 0),
  );
  const kind = able.find(({ weight }) => (left -= weight) <= 0) ?? able[0];
  return kind?.make(focus ?? { person: "", handset: draw.pick(cast.handsets) }, draw, cast) ?? [];
}

/** Another body for a text. */
export function drawText(draw: Stream, cast: StoryCast): string {
  return draw.chance(0.5) ? knownText(draw, cast) : hardText(draw);
}

/** Several hard words in one text: which of them matters is found when the failure is minimised. */
function hardText(draw: Stream): string {
  if (draw.chance(0.15)) return draw.pick(longTexts);
  const count = draw.pick([1, 1, 3, 6]);
  return Array.from({ length: count }, () => draw.pick(hardWords)).join(" ");
}

/** A text of the scenario or a word of the receiver, at times with something behind it. */
function knownText(draw: Stream, { words }: StoryCast): string {
  const word = words.length === 0 ? "hello" : draw.pick(words);
  if (/\s/.test(word) || !draw.chance(0.3)) return word;
  return `${word} ${draw.pick(["1", "0", "12", "yes", ...words.filter((one) => !/\s/.test(one))])}`;
}

function step(verb: string, args: Readonly<Record<string, string>>): readonly Cause[] {
  return [{ verb, args }];
}
