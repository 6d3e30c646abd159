import * as z from "zod";
import type { RateShape } from "../../../world/index.js";
import { field, type Field, keyed, keysOf, notTogether } from "../../sheet/field.js";
import { count, duration, rate, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { readNumber } from "../../fields/values/number.js";
import { mostPerMs } from "../../fields/values/rate.js";
import { listOf } from "../../fields/values/scalar.js";
import { keyConflict, isList, isMap, type Path, type Read } from "../../sheet/raw-value.js";

/** The kinds of pieces by their key, and the keys that go with each. */
const forms = {
  to: { needs: [], takes: ["over", "steps"], example: "{ to: 20/s, over: 10m }" },
  hold: { needs: [], takes: [], example: "{ hold: 30m }" },
  spike: { needs: ["for"], takes: ["for"], example: "{ spike: 50/s, for: 30s }" },
  repeat: { needs: ["of"], takes: ["of"], example: "{ repeat: 5, of: [{ spike: 50/s, for: 30s }, { hold: 5m }] }" },
} as const;
type Form = keyof typeof forms;
const formNames = Object.keys(forms) as Form[];

/** The most pieces of a shape. */
const mostPieces = 10_000;

const simple = keyed({
  to: rate("The rate is led to this one …", { zero: true }).optional(),
  over: duration("… over this time; without it at once.").optional(),
  steps: count("… in this number of equal steps instead of a slope.", { min: 1, max: 1000 }).optional(),
  hold: duration("The rate stays for this time.").optional(),
  spike: rate("The rate jumps to this one and back again …", { zero: true }).optional(),
  for: duration("… after this time.").optional(),
});
const piece = simple.extend({
  repeat: count("This many times …", { min: 1, max: mostPieces }).optional(),
  of: z.array(simple).min(1).describe("… these pieces, which do not repeat themselves.").optional(),
});
/** For the schema: exactly one form, without keys of another. */
const rules = {
  allOf: [
    keysOf("oneOf", formNames),
    ...formNames.flatMap((form) =>
      formNames.flatMap((other) => (other === form ? [] : forms[other].takes.map((key) => notTogether(form, key)))),
    ),
  ],
};

const curveHours = 24;

/** Factors for the hours of a day, normalised to a mean of 1. */
const readCurve: Read<readonly number[]> = (value, report) => {
  const example = "write the weights of its hours, the first from midnight on: diurnal: [1, 1, …, 5, 3]";
  const given = isList(value) ? listOf(readNumber({ min: 0, max: 1e9 }))(value, report) : undefined;
  if (given === undefined) {
    if (!isList(value)) report({ code: "wrong-type", message: "must be a list of 24 numbers", hint: example });
    return undefined;
  }
  if (given.length !== curveHours) {
    report({ code: "out-of-range", message: `must have ${curveHours} numbers, got ${given.length}`, hint: example });
    return undefined;
  }
  const mean = given.reduce((sum, one) => sum + one, 0) / curveHours;
  if (mean > 0) return given.map((one) => one / mean);
  report({ code: "out-of-range", message: "must have an hour above 0" });
  return undefined;
};
const curveField: Field<readonly number[], readonly number[]> = field(
  z.array(z.number().min(0)).length(curveHours),
  readCurve,
  "A curve of one's own: a weight for each local hour, the first from midnight on.",
);
const curve = keyed({
  diurnal: curveField,
});
const diurnalWord = word(["diurnal"], "A day's curve by local hour, around the rate.");

/** `shape` of an entry. */
export const shapeSchema: z.ZodType = z
  .union([
    diurnalWord,
    curve,
    z
      .array(piece.meta(rules))
      .min(1)
      .describe("Pieces one after the other: { to: 20/s, over: 10m }, { hold: 30m }, { spike: 50/s, for: 30s }."),
  ])
  .describe("How the rate changes: diurnal, or a list of pieces.");

/** Read separately, because the failure of a union does not say which branch was meant. */
export const anyShape: Field<unknown, unknown> = z.unknown().optional();

/** What the typed builder takes for `shape`. */
export type ShapeInput =
  z.input<typeof diurnalWord> | z.input<typeof curve> | readonly Readonly<z.input<typeof piece>>[];

/** A parsed piece: rates in arrivals per millisecond, durations in milliseconds. */
type Simple = z.output<typeof simple>;
type Piece = z.output<typeof piece>;

/** A parsed shape; rates are those of the file, before `per` is applied. */
export type WrittenShape = { readonly byHour?: readonly number[] } | readonly Piece[];

/** Reads `shape`; undefined if there is none. */
export function readShape(reader: DocumentReader, path: Path): WrittenShape | undefined | "unsound" {
  const written = reader.at(path);
  if (written === undefined) return undefined;
  if (isMap(written)) {
    const given = reader.read(curve, path);
    return given === undefined ? "unsound" : { byHour: given.diurnal };
  }
  if (!isList(written)) return reader.read(diurnalWord, path) === undefined ? "unsound" : {};
  if (written.length === 0) {
    reader.reportProblem(path, { code: "bad-value", message: "must have at least one piece, got an empty list" });
    return "unsound";
  }
  const pieces = written.flatMap((_, place) => {
    const one = reader.read(piece, [...path, place]);
    if (one !== undefined) checkPiece(reader, [...path, place], one);
    return one ?? [];
  });
  return pieces.length === written.length ? pieces : "unsound";
}

function checkPiece(reader: DocumentReader, path: Path, one: Piece): void {
  const keys = reader.keys(path);
  const names = isInside(path) ? formNames.filter((name) => name !== "repeat") : formNames;
  const form = names.find((name) => keys.includes(name));
  if (form === undefined) {
    const wanted = `${names.slice(0, -1).map((name) => `'${name}'`).join(", ")} or '${names.at(-1)}'`; // prettier-ignore
    const hint = `write ${forms.to.example} or ${forms.hold.example}`;
    reader.reportProblem(path, { code: "missing-key", message: `needs ${wanted}`, hint });
    return;
  }
  const { takes, needs, example } = forms[form];
  for (const key of keys) {
    if (key === form || takes.some((taken) => taken === key)) continue;
    reader.reportProblem([...path, key], keyConflict(`'${form}' and '${key}' cannot both be`, `write ${example}`));
  }
  for (const key of needs) if (!keys.includes(key)) reader.reportMissing([...path, key], `write ${example}`);
  if (one.steps !== undefined && one.over === undefined) {
    reader.reportMissing([...path, "over"], "write { to: 20/s, over: 10m, steps: 5 }");
  }
  one.of?.forEach((inner, place) => checkPiece(reader, [...path, "of", place], inner));
}

function isInside(path: Path): boolean {
  return path.at(-2) === "of";
}

/**
 * Converts a parsed shape to the world's form, with rates of the whole entry.
 *
 * @param written - `perMs`: `rate` of the file; `each`: number of members to each of which the rates apply
 */
export function shapeOf(
  reader: DocumentReader,
  path: Path,
  written: { readonly perMs: number | undefined; readonly shape: WrittenShape | undefined; readonly each: number },
): RateShape {
  const shape = plainShapeOf(reader, path, written);
  const rates = shape.kind === "pieces" ? shape.pieces.flatMap((one) => [one.startPerMs, one.endPerMs]) : [shape.perMs];
  const highestPerMs = rates.reduce((highest, one) => Math.max(highest, one), 0);
  if (highestPerMs > mostPerMs) {
    const message = `makes ${highestPerMs * 1000}/s of all ${written.each}: at most ${mostPerMs * 1000}/s`;
    reader.reportProblem([...path, "per"], { code: "out-of-range", message });
  }
  return shape;
}

function plainShapeOf(
  reader: DocumentReader,
  path: Path,
  {
    perMs,
    shape,
    each,
  }: { readonly perMs: number | undefined; readonly shape: WrittenShape | undefined; readonly each: number },
): RateShape {
  if (shape === undefined || !("length" in shape)) {
    if (perMs === undefined) reader.reportMissing([...path, "rate"], "write rate: 20/s");
    const meanPerMs = (perMs ?? 0) * each;
    if (shape === undefined) return { kind: "constant", perMs: meanPerMs };
    return { kind: "diurnal", perMs: meanPerMs, byHour: shape.byHour };
  }
  const count = shape.reduce((sum, one) => sum + lengthOf(one), 0);
  if (count > mostPieces) {
    const message = `comes to ${count} pieces, more than ${mostPieces}`;
    reader.reportProblem([...path, "shape"], { code: "out-of-range", message });
    return { kind: "pieces", pieces: [] };
  }
  const run = new PieceBuilder((perMs ?? 0) * each, each);
  for (const one of shape) run.add(one);
  if (run.pieces.every((one) => one.startPerMs === 0 && one.endPerMs === 0)) {
    reader.reportProblem([...path, "shape"], { code: "out-of-range", message: "never rises above 0/s for any time" });
  }
  return { kind: "pieces", pieces: run.pieces };
}

function lengthOf({ repeat = 1, of: inner, steps = 1 }: Piece): number {
  return inner === undefined ? steps : repeat * inner.reduce((sum, one) => sum + (one.steps ?? 1), 0);
}

type PlainPiece = Extract<RateShape, { kind: "pieces" }>["pieces"][number];

/** Builds the pieces of a shape; each starts at the rate where the piece before ends. */
class PieceBuilder {
  readonly pieces: PlainPiece[] = [];
  readonly #each: number;
  #perMs: number;

  constructor(startPerMs: number, each: number) {
    this.#perMs = startPerMs;
    this.#each = each;
  }

  add(one: Piece): void {
    for (let turn = 0; turn < (one.repeat ?? 1); turn++) for (const inner of one.of ?? [one]) this.#addSimple(inner);
  }

  #addSimple({ to, over = 0, steps, hold, spike, for: forMs = 0 }: Simple): void {
    const beforePerMs = this.#perMs;
    if (spike !== undefined) {
      this.#addConstant(spike * this.#each, forMs);
      this.#perMs = beforePerMs;
    } else if (to === undefined) this.#addConstant(beforePerMs, hold ?? 0);
    else if (steps === undefined) this.#addRamp(to * this.#each, over);
    else {
      const gainPerMs = (to * this.#each - beforePerMs) / steps;
      for (let step = 1; step <= steps; step++) {
        const lastsMs = Math.round((over * step) / steps) - Math.round((over * (step - 1)) / steps);
        this.#addConstant(step === steps ? to * this.#each : beforePerMs + gainPerMs * step, lastsMs);
      }
    }
  }

  #addConstant(perMs: number, lastsMs: number): void {
    this.#perMs = perMs;
    this.#addRamp(perMs, lastsMs);
  }

  #addRamp(endPerMs: number, lastsMs: number): void {
    // A jump needs no piece: the next piece starts at the new rate.
    if (lastsMs > 0) this.pieces.push({ startPerMs: this.#perMs, endPerMs, lastsMs });
    this.#perMs = endPerMs;
  }
}
