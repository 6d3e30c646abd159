import type * as z from "zod";
import { countSelected, type Selector, type TrafficSpec } from "../../../world/index.js";
import { type CastNames, type CastKind, selectorKeys } from "../../cast-names.js";
import type { ReadFile } from "../../sheet/csv.js";
import { keyed, keysOf, notTogether } from "../../sheet/field.js";
import { duration, formed, rate, selection, word } from "../../fields/fields.js";
import { span, texts } from "../../fields/varying-fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { durationLiteral } from "../../fields/values/duration.js";
import { namePattern, type Selection } from "../../fields/values/selector.js";
import { keyConflict, type Path } from "../../sheet/raw-value.js";
import { areHandsetsCalling, callEnd, endsAndTalks, endsOfHandsets } from "../call-end.js";
import { deliverySchema } from "../delivery-troubles.js";
import { type ArrivalsInput, arrivalsSchema, readArrivals, readTimes } from "./arrivals.js";
import { anyShape, readShape, type ShapeInput, shapeOf, shapeSchema } from "./shape.js";

const kinds = ["texts", "calls", "sends"] as const;
const pers = ["fleet", "handset", "person"] as const;

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
  ends: callEnd.optional(),
}).meta({ allOf: [notTogether("rings", "talks"), notTogether("ends", "talks")] });
const sendsArgs = keyed({
  via: selection("The handsets through which the service sends."),
  to: selection("The people who are written to."),
  body: texts("What the service writes."),
});

const entry = keyed({
  name: formed(new RegExp(`^${namePattern}$`), "a name such as storm", "What verbs and hands call it.").optional(),
  texts: textsArgs.describe("People text handsets.").optional(),
  calls: callsArgs.describe("People call handsets, or handsets people.").optional(),
  sends: sendsArgs.describe("The service sends messages.").optional(),
  rate: rate("How often; may be left out where 'shape' is a list.").optional(),
  per: word(pers, "Of whom 'rate' and the rates of 'shape' are: all together, or each.").prefault("fleet"),
  arrivals: arrivalsSchema.optional(),
  every: duration("How far apart bursts are.", { minMs: 1 }).prefault("1m"),
  from: duration("When it begins, from the start.").prefault("0s"),
  until: duration("When it ends, from the start; default: with the scenario.").optional(),
  shape: shapeSchema.optional(),
  delivery: deliverySchema
    .describe("Trouble on the way of events about its people at its handsets, while it lasts: as the verb `delivery`.")
    .optional(),
});
/** `delivery` is read when all names are known. Unions are read separately, because their failure does not say which branch was meant. */
const plainEntry = entry.extend({ shape: anyShape, arrivals: anyShape, delivery: anyShape });

/** An entry of `traffic`. */
export const trafficSchema: z.ZodType = entry.meta({
  allOf: [keysOf("oneOf", kinds), keysOf("anyOf", ["rate", "shape", "arrivals"])],
});

/** What the typed builder takes for an entry of `traffic`: texts, calls or sends, with rate or arrivals. */
export type TrafficInput = OneKind &
  Omit<z.input<typeof entry>, (typeof kinds)[number] | "arrivals" | "shape"> & {
    readonly arrivals?: ArrivalsInput | undefined;
    readonly shape?: ShapeInput | undefined;
  };

type OneKind =
  | { readonly texts: z.input<typeof textsArgs>; readonly calls?: never; readonly sends?: never }
  | { readonly calls: z.input<typeof callsArgs>; readonly texts?: never; readonly sends?: never }
  | { readonly sends: z.input<typeof sendsArgs>; readonly texts?: never; readonly calls?: never };

/** Context for reading an entry. */
export interface TrafficContext {
  readonly names: CastNames;
  readonly lastsMs: number;
  readonly startsAtMs: number;
  readonly readFile: ReadFile | undefined;
}

/** Reads one entry of `traffic`; undefined if it is invalid. */
export function readTraffic(reader: DocumentReader, path: Path, context: TrafficContext): TrafficSpec | undefined {
  const { names, lastsMs } = context;
  const given = reader.read(plainEntry, path);
  const shape = readShape(reader, [...path, "shape"]);
  const arrivals = readArrivals(reader, [...path, "arrivals"]);
  if (given === undefined || shape === "unsound" || arrivals === undefined) {
    for (const kind of kinds) {
      for (const key of selectorKeys) {
        names.checkGroupExists(reader.at([...path, kind, key]), (problem) =>
          reader.reportProblem([...path, kind, key], problem),
        );
      }
    }
    return undefined;
  }
  const deed = readAction(reader, path, given, names);
  const times = timesOf(reader, path, given, lastsMs);
  if (deed === undefined) return undefined;
  const each = { fleet: 1, handset: countSelected(deed.handsets), person: countSelected(deed.people) }[given.per];
  const common = {
    name: given.name,
    ...deed,
    ...times,
    each: each === 1 ? undefined : each,
  };
  if (typeof arrivals === "object") {
    for (const key of ["rate", "per", "shape", "every"] as const) {
      if (reader.at([...path, key]) === undefined) continue;
      reader.reportProblem(
        [...path, key],
        keyConflict(`'${key}' cannot be where 'arrivals' names a file: its times say when`, "leave it out"),
      );
    }
    const kind = deed.kind === "sends" || deed.from === "handsets" ? "handsets" : "people";
    const senders = deed[kind];
    const at = readTimes(reader, [...path, "arrivals"], arrivals, { ...context, kind, senders });
    return { ...common, arrivals: "times", at, shape: { kind: "constant", perMs: 0 } };
  }
  if (arrivals !== "burst" && reader.at([...path, "every"]) !== undefined) {
    const message = "'every' is that of bursts";
    const hint = "write arrivals: burst, or leave it out";
    reader.reportProblem([...path, "every"], keyConflict(message, hint));
  }
  return {
    ...common,
    arrivals,
    everyMs: arrivals === "burst" ? given.every : undefined,
    shape: shapeOf(reader, path, { perMs: given.rate, shape, each }),
  };
}

