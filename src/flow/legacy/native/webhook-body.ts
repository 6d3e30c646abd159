/** A call over several lines, one operand a line. */
function block(name: string, operands: readonly string[]): string {
  return `${name}(\n${indented(operands.join(",\n"))}\n)`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function inline(name: string, ...operands: readonly string[]): string {
  return `${name}(${operands.join(", ")})`;
}

/** Operands of `object()`: a key and the expression of its value. */
function entry(key: string, value: string): string {
  return `"${key}", ${value}`;
}

/** Operands for keys that are properties of one object. */
function entriesOf(object: string, ...keys: readonly string[]): string[] {
  return keys.map((key) => entry(key, `${object}.${key}`));
}

const resultKeys = ["category", "category_localized", "created_on", "input", "name", "node_uuid", "value"];

const urn = block("if", [
  "input.urn",
  block("object", [
    entry("display", 'default(format_urn(input.urn), "")'),
    entry("path", "urn_parts(input.urn).path"),
    entry("scheme", "urn_parts(input.urn).scheme"),
  ]),
  "null",
]);

const input = block("if", [
  "input",
  block("object", [
    entry("attachments", "foreach(input.attachments, attachment_parts)"),
    ...entriesOf("input", "channel", "created_on", "text", "type"),
    entry("urn", urn),
    ...entriesOf("input", "uuid"),
  ]),
  "null",
]);

const payload = block("object", [
  entry("contact", inline("object", ...entriesOf("contact", "uuid", "name", "urn"))),
  ...entriesOf("run", "flow", "path"),
  entry("results", inline("foreach_value", "results", "extract_object", ...resultKeys.map((key) => `"${key}"`))),
  entry("run", inline("object", ...entriesOf("run", "uuid", "created_on"))),
  entry("input", input),
  entry("channel", "default(input.channel, null)"),
]);

/** The template of the JSON that webhooks of legacy flows post (docs/reference/flows.md#actions). */
export const webhookBody: string = `@(json(${payload}))`;
