import type * as z from "zod";
import type { PeopleChoice, Selector, TrafficSpec } from "../../world/index.js";
import type { CastNames } from "../cast-names.js";
import { duration } from "../fields/fields.js";
import { readSelection } from "../fields/values/selector.js";
import type { StandingTrouble } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { keyed, keysOf } from "../sheet/field.js";
import type { Path, Problem } from "../sheet/raw-value.js";
import { ofDelivery, scopeFields, troubleArguments, troubleFields, troublesOf } from "../verbs/delivery-arguments.js";

/** `delivery` of a scenario, of a group of handsets and of an entry of traffic: trouble on the way to the receiver. */
export const deliverySchema = keyed({ ...troubleFields, ...scopeFields }).meta(keysOf("anyOf", troubleArguments));

/** `delivery` at the top level, which also says whose events and how long. */
export const topDeliverySchema = keyed({
  of: ofDelivery,
  ...troubleFields,
  ...scopeFields,
  for: duration("Until it ends, from the start; default: it stays.", { minMs: 1 }).optional(),
}).meta(keysOf("anyOf", troubleArguments));

/** What the typed builder takes for `delivery` at the top level. */
export type DeliveryKeyInput = z.input<typeof topDeliverySchema>;

/** Whose events a key concerns, and when. */
interface KeyScope {
  readonly path: Path;
  readonly of: Selector;
  /** Of an entry of traffic. */
  readonly people?: PeopleChoice;
  readonly fromMs: number;
  readonly untilMs?: number | undefined;
}

/** The troubles of the keys `delivery`: at the top level, of handsets, and of traffic, in this order. */
export function readStandingTroubles(
  reader: DocumentReader,
  names: CastNames,
  traffic: readonly { readonly path: Path; readonly spec: TrafficSpec | undefined }[],
): StandingTrouble[] {
  const groups = reader.keys(["handsets"]).flatMap((group): KeyScope[] => {
    const path = ["handsets", group, "delivery"];
    const selection = readSelection()(group, () => undefined);
    if (reader.at(path) === undefined || selection === undefined) return [];
    return [{ path, of: names.resolveSelection(selection, "handsets", () => undefined), fromMs: 0 }];
  });
  const entries = traffic.flatMap(({ path, spec }): KeyScope[] => {
    const own = [...path, "delivery"];
    if (spec === undefined || reader.at(own) === undefined) return [];
    const { handsets, people, fromMs, untilMs } = spec;
    return [{ path: own, of: handsets, people, fromMs, untilMs }];
  });
  return [...readTop(reader, names), ...[...groups, ...entries].flatMap((scope) => readOfScope(reader, names, scope))];
}

function readTop(reader: DocumentReader, names: CastNames): StandingTrouble[] {
  const path = ["delivery"];
  if (reader.at(path) === undefined) return [];
  const given = reader.read(topDeliverySchema, path);
  if (given === undefined) return [];
  const report = (problem: Problem): void => reader.reportProblem([...path, "of"], problem);
  const of = names.resolveSelection(given.of, "handsets", report);
  return troubleOf(reader, names, { given, scope: { path, of, fromMs: 0, untilMs: given.for } });
}

function readOfScope(reader: DocumentReader, names: CastNames, scope: KeyScope): StandingTrouble[] {
  const given = reader.read(deliverySchema, scope.path);
  return given === undefined ? [] : troubleOf(reader, names, { given, scope });
}

function troubleOf(
  reader: DocumentReader,
  names: CastNames,
  { given, scope }: { readonly given: z.output<typeof deliverySchema>; readonly scope: KeyScope },
): StandingTrouble[] {
  const { path, of, people, fromMs, untilMs } = scope;
  if (troubleArguments.every((kind) => given[kind] === undefined)) {
    const message = "needs a trouble, such as 'answers-lost: 10%' or 'delay: 30s'";
    reader.reportProblem(path, { code: "missing-key", message, on: "key" });
  }
  const { types, person: written, times } = given;
  const person =
    written === undefined || "phone" in written
      ? (written ?? people)
      : names.resolveSelection(written, "people", (problem) => reader.reportProblem([...path, "person"], problem));
  const input = {
    of,
    ...(types !== undefined && { types }),
    ...(person !== undefined && { person }),
    troubles: troublesOf(given, (inner, problem) => reader.reportProblem([...path, ...inner], problem)),
    ...(times !== undefined && { times }),
  };
  return [{ fromMs, ...(untilMs !== undefined && { untilMs }), input }];
}
