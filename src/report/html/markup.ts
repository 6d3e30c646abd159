import { printable } from "../../wire/index.js";

/** A piece of HTML that is safe to put into a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Markup | readonly Piece[] | undefined | false;

/** HTML from a template: what is put in is escaped, unless it is markup already. `undefined` and `false` are nothing. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  let text = strings[0] ?? "";
  pieces.forEach((piece, index) => {
    text += textOf(piece) + (strings[index + 1] ?? "");
  });
  return new Markup(text);
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "string" || typeof piece === "number") return escaped(String(piece));
  return piece.map(textOf).join("");
}

const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text for HTML or XML; characters that neither may hold become U+FFFD. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- control characters are what it is about
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
  );
}

/** JSON that can stand within a `script` element: nothing in it ends the element, begins a comment, or is a control character. */
export function json(value: unknown): Markup {
  return new Markup(printable(JSON.stringify(value)).replaceAll("<", "\\u003c"));
}
