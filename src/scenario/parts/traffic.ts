import * as z from "zod";
import type { RateShape, Selector, TrafficSpec } from "../../world/index.js";
import { type CastNames, type Kind, selectorKeys } from "../cast-names.js";
import {
  duration,
  field,
  type Field,
  keyed,
  keysOf,
  notTogether,
  rate,
  selection,
  span,
  texts,
  type VaryingInput,
  word,
} from "../fields.js";
import type { Sheet } from "../sheet.js";
import { formatDuration } from "../values/duration.js";
import type { Selection } from "../values/selector.js";
import { readWord } from "../values/word.js";
import { isList, type Path } from "../written.js";

const kinds = ["texts", "calls", "sends"] as const;

const textsArgs = keyed({
  from: selection("The people who text."),
  to: selection("The handsets texted to: the sender's home handset where it is among them, else one drawn."),
  body: texts("What they write."),
});
const callsArgs = keyed({
  from: selection("Who dials: people, or handsets."),
  to: selection("Who is called: handsets, or people."),
  rings: span("How long it rings; nobody picks up.").optional(),
  talks: span("How long they talk.").optional(),
}).meta(notTogether("rings", "talks"));
const sendsArgs = keyed({
  via: selection("The handsets through which the service sends."),
  to: selection("The people who are written to."),
  body: texts("What the service writes."),
});

const piece = keyed({
  to: rate("The rate is led to this one …", { zero: true }).optional(),
  over: duration("… over this time; without it at once.").optional(),
  hold: duration("The rate stays for this time.").optional(),
}).meta({ ...keysOf("oneOf", ["to", "hold"]), ...notTogether("hold", "over") });

const shapePieces = z
  .array(piece)
  .min(1)
  .describe("Pieces one after the other: { to: 20/s, over: 10m } or { hold: 30m }.");
const shapeWord = field<"diurnal", "diurnal">(readWord(["diurnal"]), "A day's curve by local hour, around the rate.", {
  enum: ["diurnal"],
});

const entry = keyed({
  texts: textsArgs.describe("People text handsets.").optional(),
  calls: callsArgs.describe("People call handsets, or handsets people.").optional(),
  sends: sendsArgs.describe("The service sends messages.").optional(),
  rate: rate("How often, of the whole entry; may be left out where 'shape' is a list.").optional(),
  arrivals: word(["poisson", "even", "burst"], "How they are spread.", { default: "poisson" }).optional(),
  from: duration("When it begins, from the start.", { default: "0s" }).optional(),
  until: duration("When it ends, from the start; default: with the scenario.").optional(),
  shape: z.union([shapeWord, shapePieces]).describe("How the rate changes: diurnal, or a list of pieces.").optional(),
});

/** An entry of `traffic`. */
export const trafficSchema: z.ZodType = entry.meta({
  allOf: [keysOf("oneOf", kinds), keysOf("anyOf", ["rate", "shape"])],
});

/** What the typed builder takes for an entry of `traffic`: texts, calls or sends, and how often. */
export type TrafficInput = OneKind & {
  readonly rate?: string | undefined;
  readonly arrivals?: "poisson" | "even" | "burst" | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly shape?: "diurnal" | readonly ShapePieceInput[] | undefined;
};

type OneKind =
  | { readonly texts: TextsInput; readonly calls?: never; readonly sends?: never }
  | { readonly calls: CallsInput; readonly texts?: never; readonly sends?: never }
  | { readonly sends: SendsInput; readonly texts?: never; readonly calls?: never };

/** People text handsets. */
export interface TextsInput {
  readonly from: string;
  readonly to: string;
  readonly body: VaryingInput;
}

/** People call handsets, or handsets people. */
export interface CallsInput {
  readonly from: string;
  readonly to: string;
  readonly rings?: VaryingInput<string> | undefined;
  readonly talks?: VaryingInput<string> | undefined;
}

/** The service sends messages. */
export interface SendsInput {
  readonly via: string;
  readonly to: string;
  readonly body: VaryingInput;
}

/** A piece of a traffic entry's shape: a ramp or a hold. */
export interface ShapePieceInput {
  readonly to?: string | undefined;
  readonly over?: string | undefined;
  readonly hold?: string | undefined;
}

