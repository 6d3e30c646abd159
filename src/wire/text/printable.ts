/**
 * Characters that a terminal interprets instead of showing: C0 except tab and line feed, DEL, C1, line and paragraph
 * separators, and bidirectional controls, which reorder text.
 */
const CONTROLS = "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";

/** Bold, dim and foreground colours, as chalk writes them. */
const STYLE = String.raw`\u001b\[(?:[0-9;]*)m`;

const controls = new RegExp(`[${CONTROLS}]`, "g");
const controlsOrStyle = new RegExp(`${STYLE}|[${CONTROLS}]`, "g");
const lineControls = new RegExp(`[${CONTROLS}\\t\\n]`, "g");

/** SGR parameters of our own text. Others (conceal, blink, inverse, background) can hide text and are escaped. */
const ownStyle = new RegExp(
  String.raw`^\u001b\[(?:0|1|2|4|22|24|39|3[0-7]|9[0-7]|38;5;\d{1,3}|38;2;\d{1,3};\d{1,3};\d{1,3})m$`,
);

/**
 * Makes a text safe for a terminal: control characters become `\u001b`, which has the same meaning in JSON.
 *
 * @param options - `hasStyle`: our own bold, dim and colours stay; `isLine`: line feeds and tabs are escaped, too
 */
export function printable(
  text: string,
  options: { readonly hasStyle?: boolean; readonly isLine?: boolean } = {},
): string {
  if (options.isLine === true) return text.replace(lineControls, escaped);
  if (options.hasStyle !== true) return text.replace(controls, escaped);
  return text.replace(controlsOrStyle, (match) => (ownStyle.test(match) ? match : match.replace(controls, escaped)));
}

/** Makes untrusted text safe for one line of a terminal. */
export function onOneLine(text: string): string {
  return printable(text, { isLine: true });
}

function escaped(control: string): string {
  if (control === "\n") return String.raw`\n`;
  if (control === "\t") return String.raw`\t`;
  return String.raw`\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