/** The part of an entry that says who texts, calls or sends to whom. */
type TrafficAction = Pick<TrafficSpec, "kind" | "people" | "handsets" | "from" | "body" | "rings" | "talks" | "ends">;

function readAction(
  reader: DocumentReader,
  path: Path,
  given: Pick<z.output<typeof plainEntry>, (typeof kinds)[number]>,
  names: CastNames,
): TrafficAction | undefined {
  const [kind, second] = kinds.filter((one) => given[one] !== undefined);
  if (kind === undefined) {
    reader.reportProblem(path, { code: "missing-key", message: "needs 'texts', 'calls' or 'sends'" });
    return undefined;
  }
  if (second !== undefined) {
    reader.reportProblem(
      [...path, second],
      keyConflict(`'${kind}' and '${second}' cannot be in one entry`, "begin a new entry with '- '"),
    );
  }
  const select = (selected: Selection, of: CastKind, key: string): Selector =>
    names.resolveSelection(selected, of, (problem) => reader.reportProblem([...path, kind, key], problem));
  if (given.texts !== undefined) {
    const { from, to, body } = given.texts;
    return {
      kind,
      people: select(from, "people", "from"),
      handsets: select(to, "handsets", "to"),
      from: "people",
      body,
    };
  }
  const checkHasNumber = (selected: Selection, key: string): void =>
    names.checkHasNumber(selected, (problem) => reader.reportProblem([...path, kind, key], problem));
  if (given.sends !== undefined) {
    const { via, to, body } = given.sends;
    checkHasNumber(to, "to");
    return {
      kind,
      people: select(to, "people", "to"),
      handsets: select(via, "handsets", "via"),
      from: "handsets",
      body,
    };
  }
  const { calls } = given;
  if (calls === undefined) return undefined;
  if (calls.rings !== undefined && calls.talks !== undefined) {
    reader.reportProblem(
      [...path, "calls", "talks"],
      keyConflict(
        "'rings' (nobody picks up) and 'talks' cannot both be",
        "keep one of the two, or make two entries of it",
      ),
    );
  }
  const byHandsets = areHandsetsCalling(names.kindOfSelection(calls.from), names.kindOfSelection(calls.to));
  if (calls.ends !== undefined && calls.talks !== undefined) {
    reader.reportProblem([...path, "calls", "ends"], endsAndTalks);
  }
  if (calls.ends !== undefined && byHandsets) reader.reportProblem([...path, "calls", "ends"], endsOfHandsets);
  if (byHandsets) checkHasNumber(calls.to, "to");
  return {
    kind,
    people: byHandsets ? select(calls.to, "people", "to") : select(calls.from, "people", "from"),
    handsets: byHandsets ? select(calls.from, "handsets", "from") : select(calls.to, "handsets", "to"),
    from: byHandsets ? "handsets" : "people",
    rings: calls.rings,
    talks: calls.talks,
    ends: calls.ends,
  };
}

function timesOf(
  reader: DocumentReader,
  path: Path,
  given: { readonly from: number; readonly until?: number | undefined },
  lastsMs: number,
): { fromMs: number; untilMs: number } {
  const fromMs = given.from;
  const untilMs = given.until ?? lastsMs;
  if (fromMs >= lastsMs) {
    reader.reportProblem([...path, "from"], {
      code: "after-end",
      message: `begins at ${durationLiteral(fromMs)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
    });
  } else if (untilMs <= fromMs) {
    reader.reportProblem([...path, "until"], {
      code: "out-of-range",
      message: `must be after 'from' (${durationLiteral(fromMs)}), got ${durationLiteral(untilMs)}`,
    });
  } else if (untilMs > lastsMs) {
    reader.reportProblem([...path, "until"], {
      code: "past-end",
      message: `is ${durationLiteral(untilMs)}, but the scenario lasts ${durationLiteral(lastsMs)}`,
      severity: "warning",
    });
  }
  return { fromMs, untilMs: Math.min(untilMs, lastsMs) };
}
