import { Option } from "commander";
import { type HandArgument, type HandEntry, parseHandValue } from "../../scenario/index.js";
import { UsageError } from "../failures.js";

/** The command-line option of a verb's argument. */
export function argumentOption({ name, about, isRequired, schema }: HandArgument): Option {
  const kind = kindOf(schema);
  const flag = kind === "flag" ? "[flag]" : `<${kind}>`;
  const byDefault = schema["default"] === undefined ? "" : ` (default: ${JSON.stringify(schema["default"])})`;
  const needed = isRequired ? " (needed)" : "";
  return new Option(`--${name} ${flag}`, about.replace(/\.$/, "") + needed + byDefault);
}

/** The key of an argument's option in commander's flags: `failsAfter` for `fails-after`. */
function flagOf(name: string): string {
  return new Option(`--${name} <value>`).attributeName();
}

/** Whether any argument of a verb was given. */
export function hasArguments(flags: Readonly<Record<string, unknown>>, verb: HandEntry): boolean {
  return verb.arguments.some(({ name }) => flags[flagOf(name)] !== undefined);
}

/** The arguments of a verb from the command line. @throws UsageError when one is missing or cannot be read */
export function argumentsIn(flags: Readonly<Record<string, unknown>>, verb: HandEntry): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const { name, about, isRequired, schema } of verb.arguments) {
    const given = flags[flagOf(name)];
    if (given === undefined) {
      if (isRequired) throw new UsageError(`'handset do ${verb.name}' needs --${name}`, about);
      continue;
    }
    args[name] = typeof given === "string" && takesMore(schema) ? valueOf(name, given) : given;
  }
  return args;
}

function valueOf(name: string, text: string): unknown {
  const parsed = parseHandValue(text);
  if ("value" in parsed) return parsed.value;
  throw new UsageError(
    `--${name} cannot be read: ${parsed.problem}`,
    `what begins with a brace or a bracket is YAML; a text that does is written as --${name} '{ pick: ["${text[0]}…"] }'`,
  );
}

type ArgumentSchema = HandArgument["schema"];

function choicesIn(schema: ArgumentSchema): readonly ArgumentSchema[] {
  return Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as ArgumentSchema[]).flatMap(choicesIn) : [schema];
}

/** Whether a value may be a list or a map. */
function takesMore(schema: ArgumentSchema): boolean {
  return choicesIn(schema).some(({ type }) => type === "array" || type === "object");
}

/** Placeholder of the value in the help: its type, or its choices. */
function kindOf(schema: ArgumentSchema): string {
  const [first = {}] = choicesIn(schema);
  const { type, enum: words, examples } = first;
  if (Array.isArray(words))
    return words.includes(true) ? "flag" : words.filter((one) => typeof one === "string").join("|");
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  if (example === "clinic") return "selector";
  if (typeof example === "string" && /^\d+[smhd]/.test(example)) return "duration";
  if (typeof example === "string" && example.endsWith("%")) return "percent";
  if (typeof example === "string" && example.endsWith("x")) return "factor";
  if (typeof example === "string" && example.endsWith("/s")) return "rate";
  if (type === "integer") return "n";
  return type === "array" || type === "object" ? "yaml" : "text";
}

/** A command line that does what the verb's example does. */
export function exampleOf({ name, example }: HandEntry): string {
  const options = Object.entries(example).map(([key, value]) =>
    value === true ? `--${key}` : `--${key} ${quoted(typeof value === "string" ? value : flow(value))}`,
  );
  return `handset do ${name} ${options.join(" ")}`;
}

/** A value as YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return /^[\w+.-]+$/.test(String(value)) ? String(value) : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${flow(item)}`)
    .join(", ")} }`;
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
