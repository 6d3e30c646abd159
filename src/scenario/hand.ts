import type { WantedFake } from "../sim/index.js";
import type { Cast } from "../world/index.js";
import { CastNames, selectorKeys } from "./cast-names.js";
import { expandCsv } from "./sheet/csv.js";
import type { DiagnosticCode } from "./sheet/diagnostic.js";
import { readYaml, sourceOf } from "./sheet/document.js";
import { fakesIn } from "./fakes.js";
import { type JsonShape, keyed } from "./sheet/field.js";
import { plainValueOf } from "./sheet/plain-value.js";
import { jsonSchemaOf, partsOf } from "./json-schema.js";
import { scenarioLanguage } from "./language.js";
import { suggest } from "./sheet/nearest.js";
import { readVerb } from "./parts/read-verb.js";
import { plainTree, type PlainTree } from "./sheet/plain-tree.js";
import { Problems } from "./sheet/problems.js";
import type { StoryInput } from "./scenario.js";
import { readSelection } from "./fields/values/selector.js";
import { DocumentReader } from "./sheet/document-reader.js";
import type { Verb } from "./verbs/verb.js";
import { verbs } from "./verbs/index.js";
import { isList, isMap, type Path, type RawValue } from "./sheet/raw-value.js";

/** A problem with a hand, or a warning about it. */
export interface HandProblem {
  /** The path of the argument: `from`, `values.0.label`. Empty: the hand as a whole. */
  readonly path: string;
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  /** A whole sentence, which names the argument or verb. */
  readonly message: string;
  readonly hint?: string;
}

/** A parsed hand: the input, absent if there are errors, and the problems. */
export interface Hand {
  readonly input?: StoryInput;
  readonly problems: readonly HandProblem[];
}

/**
 * Reads one verb from the console or the control API. Spelling and checks are those of scenarios, except that `note`
 * takes its text as the argument `text`.
 *
 * @param args - plain data, such as parsed JSON
 * @param cast - the running lab's
 * @param prepared - the fakes that the lab can draw (`fakesOf`); others are reported as problems
 */
export function readHand(verb: string, args: unknown, cast: Cast, prepared: readonly WantedFake[] = []): Hand {
  if (!isVerb(verb)) {
    const hint = suggest(verb, Object.keys(verbs));
    return {
      problems: [{ path: "", code: "unknown-verb", severity: "error", message: `'${verb}' is no verb`, hint }],
    };
  }
  const problems = new Problems();
  const plain = plainTree({ [verb]: args ?? {} }, problems);
  const { location } = plain.tree;
  const tree = {
    value: expandCsv(plain.tree, { readFile: undefined, language: scenarioLanguage }, problems),
    location,
  };
  const reader = new DocumentReader(tree, problems, scenarioLanguage);
  const input = readVerb(reader, [verb], { verb: handVerb(verb), names: namesOf(cast) });
  for (const { path, locale, places } of fakesIn(tree)) {
    if (prepared.some((one) => one.path === path && one.locale === locale)) continue;
    reader.reportProblem(plain.pathOf(places.path.line), {
      code: "unknown-fake",
      message: `'${path}' in locale ${locale} cannot be drawn here: only fakes that the scenario names are loaded`,
      whole: true,
      hint: "write the text, or { pick: [a, b] }",
    });
  }
  return { input: problems.hasErrors ? undefined : input, problems: problemsOf(problems, plain) };
}

/** One argument of a verb. */
export interface HandArgument {
  readonly name: string;
  /** One or two sentences for the documentation. */
  readonly about: string;
  readonly isRequired: boolean;
  readonly schema: JsonShape;
}

/** The documentation of a verb for hands. */
export interface HandEntry {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly about: string;
  /** Valid arguments. */
  readonly example: JsonShape;
  /** JSON Schema (2020-12) of the arguments. `readHand` also checks them against the lab's cast. */
  readonly args: JsonShape;
  readonly arguments: readonly HandArgument[];
}

/** The groups of a cast, for the selectors in examples. */
type HandGroups = Readonly<Record<"handsets" | "people", readonly { readonly name: string; readonly count: number }[]>>;

/** The verbs that belong to a story: by hand they would have no effect. */
const storyOnly = ["expect", "check", "beat"] as const;

/** Name of a verb that can be done by hand. */
export type HandVerb = Exclude<VerbName, (typeof storyOnly)[number]>;

/** The names of the verbs for hands, in the order of the documentation. */
export const handVerbs: readonly HandVerb[] = (Object.keys(verbs) as VerbName[]).filter(isForHands);

/**
 * The verbs for hands, in the order of the documentation. `expect`, `check` and `beat` are not among them.
 *
 * @param groups - of the lab that the examples are for; default: `clinic` and `farmers`
 */
