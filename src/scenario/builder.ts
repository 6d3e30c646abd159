import { stringify } from "yaml";
import type * as z from "zod";
import { formatDiagnostics } from "./format-diagnostics.js";
import type { Diagnostic } from "./sheet/diagnostic.js";
import type { CarrierInput } from "./parts/carriers.js";
import type { TimedCheckInput } from "./parts/checks.js";
import type { FieldInput } from "./parts/field.js";
import type { HandsetsInput } from "./parts/handsets.js";
import type { MockInput } from "./parts/mocks.js";
import type { ExpectationInput } from "./parts/metrics.js";
import type { PeopleInput } from "./parts/people.js";
import type { WrittenReceiver } from "./parts/receiver.js";
import type { ServiceInput } from "./parts/service.js";
import type { DeliveryKeyInput } from "./parts/delivery-troubles.js";
import type { placeSchema } from "./parts/place.js";
import type { stepTimes } from "./parts/step-times.js";
import type { TrafficInput } from "./parts/traffic/entry.js";
import { parseScenario, type ParseOptions } from "./parse.js";
import type { Scenario } from "./scenario.js";
import type { plainKeys } from "./top-level.js";
import type { VerbArgs } from "./verbs/index.js";

/** A scenario in TypeScript, with the keys and spellings of the YAML files, which docs/scenario.md describes. */
export type ScenarioInput = Readonly<z.input<z.ZodObject<typeof plainKeys>>> & {
  readonly receiver?: WrittenReceiver | undefined;
  readonly service?: ServiceInput | undefined;
  readonly carriers?: Readonly<Record<string, CarrierInput>> | undefined;
  readonly handsets: Readonly<Record<string, HandsetsInput>>;
  readonly people?: Readonly<Record<string, PeopleInput>> | undefined;
  /** `{ lat: -1.95, lon: 30.06 }` */
  readonly place?: z.input<typeof placeSchema> | undefined;
  readonly traffic?: readonly TrafficInput[] | undefined;
  readonly delivery?: DeliveryKeyInput | undefined;
  /** `{ url: http://127.0.0.1:8090/orders, body: { status: sent } }` */
  readonly mocks?: readonly MockInput[] | undefined;
  readonly story?: readonly StepInput[] | undefined;
  /** `failures == 0` */
  readonly expect?: readonly ExpectationInput[] | undefined;
  /** `{ http: "GET http://127.0.0.1:8080/health", status: 200 }` */
  readonly checks?: readonly TimedCheckInput[] | undefined;
  /** `{ source: "docs/reference/handset.md#duplicates-and-losses", bug: "dedupe-by-id", right: ["never-twice"] }` */
  readonly field?: FieldInput | undefined;
};

type StepTimesInput = { readonly [Key in keyof typeof stepTimes]: z.input<(typeof stepTimes)[Key]> };

/** A step of the story: one time, which may recur, and one verb. */
export type StepInput = (
  | { readonly at: StepTimesInput["at"]; readonly after?: never }
  | { readonly after: StepTimesInput["after"]; readonly at?: never }
  | { readonly when: StepTimesInput["when"]; readonly at?: never; readonly after?: never }
) &
  Partial<Pick<StepTimesInput, "every" | "until" | "times" | "when" | "within">> &
  { [Name in keyof VerbArgs]: OneVerb<Name> }[keyof VerbArgs];

type OneVerb<Name extends keyof VerbArgs> = Readonly<Pick<VerbArgs, Name>> & {
  readonly [Other in Exclude<keyof VerbArgs, Name>]?: never;
};

/** Thrown when a built scenario is not sound. */
export class ScenarioError extends Error {
  override readonly name: string = "ScenarioError";
  /** Stable, for code that distinguishes errors. */
  readonly code: string = "scenario-not-sound";
  /** Lines count in the YAML text of the built scenario. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], text: string) {
    super(`the scenario is not sound\n${formatDiagnostics(diagnostics, text).trimEnd()}`);
    this.diagnostics = diagnostics;
  }
}

/**
 * Builds a scenario from TypeScript. It writes the input as YAML and parses that, so both ways give the same Scenario.
 *
 * @param options - `nowMs`: what `starts: now` means, default 0
 * @throws ScenarioError with the diagnostics when the scenario is not sound
 */
export function scenario(input: ScenarioInput, options: Partial<Omit<ParseOptions, "set" | "seed">> = {}): Scenario {
  const { file = "built scenario", nowMs = 0, readFile } = options;
  const strange = notPlain(input, [], new Set());
  if (strange.length > 0)
    throw new ScenarioError(
      strange.map((message) => diagnosticOf(file, message)),
      "",
    );
  const text = scenarioYaml(input);
  const parsed = parseScenario(text, { file, nowMs, readFile });
  if (parsed.scenario === undefined) throw new ScenarioError(parsed.diagnostics, text);
  const story = parsed.scenario.story.map((step) => ({ ...step, line: 0 }));
  return { ...parsed.scenario, story };
}

function diagnosticOf(file: string, message: string): Diagnostic {
  const hint = "build it of objects, arrays, texts, numbers and flags";
  return { severity: "error", code: "wrong-type", file, line: 1, column: 1, length: 1, message, hint };
}

/** The values that YAML cannot express, each as a phrase with its path. */
function notPlain(value: unknown, path: readonly string[], around: ReadonlySet<object>): string[] {
  const is = (what: string): string[] => [`'${path.join(".") || "the scenario"}' is ${what}`];
  if (typeof value === "function" || typeof value === "symbol") return is(`a ${typeof value}`);
  if (typeof value !== "object" || value === null)
    return path.length === 0 ? is(`no object, but ${String(value)}`) : [];
  if (value instanceof RegExp) return [];
  if (around.has(value)) return is("an object that contains itself");
  // eslint-disable-next-line no-restricted-globals -- a caller may pass a Date, which YAML spells as a timestamp
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? is("an invalid Date") : [];
  if (value instanceof Map || value instanceof Set) return is(`a ${value.constructor.name}`);
  const within = new Set(around).add(value);
  return Object.entries(value).flatMap(([key, one]) => notPlain(one, [...path, key], within));
}

/** A scenario in TypeScript as YAML text. */
export function scenarioYaml(input: ScenarioInput): string {
  return stringify(input, (_, value: unknown) => (value instanceof RegExp ? String(value) : value), {
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