/** Reads one entry of `traffic`; undefined where it does not fit. */
export function readTraffic(sheet: Sheet, path: Path, names: CastNames, lastsMs: number): TrafficSpec | undefined {
  const given = sheet.read(entry.extend({ shape: anyShape }), path);
  const shapeGiven = readShape(sheet, [...path, "shape"]);
  if (given === undefined || shapeGiven === "unsound") {
    for (const kind of kinds) {
      for (const key of selectorKeys) {
        names.glance(sheet.at([...path, kind, key]), (problem) => sheet.tell([...path, kind, key], problem));
      }
    }
    return undefined;
  }
  const written = kinds.filter((kind) => given[kind] !== undefined);
  const [kind, second] = written;
  if (kind === undefined) {
    sheet.tell(path, { code: "missing-key", message: "needs 'texts', 'calls' or 'sends'" });
    return undefined;
  }
  if (second !== undefined) {
    sheet.tell([...path, second], {
      code: "not-together",
      message: `'${kind}' and '${second}' cannot stand in one entry`,
      whole: true,
      on: "key",
      hint: "begin a new entry with '- '",
    });
  }
  const times = timesOf(sheet, path, given, lastsMs);
  const shape = shapeOf(sheet, path, given.rate, shapeGiven);
  const select = (selected: Selection, of: Kind, key: string): Selector =>
    names.select(selected, of, (problem) => sheet.tell([...path, kind, key], problem));
  const common = { kind, arrivals: given.arrivals ?? "poisson", ...times, shape } as const;
  if (given.texts !== undefined) {
    const { from, to, body } = given.texts;
    return {
      ...common,
      people: select(from, "people", "from"),
      handsets: select(to, "handsets", "to"),
      from: "people",
      body,
    };
  }
  if (given.sends !== undefined) {
    const { via, to, body } = given.sends;
    return {
      ...common,
      people: select(to, "people", "to"),
      handsets: select(via, "handsets", "via"),
      from: "handsets",
      body,
    };
  }
  const calls = given.calls;
  if (calls === undefined) return undefined;
  if (calls.rings !== undefined && calls.talks !== undefined) {
    sheet.tell([...path, "calls", "talks"], {
      code: "not-together",
      message: "'rings' (nobody picks up) and 'talks' cannot both be",
      whole: true,
      on: "key",
      hint: "keep one of the two, or make two entries of it",
    });
  }
  const byHandsets = names.kindOf(calls.from.group) === "handsets";
  return {
    ...common,
    people: byHandsets ? select(calls.to, "people", "to") : select(calls.from, "people", "from"),
    handsets: byHandsets ? select(calls.from, "handsets", "from") : select(calls.to, "handsets", "to"),
    from: byHandsets ? "handsets" : "people",
    ...(calls.rings !== undefined && { rings: calls.rings }),
    ...(calls.talks !== undefined && { talks: calls.talks }),
  };
}

/** Read apart, so that a union's failure need not be explained. */
const anyShape: Field<unknown, unknown> = z.unknown().optional();

type Piece = z.output<typeof piece>;

function readShape(sheet: Sheet, path: Path): "diurnal" | readonly Piece[] | undefined | "unsound" {
  const written = sheet.at(path);
  if (written === undefined) return undefined;
  if (!isList(written)) return sheet.read(shapeWord, path) ?? "unsound";
  if (written.length === 0) {
    sheet.tell(path, { code: "bad-value", message: "must have at least one piece, got an empty list" });
    return "unsound";
  }
  const pieces = written.flatMap((_, place) => {
    const one = sheet.read(piece, [...path, place]);
    if (one !== undefined) checkPiece(sheet, [...path, place], one);
    return one ?? [];
  });
  return pieces.length === written.length ? pieces : "unsound";
}

function checkPiece(sheet: Sheet, path: Path, { to, over, hold }: Piece): void {
  const hint = "write { to: 20/s, over: 10m } or { hold: 30m }";
  if (hold !== undefined && (to !== undefined || over !== undefined)) {
    const other = to === undefined ? "over" : "to";
    sheet.tell([...path, "hold"], {
      code: "not-together",
      message: `'hold' and '${other}' cannot both be`,
      whole: true,
      on: "key",
      hint,
    });
  } else if (hold === undefined && to === undefined) {
    sheet.tell(path, { code: "missing-key", message: "needs 'to' or 'hold'", hint });
  }
}

/** Ramps and holds, each from where the one before has led; the first from `rate`, or from nothing. */
function shapeOf(
  sheet: Sheet,
  path: Path,
  perMs: number | undefined,
  shape: "diurnal" | readonly Piece[] | undefined,
): RateShape {
  if (shape === undefined || shape === "diurnal") {
    if (perMs === undefined) sheet.missing([...path, "rate"], "write rate: 20/s");
    return { kind: shape ?? "constant", perMs: perMs ?? 0 };
  }
  let startPerMs = perMs ?? 0;
  const pieces = shape.flatMap(({ to, over, hold }) => {
    const endPerMs = to ?? startPerMs;
    const lastsMs = hold ?? over ?? 0;
    const one = { startPerMs, endPerMs, lastsMs };
    startPerMs = endPerMs;
    return lastsMs === 0 ? [] : [one]; // a jump shows in the piece after it
  });
  if (pieces.every((one) => one.startPerMs === 0 && one.endPerMs === 0)) {
    sheet.tell([...path, "shape"], { code: "out-of-range", message: "never rises above 0/s for any time" });
  }
  return { kind: "pieces", pieces };
}

function timesOf(
  sheet: Sheet,
  path: Path,
  given: { readonly from?: number | undefined; readonly until?: number | undefined },
  lastsMs: number,
): { fromMs: number; untilMs: number } {
  const fromMs = given.from ?? 0;
  const untilMs = given.until ?? lastsMs;
  if (given.from !== undefined && fromMs >= lastsMs) {
    sheet.tell([...path, "from"], {
      code: "after-end",
      message: `begins at ${formatDuration(fromMs)}, but the scenario lasts ${formatDuration(lastsMs)}`,
    });
  } else if (untilMs <= fromMs) {
    sheet.tell([...path, "until"], {
      code: "out-of-range",
      message: `must be after 'from' (${formatDuration(fromMs)}), got ${formatDuration(untilMs)}`,
    });
  } else if (untilMs > lastsMs) {
    sheet.tell([...path, "until"], {
      code: "past-end",
      message: `is ${formatDuration(untilMs)}, but the scenario lasts ${formatDuration(lastsMs)}`,
      severity: "warning",
    });
  }
  return { fromMs, untilMs: Math.min(untilMs, lastsMs) };
}