export function handReference(groups?: HandGroups): HandEntry[] {
  return handVerbs.map((name) => {
    const { about, example } = verbs[name];
    const { $schema: _, ...args } = jsonSchemaOf(handVerb(name).args, "draft-2020-12");
    for (const part of partsOf(args)) withoutFiles(part);
    const required = (args["required"] ?? []) as readonly string[];
    const properties = args["properties"] as Readonly<Record<string, JsonShape>>;
    return {
      name,
      about,
      example: groups === undefined ? exampleOf(name, example) : fitSelectors(exampleOf(name, example), groups),
      args: { ...args, description: about },
      arguments: Object.entries(properties).map(([key, schema]) => ({
        name: key,
        about: typeof schema["description"] === "string" ? schema["description"] : "",
        isRequired: required.includes(key),
        schema,
      })),
    };
  });
}

/**
 * Parses a value of a command line: YAML if it begins with a brace or a bracket, as distributions do; else the text
 * itself. Scalars in YAML keep their spelling.
 *
 * @param options - `isJson`: unquoted numbers and flags become JSON numbers and booleans, for data passed through
 * @returns the value, or the problem with the text
 */
export function parseHandValue(
  text: string,
  { isJson = false }: { readonly isJson?: boolean } = {},
): { readonly value: unknown } | { readonly problem: string } {
  if (!/^\s*[{[]/.test(text)) return { value: text };
  const problems = new Problems();
  const tree = readYaml(sourceOf("", text), problems);
  const [told] = problems.inFileOrder();
  if (tree === undefined || told !== undefined) return { problem: told?.message ?? "is not well-formed" };
  return { value: isJson ? plainValueOf(tree) : tree.value };
}

type VerbName = keyof typeof verbs;

function isForHands(name: VerbName): name is HandVerb {
  return !(storyOnly as readonly string[]).includes(name);
}

function isVerb(name: string): name is VerbName {
  return Object.hasOwn(verbs, name);
}

/** The verb in the form that requests and command lines use: its arguments are a map. */
function handVerb(name: VerbName): Pick<Verb, "name" | "args" | "toInput"> {
  const verb: Verb = verbs[name];
  if ("shape" in verb.args) return verb;
  return {
    name,
    args: keyed({ text: verb.args }),
    toInput: (given, step) => verb.toInput((given as { text: unknown }).text, step),
  };
}

function namesOf({ handsets, people, traffic, carriers }: Cast): CastNames {
  const counts = (groups: readonly { readonly name: string; readonly count: number }[]): Map<string, number> =>
    new Map(groups.map(({ name, count }) => [name, count]));
  return new CastNames({ handsets: counts(handsets), people: counts(people) }, new Set(), {
    traffic: traffic.map(({ name, each = 1, arrivals }) => ({ name, each, isTimed: arrivals === "times" })),
    carriers: carriers.map(({ name }) => name),
    unplaced: new Set(handsets.filter(({ place }) => place === undefined).map(({ name }) => name)),
    withheld: new Set(people.filter(({ phone }) => phone.digits === 0 && phone.prefix === "").map(({ name }) => name)),
  });
}

function problemsOf(problems: Problems, plain: PlainTree): HandProblem[] {
  return problems.inDiscoveryOrder().map(({ diagnostic: { severity, code, message, hint, line }, needs }) => ({
    path: pathIn(needs ?? plain.pathOf(line)),
    code,
    severity,
    message,
    hint,
  }));
}

/** The path without the leading verb. */
function pathIn([, ...path]: Path): string {
  return path.join(".");
}

/** Removes the form `csv` from a schema: hands are untrusted, so they may not read files. */
function withoutFiles(part: Record<string, unknown>): void {
  const { anyOf } = part;
  if (!Array.isArray(anyOf)) return;
  part["anyOf"] = anyOf.filter((one: { readonly required?: unknown }) => String(one.required) !== "csv");
}

/** The arguments of an example step, which is YAML on one line. */
function exampleOf(name: string, step: string): JsonShape {
  const tree = readYaml(sourceOf(name, step), new Problems());
  const args = isMap(tree?.value) ? tree.value[name] : undefined;
  return isMap(args) ? (typed(args) as JsonShape) : { text: typed(args ?? "") };
}

/** Replaces groups and members in selectors by existing ones. */
function fitSelectors(args: JsonShape, { handsets, people }: HandGroups): JsonShape {
  const fitted = Object.entries(args).map(([key, value]) => {
    const selection = isSelectorKey(key) ? readSelection()(value as RawValue, () => undefined) : undefined;
    const [part] = selection?.parts ?? [];
    const group = (part?.group === "clinic" ? handsets : people)[0];
    if (part === undefined || group === undefined) return [key, value] as const;
    const isWithin = (part.to ?? 0) < group.count;
    return [key, isWithin ? part.text.replace(part.group, group.name) : `${group.name}/0`] as const;
  });
  return Object.fromEntries(fitted);
}

function isSelectorKey(key: string): boolean {
  return (selectorKeys as readonly string[]).includes(key);
}

/** Converts spelled numbers and flags to JSON. A phone number stays a text, although YAML reads it as a number. */
function typed(value: RawValue): unknown {
  if (isList(value)) return value.map(typed);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]));
  if (value === "true" || value === "false") return value === "true";
  return value !== null && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}
