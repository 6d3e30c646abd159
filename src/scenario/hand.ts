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
  /** A sentence that names what it is about. */
  readonly message: string;
  readonly hint?: string;
}

/** What was read of a hand: an input where nothing is wrong but for warnings. */
export interface Hand {
  readonly input?: StoryInput;
  readonly problems: readonly HandProblem[];
}

/**
 * Reads one verb from the console or the control API. Everything is
 * spelled and checked as in a scenario; only `note`, which has a plain text there, takes it as `text`.
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
  /** One sentence or two for people. */
  readonly about: string;
  readonly isRequired: boolean;
  readonly schema: JsonShape;
}

/** What a verb takes by hand. */
export interface HandEntry {
  readonly name: string;
  /** One sentence for people. */
  readonly about: string;
  /** Arguments that the lab takes. */
  readonly example: JsonShape;
  /** JSON Schema (2020-12) of the arguments as an object. What depends on the lab's cast, only `readHand` knows. */
  readonly args: JsonShape;
  readonly arguments: readonly HandArgument[];
}

/** The groups of a cast, as examples name them. */
type Groups = Readonly<Record<"handsets" | "people", readonly { readonly name: string; readonly count: number }[]>>;

/**
 * The verbs that can be done by hand, in the order in which the documentation lists them: `expect` does nothing.
 *
 * @param groups - of the lab that the examples are for; default: `clinic` and `farmers`
 */
export function handReference(groups?: Groups): HandEntry[] {
  const doing = Object.values(verbs).filter(({ name }) => name !== "expect");
  return doing.map(({ name, about, example }) => {
    const { $schema: _, ...args } = jsonSchemaOf(handVerb(name as VerbName).args, "draft-2020-12");
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
 * A value as a command line has it: YAML where it begins with a brace or a bracket, as values that vary do; else the
 * very text. In YAML too everything stays as it is spelled.
 *
 * @param options - `isJson`: what YAML takes for numbers and flags become such, for data that is handed on
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

function isVerb(name: string): name is VerbName {
  return Object.hasOwn(verbs, name);
}

/** A verb whose arguments are a map: the only form that requests and command lines have. */
function handVerb(name: VerbName): Pick<Verb, "args" | "toInput"> {
  const verb: Verb = verbs[name];
  if ("shape" in verb.args) return verb;
  return {
    args: keyed({ text: verb.args }),
    toInput: (given, step) => verb.toInput((given as { text: unknown }).text, step),
  };
}

function namesOf({ handsets, people, traffic }: Cast): CastNames {
  const counts = (groups: readonly { readonly name: string; readonly count: number }[]): Map<string, number> =>
    new Map(groups.map(({ name, count }) => [name, count]));
  return new CastNames(
    { handsets: counts(handsets), people: counts(people) },
    new Set(),
    traffic.map(({ name, each = 1, arrivals }) => ({
      name,
      each,
      isTimed: arrivals === "times",
    })),
  );
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

/** Without the verb in front. */
function pathIn([, ...path]: Path): string {
  return path.join(".");
}

/** Hands come from anywhere: they read no files. */
function withoutFiles(part: Record<string, unknown>): void {
  const { anyOf } = part;
  if (!Array.isArray(anyOf)) return;
  part["anyOf"] = anyOf.filter((one: { readonly required?: unknown }) => String(one.required) !== "csv");
}

/** The arguments in a step that is written as YAML on one line. */
function exampleOf(name: string, step: string): JsonShape {
  const tree = readYaml(sourceOf(name, step), new Problems());
  const args = isMap(tree?.value) ? tree.value[name] : undefined;
  return isMap(args) ? (typed(args) as JsonShape) : { text: typed(args ?? "") };
}

/** Arguments whose selectors name groups and members that there are. */
function fitSelectors(args: JsonShape, { handsets, people }: Groups): JsonShape {
  const fitted = Object.entries(args).map(([key, value]) => {
    const selection = isSelectorKey(key) ? readSelection()(value as RawValue, () => undefined) : undefined;
    const group = (selection?.group === "clinic" ? handsets : people)[0];
    if (selection === undefined || group === undefined) return [key, value] as const;
    const isWithin = (selection.to ?? 0) < group.count;
    return [key, isWithin ? selection.text.replace(selection.group, group.name) : `${group.name}/0`] as const;
  });
  return Object.fromEntries(fitted);
}

function isSelectorKey(key: string): boolean {
  return (selectorKeys as readonly string[]).includes(key);
}

/** Numbers and flags as JSON has them. A phone number is a text, though YAML takes it for a number. */
function typed(value: RawValue): unknown {
  if (isList(value)) return value.map(typed);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]));
  if (value === "true" || value === "false") return value === "true";
  return value !== null && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}
