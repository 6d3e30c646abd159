import { Command } from "commander";
import {
  contextOf,
  DateTimeValue,
  type Environment,
  ErrorValue,
  evaluateExpression,
  evaluateTemplate,
  jsonText,
  ObjectValue,
  readJson,
  typeOf,
  type Value,
} from "../../../expression/index.js";
import type { Io } from "../../terminal/io.js";
import { readEnvironment } from "./environment.js";
import { answerLinesInText } from "./json-lines.js";

/** `handset flow eval`: templates and expressions. */
export function evalCommand(io: Io): Command {
  return new Command("eval")
    .summary("evaluate templates and expressions, as JSON lines")
    .description(
      'Reads lines {"template": "Hi @contact.name", "context": {"contact": {"name": "Bob"}}} and answers each ' +
        '{"output": "Hi Bob", "errors": []}. A line with "expression": "1 + 2" instead, without @( ), is answered ' +
        '{"value": 3, "type": "number", "errors": []}: the type is number, text, boolean, null, date, datetime, time, ' +
        "array, object, function or error; of an error the value is null, and its text is in errors. " +
        'Also: "environment" with date_format (YYYY-MM-DD), time_format (tt:mm), timezone (UTC), allowed_languages and ' +
        'default_country, and "now", ISO 8601 (the clock). Datetimes of a context are ISO 8601 texts; the key "__default__" ' +
        'of an object is the value that stands for it. A line with a mistake is answered {"error": "…"}.',
    )
    .action(() => answerLinesInText(io, (line) => answerLine(line, new DateTimeValue(Date.now(), 0, "UTC"))));
}

/**
 * The answer to one line, as JSON text: numbers keep their digits.
 *
 * @param clock - now, unless the line says it
 * @throws Error when a value is missing or invalid
 */
function answerLine(line: string, clock: DateTimeValue): string {
  const input = readJson(line);
  if (!(input instanceof ObjectValue)) throw new Error(input instanceof ErrorValue ? "not JSON" : "not an object");
  const environment = readEnvironment(input, clock);
  const context = contextIn(input, environment);
  const template = textIn(input, "template");
  if (template !== undefined) {
    const { text, errors } = evaluateTemplate(environment, context, template);
    return JSON.stringify({ output: text, errors });
  }
  const expression = textIn(input, "expression");
  if (expression === undefined) throw new Error("'template' or 'expression' is missing");
  const { value, errors } = evaluateExpression(environment, context, expression);
  return `{"value":${valueText(value)},"type":"${typeOf(value)}","errors":${JSON.stringify(errors)}}`;
}

function contextIn(input: ObjectValue, environment: Environment): ObjectValue {
  const context = input.get("context") ?? new ObjectValue({});
  if (!(context instanceof ObjectValue)) throw new Error("'context' must be an object");
  return contextOf(environment, context);
}

function textIn(input: ObjectValue, key: string): string | undefined {
  const value = input.get(key) ?? undefined;
  if (value !== undefined && typeof value !== "string") throw new Error(`'${key}' must be a text`);
  return value;
}

function valueText(value: Value): string {
  const text = jsonText(value);
  return text instanceof ErrorValue ? "null" : text;
}
